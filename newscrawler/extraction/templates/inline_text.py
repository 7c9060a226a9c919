"""Boilerplate within paragraphs: notes for screen readers behind each link ("opens in a new tab").

An element inside of a paragraph says something about the article, unless the elements at its place say the same on several pages,
many times, and never anything else. The page to be read counts as one of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from lxml import etree

from newscrawler.article import Paragraph
from newscrawler.extraction.templates.model import LONGEST_PLACE, InlineText
from newscrawler.extraction.templates.signatures import full_name
from newscrawler.page.blocks import Block
from newscrawler.page.document import squeeze

#: Elements that only dress words; links, emphasis and times are the article's own.
_LOOKED_AT = ("span", "small", "sup", "label")
_SHORTEST, _LONGEST = 4, 60
#: Elements that must say the same on the learned pages, and with those of the page to be read.
_LEAST_LEARNED, _LEAST = 2, 4
_MOST, _MOST_ELEMENTS = 20, 3000


def learn_inline(pages: Sequence[Sequence[Block]]) -> tuple[InlineText, ...]:
    """Learn from the blocks of the articles, page by page."""
    texts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for blocks in pages:
        for place, text in _pieces(blocks):
            texts[place][text] += 1
    fixed = [
        InlineText(place, text, count)
        for place, found in texts.items()
        for text, count in found.items()
        if len(found) == 1 and count >= _LEAST_LEARNED and _SHORTEST <= len(text) <= _LONGEST
    ]
    return tuple(sorted(fixed, key=lambda item: (-item.elements, item.where))[:_MOST])


def without_inline(paragraphs: Sequence[Paragraph], blocks: Sequence[Block], fixed: Iterable[InlineText]) -> tuple[Paragraph, ...]:
    """Take these texts out of the paragraphs that were made of the blocks, one for one."""
    known = {item.where: item for item in fixed}
    if not any(item.text in paragraph.text for paragraph in paragraphs for item in known.values()):
        return tuple(paragraphs)
    texts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for place, text in _pieces(blocks):
        texts[place][text] += 1
    known = {
        place: item for place, item in known.items()
        if texts[place].keys() == {item.text} and item.elements + texts[place].total() >= _LEAST
    }  # fmt: skip
    found = []
    for paragraph, block in zip(paragraphs, blocks, strict=True):
        text = paragraph.text
        for place, piece in _pieces([block]):
            text = text.replace(piece, "", 1) if place in known else text
        found.append(paragraph if text == paragraph.text or not squeeze(text) else replace(paragraph, text=squeeze(text)))
    return tuple(found)


def _pieces(blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """Yield place and text of the small elements in blocks that hold nothing but text, each once."""
    outer = dict.fromkeys(block.element for block in blocks)
    inner = (element for around in outer for element in around.iter(*_LOOKED_AT) if element is not around)
    for element in islice(inner, _MOST_ELEMENTS):
        if len(element) == 0 and (text := squeeze(element.text)):
            yield _place_of(element), text


def _place_of(element: etree._Element) -> str:
    """Return tag and classes of an element and of the one around it."""
    around = (element, element.getparent())
    return "<".join(full_name(one) for one in around if one is not None)[:LONGEST_PLACE]
