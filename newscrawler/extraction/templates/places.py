"""Places of blocks of text, in words that fit other pages of the portal too.

An element is named by its tag and those of its classes that several learned pages share, digits removed: numbers and the names
that build tools make up differ from page to page. A place is written `p|p<div.text<article.story<main.page`: kind of the block,
then its box, the two boxes around it, and the next box outwards that has a class. Places are compared at four levels, the most
specific first, so that an element more or less around the text does not matter.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from lxml import etree

from newscrawler.extraction.body.headline import find_headline_index
from newscrawler.extraction.templates.model import MOST_PLACES, PlaceAmounts
from newscrawler.page import Block, Document

NOTHING = PlaceAmounts(0.0, 0.0)
_DIGITS = re.compile(r"\d+")
#: Characters of a class, classes of an element: more are made by machines for one page.
_LONGEST_CLASS, _MOST_CLASSES = 60, 12
#: Kinds of place, from the most specific on.
LEVELS = 4
#: Names, and places, that are remembered.
_MOST_NAMES = 20_000
#: Boxes outwards in which a class is looked for.
_OUTWARDS = 12
#: Marks a block whose text is a link, or set in bold, as a whole: the same box may hold text and "Read also".
_LINKED, _BOLD = " link", " bold"
#: Signs that part the pieces of a place; no class may contain them.
_PARTING = re.compile(r"[|<.\s]")


def _split_classes(written: str | None) -> Iterator[str]:
    """Yield the classes in a class attribute, digits removed; those that no place can contain are left out."""
    for word in (written or "").split()[:_MOST_CLASSES]:
        name = _DIGITS.sub("", word)
        if name and len(name) <= _LONGEST_CLASS and not _PARTING.search(name):
            yield name


def _clean_tag(tag: str) -> str:
    """Return a tag, where it can be part of a place."""
    return tag if len(tag) <= _LONGEST_CLASS and not _PARTING.search(tag) else "other"


def get_full_name(element: etree._Element) -> str:
    """Return the name of an element with all of its classes."""
    return ".".join([_clean_tag(str(element.tag)), *sorted(set(_split_classes(element.get("class"))))])


class Namer:
    """Names elements by tag and known classes, `tag.class`."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)
        self._name = lru_cache(_MOST_NAMES)(self._make_name)

    def name_element(self, element: etree._Element) -> str:
        """Return the name of an element."""
        return self._name(str(element.tag), element.get("class"))

    def _make_name(self, written: str, classes: str | None) -> str:
        tag = _clean_tag(written)
        return ".".join([tag, *sorted({name for name in _split_classes(classes) if f"{tag}.{name}" in self._known})])


class Places:
    """The places of the blocks of a page; boxes are named on demand, since most contain only links."""

    def __init__(self, page: Document, namer: Namer) -> None:
        self._layout, self._namer = page.layout, namer
        #: By box: the boxes around a block as a place writes them.
        self._boxes: dict[int, str] = {}

    def find(self, block: Block) -> str:
        """Return the most specific place of a block."""
        if block.box not in self._boxes:
            names = [self._namer.name_element(box.element) for box in islice(self._layout.outer(block.box), _OUTWARDS)]
            own, parent, outer, *_ = [*names, "", "", ""]
            self._boxes[block.box] = f"{own}<{parent}<{outer}<{next((name for name in names[2:] if '.' in name), '')}"
        return f"{describe_state(block)}|{self._boxes[block.box]}"


def describe_state(block: Block) -> str:
    """Return the kind of a block, and whether its text is a link or bold as a whole."""
    length = len(block.text)
    return block.kind + (_LINKED if 5 * block.linked >= 4 * length else "") + (_BOLD if 10 * block.bold >= 9 * length else "")


def split_levels(place: str) -> tuple[str, str, str, str]:
    """Return a place at all levels, from the most specific; at the last only the tag of the box counts, not its classes."""
    state, _, chain = place.partition("|")
    own, parent, outer, far = [*chain.split("<"), "", "", ""][:4]
    beyond = outer if "." in outer else far
    near = parent if "." in parent else beyond
    return place, f"{state}|{own}<{parent}<{near}", f"{state}|{own}<<{near}", f"{state}|{own.partition('.')[0]}<<<{near}"


def find_known_classes(pages: Sequence[Document]) -> frozenset[str]:
    """Return `tag.class` for all classes of boxes that two of the pages share; of a single page all."""
    tags = ([(_clean_tag(str(box.element.tag)), box.element.get("class")) for box in page.layout.boxes] for page in pages)
    seen = Counter(word for each in tags for word in {f"{tag}.{name}" for tag, written in each for name in _split_classes(written)})
    return frozenset(word for word, count in seen.items() if count >= min(2, len(pages)))


def extract_classes(places: Iterable[str]) -> frozenset[str]:
    """Return `tag.class` for all classes that places name."""
    found: set[str] = set()
    for place in places:
        for name in place.partition("|")[2].split("<"):
            tag, *words = name.split(".")
            found.update(f"{tag}.{word}" for word in words)
    return frozenset(found)


def learn_places(pages: Iterable[tuple[Document, Places, Sequence[float]]]) -> dict[str, PlaceAmounts]:
    """Return the amounts at each place of some pages, without the headline; the places of most text, by name.

    Each page comes with its places, and how much of each block is text of the article.
    """
    found: dict[str, PlaceAmounts] = {}
    for page, places, shares in pages:
        headline = find_headline_index(page)
        for block in page.layout.blocks:
            if block.index != headline:
                amount, share, place = math.sqrt(block.size), shares[block.index], places.find(block)
                found[place] = found.get(place, NOTHING).add(PlaceAmounts(amount * share, amount * (1 - share)))
    best = sorted(found.items(), key=lambda item: (-sum(item[1]), item[0]))[:MOST_PLACES]
    return {name: PlaceAmounts(round(place.text, 2), round(place.other, 2)) for name, place in sorted(best)}


class KnownPlaces:
    """Amounts of known places, put together for each level; answers are remembered, as pages share places."""

    def __init__(self, rows: Mapping[str, PlaceAmounts]) -> None:
        self._levels: list[dict[str, PlaceAmounts]] = [{} for _ in range(LEVELS)]
        self.at = lru_cache(_MOST_NAMES)(self._look_up)
        for name, row in rows.items():
            for table, key in zip(self._levels, split_levels(name), strict=True):
                table[key] = table.get(key, NOTHING).add(row)

    def _look_up(self, place: str) -> tuple[PlaceAmounts | None, ...]:
        """Return the amounts at each level, the most specific first."""
        return tuple(table.get(name) for table, name in zip(self._levels, split_levels(place), strict=True))

    def is_text(self, place: str) -> bool:
        """Return whether a place, or the nearest known one, has mostly text."""
        found = next((each for each in self.at(place) if each is not None), NOTHING)
        return found.text > found.other
