"""RoadRunner: align a wrapper with a page, collapse it where they mismatch, and extract what varies (ACME).

Source: V. Crescenzi, G. Mecca, P. Merialdo: RoadRunner: Towards Automatic Data Extraction from Large Web Sites, VLDB 2001, as S.
Pogorilyy and A. Kramov describe it (Automated extraction of structured information from a set of web pages).

The wrapper is one page, the sample another, both as tokens. Texts that differ become fields. Where tags differ, it is first tried
whether one side repeats once more what stands before the mismatch: then both repetitions collapse into an iterator. Otherwise the
shorter of two stretches that leads back to agreement, found by looking for the one side's tag on the other, becomes optional.

Where the paper is silent, or would need more time than a page has:
- Mismatches inside a repetition are not resolved again in turn: a repetition has the same tags. The paper's search backtracks,
  exponentially in the worst case; this one decides at each mismatch and never goes back.
- Two pages make the wrapper, the first two of those given: the limit that the source document criticises.
- A wrapper is applied by aligning it with a page in the same way. `strict`: a mismatch of tags means that the page does not
  match. Otherwise what is in excess of the wrapper counts as extracted.
- Where neither side finds the other's tag within 2,000 tokens, both are passed over.
- Which fields are the article: as for Trinity, the extracted text below the element that is reached by entering, from the body
  down, the child that holds 60 % of it.

Reaches a body F1 of .895 on fe, learned from two other pages of each publisher; strictly .035, for 54 of 55 pages do not match;
measured by tools/measure_methods.py on the development halves of the two datasets, by four-word shingles.

Known failures: two pages show few of a site's variations; a wrong alignment early on is never mended; related links are extracted
like the article.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from newscrawler.article import Body
from newscrawler.methods.outline import outline
from newscrawler.methods.paragraphs import body_of
from newscrawler.page import Document
from newscrawler.wrappers.dom_comparison import main_container
from newscrawler.wrappers.template import check_number
from newscrawler.wrappers.tokens import TEXT_MARK, tokens_of


class ItemKind(StrEnum):
    """What an item of a wrapper matches."""

    TAG = "tag"
    #: This very text.
    TEXT = "text"
    #: Any text, or none.
    FIELD = "field"
    #: Its tokens once or more.
    ITERATOR = "iterator"
    #: Its tokens or nothing.
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a wrapper."""

    kind: ItemKind
    #: One token; for iterators and optional parts several, FIELD's being empty.
    tokens: tuple[str, ...] = ()


FIELD = Item(ItemKind.FIELD, ("",))


@dataclass(frozen=True, slots=True)
class RoadRunner:
    """Learns a wrapper from the first two pages."""

    least_pages: ClassVar[int] = 2
    version: ClassVar[int] = 1

    #: A page whose tags mismatch does not match at all.
    strict: bool = False
    #: Tokens in which the other side's tag is looked for.
    look_ahead: int = 2000
    #: Tokens of a repetition.
    most_repeated: int = 400
    least_share: float = 0.6

    def learn(self, pages: Sequence[Document], /) -> RoadRunnerTemplate:
        """Align two pages."""
        check_number("road_runner", pages, self.least_pages)
        first, second = (tokens_of(outline(page.body)).names for page in pages[:2])
        alignment = Alignment(self, [_item_of(name) for name in first], second)
        alignment.run()
        return RoadRunnerTemplate(method=self, items=tuple(alignment.wrapper))

    def restore(self, learned: Mapping[str, Any], /) -> RoadRunnerTemplate:
        """Make a template of what was stored."""
        items = tuple(Item(ItemKind(kind), tuple(map(str, tokens))) for kind, tokens in learned["items"])
        return RoadRunnerTemplate(method=self, items=items)


