"""Where a block of text stands, in words that hold for other pages of the portal too.

An element is named by its tag and those of its classes that several learned pages share, digits removed: numbers and the names
that build tools make up differ from page to page. A place is written `p|p<div.text<article.story<main.page`: kind of the block,
then its box, the two boxes around it, and the next box outwards that has a class. Places are compared at three levels, the most
specific first, so that an element more or less around the text does not matter.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from lxml import etree

from newscrawler.extraction.headline import headline_index
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.model import MOST_PLACES, Place

NOTHING = Place(0.0, 0.0)
_DIGITS = re.compile(r"\d+")
#: Characters of a class, classes of an element: more are made by machines for one page.
_LONGEST_CLASS, _MOST_CLASSES = 60, 12
#: Kinds of place, from the most specific on.
LEVELS = 4
_MOST_NAMES = 20_000
#: Boxes outwards in which a class is looked for.
_OUTWARDS = 12
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
        self._layout = page.layout
        self._namer = namer
        #: By box: the boxes around a block as a place writes them.
        self._boxes: dict[int, str] = {}
        self._found: dict[int, str] = {}

    def of(self, block: Block) -> str:
        """The most specific place of a block."""
        found = self._found.get(block.index)
        if found is None:
            around = self._boxes.get(block.box)
            if around is None:
                around = self._boxes[block.box] = self._around(block.box)
            found = self._found[block.index] = f"{state_of(block)}|{around}"
        return found

    def _around(self, box: int) -> str:
        names = [self._namer.name(each.element) for each in islice(self._layout.outer(box), _OUTWARDS)]
        own, parent, outer, *_ = [*names, "", "", ""]
        return f"{own}<{parent}<{outer}<{next((name for name in names[2:] if '.' in name), '')}"


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


def learn_places(pages: Iterable[tuple[Document, Places, Sequence[float]]]) -> dict[str, Place]:
    """Return what pages have at each place, the headline left aside; those of most text, by name.

    Args:
        pages: each with its places, and how much of each block is text of the article.
    """
    found: dict[str, Place] = {}
    for page, places, shares in pages:
        headline = headline_index(page)
        for block in page.layout.blocks:
            if block.index != headline:
                amount, share, place = math.sqrt(block.size), shares[block.index], places.of(block)
                found[place] = found.get(place, NOTHING).plus(Place(amount * share, amount * (1 - share)))
    best = sorted(found.items(), key=lambda item: (-sum(item[1]), item[0]))[:MOST_PLACES]
    return {name: Place(round(place.text, 2), round(place.other, 2)) for name, place in sorted(best)}


class KnownPlaces:
    """What is known of places, put together for each of the levels; what was asked once is remembered, as pages share places."""

    def __init__(self, rows: Mapping[str, Place]) -> None:
        self._levels: list[dict[str, Place]] = [{} for _ in range(LEVELS)]
        self._seen: dict[str, tuple[Place | None, ...]] = {}
        for name, row in rows.items():
            for table, key in zip(self._levels, levels(name), strict=True):
                table[key] = table.get(key, NOTHING).plus(row)

    def at(self, place: str) -> tuple[Place | None, ...]:
        """Return what is known at each level, the most specific first."""
        found = self._seen.get(place)
        if found is None:
            if len(self._seen) > _MOST_NAMES:
                self._seen.clear()
            found = tuple(table.get(name) for table, name in zip(self._levels, levels(place), strict=True))
            self._seen[place] = found
        return found

    def is_text(self, place: str) -> bool:
        """Tell whether most of what stands at a place, or at the nearest one that is known, is text."""
        found = next((each for each in self.at(place) if each is not None), NOTHING)
        return found.text > found.other
