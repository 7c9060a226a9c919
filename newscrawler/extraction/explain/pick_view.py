"""A page with a link at each block, for a person to choose one; all other links are removed."""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree

from newscrawler.extraction.explain.sanitizer import sanitized
from newscrawler.page import Document

_STYLE = (
    "body{max-width:62em;margin:0 auto;padding:1em;color:#111;background:#fff;font:16px/1.5 sans-serif}"
    "[data-pick]{outline:1px dotted #777;outline-offset:1px}[data-pick]:hover{outline:3px solid #0b4f94;background:#e5f0fb}"
    ".pick{display:inline-block;margin-right:.5em;padding:0 .5em;border:1px solid #0b4f94;border-radius:3px;color:#0b4f94;"
    "background:#fff;font:12px/1.6 sans-serif;text-decoration:none}.pick:focus{outline:3px solid #0b4f94}"
)


def as_pick_view(page: Document, address: Callable[[int], str], *, label: str) -> str:
    """Return the page with a link at each block, by its index. It runs no scripts and loads nothing.

    Args:
        page: the page.
        address: where the link of a block leads.
        label: what the links say.
    """
    blocks = page.layout.blocks
    root, copies = sanitized(page, [block.element for block in blocks])
    for link in root.iter("a"):
        link.attrib.pop("href", "")
    for block in reversed(blocks):
        element = copies[block.element]
        if element.get("data-pick") is None:
            element.set("data-pick", str(block.index))
            link = etree.Element("a", {"class": "pick", "href": address(block.index), "target": "_top"})
            link.text, link.tail = label, element.text
            element.text = None
            element.insert(0, link)
    head = root.find("head")
    if head is None:
        head = etree.Element("head")
        root.insert(0, head)
    style = etree.SubElement(head, "style")
    style.text = _STYLE
    return etree.tostring(root, method="html", encoding="unicode", doctype="<!DOCTYPE html>")
