"""The frozen records that cross the whole program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the store needs these records, but not the parser
    from lxml import etree

_EASTERN_SIGN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_EASTERN_MARKS = dict.fromkeys(map(ord, "、。，．！？：；・「」『』（）《》〈〉【】…—～“”‘’"), " ")


def _words(text: str) -> int:
    signs = 0 if text.isascii() else len(_EASTERN_SIGN.findall(text))
    return signs + len(_EASTERN_SIGN.sub(" ", text).translate(_EASTERN_MARKS).split()) if signs else len(text.split())


class ParagraphKind(StrEnum):
    """What a piece of the body is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST_ITEM = "list item"
    QUOTE = "quote"
    TABLE_ROW = "table row"


class DatePrecision(StrEnum):
    """How exactly a page states a time."""

    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"


class Reserved(StrEnum):
    """What a publisher may reserve."""

    NOINDEX = "noindex"
    NOFOLLOW = "nofollow"
    NOARCHIVE = "noarchive"
    UNAVAILABLE_AFTER = "unavailable_after"
    TDM = "tdm"
    #: Any use at all, storing included.
    ANY_USE = "any-use"
    TEXT_ANALYSIS = "text-analysis"
    SEARCH = "search"
    AI_TRAIN = "ai-train"
    AI_INPUT = "ai-input"
    #: Of images; we store none, so it is a record only.
    AI_IMAGES = "ai-images"
    #: Whatever shows more than an excerpt with a link.
    REPRODUCTION = "reproduction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """One thing that a publisher reserved for one page, as it was said."""

    word: Reserved
    #: The words themselves.
    said: str
    #: X-Robots-Tag, meta robots, tdm-reservation header, tdmrep.json, robots.txt Content-Signal, Content-Usage header, RSL, …
    place: str
    #: The opposite was said: the page is free, though a rule for its whole origin may reserve it.
    granted: bool = False
    #: URL of the conditions of a text-mining reservation.
    policy: str | None = None
    #: When it begins to hold, of unavailable_after; None there: the date cannot be read.
    from_at: datetime | None = None
    #: Why it counts as said though it cannot be read.
    note: str | None = None


class SpanKind(StrEnum):
    """What a part of a paragraph is."""

    LINK = "link"
    STRONG = "strong"
    EMPHASIS = "emphasis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A part of the text of a paragraph that is linked or is emphasised; spans nest, and do not overlap otherwise."""

    kind: SpanKind
    #: Characters of the text, from `start` up to, not including, `end`.
    start: int
    end: int
    #: Where a link leads.
    url: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the span as JSON writes it."""
        return {"kind": str(self.kind), "start": self.start, "end": self.end} | ({"url": self.url} if self.url else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture of an article."""

    url: str
    #: The text that replaces it.
    alt: str | None = None
    caption: str | None = None
    #: Number of paragraphs before it.
    position: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the image as JSON writes it."""
        return {"url": self.url, "alt": self.alt, "caption": self.caption, "position": self.position}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One piece of the body, in reading order; its text holds no line break."""

    text: str
    kind: ParagraphKind = ParagraphKind.PARAGRAPH
    #: Of a live blog: the post that it belongs to, counted from 1 in page order; None: the introduction, and any other article.
    post: int | None = None
    #: Links and emphasis, where they were asked for, in the order of their beginnings, outer ones first.
    spans: tuple[Span, ...] = ()
    #: Of a row of a table, where they are known.
    cells: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the piece as JSON writes it."""
        further = {"post": self.post, "spans": [span.as_dict() for span in self.spans], "cells": list(self.cells)}
        return {"kind": str(self.kind), "text": self.text} | {name: value for name, value in further.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The body of an article on one page, as a block-detection method found it."""

    #: In reading order; the lead, if there is one, comes first.
    paragraphs: tuple[Paragraph, ...]
    #: None: the method does not look for it; `newscrawler.metadata` decides.
    headline: str | None = None
    lead: str | None = None
    #: 0 to 1.
    confidence: float = 0.5
    #: The element of the headline, if the method knows it.
    headline_element: etree._Element | None = None
    #: The elements of the text, in page order; dates and authors are searched near them.
    elements: tuple[etree._Element, ...] = ()

    @property
    def text(self) -> str:
        """Join the paragraphs with line breaks."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One news article.

    Raises:
        ValueError: a time without an offset.
    """

    title: str
    #: In reading order; the lead, where there is one, comes first.
    paragraphs: tuple[Paragraph, ...]
    url: str | None = None
    canonical_url: str | None = None
    lead: str | None = None
    description: str | None = None
    #: The page gives no description, so the lead (or the first paragraph) replaces it.
    description_is_lead: bool = False
    authors: tuple[str, ...] = ()
    published_at: datetime | None = None
    published_precision: DatePrecision | None = None
    #: Which evidence gave the date ("json-ld", "meta", "time element", ...).
    published_source: str | None = None
    #: The page itself gave the offset; otherwise the portal's time zone was assumed.
    offset_given: bool = False
    modified_at: datetime | None = None
    section: str | None = None
    #: Which evidence gave the section ("json-ld", "meta", "breadcrumb", "category link", "headline", "menu", "address", "wrapper",
    #: "listing").
    section_source: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None
    #: What the body is written in, where the page declares, or the configuration says, another language; None: they agree.
    language_detected: str | None = None
    #: How the head of the page words the headline, where that is not how the page shows it.
    title_declared: str | None = None
    #: Probability that the day of publication is right; None: there is none, or it came from elsewhere than the page.
    date_confidence: float | None = None
    image_url: str | None = None
    #: news, opinion, interview, live, gallery, sponsored.
    genre: str = "news"
    #: False: behind a paywall; None: the page does not say.
    free: bool | None = None
    fetched_at: datetime | None = None
    portal: str | None = None
    #: The block-detection method that found the body.
    method: str
    #: 0 to 1.
    confidence: float
    #: None: they were not asked for.
    images: tuple[Image, ...] | None = None
    #: The comments of readers on the page; None: they were not asked for.
    comments: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("published_at", "modified_at", "fetched_at"):
            moment = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                msg = f"{name} is {moment!r}, which has no offset; times in an Article are aware"
                raise ValueError(msg)

    @property
    def body(self) -> str:
        """The texts of the paragraphs, separated by line breaks."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    @property
    def date(self) -> date | None:
        """The day of publication on the clock of the page."""
        return self.published_at.date() if self.published_at else None

    @property
    def word_count(self) -> int:
        """Words of the body, parted by white space; Chinese and Japanese, which set none, count by signs."""
        return sum(_words(paragraph.text) for paragraph in self.paragraphs)

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON writes it; these names are stable."""
        return {
            "url": self.url,
            "canonical_url": self.canonical_url,
            "portal": self.portal,
            "title": self.title,
            "lead": self.lead,
            "body": self.body,
            "description": self.description,
            "description_is_lead": self.description_is_lead,
            "authors": list(self.authors),
            "published_at": self.published_at.isoformat() if self.published_at else None,
            "date": self.date.isoformat() if self.date else None,
            "published_precision": self.published_precision,
            "published_source": self.published_source,
            "offset_given": self.offset_given,
            "modified_at": self.modified_at.isoformat() if self.modified_at else None,
            "section": self.section,
            "keywords": list(self.keywords),
            "language": self.language,
            "image_url": self.image_url,
            "genre": self.genre,
            "free": self.free,
            "word_count": self.word_count,
            "fetched_at": self.fetched_at.isoformat() if self.fetched_at else None,
            "method": self.method,
            "confidence": round(self.confidence, 4),
            "section_source": self.section_source,
            "language_detected": self.language_detected,
            "title_declared": self.title_declared,
            "date_confidence": None if self.date_confidence is None else round(self.date_confidence, 4),
            "paragraphs": [paragraph.as_dict() for paragraph in self.paragraphs],
            **({} if self.images is None else {"images": [image.as_dict() for image in self.images]}),
            **({} if self.comments is None else {"comments": list(self.comments)}),
        }

    def to(self, form: str) -> str:
        """Return the article as "text", "markdown", "html", "json" or "tei".

        Raises:
            ConfigError: there is no such format.
        """
        # by its name: the renderers import this module
        return str(import_module("newscrawler.render").render(self, form))
