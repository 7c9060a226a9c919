"""Postings that declare nothing, or hardly anything, of themselves: jobs, films and sounds, entries of a glossary, events.

They are asked only of pages that declare no article and name no author beside the headline.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from lxml import etree

from newscrawler.page import Document
from newscrawler.page.blocks import Block

#: The sexes that an offer of work has to name in several countries, in brackets: (m/w/d), (f/m/x), (H/F), (k/m), (m/ž).
_SEXES = re.compile(r"\((?:m|f|w|d|x|h|k|ž|g|i|a)(?:\s?[/|*]\s?(?:m|f|w|d|x|h|k|ž|g|i|a|alle|all genders)){1,3}\)", re.IGNORECASE)
_LEAST_ITEMS, _BELOW = 3, 40
#: Characters of the text beside a film or a sound, of an entry and of an event; blocks behind it that say how long others play.
_LITTLE, _ENTRY, _EVENT = 400, 400, 600
_LEAST_OTHERS, _BEHIND = 3, 40
_PLAYS = re.compile(r"\b\d{1,3}\s?(?:min|мин|хв|perc|dk|分|분|นาที|دقیقه|دقيقة)|(?<![\d:.])\d{1,2}:[0-5]\d(?![\d:])", re.IGNORECASE)
#: Characters of a term, and words that stand before it in a sentence.
_LONGEST_TERM = 18
_ARTICLE = re.compile(r"(?:an?|the|der|die|das|eine?|une?|las?|les?|el|los|il|lo|i|gli|os?|as?|de|het|een|l['’])\s+", re.IGNORECASE)
#: A label of at most three words and what it stands for; so many of them one after another, right under the headline.
_LABELLED = re.compile(r"[^\W\d][\w' -]{0,23}[:：]\s*\S")
_LEAST_LABELLED, _LINES, _LONGEST_LINE = 3, 5, 80
#: Labels of an article's own line: who made it, where it is filed, how long it takes to read, when it came and changed.
_OF_ARTICLE = re.compile(
    r"(?:\w*[aá]utor|auteur|by|from|von|text|foto|photo|bild|source|quelle|zdroj|źródło|fuente|fonte|section|rubri|ressort|categor|kategor|"
    r"tags?|topic|thema|téma|temat|tém|date\b|dat[ua]m|data\b|fecha|publi|poste|updat|aktual|veröff|erstellt|created|modif|read|lese|čas|"
    r"views?|zobraz|aufrufe|comment|komm|koment|id\b|автор|фото|источник|джерело|рубрика|дата|опубл|обновл|оновл|теги|просмотр|перегляд)",
    re.IGNORECASE,
)


def posting(page: Document, taken: Sequence[Block], size: int) -> str | None:
    """Say what is posted instead of an article; None where nothing speaks for it.

    Args:
        page: the page, which declares no article and names no author.
        taken: the blocks that would be its body.
        size: characters of these blocks, headings aside.
    """
    headline = page.headline.block if page.headline else None
    if headline is None or not taken:
        return None
    if _SEXES.search(headline.text) and _lists(page, headline):
        return "the headline names the sexes of whom it wants to work"
    if size < _LITTLE and (shown := _played(page, taken)) is not None:
        return shown
    if size < _ENTRY and _defines(headline, taken):
        return "a term, and a text that begins with it"
    if size < _EVENT and _is_labelled(page, headline):
        return "labels and what they stand for, right under the headline"
    return None


def _lists(page: Document, headline: Block) -> bool:
    """Tell whether items that are no links stand below the headline: tasks, and what is asked for and offered."""
    below = page.layout.blocks[headline.index + 1 :][:_BELOW]
    return sum(1 for block in below if block.kind == "li" and not block.links) >= _LEAST_ITEMS


def _played(page: Document, taken: Sequence[Block]) -> str | None:
    """Tell a film that stands before the little text, and a sound or a film beside a list of others with how long they play."""
    if next(page.body.iter("video", "audio"), None) is None:
        return None
    first, last = taken[0].element, taken[-1].element
    parts = list(page.body.iter("video", "audio", str(first.tag), str(last.tag)))
    if any(part.tag == "video" for part in parts[: _number_of(first, parts)]):
        return "a film, and a line about it"
    if not any(part.tag in {"video", "audio"} for part in parts[: _number_of(last, parts)]):
        return None
    behind = page.layout.blocks[taken[-1].index + 1 :][:_BEHIND]
    others = sum(1 for block in behind if block.links and _PLAYS.search(block.text))
    return "a sound, a line about it, and others with how long they play" if others >= _LEAST_OTHERS else None


def _number_of(element: etree._Element, parts: Sequence[etree._Element]) -> int:
    return next((number for number, part in enumerate(parts) if part is element), len(parts))


def _defines(headline: Block, taken: Sequence[Block]) -> bool:
    """Tell whether the headline is a bare term with which the text begins, maybe in the plural: "Isotopes are ..."."""
    term = headline.text.strip().casefold()
    if headline.size >= _LONGEST_TERM or " " in term or not term.isalpha():
        return False
    said = taken[0].text.strip().casefold()
    said = _ARTICLE.sub("", said, count=1) if (match := _ARTICLE.match(said)) and match.end() < len(said) else said
    return said.startswith(term)


def _is_labelled(page: Document, headline: Block) -> bool:
    lines = page.layout.blocks[headline.index + 1 : headline.index + 1 + _LINES]
    labelled = list(takewhile(lambda block: len(block.text) <= _LONGEST_LINE and _LABELLED.match(block.text) is not None, lines))
    return len(labelled) >= _LEAST_LABELLED and not any(_OF_ARTICLE.match(block.text) for block in labelled)
