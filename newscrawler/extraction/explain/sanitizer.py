"""Copy a page without scripts and external resources: only elements and attributes of an allowlist are kept."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Mapping

from lxml import etree

from newscrawler.page import Document

#: Elements that run or load something, or that change how others are read, with all that is in them.
_REMOVED = (
    "script", "style", "link", "base", "meta", "object", "embed", "applet", "iframe", "frame", "frameset", "portal", "noscript",
    "template", "svg", "math", "audio", "video", "canvas", "source", "track", "param", "title",
)  # fmt: skip
#: Elements whose content a browser reads as plain text; as other elements it reads it as it was parsed.
_PLAIN = frozenset({"xmp", "plaintext", "noembed", "noframes", "listing"})
#: How ids of our own begin.
RESERVED = "explained"
_KEPT = frozenset(
    {"class", "id", "lang", "dir", "alt", "datetime", "colspan", "rowspan", "start", "reversed", "type", "value", "content"}
)
_FOLLOWED = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def sanitized(page: Document, shown: Collection[etree._Element]) -> tuple[etree._Element, Mapping[etree._Element, etree._Element]]:
    """Return a copy of a page without scripts, styles, event handlers and anything external, and each element's copy.

    Args:
        page: the page, which stays as it is.
        shown: elements that must not be hidden in the copy.
    """
    root = copy.deepcopy(page.root)
    copies = dict(zip(page.root.iter(), root.iter(), strict=True))
    visible = {outer for element in shown for outer in (element, *element.iterancestors())}
    for original, element in copies.items():
        if isinstance(element.tag, str):
            _keep_what_is_allowed(page, element, hidden=_is_hidden(original) and original not in visible)
    for element in list(root.iter(*_REMOVED, etree.Comment, etree.ProcessingInstruction)):
        if (parent := element.getparent()) is not None:
            _keep_tail(element)
            parent.remove(element)
    for element in root.iter(*_PLAIN):
        element.tag = "div"
    return root, copies


def _keep_what_is_allowed(page: Document, element: etree._Element, *, hidden: bool) -> None:
    href = element.get("href") if element.tag == "a" else None
    for name in element.attrib:
        if name not in _KEPT or (name == "id" and element.get(name, "").startswith(RESERVED)):
            del element.attrib[name]
    address = page.resolve(href) if href else None
    if address and _FOLLOWED.match(address):
        element.set("href", address)
        element.set("rel", "noreferrer noopener")
    if hidden:
        element.set("hidden", "")
    if element.tag in ("details", "dialog"):
        element.set("open", "")


def _is_hidden(element: etree._Element) -> bool:
    return element.get("hidden") is not None or _HIDDEN.search(element.get("style") or "") is not None


def _keep_tail(element: etree._Element) -> None:
    parent, before = element.getparent(), element.getprevious()
    if not element.tail or parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + element.tail
    else:
        parent.text = (parent.text or "") + element.tail
