"""The frozen records used throughout the program."""

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
    """The kind of a piece of the body."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST_ITEM = "list item"
    QUOTE = "quote"
    TABLE_ROW = "table row"


class DatePrecision(StrEnum):
    """The precision of a time on a page."""

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
    #: Any display of more than an excerpt with a link.
    REPRODUCTION = "reproduction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """One reservation of a publisher for one page, as stated."""

    word: Reserved
    #: The words themselves.
    said: str
    #: X-Robots-Tag, meta robots, tdm-reservation header, tdmrep.json, robots.txt Content-Signal, Content-Usage header, RSL, …
    place: str
    #: The opposite was stated: the page is free, even if a rule for its origin reserves it.
    granted: bool = False
    #: URL of the conditions of a text-mining reservation.
    policy: str | None = None
    #: When it takes effect, for unavailable_after; None there: the date cannot be read.
    from_at: datetime | None = None
    #: Why it counts as a reservation although it cannot be read.
    note: str | None = None


class SpanKind(StrEnum):
    """The kind of a part of a paragraph."""

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
    #: For a live blog: the number of its post, from 1 in page order; None: the introduction, or another kind of article.
    post: int | None = None
    #: Links and emphasis, if requested, in order of their starts, outer ones first.
    spans: tuple[Span, ...] = ()
    #: The cells of a table row, if known.
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
    #: None: the method does not look for it; `newscrawler.extraction.metadata` decides.
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
    #: The evidence for the date ("json-ld", "meta", "time element", ...).
    published_source: str | None = None
    #: The page itself gave the offset; otherwise the portal's time zone was assumed.
    offset_given: bool = False
    modified_at: datetime | None = None
    section: str | None = None
    #: The evidence for the section ("json-ld", "meta", "breadcrumb", "category link", "headline", "menu", "address", "template",
    #: "listing").
    section_source: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None
    #: Language of the body, if the page or the configuration declares another one; None: they agree.
    language_detected: str | None = None
    #: The headline in the head of the page, if it differs from the visible one.
    title_declared: str | None = None
    #: Probability that the day of publication is right; None: there is no date, or it is not from the page.
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
    #: None: not requested.
    images: tuple[Image, ...] | None = None
    #: The comments of readers on the page; None: not requested.
    comments: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("published_at", "modified_at", "fetched_at"):
            moment = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                msg = f"{name} is {moment!r}, which has no offset; times in an Article are aware"
                raise ValueError(msg)

    @property
    def body(self) -> str:
        """Return the texts of the paragraphs, separated by line breaks."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    @property
    def date(self) -> date | None:
        """Return the day of publication in the time zone of the page."""
        return self.published_at.date() if self.published_at else None

    @property
    def word_count(self) -> int:
        """Return the number of words of the body, separated by white space; Chinese and Japanese count by characters."""
        return sum(_words(paragraph.text) for paragraph in self.paragraphs)

    def as_dict(self) -> dict[str, Any]:
        """Return the record for JSON; its names are stable."""
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
        return str(import_module("newscrawler.formats").render(self, form))
