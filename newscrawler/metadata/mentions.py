"""Names of whom or what an article is about: those that a page has for topics, or that its text speaks of."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import itemgetter

from lxml import etree

from newscrawler.page import Document
from newscrawler.page.blocks import Block

#: What the head of a page calls its topics by.
_TOPICS, _MOST_TOPICS = ("article:section", "article:tag", "keywords", "news_keywords", "section"), 30


def is_spoken_of(page: Document, name: str, heading: Block, body: Sequence[etree._Element]) -> bool:
    """Tell whether a link elsewhere on the page or its head has the name for a topic, or the text speaks of it.

    A paragraph that begins with the name may say who the author is, as may the last one.
    """
    key = name.casefold()
    if any(key in content.casefold() for topic in _TOPICS for content in page.meta.get(topic, ())[:_MOST_TOPICS]):
        return True
    links = page.names.tagged["a"]
    above = links[: bisect_left(links, page.place_of(heading.element) or 0, key=itemgetter(0))]
    if any("".join(map(str, link.itertext())).strip().casefold() == key for _, link in above):
        return True
    boxes = frozenset(body)
    text = [
        block.text
        for block in page.layout.blocks[heading.index + 1 :]
        if block.is_sentence
        and (not boxes or block.element in boxes or any(outer in boxes for outer in block.element.iterancestors()))
    ]
    return any(name in said and not said.startswith(name) for said in text[:-1])
