from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from newscrawler.cli.main import main
from newscrawler.corpus import Word
from newscrawler.research.methods.ontea import AnnotationClass, Ontea, as_json_ld, as_n_triples

KIA = (
    "Automobilka sa rozhodla investovať pri Žiline, kde vybudovala továreň Kia Motors Slovakia, s.r.o. so sídlom "
    "01301 Teplička nad Váhom. Dohodu podpísal minister Pavol Rusko 5. februára 2004."
)


def labels(text: str, language: str, method: Ontea | None = None) -> set[tuple[str, str]]:
    return {(str(one.kind), one.label) for one in (method or Ontea()).annotate(text, language)}


def test_the_example_of_the_thesis_is_annotated() -> None:
    assert labels(KIA, "sk") == {
        ("Place", "Žiline"),
        ("Organization", "Kia Motors Slovakia, s.r.o."),
        ("Place", "Teplička nad Váhom"),
        ("Person", "Pavol Rusko"),
        ("Date", "2004-02-05"),
    }


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        (
            "It happened near Bratislava, said President Zuzana Nová on 2 May 2026.",
            "en",
            {"Bratislava", "Zuzana Nová", "2026-05-02"},
        ),
        ("W Krakowie mówił premier Jan Kowalski z Budimex S.A. o drodze.", "pl", {"Krakowie", "Jan Kowalski", "Budimex S.A."}),
        ("Das Werk in Dresden gehört der Beispiel Werke GmbH, sagte Frau Anna Schmidt.", "de", {"Dresden", "Anna Schmidt"}),
    ],
)
def test_patterns_are_those_of_the_language(text: str, language: str, expected: set[str]) -> None:
    assert expected <= {label for _, label in labels(text, language)}


def test_a_name_that_begins_a_sentence_needs_a_title() -> None:
    assert labels("Velký Návrat se nekonal.", "cs") == set()
    assert labels("Pan Karel Velký se vrátil.", "cs") == {("Person", "Karel Velký")}


def test_the_gazetteer_goes_before_patterns_and_gives_addresses() -> None:
    known = Ontea(gazetteer={"Jaguar Land Rover": (AnnotationClass.ORGANISATION, "https://example.org/jlr")})

    found = known.annotate("Včera vyhrál Jaguar Land Rover v Nitre.", "sk")

    assert next((one.label, one.kind, one.is_known) for one in found) == ("Jaguar Land Rover", AnnotationClass.ORGANISATION, True)
    described = as_json_ld(found, "https://www.example.org/a")
    assert described["mentions"][0] == {"@type": "Organization", "name": "Jaguar Land Rover", "@id": "https://example.org/jlr"}


def test_rdf_says_the_same_one_triple_a_line_with_texts_escaped() -> None:
    found = Ontea(gazetteer={'Ro"zhlas': (AnnotationClass.ORGANISATION, None)}).annotate(KIA, "sk")

    lines = as_n_triples(found, "https://www.example.org/a b").splitlines()

    assert all(line.endswith(" .") for line in lines)
    assert lines[0].startswith("<https://www.example.org/a%20b> ")
    assert sum("schema.org/mentions" in line for line in lines) == 4
    assert '"Pavol Rusko" .' in "\n".join(lines)


def test_lines_of_articles_are_answered_with_their_annotations(tmp_path: Path) -> None:
    (tmp_path / "known.tsv").write_text("Žiline\tPlace\thttps://example.org/zilina\n", "utf-8")
    line = json.dumps({"id": 4, "url": "https://www.example.org/a", "title": "Nová továreň", "body": KIA, "language": "sk"}) + "\n"

    result = CliRunner().invoke(main, ["annotate", "--gazetteer", str(tmp_path / "known.tsv")], input=line)

    answer = json.loads(result.stdout)
    assert answer["id"] == 4
    assert {"@type": "Place", "name": "Žiline", "@id": "https://example.org/zilina"} in answer["annotation"]["mentions"]
    assert answer["annotation"]["temporalCoverage"] == ["2004-02-05"]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Řekl to pan Karel Nový. S panem Karlem Novým mluvil ministr Jan Dvořák, s Janem Dvořákem i my.", "cs", "Jan Dvořák"),
        ("Rozmawiał premier Jan Kowalski. Nie zgodził się z premierem Janem Kowalskim.", "pl", "Jan Kowalski"),
        ("Das sagte Frau Anna Schmidt. Der Antrag von Anna Schmidts neuer Partei lag vor.", "de", "Anna Schmidt"),
    ],
)
def test_declined_forms_of_a_name_are_one_individual(text: str, language: str, expected: str) -> None:
    found = [one.label for one in Ontea().annotate(text, language)]
    apart = {one.label for one in Ontea(joins_declined=False).annotate(text, language)}

    assert found.count(expected) == 2
    assert len(apart) > len(set(found))


def test_a_declined_name_is_found_in_the_gazetteer() -> None:
    known = Ontea(gazetteer={"Žilina": (AnnotationClass.PLACE, "https://example.org/zilina")})

    (found,) = known.annotate("Automobilka stojí pri Žiline.", "sk")

    assert (found.label, found.identifier) == ("Žilina", "https://example.org/zilina")
    assert known.annotate("Automobilka stojí pri Žiline.", None)[0].label == "Žiline"


def forms(text: str) -> Iterator[list[Word]]:
    """A tagger that knows one declined name, whose stem changes."""
    found = ((match, {"Karlem": "Karel", "Velkým": "Velký"}.get(match[0])) for match in re.finditer(r"\w+", text))
    yield [Word(start=match.start(), end=match.end(), lemma=lemma) for match, lemma in found]


def test_lemmas_of_a_tagger_join_what_endings_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "a_tagger", SimpleNamespace(forms=forms))
    line = json.dumps({"url": None, "body": "Mluvili s panem Karlem Velkým.", "language": "cs"}) + "\n"

    tagged = CliRunner().invoke(main, ["annotate", "--tagger", "a_tagger:forms"], input=line)
    plain = CliRunner().invoke(main, ["annotate"], input=line)

    assert json.loads(tagged.stdout)["annotation"]["mentions"] == [{"@type": "Person", "name": "Karel Velký"}]
    assert json.loads(plain.stdout)["annotation"]["mentions"] == [{"@type": "Person", "name": "Karlem Velkým"}]


def test_a_region_makes_no_difference_and_languages_that_nobody_knows_are_no_language() -> None:
    method = Ontea(gazetteer={"Žilina": (AnnotationClass.PLACE, None)})

    assert method.annotate("Automobilka stojí pri Žiline.", "sk-SK")[0].label == "Žilina"
    for number in range(100):
        method.annotate("Automobilka stojí pri Žiline.", f"x{number}")

    assert len(method._by_stem) <= 2


def test_in_german_two_words_in_capitals_are_a_person_only_if_a_title_says_so_somewhere() -> None:
    text = "Es kostet fünf Millionen Euro, sagte Minister Jan Neumann. Später sprach auch Jan Neumann mit Lena Vogel."

    found = [(each.kind, each.label) for each in Ontea().annotate(text, "de")]

    assert found == [(AnnotationClass.PERSON, "Jan Neumann")] * 2


def test_many_names_take_time_in_proportion() -> None:
    def measure(number: int) -> float:
        text = " ".join(f"řekl Jan N{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}vák." for n in range(number))
        began = time.process_time()
        assert len(Ontea().annotate(text, "cs")) == number
        return time.process_time() - began

    measure(10)  # compiles the patterns
    assert measure(8_000) < 40 * measure(800)
