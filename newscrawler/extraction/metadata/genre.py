"""What kind of article it is, and whether it can be read for free."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lxml import etree

from newscrawler.languages import pattern, words
from newscrawler.page import Document
from newscrawler.page.json_ld import types_of
from newscrawler.page.names import short_text

#: In this order: what is paid for is never news, whatever else it is.
_BY_TYPE = (
    ("sponsored", re.compile(r"AdvertiserContent|Advertorial|Sponsored", re.IGNORECASE)),
    ("live", re.compile(r"LiveBlog", re.IGNORECASE)),
    ("opinion", re.compile(r"Opinion|^Review|Column", re.IGNORECASE | re.MULTILINE)),
    ("gallery", re.compile(r"ImageGallery|MediaGallery|PhotoGallery", re.IGNORECASE)),
    ("interview", re.compile(r"Interview", re.IGNORECASE)),
)
#: Whole words of sections, labels and parts of addresses, by genre.
_WORDS = {word: genre for genre, _ in reversed(_BY_TYPE) for word in words(genre)}
_PARTS = re.compile(r"[\s/:|,.!?–—()\[\]\"„“”«»]+")
#: The label that many newsrooms put before the headline: "Kommentar: …", "ROZHOVOR | …".
_LABEL = re.compile(r"\s*(?:([^\W\d_][\w'-]{2,20})\s*[:|–—]\s|\[([^\W\d_][\w'-]{2,20})\])")
_META_NAMES = (("article:section", "og:section"), ("article:genre", "genre"))
_LONGEST_OFFER = 600
_LOCKED_TIER = frozenset({"locked", "premium", "subscription", "paid", "plus", "subscriber", "hardpaywall"})


def find_genre(page: Document, headline: str | None, section: str | None) -> str:
    """Tell news from opinion, interview, live coverage, gallery and what was paid for.

    The types in the JSON-LD go before words of sections and of the address, and these before the label of a headline.
    """
    kinds = "\n".join(kind for value in page.article_json_ld for kind in types_of(value))
    if declared := next((genre for genre, kind in _BY_TYPE if kind.search(kinds)), None):
        return declared
    said = [section or "", *(page.first_meta(*names) or "" for names in _META_NAMES), (page.url or "").partition("//")[2]]
    said[-1] = said[-1].partition("?")[0].partition("/")[2].rpartition("/")[0]
    label = _LABEL.match((headline or "").lower())
    words_said = [word for text in said for word in _PARTS.split(text.lower())] + ([label[1] or label[2]] if label else [])
    return next((genre for word in words_said if (genre := _WORDS.get(word))), "news")


_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def find_free_access(page: Document, body: Sequence[etree._Element]) -> bool | None:
    """Return whether the article can be read for free; None where the page does not say."""
    for value in page.article_json_ld:
        declared = _read_truth(value.get("isAccessibleForFree"))
        if declared is not None:
            return declared
    tier = (page.first_meta("article:content_tier", "article:tier", "content_tier", "paywall-status") or "").lower()
    if tier:
        return tier not in _LOCKED_TIER
    return False if _has_paywall(body) else None


def _read_truth(value: Any) -> bool | None:
    """Return what a declared truth says, also as a word, a number, an address of schema.org, or the only one of a list."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        value = value.get("@value")
    return _TRUTHS.get(str(value).strip().lower().rpartition("/")[2])


def _has_paywall(body: Sequence[etree._Element]) -> bool:
    """Return whether readers are asked to subscribe right at the end of the text."""
    if not body:
        return False
    last: etree._Element | None = body[-1]
    for _ in range(3):
        if last is None or last.tag in {"body", "html"}:
            return False
        for sibling in list(last.itersiblings(etree.Element))[:3]:
            text = short_text(sibling, _LONGEST_OFFER)
            if text and pattern("paywall").search(text.lower()):
                return True
        last = last.getparent()
    return False
