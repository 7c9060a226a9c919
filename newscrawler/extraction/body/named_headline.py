"""The headline of a page without headings: the only element whose class or id calls it the title of the article.

Systems of the 2000s write `<span id="ctl00_lblTitle" class="ArticleTitle">` and give every page the name of the site for its title.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from newscrawler.extraction.body.declared_titles import declared_titles
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.likeness import likeness
from newscrawler.page.marks import BOXES_BESIDE
from newscrawler.page.named import short_text

_WORDS = ("title", "headline", "nadpis", "titul", "tytul", "titre", "titolo", "naslov", "überschrift", "ueberschrift", "titel")
_CALLED = re.compile(
    rf"(?:article|story|news|post|entry|page|content|lbl|main|detail|clanek|clanku|artikel|beitrag|txt)?-?(?:{'|'.join(_WORDS)}(?:o|ek)?)"
)
_OTHERS = re.compile(
    r"site|blog|box|widget|side|section|sub|rel|logo|foot|comment|im(?:g|age)|pic|photo|foto|galler|block|menu|tab|cat|part"
)
_SHORTEST, LONGEST = 15, 300
#: Words that the name of a site has at most, and how alike a headline and the page's title are.
WORDS_OF_NAME, ALIKE = 5, 0.5
#: Characters of a rubric, a date and names in the block of the headline.
MOST_BESIDE = 120
#: Blocks below a headline in which a paragraph is expected, and its least characters.
_BELOW, _PARAGRAPH = 8, 80


class NamedHeadline(NamedTuple):
    """A headline that is no heading."""

    text: str
    element: etree._Element
    #: The block in which it stands; None where that holds text of the article, too.
    block: Block | None


def named_headline(page: Document) -> NamedHeadline | None:
    """Find the only element that is called the title of an article, above a paragraph; None where there is none or more."""
    if not any(True for _ in page.names_with(_WORDS)):
        return None
    called: dict[str, list[etree._Element]] = {}
    for each in page.named_with(_WORDS):
        for key in {key for name in each.name.lower().split() if (key := _key_of(name))}:
            called.setdefault(key, []).append(each.element)
    for elements in called.values():
        if len(elements) == 1 and (found := _as_headline(page, elements[0])) is not None:
            return found
    return None


def _key_of(name: str) -> str | None:
    """The last part of a name, if it calls something the title of an article."""
    last = name.rsplit("_", 1)[-1]
    return last if _CALLED.fullmatch(last) and not _OTHERS.search(name) else None


def _as_headline(page: Document, element: etree._Element) -> NamedHeadline | None:
    text = short_text(element, LONGEST)
    if text is None or len(text) < _SHORTEST or next(element.iter("a"), None) is not None:
        return None
    declared = page.view(declared_titles).texts
    if len((page.title or "").split()) > WORDS_OF_NAME and not any(likeness(text, other) >= ALIKE for other in declared):
        return None  # the title tells more than the name of the site, and something else
    layout = page.layout
    block = next((block for block in layout.blocks if text in block.text), None)
    if block is None or 2 * block.linked > len(block.text) or layout.boxes[block.box].within & BOXES_BESIDE:
        return None
    below = layout.blocks[block.index + 1 : block.index + 1 + _BELOW]
    if not any(other.is_sentence and other.size >= _PARAGRAPH and 2 * other.linked < len(other.text) for other in below):
        return None
    alone = len(block.text) - len(text) <= MOST_BESIDE
    return NamedHeadline(text, element, block if alone else None)
