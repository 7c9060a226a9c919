"""The elements of a page that have a name: class, id, itemprop, property or rel; read in one walk, for all who look for names.

The same walk reads what the names, roles and attributes of each element say it is, for the layout: reading attributes is
what costs most. All elements are held, since lxml would make them, and read their tags, anew for each further walk.

And the text of small ones: a byline, a date. An element with more in it than that is given up early, so that thousands of
nested boxes cost no more than one walk over each other's first few elements.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from lxml import etree

from newscrawler.page.marks import Mark, marks_of

_ALWAYS = frozenset({"h1", "h2", "h3", "time"})
SILENT = frozenset({"script", "style", "noscript", "template", "svg", "path", "option", "source", "link", "iframe", "br", "g"})
_UNSEEN = SILENT - {"br"}


class Named(NamedTuple):
    """One element with what it is called; headings and time elements stand here without a name, too."""

    #: Place among the elements of the body, in page order.
    place: int
    element: etree._Element
    tag: str
    #: Class and id, parted by a blank.
    name: str
    #: itemprop, or else property, in lower case.
    prop: str
    rel: str
    #: It has an attribute that holds a time: datetime, pubdate, data-datetime, data-timestamp.
    timed: bool


@dataclass(frozen=True, slots=True)
class Names:
    """What the elements of a body are called."""

    #: All elements, in page order; held, since lxml would make them anew for each further walk.
    elements: Sequence[etree._Element]
    #: Places of those of them that have a name, or are headings or times, in page order.
    places: Sequence[int]
    #: Class and id of each of these, parted by a blank.
    calls: Sequence[str]
    #: Property, rel and whether there is a time, of the few that have any of them, by their place.
    said: Mapping[int, tuple[str, str, bool]]
    #: Classes and ids, each once.
    called: Sequence[str]
    #: The elements of some tags that are looked for by their tag, in page order: a, h1, h2, nav, time.
    tagged: Mapping[str, Sequence[tuple[int, etree._Element]]]
    #: What class, id, role, itemprop and the attributes that hide say of an element, as a sum of `Mark` bits; only where they do,
    #: and not of links and pictures, which are not boxes.
    marks: Mapping[etree._Element, int]

    def named(self, numbers: Iterable[int]) -> list[Named]:
        """Those with these numbers among the elements that have a name."""
        found = []
        for number in numbers:
            place = self.places[number]
            element = self.elements[place]
            found.append(Named(place, element, element.tag, self.calls[number], *self.said.get(place, _NOTHING_SAID)))
        return found


_NOTHING_SAID = ("", "", False)
TIMED = frozenset({"datetime", "pubdate", "data-datetime", "data-timestamp"})
_LOOKED_FOR = ("a", "h1", "h2", "nav", "time")
#: What elements are called where classes are made by a machine.
_PARTS_OF_PROGRAMS = frozenset({"data-component", "data-testid"})
_MARKING = frozenset({"role", "itemprop", "hidden", "style", "aria-hidden"}) | _PARTS_OF_PROGRAMS
#: What is read beside class, id and href: not one attribute in ten.
_READ = TIMED | _MARKING | {"rel", "property"}
#: What these are called says nothing to the layout, to which they are never boxes.
_NO_BOXES = frozenset({"a", "b", "strong", "img", "picture", "button", "input", "textarea", "select"})
_ROLE_MARKS: dict[str, int] = {
    "navigation": Mark.NAVIGATION, "menu": Mark.NAVIGATION, "menubar": Mark.NAVIGATION, "complementary": Mark.ASIDE,
    "contentinfo": Mark.FOOTER, "banner": Mark.HEADER, "dialog": Mark.POPUP, "alertdialog": Mark.POPUP, "search": Mark.FORM,
    "main": Mark.MAIN, "article": Mark.ARTICLE, "form": Mark.FORM, "tablist": Mark.NAVIGATION, "tooltip": Mark.POPUP,
    "alert": Mark.POPUP, "note": Mark.ASIDE,
}  # fmt: skip
_ITEM_MARKS: dict[str, int] = {
    "articlebody": Mark.BODY | Mark.ARTICLE, "author": Mark.BYLINE, "datepublished": Mark.BYLINE, "comment": Mark.COMMENT,
    "caption": Mark.CAPTION, "description": Mark.LEAD, "keywords": Mark.TAGS, "publisher": Mark.BYLINE, "text": Mark.BODY,
}  # fmt: skip
for _table in (_ROLE_MARKS, _ITEM_MARKS):  # plain integers: the arithmetic of flags is ten times slower
    _table.update({_name: int(_marks) for _name, _marks in _table.items()})
_HIDDEN = int(Mark.HIDDEN)
_HIDING_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def read_names(body: etree._Element) -> Names:
    """Walk over a body once; of each element the names of its attributes are read, and of these the values of a few."""
    elements = list(body.iter(etree.Element))
    places: list[int] = []
    calls: list[str] = []
    said: dict[int, tuple[str, str, bool]] = {}
    tagged: dict[str, list[tuple[int, etree._Element]]] = {tag: [] for tag in _LOOKED_FOR}
    marked: dict[etree._Element, int] = {}
    known: dict[str, int] = {}
    unmarked: dict[str, None] = {}
    place = -1
    for element in elements:
        place += 1
        tag = element.tag
        if tag in SILENT:
            continue
        if tag in tagged:
            tagged[tag].append((place, element))
        useful = tag in _ALWAYS
        boxed = tag not in _NO_BOXES
        name = item = prop = rel = ""
        says = timed = False
        marks = 0
        get = element.get
        for key in element.keys():  # noqa: SIM118  an element is not a mapping: to iterate over it gives its children
            if key == "class" or key == "id":  # noqa: PLR1714  twice as fast as a set of two
                value = get(key, "")
                name = f"{name} {value}" if name else value
                useful = True
                if boxed:
                    bits = known.get(value)
                    if bits is None:
                        bits = known[value] = marks_of(value)
                    marks |= bits
                else:
                    unmarked[value] = None
            elif key == "href":
                useful = True
            elif key in _READ:
                value = get(key, "")
                if key in _MARKING:
                    marks |= _marks_in(key, value)
                    if key != "itemprop":
                        continue
                    item = value.lower()
                elif key == "rel":
                    rel = value.lower() if tag == "a" else ""
                elif key == "property":
                    prop = value.lower()
                else:
                    timed = True
                useful = says = True
        if useful:
            places.append(place)
            calls.append(name)
        if says:
            said[place] = (item or prop, rel, timed)
        if marks and boxed:
            marked[element] = marks
    return Names(elements, places, calls, said, list(known | unmarked), tagged, marked)


def _marks_in(key: str, value: str) -> int:
    """What an attribute other than class and id says of an element, as a sum of `Mark` bits."""
    if key in _PARTS_OF_PROGRAMS:
        return marks_of(value)
    if key == "role":
        return _ROLE_MARKS.get(value, 0)
    if key == "itemprop":
        return _ITEM_MARKS.get(value.lower(), 0)
    hides = key == "hidden" or (key == "style" and _hides(value)) or (key == "aria-hidden" and value == "true")
    return _HIDDEN if hides else 0


class MarksOnDemand:
    """The same marks, read only of the elements that are asked about: for a layout that passes most of the page over."""

    def get(self, element: etree._Element, default: int = 0) -> int:
        """What the names and attributes of an element say."""
        if element.tag in SILENT or element.tag in _NO_BOXES:
            return default
        marks = 0
        for key, value in cast("list[tuple[str, str]]", element.items()):
            if key in {"class", "id"}:
                marks |= marks_of(value)
            elif key in _MARKING:
                marks |= _marks_in(key, value)
        return marks or default

    def __contains__(self, element: etree._Element) -> bool:
        return bool(self.get(element))


def _hides(style: str) -> bool:
    return len(style) >= 12 and _HIDING_STYLE.search(style) is not None


def short_text(element: etree._Element, longest: int, most_elements: int = 60) -> str | None:
    """Give the text of a small element as a reader sees it; None where it is longer, or holds more elements."""
    pieces = pieces_of_small(element, 4 * longest, most_elements)
    shown = " ".join("".join(pieces).split()) if pieces is not None else ""
    return shown if pieces is not None and len(shown) <= longest else None


def pieces_of_small(
    element: etree._Element, longest: int, most_elements: int = 60, unseen: Container[str] = _UNSEEN
) -> list[str] | None:
    """Give the pieces of text in an element, blanks as they stand there; None where it is longer, or holds more elements."""
    pieces: list[str] = []
    length = elements = 0
    stack: list[etree._Element | str] = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            text: str | None = node
        else:
            elements += 1
            tag = node.tag
            if tag in unseen or not isinstance(tag, str):
                elements += sum(1 for _ in node.iterdescendants()) if len(node) else 0
                text = None
            else:
                text = node.text
                for child in reversed(node):
                    if tail := child.tail:
                        stack.append(tail)
                    stack.append(child)
            if elements > most_elements:
                return None
        if text:
            pieces.append(text)
            length += len(text)
            if length > longest:
                return None
    return pieces