@dataclass(frozen=True, slots=True)
class RoadRunnerTemplate:
    """Takes what the wrapper's fields and the page's excess hold."""

    method: RoadRunner
    items: tuple[Item, ...]

    def __call__(self, page: Document, /) -> Body | None:
        """Read one page."""
        tree = outline(page.body)
        tokens = tokens_of(tree)
        alignment = Alignment(self.method, self.items, tokens.names)
        alignment.run()
        if self.method.strict and alignment.mismatches:
            return None
        extracted = sorted({tokens.texts[place] for place in alignment.extracted})
        if not extracted:
            return None
        container = main_container(tree, extracted, self.method.least_share)
        within = tree.within(container)
        return body_of(tree, [number for number in extracted if number in within], containers=(container,))

    @property
    def version(self) -> int:
        """That of the method."""
        return self.method.version

    def learned(self) -> dict[str, Any]:
        """What was learned, as JSON has it."""
        return {"items": [[str(item.kind), list(item.tokens)] for item in self.items]}


class Alignment:
    """One pass over a wrapper and a page; the wrapper is generalised on the way."""

    def __init__(self, method: RoadRunner, items: Sequence[Item], sample: Sequence[str]) -> None:
        self.method = method
        self.items = items
        self.sample = sample
        #: Where each tag stands.
        self.places_in_sample = _places(sample)
        self.places_in_items = _places(item.tokens[0] if item.kind is ItemKind.TAG else "" for item in items)
        #: The generalised wrapper.
        self.wrapper: list[Item] = []
        #: Places of the sample's texts that vary.
        self.extracted: list[int] = []
        #: Tags that differed.
        self.mismatches = 0
        self.i = self.j = 0

    def run(self) -> None:
        """Align to the end of both."""
        while self.i < len(self.items) and self.j < len(self.sample):
            item, token = self.items[self.i], self.sample[self.j]
            if item.kind in {ItemKind.ITERATOR, ItemKind.OPTIONAL}:
                self.pass_group(item)
            elif item.kind is ItemKind.TAG:
                self.pass_tag(item, token)
            else:
                self.pass_text(item, token)
        self.make_optional(len(self.items))
        self.add_excess(len(self.sample))

    def pass_group(self, item: Item) -> None:
        """Match an iterator as often as possible, an optional part at most once."""
        while _same_tags(item.tokens, self.sample, self.j):
            self.extract(self.j, self.j + len(item.tokens))
            self.j += len(item.tokens)
            if item.kind is ItemKind.OPTIONAL:
                break
        self.wrapper.append(item)
        self.i += 1

    def pass_text(self, item: Item, token: str) -> None:
        """A text or field against a text, which may differ, or against a tag: then the text is missing here."""
        if not _is_text(token):
            self.wrapper.append(FIELD)
        elif item.tokens[0] == token:
            self.wrapper.append(item)
            self.j += 1
        else:
            self.wrapper.append(FIELD)
            self.extract(self.j, self.j + 1)
            self.j += 1
        self.i += 1

    def pass_tag(self, item: Item, token: str) -> None:
        """A tag against the same tag, a text in excess, or another tag."""
        if item.tokens[0] == token:
            self.wrapper.append(item)
            self.i += 1
            self.j += 1
        elif _is_text(token):
            self.wrapper.append(FIELD)
            self.extract(self.j, self.j + 1)
            self.j += 1
        elif not self.collapse():
            self.mismatches += 1
            self.skip(item.tokens[0], token)

    def collapse(self) -> bool:
        """Find out whether either side repeats what stands before the mismatch, and make an iterator of it."""
        before = self.wrapper[-1] if self.wrapper else None
        if before is None or before.kind is not ItemKind.TAG or not before.tokens[0].startswith("</"):
            return False
        end = before.tokens[0]
        square = self.square(self.sample, self.j, end)
        if square and self.before_is(square):
            self.fold(square)
            while _same_tags(square, self.sample, self.j):
                self.extract(self.j, self.j + len(square))
                self.j += len(square)
            return True
        flat = [item.tokens[0] if len(item.tokens) == 1 else "" for item in self.items[self.i : self.i + self.method.most_repeated]]
        square = self.square(flat, 0, end)
        if square and self.before_is(square):
            self.fold(square)
            place = 0
            while _same_tags(square, flat, place):
                place += len(square)
            self.i += place
            return True
        return False

    def square(self, tokens: Sequence[str], start: int, end: str) -> tuple[str, ...]:
        """The tokens up to the next one like the last before the mismatch, texts as fields; none if it is too far."""
        for place in range(start, min(start + self.method.most_repeated, len(tokens))):
            if tokens[place] == end:
                return tuple("" if _is_text(token) else token for token in tokens[start : place + 1])
        return ()

    def before_is(self, square: Sequence[str]) -> bool:
        """Say whether the generalised wrapper ends with a repetition."""
        tail = self.wrapper[-len(square) :]
        return len(tail) == len(square) and all(
            item.kind is ItemKind.TAG and item.tokens[0] == token if token else item.kind in {ItemKind.TEXT, ItemKind.FIELD}
            for item, token in zip(tail, square, strict=True)
        )

    def fold(self, square: tuple[str, ...]) -> None:
        """Replace all repetitions at the end of the generalised wrapper by an iterator."""
        while self.before_is(square):
            del self.wrapper[-len(square) :]
        self.wrapper.append(Item(ItemKind.ITERATOR, square))

    def skip(self, tag: str, token: str) -> None:
        """Make the shorter stretch optional that leads to the other side's tag."""
        in_sample = _next(self.places_in_sample.get(tag, ()), self.j, self.j + self.method.look_ahead)
        in_items = _next(self.places_in_items.get(token, ()), self.i, self.i + self.method.look_ahead)
        if in_sample >= 0 and (in_items < 0 or in_sample - self.j <= in_items - self.i):
            self.add_excess(in_sample)
        elif in_items >= 0:
            self.make_optional(in_items)
        else:
            self.make_optional(self.i + 1)
            self.add_excess(self.j + 1)

    def make_optional(self, end: int) -> None:
        """Pass over a stretch of the wrapper that the sample lacks."""
        stretch: list[str] = []
        for item in self.items[self.i : end]:
            if len(item.tokens) == 1:
                stretch.append("" if _is_text(item.tokens[0]) else item.tokens[0])
                continue
            if stretch:
                self.wrapper.append(Item(ItemKind.OPTIONAL, tuple(stretch)))
                stretch = []
            self.wrapper.append(Item(ItemKind.OPTIONAL, item.tokens))
        if stretch:
            self.wrapper.append(Item(ItemKind.OPTIONAL, tuple(stretch)))
        self.i = max(self.i, end)

    def add_excess(self, end: int) -> None:
        """Pass over a stretch of the sample that the wrapper lacks."""
        if end > self.j:
            stretch = tuple("" if _is_text(token) else token for token in self.sample[self.j : end])
            self.wrapper.append(Item(ItemKind.OPTIONAL, stretch))
            self.extract(self.j, end)
            self.j = end

    def extract(self, start: int, end: int) -> None:
        """Take the texts of a stretch of the sample."""
        self.extracted.extend(place for place in range(start, end) if _is_text(self.sample[place]))


def _is_text(token: str) -> bool:
    return not token or token.startswith(TEXT_MARK)


def _item_of(token: str) -> Item:
    return Item(ItemKind.TEXT if _is_text(token) else ItemKind.TAG, (token,))


def _same_tags(square: Sequence[str], tokens: Sequence[str], start: int) -> bool:
    if start + len(square) > len(tokens):
        return False
    return all(tokens[start + place] == token if token else _is_text(tokens[start + place]) for place, token in enumerate(square))


def _places(tokens: Iterable[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        if not _is_text(token):
            places.setdefault(token, []).append(place)
    return places


def _next(places: Sequence[int], start: int, end: int) -> int:
    """The first of these places from start on, -1 if it is not before end."""
    found = bisect_left(places, start)
    return places[found] if found < len(places) and places[found] < end else -1
