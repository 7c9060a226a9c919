"""Boilerplate within paragraphs: notes for screen readers behind each link ("opens in a new tab").

An element inside of a paragraph says something about the article, unless the elements at its place say the same on several pages,
many times, and never anything else. The page to be read counts as one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lxml import etree

from newscrawler.article import Paragraph
from newscrawler.page.blocks import Block
from newscrawler.page.document import squeeze
from newscrawler.wrappers.portal.model import InlineText
from newscrawler.wrappers.portal.signatures import classes_of, tag_of

#: Elements that only dress words; links, emphasis and times are the article's own.
_LOOKED_AT = ("span", "small", "sup", "label")
_SHORTEST, _LONGEST = 4, 60
#: Elements on two pages or more that must say the same; of a single page, so many, and so many more on the page to be read.
_LEAST_ELEMENTS, _LEAST_OF_ONE = 4, 2
_MOST, _MOST_ELEMENTS = 20, 3000


def where(element: etree._Element) -> str:
    """Tag and classes of an element and of the one around it."""
    outer = element.getparent()
    names = [".".join([tag_of(one), *sorted(classes_of(one))]) for one in (element, outer) if one is not None]
    return "<".join(names)[:1000]


def learn_inline(pages: Sequence[Sequence[Block]]) -> tuple[InlineText, ...]:
    """Learn from the blocks of the articles, page by page."""
    texts: dict[str, set[str]] = {}
    count: dict[str, int] = {}
    seen: dict[str, set[int]] = {}
    for number, blocks in enumerate(pages):
        for element, text in _pieces(blocks):
            place = where(element)
            texts.setdefault(place, set()).add(text)
            count[place] = count.get(place, 0) + 1
            seen.setdefault(place, set()).add(number)
    fixed = [
        InlineText(place, next(iter(found)), len(seen[place]) if count[place] >= _LEAST_ELEMENTS else 1)
        for place, found in texts.items()
        if len(found) == 1 and count[place] >= _LEAST_OF_ONE
        and _SHORTEST <= len(next(iter(found))) <= _LONGEST
    ]  # fmt: skip
    return tuple(sorted(fixed, key=lambda item: (-item.pages, item.where))[:_MOST])


def without_inline(paragraphs: Sequence[Paragraph], blocks: Sequence[Block], fixed: Iterable[InlineText]) -> tuple[Paragraph, ...]:
    """Take these texts out of the paragraphs that were made of the blocks, one for one."""
    known = {(item.where, item.text) for item in fixed if item.pages > 1}
    single = {item.where: item.text for item in fixed if item.pages == 1}
    known |= set(_confirmed(single, blocks)) if any(text in block.text for text in single.values() for block in blocks) else set()
    words = {text for _, text in known}
    found = []
    for paragraph, block in zip(paragraphs, blocks, strict=True):
        text = paragraph.text
        if any(word in text for word in words):
            for element, piece in _pieces([block]):
                if piece in words and (where(element), piece) in known:
                    text = text.replace(piece, "", 1)
        found.append(paragraph if text == paragraph.text or not squeeze(text) else replace(paragraph, text=squeeze(text)))
    return tuple(found)


def _confirmed(single: Mapping[str, str], blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """Those of a single learned page that this page has, too, several times, and nothing else at their place."""
    found: dict[str, list[str]] = {}
    for element, text in _pieces(blocks):
        if (place := where(element)) in single:
            found.setdefault(place, []).append(text)
    for place, texts in found.items():
        if len(texts) >= _LEAST_OF_ONE and set(texts) == {single[place]}:
            yield place, single[place]


def _pieces(blocks: Sequence[Block]) -> Iterator[tuple[etree._Element, str]]:
    """The small elements in blocks that hold nothing but text, each once."""
    elements = dict.fromkeys(block.element for block in blocks)
    looked = 0
    for outer in elements:
        for element in outer.iter(*_LOOKED_AT):
            looked += 1
            if looked > _MOST_ELEMENTS:
                return
            if len(element) == 0 and element is not outer and (text := squeeze(element.text)):
                yield element, text
