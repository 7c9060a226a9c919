"""Where the words that a query looks for stand in a text that it has found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from newscrawler.store.search.fold import WordToken
from newscrawler.store.search.query_language import And, Near, Node, Not, Or, Phrase, Zone


class WordSpan(NamedTuple):
    """First and last token of an occurrence, both included."""

    first: int
    last: int


def spans(node: Node, found: Sequence[WordToken], zone: Zone) -> list[WordSpan]:
    """Return the occurrences of everything that a query wants, in order; of two that overlap, the first.

    Args:
        node: the query.
        found: tokens of one zone of an article.
        zone: which it is.
    """
    places: dict[str, list[int]] = {}
    for number, token in enumerate(found):
        places.setdefault(token.text, []).append(number)
    every = sorted(set(_spans(node, found, places, zone)))
    chosen: list[WordSpan] = []
    for span in every:
        if not chosen or span.first > chosen[-1].last:
            chosen.append(span)
    return chosen


def _spans(node: Node, found: Sequence[WordToken], places: dict[str, list[int]], zone: Zone) -> Iterator[WordSpan]:
    match node:
        case Phrase():
            yield from _phrase(node, found, places, zone)
        case Near():
            yield from _near(node, found, places, zone)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _spans(part, found, places, zone)
        case Not(wanted=wanted):
            yield from _spans(wanted, found, places, zone)


def _phrase(phrase: Phrase, found: Sequence[WordToken], places: dict[str, list[int]], zone: Zone) -> Iterator[WordSpan]:
    if phrase.zone not in {None, zone}:
        return
    *whole, last = phrase.words
    beginnings = places.get(phrase.words[0], []) if whole or not phrase.prefix else _beginning(last, places)
    for start in beginnings:
        end = start + len(whole)
        if end >= len(found) or any(found[start + n].text != word for n, word in enumerate(whole)):
            continue
        if found[end].text == last or (phrase.prefix and found[end].text.startswith(last)):
            yield WordSpan(start, end)


def _beginning(prefix: str, places: dict[str, list[int]]) -> list[int]:
    return sorted(place for text, where in places.items() if text.startswith(prefix) for place in where)


def _near(near: Near, found: Sequence[WordToken], places: dict[str, list[int]], zone: Zone) -> Iterator[WordSpan]:
    rights = list(_phrase(near.right, found, places, zone))
    for left in _phrase(near.left, found, places, zone):
        for right in rights:
            between = max(left.first, right.first) - min(left.last, right.last) - 1
            if between <= near.distance:
                yield WordSpan(min(left.first, right.first), max(left.last, right.last))
