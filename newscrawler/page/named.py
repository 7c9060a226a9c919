"""The elements of a page that have a name: class, id, itemprop, property or rel; read in one walk, for all who look for names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

_HEADINGS = frozenset({"h1", "h2", "h3"})
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


def read_named(body: etree._Element) -> Sequence[Named]:
    """Walk over a body once."""
    found = []
    for index, element in enumerate(body.iter(etree.Element)):
        tag = element.tag
        if tag in _SILENT:
            continue
        attributes = element.attrib
        if not attributes and tag not in _HEADINGS and tag != "time":
            continue
        get = attributes.get
        name, own = get("class"), get("id")
        name = f"{name} {own}" if name and own else name or own or ""
        prop = get("itemprop") or get("property") or ""
        rel = (get("rel") or "") if tag == "a" else ""
        timed = (
            "datetime" in attributes or "pubdate" in attributes or "data-datetime" in attributes or "data-timestamp" in attributes
        )
        if name or prop or rel or timed or tag in _HEADINGS or tag in {"time", "a"}:
            found.append(Named(index, element, str(tag), str(name), str(prop).lower(), str(rel).lower(), timed))
    return found
