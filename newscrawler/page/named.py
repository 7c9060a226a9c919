"""The elements of a page that have a name: class, id, itemprop, property or rel; read in one walk, for all who look for names.

And the text of small ones: a byline, a date. An element with more in it than that is given up early, so that thousands of
nested boxes cost no more than one walk over each other's first few elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from lxml import etree

_ALWAYS = frozenset({"h1", "h2", "h3", "time"})
_SILENT = frozenset({"script", "style", "noscript", "template", "svg", "path", "option", "source", "link", "iframe", "br", "g"})


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


_TIMED = frozenset({"datetime", "pubdate", "data-datetime", "data-timestamp"})
_OF_USE = _TIMED | {"class", "id", "itemprop", "property", "rel", "href"}


def read_named(body: etree._Element) -> Sequence[Named]:
    """Walk over a body once."""
    found: list[Named] = []
    make = tuple.__new__
    for index, element in enumerate(body.iter(etree.Element)):
        tag = element.tag
        if tag in _SILENT:
            continue
        name = item = prop = rel = ""
        useful = timed = False
        for key, value in cast("list[tuple[str, str]]", element.items()):
            if key not in _OF_USE:
                continue
            useful = True
            if key in {"class", "id"}:
                name = f"{name} {value}" if name else value
            elif key == "itemprop":
                item = value.lower()
            elif key == "property":
                prop = value.lower()
            elif key == "rel":
                rel = value.lower() if tag == "a" else ""
            elif key != "href":
                timed = True
        if useful or tag in _ALWAYS:
            # tuple.__new__ takes a third of the time of Named(), and there are thousands
            found.append(make(Named, (index, element, tag, name, item or prop, rel, timed)))
    return found


def short_text(element: etree._Element, longest: int, most_elements: int = 60) -> str | None:
    """Give the text of a small element as a reader sees it; None where it is longer, or holds more elements."""
    pieces: list[str] = []
    length = 0
    skip: etree._Element | None = None
    for count, (event, node) in enumerate(etree.iterwalk(element, events=("start", "end"))):
        if count > 2 * most_elements or length > 4 * longest:
            return None
        text = None
        if event == "start":
            if skip is None and node.tag in _SILENT and node.tag != "br":
                skip = node
            elif skip is None:
                text = node.text
        else:
            skip = None if skip is node else skip
            if skip is None and node is not element:
                text = node.tail
        if text:
            pieces.append(text)
            length += len(text)
    shown = " ".join("".join(pieces).split())
    return shown if len(shown) <= longest else None
