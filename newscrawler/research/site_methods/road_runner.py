"""RoadRunner: align a wrapper with a page, collapse it where they mismatch, and extract what varies (ACME).

Source: V. Crescenzi, G. Mecca, P. Merialdo: RoadRunner: Towards Automatic Data Extraction from Large Web Sites, VLDB 2001, as S.
Pogorilyy and A. Kramov describe it (Automated extraction of structured information from a set of web pages).

The wrapper is one page, the sample another, both as tokens. Texts that differ become fields. Where tags differ, it is first tried
whether one side repeats once more what stands before the mismatch: then both repetitions collapse into an iterator. Otherwise the
shorter of two stretches that leads back to agreement, found by looking for the one side's tag on the other, becomes optional.

Where the paper is silent, or would need more time than a page has:
- Mismatches inside a repetition are not resolved again in turn: a repetition has the same tags.
- The paper's search backtracks, exponentially in the worst case. Here an alignment that cannot go on returns to the last decision
  that has an alternative (another iterator, the other side's optional stretch), `most_returns` times at most; then the alignment
  with the fewest breaks counts.
- The method aligns two documents at a time. Of more pages, the first is the wrapper, which each further page generalises in turn.
- A wrapper is applied by aligning it with a page in the same way. `strict`: a mismatch of tags means that the page does not
  match. Otherwise what is in excess of the wrapper counts as extracted.
- An alignment breaks where neither side finds the other's tag within 2,000 tokens; without an alternative both are passed over.

Reaches a body F1 of .771 on fe, learned from the other four pages of each publisher; `road_runner_article`, with our last step
(`newscrawler.research.site_methods.container`), .895; measured by tools/measure_methods.py on the development halves of the two
datasets, by
four-word shingles. An earlier version, without going back and of two pages, has .816 on all pages; so run on these pages, it gives
.798. Going back costs .011 of the difference (.787), further pages the rest: each makes more of the wrapper optional, and more of
a page that it did not see counts as extracted. Four pages without going back give .789.

Known failures: two pages show few of a site's variations; a wrong alignment early on is never mended; related links are extracted
like the article.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from operator import itemgetter
from typing import Any, ClassVar

from newscrawler.article import Body
from newscrawler.extraction.templates import check_number
from newscrawler.page import Document
from newscrawler.research.methods.outline import outline
from newscrawler.research.site_methods.container import body_of_extracted
from newscrawler.research.site_methods.tokens import TEXT_MARK, tokens_of


class ItemKind(StrEnum):
    """What an item of a wrapper matches."""

    TAG = "tag"
    #: This very text.
    TEXT = "text"
    #: Any text, or none.
    FIELD = "field"
    #: Its tokens any number of times.
    ITERATOR = "iterator"
    #: Its tokens or nothing.
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a wrapper."""

    kind: ItemKind
    #: One token; for iterators and optional parts several, fields being empty.
    tokens: tuple[str, ...] = ()


FIELD = Item(ItemKind.FIELD, ("",))
#: How often the tokens of an item occur.
_TIMES: Mapping[ItemKind, str] = {ItemKind.ITERATOR: "*", ItemKind.OPTIONAL: "?"}


@dataclass(frozen=True, slots=True)
class RoadRunner:
    """Learns a wrapper from two pages or more."""

    least_pages: ClassVar[int] = 2
    version: ClassVar[int] = 1

    #: A page whose tags mismatch does not match at all.
    strict: bool = False
    #: Tokens in which the other side's tag is looked for.
    look_ahead: int = 2000
    #: Tokens of a repetition.
    most_repeated: int = 400
    #: How often the alignment of two pages goes back to an earlier decision.
    most_returns: int = 6
    #: Of the extracted text, what a child must hold to be entered in search of the main container; None: all text is the answer.
    least_share: float | None = None

    def learn(self, pages: Sequence[Document], /) -> RoadRunnerTemplate:
        """Align the pages, one after the other, with the wrapper that those before made."""
        check_number("road_runner", pages, self.least_pages)
        first, *others = (tokens_of(outline(page.body)).names for page in pages)
        items: Sequence[Item] = [_item_of(name) for name in first]
        for sample in others:
            items = aligned(self, items, sample).wrapper
        return RoadRunnerTemplate(method=self, items=tuple(items))

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
        return body_of_extracted(tree, extracted, self.method.least_share)

    def learned(self) -> dict[str, Any]:
        """What was learned, as JSON has it."""
        return {"items": [[str(item.kind), list(item.tokens)] for item in self.items]}

    def expression(self) -> str:
        """Return the wrapper as a regular expression over tags and texts, a group for each field, with `re.DOTALL`."""
        return "".join(map(_written, self.items))


def aligned(method: RoadRunner, items: Sequence[Item], sample: Sequence[str]) -> Alignment:
    """Align a wrapper with a page; go back to earlier decisions where it breaks."""
    best = current = Alignment(method, items, sample)
    current.run()
    for _ in range(method.most_returns):
        decisions = current.decisions[: current.first_break]
        while decisions and decisions[-1][0] + 1 >= decisions[-1][1]:
            decisions.pop()
        if not best.breaks or not decisions:
            break
        *before, (choice, _) = decisions
        current = Alignment(method, items, sample, (*(one for one, _ in before), choice + 1))
        current.run()
        if current.breaks < best.breaks:
            best = current
    return best


