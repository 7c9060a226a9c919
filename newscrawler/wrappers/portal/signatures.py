"""Where a block of text stands, in words that hold for other pages of the portal too.

An element is named by its tag and those of its classes that several learned pages share, digits removed: numbers and the names
that build tools make up differ from page to page. A place is written `p|p<div.text<article.story<main.page`: kind of the block,
then its box, the two boxes around it, and the next box outwards that has a class. Places are compared at three levels, the most
specific first, so that an element more or less around the text does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from lxml import etree

from newscrawler.page import Document
from newscrawler.page.blocks import Block

T = TypeVar("T")
_DIGITS = re.compile(r"\d+")
#: Characters of a class, classes of an element: more are made by machines for one page.
_LONGEST_CLASS, _MOST_CLASSES = 60, 12
#: Kinds of place, from the most specific on.
LEVELS = 4
_MOST_NAMES = 20_000
#: Marks a block whose text is a link, or set in bold, as a whole: the same box may hold text and "Read also".
_LINKED, _BOLD = " link", " bold"
#: Signs that part the pieces of a place; no class may hold them.
_PARTING = re.compile(r"[|<.\s]")


def classes_of(element: etree._Element) -> list[str]:
    """The classes of an element, digits removed, in their order; those that no place can hold are left out."""
    found = []
    for word in (element.get("class") or "").split()[:_MOST_CLASSES]:
        name = _DIGITS.sub("", word)
        if name and len(name) <= _LONGEST_CLASS and not _PARTING.search(name):
            found.append(name)
    return found


def tag_of(element: etree._Element) -> str:
    """The tag of an element, where it can be part of a place."""
    tag = str(element.tag)
    return tag if len(tag) <= _LONGEST_CLASS and not _PARTING.search(tag) else "other"


class Namer:
    """Names elements by tag and known classes; what was named once is remembered by tag and class attribute."""

    def __init__(self, known: Iterable[str]) -> None:
        #: `tag.class` for every class that counts.
        self.known = frozenset(known)
        self._names: dict[tuple[str, str | None], str] = {}

    def name(self, element: etree._Element) -> str:
        """The name of an element."""
        key = (str(element.tag), element.get("class"))
        found = self._names.get(key)
        if found is None:
            if len(self._names) > _MOST_NAMES:
                self._names.clear()
            tag = tag_of(element)
            known = {name for name in classes_of(element) if f"{tag}.{name}" in self.known} if key[1] else ()
            found = self._names[key] = ".".join([tag, *sorted(known)])
        return found


class Places:
    """The places of the blocks of a page; boxes are named when a block in them is asked for, since most hold only links."""

    def __init__(self, page: Document, namer: Namer) -> None:
        self._boxes = page.layout.boxes
        self._namer = namer
        #: Name of a box, name of the nearest box outwards with a class, and the boxes around a block as a place writes them.
        self._known: dict[int, tuple[str, str, str]] = {-1: ("", "", "")}
        self._found: dict[int, str] = {}

    def of(self, block: Block) -> str:
        """The most specific place of a block."""
        found = self._found.get(block.index)
        if found is None:
            known = self._known.get(block.box)
            found = self._found[block.index] = f"{state_of(block)}|{(known or self._read(block.box))[2]}"
        return found

    def _read(self, box: int) -> tuple[str, str, str]:
        waiting = []
        while box not in self._known:
            waiting.append(box)
            box = self._boxes[box].parent
        while waiting:
            box = waiting.pop()
            parent = self._boxes[box].parent
            outer = self._boxes[parent].parent if parent >= 0 else -1
            name = self._namer.name(self._boxes[box].element)
            around, beyond = self._known[parent], self._known[outer]
            self._known[box] = (name, name if "." in name else around[1], f"{name}<{around[0]}<{beyond[0]}<{beyond[1]}")
        return self._known[box]


def state_of(block: Block) -> str:
    """Kind of a block, and whether its text is a link or bold as a whole."""
    length = len(block.text)
    return block.kind + (_LINKED if 5 * block.linked >= 4 * length else "") + (_BOLD if 10 * block.bold >= 9 * length else "")


def levels(place: str) -> tuple[str, str, str, str]:
    """A place, and what is left of it at the less specific levels; at the last only the tag of the box counts, not its classes."""
    state, _, chain = place.partition("|")
    own, parent, outer, far = [*chain.split("<"), "", "", ""][:4]
    beyond = outer if "." in outer else far
    near = parent if "." in parent else beyond
    return place, f"{state}|{own}<{parent}<{near}", f"{state}|{own}<<{near}", f"{state}|{own.partition('.')[0]}<<<{near}"


def known_classes(pages: Sequence[Document]) -> frozenset[str]:
    """`tag.class` for all classes of boxes that two of the pages share; of a single page all."""
    seen: dict[str, int] = {}
    for page in pages:
        own = {f"{tag_of(box.element)}.{name}" for box in page.layout.boxes for name in classes_of(box.element)}
        for word in own:
            seen[word] = seen.get(word, 0) + 1
    least = min(2, len(pages))
    return frozenset(word for word, count in seen.items() if count >= least)


def classes_in(places: Iterable[str]) -> frozenset[str]:
    """`tag.class` for all classes that places name."""
    found: set[str] = set()
    for place in places:
        for name in place.partition("|")[2].split("<"):
            tag, *words = name.split(".")
            found.update(f"{tag}.{word}" for word in words)
    return frozenset(found)


class KnownPlaces(Generic[T]):
    """What is known of places, put together for each of the levels; what was asked once is remembered, as pages share places."""

    def __init__(self, rows: Mapping[str, T], together: Callable[[T, T], T]) -> None:
        self._levels: list[dict[str, T]] = [{} for _ in range(LEVELS)]
        self._seen: dict[str, tuple[T | None, ...]] = {}
        for name, row in rows.items():
            for table, key in zip(self._levels, levels(name), strict=True):
                table[key] = together(table[key], row) if key in table else row

    def at(self, place: str) -> tuple[T | None, ...]:
        """Return what is known at each level, the most specific first."""
        found = self._seen.get(place)
        if found is None:
            if len(self._seen) > _MOST_NAMES:
                self._seen.clear()
            found = tuple(table.get(name) for table, name in zip(self._levels, levels(place), strict=True))
            self._seen[place] = found
        return found

    def nearest(self, place: str) -> tuple[int, T] | None:
        """Return what is known of a place, or of the nearest one that is known, and at which level; 0: of the very place."""
        return next(((level, found) for level, found in enumerate(self.at(place)) if found is not None), None)
