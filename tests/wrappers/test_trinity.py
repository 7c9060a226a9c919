from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from newscrawler.page import Document
from newscrawler.wrappers.trinity import Trinity, longest_shared

ITEM = "<b>{}</b><i>{}</i>"


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
    assert "{" in expression


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
