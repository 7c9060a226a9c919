from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.errors import ConfigError
from newscrawler.extraction import ExtractionState, build_options, read_article
from newscrawler.extraction.templates import read_template, write_template
from newscrawler.page import Document
from newscrawler.research.methods.outline import outline
from newscrawler.research.site_methods.tokens import TEXT_MARK, tokens_of
from newscrawler.research.site_methods.trinity import Trinity, TrinityTemplate, longest_shared
from newscrawler.research.site_methods.trinity_fields import (
    compare_with_selectors,
    name_by_hand,
    name_by_samples,
)

ITEM = "<b>{}</b><i>{}</i>"


def written(document: Document) -> str:
    return "".join(name.removeprefix(TEXT_MARK) for name in tokens_of(outline(document.body)).names)


def journal(number: int, title: str, *, authors: str = "Matov O., Vasylenko V.") -> Document:
    html = (
        f"<html><body><h1>Data Recording</h1><h2>{title}</h2><div class=a>{authors}</div>"
        f"<table><tr><td>Annotation</td><td>About number {number}</td></tr></table></body></html>"
    )
    return Document.parse(html, f"https://journal.example/{number}")


def page(*items: tuple[str, str]) -> Document:
    return Document.parse(f"<html><body><h1>Results</h1>{''.join(ITEM.format(*item) for item in items)}<hr></body></html>")


def test_the_longest_shared_pattern_is_found_first() -> None:
    assert longest_shared(["xabcdy", "zabcdw", "abcd"], 1, 10) == "abcd"
    assert longest_shared(["abab", "baba"], 1, 10) == "aba"
    assert longest_shared(["abc", "def"], 1, 10) == ""


def test_lengths_of_patterns_are_bounded() -> None:
    assert longest_shared(["abcdef", "abcdef"], 1, 4) == "abcd"
    assert longest_shared(["abxcd", "abycd"], 3, 10) == ""


@given(st.lists(st.text("ab", min_size=1, max_size=10), min_size=2, max_size=4))
def test_no_longer_string_is_shared(texts: list[str]) -> None:
    found = longest_shared(texts, 1, 99)

    pieces = {texts[0][a:b] for a, b in combinations(range(len(texts[0]) + 1), 2)}
    longest = max((len(piece) for piece in pieces if all(piece in text for text in texts)), default=0)
    assert len(found) == longest
    assert all(found in text for text in texts)


def test_the_template_reads_as_a_regular_expression_with_groups_and_repetition() -> None:
    pages = [page(("A", "B"), ("C", "D")), page(("E", "F")), page(("G", "H"), ("I", "J"), ("K", "L"))]

    expression = Trinity().learn(pages).expression()

    assert "<h1>Results</h1>" in expression
    assert ")*" in expression
    for one in pages:
        assert re.fullmatch(expression, written(one), re.DOTALL)
    found = re.fullmatch(expression, written(page(("new", "two"))), re.DOTALL)
    assert found is not None
    assert {"new", "two"} <= set(found.groupdict().values())


@pytest.mark.parametrize("seed", range(40))
def test_the_minimised_expression_matches_the_same_texts(seed: int) -> None:
    dice = random.Random(seed)
    strings = ["".join(dice.choice("abc") for _ in range(dice.randint(1, 6))) for _ in range(dice.randint(2, 4))]
    pages = [Document.parse("".join(f"<p>{sign}</p>" for sign in text)) for text in strings]

    template = Trinity().learn(pages)

    whole, least = template.expression(), template.minimised()
    assert len(least) <= len(whole)
    assert "?P<" not in least
    tried = ["".join(dice.choice("abcd") for _ in range(dice.randint(0, 7))) for _ in range(200)] + strings
    for text in tried:
        said = written(Document.parse("".join(f"<p>{sign}</p>" for sign in text)))
        assert bool(re.fullmatch(whole, said, re.DOTALL)) == bool(re.fullmatch(least, said, re.DOTALL)), (whole, least, text)


def test_what_varies_is_captured_and_what_is_shared_is_not() -> None:
    template = Trinity().learn([page(("A", "B")), page(("C", "D"))])

    body = template(page(("new one", "new two")))

    assert body is not None
    assert body.text.split() == ["new", "onenew", "two"]


