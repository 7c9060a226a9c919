r"""The query language of `newscrawler search`, the same on every store.

climate change          both words
"climate change"        the words one after the other
clima*  "climate ch*"   words that begin so
flood OR drought        either
flood NOT insurance     the first without the second
NEAR(flood dam, 5)      both with at most 5 words between (10 if no number is given)
title:flood             in the title; body: in the text
(flood OR drought) dam  parentheses group
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import regex

from newscrawler.errors import ConfigError
from newscrawler.limits import QUERY_DEPTH
from newscrawler.store.search.fold import WordToken, fold_text

#: The syntax, an example a line.
QUERY_GUIDE = str(__doc__).partition("\n\n")[2]
_DISTANCE, _FARTHEST = 10, 50
_PIECE = regex.compile(
    r'\s*(?:(?P<zone>title|body):|(?P<near>NEAR\s*\()|(?P<sign>[(),])|"(?P<phrase>[^"]*)"(?P<star>\*?)|(?P<word>[^\s()",]+))'
)


class Zone(StrEnum):
    """The part of an article in which words are looked for."""

    TITLE = "title"
    BODY = "body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Folded words that follow each other; with `prefix`, the last is the beginning of a word."""

    words: tuple[str, ...]
    prefix: bool = False
    zone: Zone | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """Two phrases in any order with at most `distance` words between them."""

    left: Phrase
    right: Phrase
    distance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class And:
    """All parts occur."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Or:
    """One part occurs, or more."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """One occurs, and the other does not."""

    wanted: Node
    unwanted: Node


Node = Phrase | Near | And | Or | Not


def parse(text: str) -> Node:
    """Read a query.

    Raises:
        ConfigError: it is not complete, or contains no word.
    """
    parser = _Parser(text)
    node = parser.alternatives()
    if parser.piece is not None:
        raise parser.wrong(f"{parser.piece[0].strip()!r} has nothing that it closes")
    return node


class _Parser:
    """Recursive descent, a method a level of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = self._depth = 0
        self.piece: regex.Match[str] | None = None
        self._advance()

    def wrong(self, why: str) -> ConfigError:
        return ConfigError(f"the query {self._text!r} cannot be read: {why}; see `newscrawler search --help`")

    def _advance(self) -> None:
        self.piece = _PIECE.match(self._text, self._place)
        if self.piece is not None:
            self._place = self.piece.end()
        elif self._text[self._place :].strip():
            raise self.wrong('a quotation mark (") is not closed')

    def _is(self, *texts: str) -> bool:
        return self.piece is not None and (self.piece["word"] or self.piece["sign"]) in texts

    def alternatives(self) -> Node:
        parts = [self._all()]
        while self._is("OR"):
            self._advance()
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else Or(parts=tuple(parts))

    def _all(self) -> Node:
        parts, unwanted = [self._part()], list[Node]()
        while self.piece is not None and not self._is("OR", ")", ","):
            negated = self._is("NOT")
            if self._is("AND"):
                self._advance()
                negated = self._is("NOT")
            if negated:
                self._advance()
            (unwanted if negated else parts).append(self._part())
        node = parts[0] if len(parts) == 1 else And(parts=tuple(parts))
        if not unwanted:
            return node
        # one NOT, not one in another, of which SQLite bears few
        return Not(wanted=node, unwanted=unwanted[0] if len(unwanted) == 1 else Or(parts=tuple(unwanted)))

    def _part(self) -> Node:
        if self.piece is None:
            raise self.wrong("it ends where a word is expected")
        if self._is("NOT"):
            raise self.wrong("NOT needs something before it that is wanted, as in: flood NOT insurance")
        if self._is("AND", "OR", ")", ","):
            raise self.wrong(f"{self.piece[0].strip()} stands where a word is expected")
        if self._is("("):
            return self._group()
        zone = self._zone()
        return self._near(zone) if self.piece is not None and self.piece["near"] else self._phrase(zone)

    def _group(self) -> Node:
        self._depth += 1
        if self._depth > QUERY_DEPTH:
            raise self.wrong(f"more than {QUERY_DEPTH} parentheses stand in each other")
        self._advance()
        node = self.alternatives()
        self._close()
        self._depth -= 1
        return node

    def _close(self) -> None:
        if not self._is(")"):
            raise self.wrong("a parenthesis is not closed")
        self._advance()

    def _zone(self) -> Zone | None:
        if self.piece is None or not self.piece["zone"]:
            return None
        zone = Zone(self.piece["zone"])
        self._advance()
        return zone

    def _phrase(self, zone: Zone | None) -> Phrase:
        if self.piece is None or (self.piece["word"] is None and self.piece["phrase"] is None):
            raise self.wrong("a word or a phrase is expected")
        said = self.piece["word"] if self.piece["word"] is not None else self.piece["phrase"] + self.piece["star"]
        words = tuple(fold_text(said))
        if not words:
            raise self.wrong(f"{said!r} holds no letter and no digit")
        self._advance()
        return Phrase(words=words, prefix=said.rstrip().endswith("*"), zone=zone)

    def _near(self, zone: Zone | None) -> Node:
        self._advance()
        left, right = self._phrase(zone), self._phrase(zone)
        distance = _DISTANCE
        if self._is(","):
            self._advance()
            said = self.piece["word"] if self.piece is not None else None
            if said is None or not said.isdecimal() or int(said) > _FARTHEST:
                raise self.wrong(f"NEAR takes two words or phrases and a number from 0 to {_FARTHEST}, as in: NEAR(flood dam, 5)")
            distance = int(said)
            self._advance()
        self._close()
        return left if left == right else Near(left=left, right=right, distance=distance)


class WordSpan(NamedTuple):
    """First and last token of an occurrence, both included."""

    first: int
    last: int


def spans(node: Node, found: Sequence[WordToken], zone: Zone) -> list[WordSpan]:
    """Return the occurrences of everything that a query wants, in order; of two that overlap, the first.

    `found`: tokens of one zone of an article.
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
