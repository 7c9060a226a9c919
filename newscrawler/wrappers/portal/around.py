"""What stands around a portal's articles and is never any of their text: boxes that a page need not be laid out with.

A box is known by its tag and all of its classes, digits removed; one that has no class by its tag and id, and `nav`, `aside` and
`footer` by their tag alone. It counts as furniture if it stands on three learned pages or more, and on none of them between
headline and end of the text. How many characters its paragraphs held there is remembered: a page on which they hold
far more is laid out as a whole, since its text may stand there for once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lxml import etree

from newscrawler.extraction.body import Examination
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.model import Aside
from newscrawler.wrappers.portal.signatures import classes_of, tag_of

#: Pages on which a box must have stood.
LEAST_PAGES = 3
#: Characters that paragraphs in such a box may have beyond twice those on the learned pages.
_MORE = 400
#: Tags that need no name.
_NAMED_BY_TAG = frozenset({"nav", "aside", "footer"})
#: A block may be text from this chance on.
_MAY_BE_TEXT = 0.05
_MOST_NAMES = 20_000
MOST_FURNITURE = 500


def signature(element: etree._Element) -> str | None:
    """What an element is called; None where that does not tell it from others."""
    tag, classes = str(element.tag), element.get("class")
    if classes:
        names = classes_of(element)
        return ".".join([tag_of(element), *sorted(set(names))]) if len(names) == len(classes.split()) else None
    name = element.get("id")
    if name:
        return f"{tag}#{name}" if name.isascii() and not any(sign.isdigit() for sign in name) and len(name) <= 60 else None
    return tag if tag in _NAMED_BY_TAG else None


def characters_in(element: etree._Element) -> int:
    """Characters of the paragraphs in an element."""
    return sum(len(" ".join("".join(map(str, paragraph.itertext())).split())) for paragraph in element.iter("p"))


def learn_furniture(pages: Sequence[tuple[Document, Examination]]) -> dict[str, Aside]:
    """Learn from pages as the page-level detector reads them."""
    seen: dict[str, list[Aside]] = {}
    inside: set[str] = set()
    for page, found in pages:
        first, last = _span(page, found.taken, found.chances)
        mass = found.evidence.mass if found.evidence is not None else [0.0] * len(page.layout.blocks)
        here: dict[str, Aside] = {}
        for box in page.layout.boxes[1:]:
            name = signature(box.element)
            if name is None:
                continue
            if (box.first < last and box.last > first) or (box.first == box.last and first < box.first < last):
                inside.add(name)
            else:
                before = here.get(name, Aside(0, 0.0))
                size, own = characters_in(box.element), sum(mass[box.first : box.last])
                here[name] = Aside(max(before.characters, size), max(before.mass, own))
        for name, aside in here.items():
            seen.setdefault(name, []).append(aside)
    found_often = {name: asides for name, asides in seen.items() if len(asides) >= LEAST_PAGES and name not in inside}
    best = sorted(found_often.items(), key=lambda item: (-len(item[1]), item[0]))[:MOST_FURNITURE]
    return {
        name: Aside(max(a.characters for a in asides), round(sum(a.mass for a in asides) / len(asides), 1)) for name, asides in best
    }


def _span(page: Document, taken: Sequence[Block], chances: Mapping[int, float]) -> tuple[int, int]:
    """The blocks from headline to end of the text, and others that may be text."""
    numbers = [block.index for block in taken] + [index for index, chance in chances.items() if chance >= _MAY_BE_TEXT]
    if page.headline is not None and page.headline.block is not None:
        numbers.append(page.headline.block.index)
    return min(numbers, default=0), max(numbers, default=-1) + 1


class Around:
    """Knows furniture when it sees it; names are remembered by tag and attributes."""

    def __init__(self, furniture: Mapping[str, Aside]) -> None:
        self._furniture = furniture
        self._known: dict[tuple[str, str | None, str | None], Aside | None] = {}

    def brief(self, page: Document) -> tuple[Document, float] | None:
        """The page without its furniture, and the mass of that; None where there is none, or where it may hold the text."""
        if not self._furniture:
            return None
        found: list[tuple[etree._Element, Aside]] = []

        def is_furniture(element: etree._Element) -> bool:
            aside = self._aside(element)
            if aside is None:
                return False
            found.append((element, aside))
            return True

        brief = page.laid_out_without(is_furniture)
        bears = all(characters_in(element) <= 2 * aside.characters + _MORE for element, aside in found)
        return (brief, sum(aside.mass for _, aside in found)) if found and bears else None

    def _aside(self, element: etree._Element) -> Aside | None:
        classes = element.get("class")
        key = (str(element.tag), classes, None if classes else element.get("id"))
        try:
            return self._known[key]
        except KeyError:
            pass
        if len(self._known) > _MOST_NAMES:
            self._known.clear()
        name = signature(element)
        found = self._known[key] = self._furniture.get(name) if name is not None else None
        return found
