"""What kind of article it is, and whether it can be read for free."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from newscrawler.languages import pattern, words
from newscrawler.page import Document
from newscrawler.page.json_ld import types_of
from newscrawler.page.named import short_text

#: In this order: what is paid for is never news, whatever else it is.
_BY_TYPE = (
    ("sponsored", re.compile(r"AdvertiserContent|Advertorial|Sponsored", re.IGNORECASE)),
    ("live", re.compile(r"LiveBlog", re.IGNORECASE)),
    ("opinion", re.compile(r"Opinion|^Review|Column", re.IGNORECASE)),
    ("gallery", re.compile(r"ImageGallery|MediaGallery|PhotoGallery", re.IGNORECASE)),
    ("interview", re.compile(r"Interview", re.IGNORECASE)),
)
#: Whole words of sections, labels and parts of addresses, by genre.
_WORDS = {word: genre for genre, _ in reversed(_BY_TYPE) for word in words(genre)}
_PARTS = re.compile(r"[\s/:|,.!?–—()\[\]\"„“”«»]+")
_LONGEST_OFFER = 600
_LOCKED_TIER = frozenset({"locked", "premium", "subscription", "paid", "plus", "subscriber", "hardpaywall"})


def find_genre(page: Document, headline: str | None, section: str | None) -> str:
    """Tell news from opinion, interview, live coverage, gallery and what was paid for."""
    kinds = [kind for value in page.article_json_ld for kind in types_of(value)]
    for genre, declared in _BY_TYPE:
        if any(declared.search(kind) for kind in kinds):
            return genre
    texts = [section or "", page.first_meta("article:section", "og:section") or "", page.first_meta("article:genre", "genre") or ""]
    texts += [_path(page.url)]
    for text in texts:
        for word in _PARTS.split(text.lower()):
            if genre_found := _WORDS.get(word):
                return genre_found
    return _by_headline(headline or "")


def _by_headline(headline: str) -> str:
    """Read the label that many newsrooms put before the headline: "Kommentar: …", "ROZHOVOR | …"."""
    match = re.match(r"\s*([^\W\d_][\w'-]{2,20})\s*[:|–—]\s", headline.lower()) or re.match(
        r"\s*\[([^\W\d_][\w'-]{2,20})\]", headline.lower()
    )
    return _WORDS.get(match.group(1), "news") if match else "news"


def _path(url: str | None) -> str:
    try:
        parts = urlsplit(url or "").path.split("/")
    except ValueError:
        return ""
    return "/".join(parts[:-1])


def find_free(page: Document, body: Sequence[etree._Element]) -> bool | None:
    """Tell whether the article can be read for free; None where the page does not say."""
    for value in page.article_json_ld:
        declared = _truth(value.get("isAccessibleForFree"))
        if declared is not None:
            return declared
    tier = (page.first_meta("article:content_tier", "article:tier", "content_tier", "paywall-status") or "").lower()
    if tier:
        return tier not in _LOCKED_TIER
    return False if _shows_paywall(body) else None


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "false": False, "yes": True, "no": False}.get(value.strip().lower())
    return None


def _shows_paywall(body: Sequence[etree._Element]) -> bool:
    """Tell whether readers are asked to subscribe right at the end of the text."""
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