def test_a_page_that_lacks_a_pattern_matches_only_tolerantly() -> None:
    pages = [page(("A", "B")), page(("C", "D"))]
    other = Document.parse("<html><body><h2>Other</h2><p>Something else</p></body></html>")

    tolerant, strict = Trinity().learn(pages), Trinity(strict=True).learn(pages)

    assert not tolerant.matches(other)
    assert tolerant(other) is not None
    assert strict(other) is None
    assert strict.matches(page(("X", "Y")))


def test_more_repetitions_than_were_learned_match_strictly() -> None:
    template = Trinity(strict=True).learn([page(("A", "B"), ("C", "D")), page(("E", "F")), page(("G", "H"), ("I", "J"))])

    assert template.matches(page(*[(f"one {i}", f"two {i}") for i in range(9)]))


def test_the_search_ends_when_enough_was_searched() -> None:
    template = Trinity(most_searched=1).learn([page(("A", "B")), page(("C", "D"))])

    assert len(template.nodes) <= 4


SAMPLES = [journal(1, "First"), journal(2, "Second", authors="Kramov A."), journal(3, "Third")]


def test_groups_get_their_fields_from_the_values_of_samples_and_keep_them_in_the_template_file() -> None:
    template = Trinity().learn(SAMPLES)

    named = name_by_samples(template, [(SAMPLES[0], {"title": "First", "annotation": "About number 1"})])

    page = journal(9, "Ninth")
    read_back = read_template(write_template(named))
    assert isinstance(read_back, TrinityTemplate)
    assert read_back.read_fields(page) == {"title": "Ninth", "annotation": "About number 9"}


def test_groups_named_by_hand_must_be_there() -> None:
    template = Trinity().learn(SAMPLES)
    group = next(group for group, text in (template.read_groups(SAMPLES[1]) or {}).items() if text == "Kramov A.")

    assert name_by_hand(template, {"authors": [group]}).read_fields(SAMPLES[0]) == {"authors": "Matov O., Vasylenko V."}
    with pytest.raises(ConfigError, match="no group 999"):
        name_by_hand(template, {"title": [999]})
    with pytest.raises(ConfigError, match="price is not a field"):
        name_by_hand(template, {"price": [group]})


def test_a_value_that_no_group_holds_is_refused() -> None:
    with pytest.raises(ConfigError, match="no group of the template holds the title"):
        name_by_samples(Trinity().learn(SAMPLES), [(SAMPLES[0], {"title": "Never printed"})])


def test_the_report_counts_pages_that_do_not_match_and_pages_that_differ_from_selectors() -> None:
    template = name_by_samples(Trinity().learn(SAMPLES), [(SAMPLES[0], {"title": "First", "authors": "Matov O., Vasylenko V."})])
    other = Document.parse("<html><body><p>Other layout</p></body></html>", "https://journal.example/old")
    pages = [*SAMPLES, journal(4, "Fourth"), other]

    report = compare_with_selectors(template, pages, {"title": "css: h2", "authors": "css: h1"})

    assert report.not_matching == ("https://journal.example/old",)
    assert (report.pages, report.wrong, len(report.differences)) == (5, 4, 4)
    assert {difference.field for difference in report.differences} == {"authors"}
    assert report.not_matching_share == pytest.approx(0.2)
    with pytest.raises(ConfigError, match=r"no group of the template is named keywords \(named: title, authors\)"):
        compare_with_selectors(template, pages, {"keywords": "css: h1"})
    with pytest.raises(ConfigError, match="price is not a field"):
        compare_with_selectors(template, pages, {"price": "css: h1"})


def test_named_groups_fill_the_record_of_an_article() -> None:
    template = name_by_samples(Trinity().learn(SAMPLES), [(SAMPLES[0], {"title": "First", "authors": "Matov O., Vasylenko V."})])
    groups = template.read_groups(SAMPLES[0]) or {}
    template = replace(
        template, fields=template.fields | {"body": tuple(g for g, text in groups.items() if text.startswith("About"))}
    )

    article = read_article(ExtractionState(page=journal(7, "Seventh")), build_options(template=template))

    assert article.title == "Seventh"
    assert article.authors == ("Matov O.", "Vasylenko V.")
    assert article.body == "About number 7"


def test_the_drawing_shows_the_tree_with_the_names_of_groups() -> None:
    template = name_by_samples(Trinity().learn(SAMPLES), [(SAMPLES[0], {"title": "First"})])

    drawing = template.drawing()

    assert "Annotation" in drawing
    assert f"{{{template.fields['title'][0]}}} title" in drawing
