from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.errors import ConfigError
from newscrawler.store.search import Node, Zone, fold_text, parse, sentences, spans, tokens, words


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("", "ends where a word is expected"),
        ("flood AND", "ends where a word is expected"),
        ("OR flood", "OR stands where a word is expected"),
        ("NOT flood", "NOT needs something before it"),
        ('"flood', "quotation mark"),
        ("(flood", "a parenthesis is not closed"),
        ("flood)", "')' has nothing that it closes"),
        ("— !", "'—' holds no letter and no digit"),
        ("NEAR(flood)", "a word or a phrase is expected"),
        ("NEAR(flood dam, 51)", "a number from 0 to 50"),
        ("NEAR(flood dam storm)", "a parenthesis is not closed"),
        ("title:", "a word or a phrase is expected"),
        ("(" * 40 + "a" + ")" * 40, "parentheses stand in each other"),
    ],
)
def test_a_broken_query_is_refused_with_what_is_wrong(query: str, why: str) -> None:
    with pytest.raises(ConfigError, match="search --help") as caught:
        parse(query)

    assert why in str(caught.value)


@given(st.text(st.sampled_from('ab"()*,:- \u0301気ORANDNT'), max_size=25))
def test_every_text_is_a_query_or_refused(text: str) -> None:
    try:
        node: Node | None = parse(text)
    except ConfigError:
        node = None

    assert node is None or list(spans(node, list(tokens(text)), Zone.BODY)) is not None


@given(st.text(max_size=60))
def test_words_with_their_places_are_those_that_are_indexed(text: str) -> None:
    found = list(tokens(text))

    assert [token.text for token in found] == fold_text(text)
    assert all(0 <= token.start < token.end <= len(text) for token in found)


def test_a_word_is_folded_once_and_for_all() -> None:
    text = "Žluťoučký KŮŇ Łódź Straße İstanbul ﬁn 気候変動 ｶﾞ हिन्दी שָׁלוֹם العَرَبِيَّة می‌شود ½"

    assert fold_text(" ".join(fold_text(text))) == fold_text(text)


def found(query: str, text: str) -> list[str]:
    there = list(tokens(text))
    return [text[there[span.first].start : there[span.last].end] for span in spans(parse(query), there, Zone.BODY)]


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("flood*", ["Floods", "flood"]),
        ('"the dam"', ["the dam"]),
        ("NEAR(dam flood, 4)", ["dam broke. A flood"]),
        ("title:dam", []),
        ("flood NOT dam", ["flood"]),
    ],
)
def test_hits_are_located_in_the_text(query: str, hits: list[str]) -> None:
    assert found(query, "Floods: the dam broke. A flood came.") == hits


def test_words_are_those_of_unicode_and_sentences_end_where_they_do() -> None:
    text = "Don't pay 3.14 now. „Řekl to.“ A šel! a pak ne"

    assert [text[a:b] for a, b, is_word in words(text) if is_word] == [
        "Don't",
        "pay",
        "3.14",
        "now",
        "Řekl",
        "to",
        "A",
        "šel",
        "a",
        "pak",
        "ne",
    ]
    assert [text[a:b] for a, b in sentences(text)] == ["Don't pay 3.14 now.", "„Řekl to.“", "A šel! a pak ne"]
