from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import regex
from click.testing import CliRunner

from newscrawler.cli.main import main
from newscrawler.errors import ConfigError
from newscrawler.research.methods.relie import Example, Learned, Relie, candidates, f1_of, read_expression

PHONES = ["0910-425-255", "0911 310 144", "0902.555.010", "0948-100-200", "0917 222 333", "0905.777.888"]


def phone_examples() -> list[Example]:
    return [
        Example(text=f"Volajte {phone} v pondelok 1. 2. 2014, cena 1 200 250 eur, kurz 27.50", wanted=frozenset([phone]))
        for phone in PHONES
    ]


@pytest.mark.parametrize("text", [r"\d+", r"(?:a|b)?c{2}", r"[a-z]{1,3}x*", r"a{2,}", r"\w+(?:-\w+)*"])
def test_an_expression_is_written_as_it_was_read(text: str) -> None:
    written = read_expression(text).write()

    assert re.compile(written)
    for sample in ("1", "12", "ccx", "bcc", "abx", "aaa", "a-b-c"):
        assert bool(re.fullmatch(text, sample)) == bool(re.fullmatch(written, sample))


@pytest.mark.parametrize("text", ["(a", "a)", "(?=a)", "^a$", "a" * 301, r"(\1"])
def test_what_cannot_be_transformed_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        read_expression(text)


def test_a_rough_expression_becomes_one_that_finds_phone_numbers_alone() -> None:
    rough = r"(?:\d+\W)+\d+"
    examples = phone_examples()

    learned = Relie().learn(rough, examples)

    assert f1_of(Learned(root=read_expression(rough)), examples) < 0.7
    assert f1_of(learned, examples) == 1
    assert learned.find("Nové číslo je 0944-121-212, volajte.") == ["0944-121-212"]


def test_words_of_wrong_matches_are_shut_out() -> None:
    names = ["Jana Malá", "Ivan Novák", "Eva Krátka", "Adam Dlhý"]
    examples = [Example(text=f"Čítajte Viac. {name}, dnes.", wanted=frozenset([name])) for name in names]

    learned = Relie(most_rounds=1).learn(r"\w+ \w+", examples)

    assert f1_of(learned, examples) > f1_of(Learned(root=read_expression(r"\w+ \w+")), examples)
    assert learned.find("Čítajte Viac. Zita Biela, dnes.") == ["Zita Biela"]


def test_a_first_expression_that_finds_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="finds nothing of what the examples want"):
        Relie().learn("x+", phone_examples())


def test_the_command_prints_the_expression_with_its_figures_and_finds_the_field_on_other_pages(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"html": f"<p>{one.text}</p>", "gold": {"phone": next(iter(one.wanted))}}) + "\n" for one in phone_examples()
    )

    result = CliRunner().invoke(
        main, ["template", "field", "learn", "phone", "--regex", r"(?:\d+\W)+\d+", "--pages", "-"], input=lines
    )

    found = json.loads(result.stdout)
    assert (found["field"], found["f1"], found["examples"]) == ("phone", 1.0, 6)
    assert found["f1_before"] < 0.7
    (tmp_path / "phone.json").write_text(result.stdout, "utf-8")
    page = {"id": 7, "url": None, "html": "<p>Nové číslo je <b>0944-121-212</b>, volajte 0944-121-212 za 1 200 250 eur.</p>"}
    other = CliRunner().invoke(main, ["template", "field", "find", str(tmp_path / "phone.json")], input=json.dumps(page) + "\n{}\n")
    answers = [json.loads(line) for line in other.stdout.splitlines()]
    assert answers[0] == {"id": 7, "url": None, "field": "phone", "found": ["0944-121-212"]}
    assert "html" in answers[1]["error"]


@pytest.mark.parametrize("written", ["", "[]", '{"field": "phone"}', '{"field": "phone", "pattern": "(a"}'])
def test_a_file_without_an_expression_is_refused(tmp_path: Path, written: str) -> None:
    (tmp_path / "phone.json").write_text(written, "utf-8")

    result = CliRunner().invoke(main, ["template", "field", "find", str(tmp_path / "phone.json")])

    assert result.exit_code == 2
    assert "is not a file that `newscrawler template field learn` wrote" in result.stderr


@pytest.mark.parametrize(
    ("first", "narrower"),
    [
        (r"\d[\d\W]+\d", r"\d[\d\-./]+\d"),  # a member narrowed
        (r"[a-z0-9]+", r"[0-9]+"),  # a range left out
        (r"[-\w.]+", r"[\-\d.]+"),
    ],
)
def test_a_class_in_brackets_is_narrowed_member_by_member(first: str, narrower: str) -> None:
    made = {one.root.write() for one in candidates(Learned(root=read_expression(first)), [])}

    assert f"(?:{narrower})" in made
    for pattern in made:
        regex.compile(pattern)


def test_numbers_with_separators_are_told_from_dates_by_the_characters_of_a_class() -> None:
    """The expression of the command's own example."""
    examples = [
        Example(text=f"Do {day}. 11. volajte 09{day}-425-255 ihneď.", wanted=frozenset([f"09{day}-425-255"]))
        for day in range(10, 30)
    ]

    learned = Relie().learn(r"\d[\d\W]+\d", examples)

    assert f1_of(learned, examples) == 1.0
    assert not learned.excluded
    assert learned.find("Do 31. 12. volajte 0999-111-222.") == ["0999-111-222"]