class Alignment:
    """One pass over a wrapper and a page; the wrapper is generalised on the way."""

    def __init__(self, method: RoadRunner, items: Sequence[Item], sample: Sequence[str], choices: Sequence[int] = ()) -> None:
        #: What is decided at the first mismatches of tags; at all others the first way is taken.
        self.choices = choices
        #: At each mismatch: the way taken, and how many there are.
        self.decisions: list[tuple[int, int]] = []
        self.breaks = 0
        #: Decisions before the first break.
        self.first_break = 0
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
        tokens = item.tokens
        while _same_tags(tokens, self.sample, self.j):
            found = self.sample[self.j : self.j + len(tokens)]
            varying = [place for place, (token, other) in enumerate(zip(tokens, found, strict=True)) if token != other]
            self.extracted.extend(self.j + place for place in varying)
            tokens = tuple("" if place in varying else token for place, token in enumerate(tokens))
            self.j += len(tokens)
            if item.kind is ItemKind.OPTIONAL:
                break
        self.wrapper.append(Item(item.kind, tokens))
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
        else:
            self.resolve(item.tokens[0], token)

    def resolve(self, tag: str, token: str) -> None:
        """Choose one of the ways to go on from two tags that differ: iterators first, then the shorter optional stretch."""
        ways = [*self.iterators(), *self.optional_stretches(tag, token)]
        place = len(self.decisions)
        chosen = min(self.choices[place] if place < len(self.choices) else 0, len(ways) - 1)
        self.decisions.append((chosen, len(ways)))
        if ways:
            ways[chosen]()
            return
        if not self.breaks:
            self.first_break = place
        self.breaks += 1
        self.mismatches += 1
        self.make_optional(self.i + 1)
        self.add_excess(self.j + 1)

    def iterators(self) -> Iterator[Callable[[], None]]:
        """Find out whether either side repeats what stands before the mismatch."""
        before = self.wrapper[-1] if self.wrapper else None
        if before is None or before.kind is not ItemKind.TAG or not before.tokens[0].startswith("</"):
            return
        end = before.tokens[0]
        in_sample = self.square(self.sample, self.j, end)
        if in_sample and self.before_is(in_sample):
            yield partial(self.repeat_in_sample, in_sample)
        flat = [item.tokens[0] if len(item.tokens) == 1 else "" for item in self.items[self.i : self.i + self.method.most_repeated]]
        in_items = self.square(flat, 0, end)
        if in_items and self.before_is(in_items):
            yield partial(self.repeat_in_wrapper, in_items, flat)

    def repeat_in_sample(self, square: tuple[str, ...]) -> None:
        """Make an iterator that the sample repeats."""
        self.fold(square)
        while _same_tags(square, self.sample, self.j):
            self.extract(self.j, self.j + len(square))
            self.j += len(square)

    def repeat_in_wrapper(self, square: tuple[str, ...], flat: Sequence[str]) -> None:
        """Make an iterator that the wrapper repeats."""
        self.fold(square)
        place = 0
        while _same_tags(square, flat, place):
            place += len(square)
        self.i += place

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

    def optional_stretches(self, tag: str, token: str) -> Iterator[Callable[[], None]]:
        """Find the stretches that lead to the other side's tag, the shorter one first."""
        in_sample = _next(self.places_in_sample.get(tag, ()), self.j, self.j + self.method.look_ahead)
        in_items = _next(self.places_in_items.get(token, ()), self.i, self.i + self.method.look_ahead)
        found = [(in_sample - self.j, partial(self.pass_over, in_sample))] if in_sample >= 0 else []
        if in_items >= 0:
            found.append((in_items - self.i, partial(self.pass_over, in_items, of_wrapper=True)))
        yield from (way for _, way in sorted(found, key=itemgetter(0)))

    def pass_over(self, end: int, *, of_wrapper: bool = False) -> None:
        """Make a stretch of one side optional."""
        self.mismatches += 1
        if of_wrapper:
            self.make_optional(end)
        else:
            self.add_excess(end)

    def make_optional(self, end: int) -> None:
        """Pass over a stretch of the wrapper that the sample lacks."""
        stretch: list[str] = []
        for item in self.items[self.i : end]:
            if len(item.tokens) == 1:
                stretch.append(item.tokens[0])
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
            self.wrapper.append(Item(ItemKind.OPTIONAL, tuple(self.sample[self.j : end])))
            self.extract(self.j, end)
            self.j = end

    def extract(self, start: int, end: int) -> None:
        """Take the texts of a stretch of the sample."""
        self.extracted.extend(place for place in range(start, end) if _is_text(self.sample[place]))


def _is_text(token: str) -> bool:
    return not token or token.startswith(TEXT_MARK)


def _written(item: Item) -> str:
    if item.kind is ItemKind.FIELD:
        return "(.*?)"
    tokens = "".join(re.escape(token.removeprefix(TEXT_MARK)) if token else ".*?" for token in item.tokens)
    return f"(?:{tokens}){_TIMES[item.kind]}" if item.kind in _TIMES else tokens


def _item_of(token: str) -> Item:
    return Item(ItemKind.TEXT if _is_text(token) else ItemKind.TAG, (token,))


def _same_tags(square: Sequence[str], tokens: Sequence[str], start: int) -> bool:
    if start + len(square) > len(tokens):
        return False
    return all(
        _is_text(tokens[start + place]) if _is_text(token) else tokens[start + place] == token for place, token in enumerate(square)
    )


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
