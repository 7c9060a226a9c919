"""The frozen records used throughout the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from importlib import import_module
from itertools import pairwise
from operator import attrgetter
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
    #: Text that is shown as it is written: code, verses.
    PREFORMATTED = "preformatted"


class DatePrecision(StrEnum):
    """The precision of a time on a page."""

    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"


#: Characters of the longest line of a date or of authors.
_LONGEST_BYLINE = 80


#: Characters of a text of which the rest may be behind a wall.
LONGEST_TEASER = 2500
#: The method of an article whose text is that of its entry in a feed.
FROM_FEED = "feed"
#: The source of an article whose page is a copy of a web archive.
FROM_ARCHIVE = "archive"


class Suspicion(StrEnum):
    """A trait of a record that is right now and then, and a fault of reading where many articles of a portal have it."""

    CUT = "ends in an ellipsis"
    BYLINE = "begins with a date or an author"
    HEADING = "has a heading without text"
    SITE = "has the site as author"
    TEASER = "is a teaser: the rest is for registered readers or subscribers"
    CLOCK = "has a time on an unknown clock, taken for UTC: set `time_zone` of the portal"


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
    #: Who made it, or whose it is.
    credit: str | None = None
    #: Number of paragraphs before it.
    position: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the image as JSON writes it."""
        return {"url": self.url, "alt": self.alt, "caption": self.caption, "credit": self.credit, "position": self.position}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderComment:
    """A comment of a reader."""

    #: Its paragraphs, separated by line breaks.
    text: str
    author: str | None = None
    #: As the page shows it, or as ISO 8601 where the markup has it.
    time: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the comment as JSON writes it."""
        return {"text": self.text, "author": self.author, "time": self.time}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A candidate for a field, and why the decision chose it or not; without a text: why the field is empty."""

    #: title, date, authors or section.
    field: str
    reason: str
    text: str | None = None
    #: The time that the text was read as, ISO 8601.
    value: str | None = None
    #: Which kind of evidence gives it: "json-ld", "meta", "byline", ...
    source: str | None = None
    #: Its claim: "published", "modified", "author", "section", "headline", ...
    role: str | None = None
    #: By the field's model; None: rules decided, or it did not come that far.
    probability: float | None = None
    is_chosen: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the judgement as JSON writes it."""
        probability = round(self.probability, 4) if self.probability is not None else None
        return {
            "field": self.field, "text": self.text, "value": self.value, "source": self.source, "role": self.role,
            "probability": probability, "chosen": self.is_chosen, "reason": self.reason,
        }  # fmt: skip


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
    #: Of a heading, that of its element, 1 to 6; of a list item, how many lists it is in.
    level: int | None = None
    #: The list item is numbered; the table row consists of headings.
    is_numbered: bool = False
    is_header: bool = False
    #: Of a numbered item, as the page counts; that of the item before is of a further paragraph of it.
    number: int | None = None
    #: The lines of preformatted text, as written.
    lines: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the piece as JSON writes it."""
        further = {
            "post": self.post, "level": self.level, "numbered": self.is_numbered,
            "number": self.number, "header": self.is_header,
            "spans": [span.as_dict() for span in self.spans], "cells": list(self.cells), "lines": list(self.lines),
        }  # fmt: skip
        said = {name: value for name, value in further.items() if value or (name == "number" and value is not None)}
        return {"kind": str(self.kind), "text": self.text} | said


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
        return "\n".join(map(attrgetter("text"), self.paragraphs))


_TO_JSON: Mapping[str, Callable[[Any], Any]] = {
    "texts": list,
    "objects": lambda objects: [each.as_dict() for each in objects],
    "number": lambda number: round(number, 4),
    "time": datetime.isoformat,
    "day": date.isoformat,
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the record of an article."""

    name: str
    #: text, texts, integer, number, boolean, objects, time or day; times and days are texts in ISO 8601.
    type: str
    meaning: str
    _: KW_ONLY
    #: The table `article` has a column of this name with the same value; otherwise `store.articles` converts it.
    column: bool = True
    #: The SQL view `v_article` shows that column.
    view: bool = True
    #: CSV, spreadsheets and Parquet have it.
    csv: bool = True
    #: Only an article of the database has it.
    exported: bool = False
    #: The record lacks it unless it was requested.
    optional: bool = False

    def read(self, record: object) -> Any:
        """Return the value in a record, as JSON writes it."""
        value = getattr(record, self.name)
        return value if value is None or self.type not in _TO_JSON else _TO_JSON[self.type](value)


#: Fields in the order of JSON and CSV. Add new ones before `paragraphs`, so that the columns of CSV keep their places.
FIELDS = (
    Field("id", "integer", "Number in the database.", exported=True, column=False),
    Field("url", "text", "Address that was fetched, after redirects."),
    Field("canonical_url", "text", "Address that the page declares as its own (`rel=canonical`, `og:url`, JSON-LD).", column=False),
    Field("portal", "text", "Name of the portal in the configuration.", column=False),
    Field("title", "text", "The headline as the page shows it; empty if there is none."),
    Field("lead", "text", "Lead; the body begins with it.", column=False),
    Field("body", "text", "The text. Begins with the lead; paragraphs are separated by line breaks.", column=False),
    Field("description", "text", "Description that the page declares, else the lead or the first paragraph.", column=False),
    Field("description_is_lead", "boolean", "The page declares no description; the lead or the first paragraph replaces it.",
          view=False),
    Field("authors", "texts", "Names as the page writes them.", column=False),
    Field("published_at", "time", "Time of publication, ISO 8601 with offset.", column=False),
    Field("date", "day", "Day of `published_at` on its own clock, YYYY-MM-DD.", column=False),
    Field("published_precision", "text", "`minute`, `day` or `month`: how exactly the page states the time."),
    Field("published_source", "text", "Evidence for the time: `json-ld`, `meta`, `microdata`, `time element`, `element`, `text`, "
          "`url`, `feed` and others.", view=False),
    Field("offset_given", "boolean", "The page gives the offset; otherwise the portal's time zone was assumed.", view=False),
    Field("modified_at", "time", "Time of the last change that the page states, ISO 8601 with offset.", column=False),
    Field("section", "text", "Section of the portal.", column=False),
    Field("keywords", "texts", "Keywords that the page declares, or links to as tags.", column=False),
    Field("language", "text", "ISO 639 code: configured, declared or detected."),
    Field("image_url", "text", "Picture that the page declares for itself."),
    Field("genre", "text", "`news`, `opinion`, `interview`, `live`, `gallery` or `sponsored`."),
    Field("free", "boolean", "`false`: behind a paywall, or only for registered readers; `null`: the page does not say."),
    Field("word_count", "integer", "Words of the body, separated by white space; Chinese and Japanese are counted by characters."),
    Field("fetched_at", "time", "When the page was fetched, ISO 8601 with offset.", column=False),
    Field("method", "text", "Block-detection method that found the body, `template` where the portal's template changed it, "
          f"or `{FROM_FEED}` where it is that of the portal's feed, as the page is refused or shows only the beginning."),
    Field("confidence", "number", "0 to 1: the F1 that the body is expected to have."),
    Field("similar_to", "integer", "`id` of an earlier article with nearly the same text.", exported=True, column=False),
    Field("section_source", "text", "Evidence for the section: `json-ld`, `meta`, `breadcrumb`, `category link`, "
          "`category class`, `headline`, `menu`, `address`, `template`, `listing`.", view=False),
    Field("language_detected", "text", "Language of the text, where it differs from the declared or configured one."),
    Field("corrections", "integer", "How often the portal has changed the text.", exported=True, view=False),
    Field("corrected_at", "time", "When the last change was found.", exported=True, view=False),
    Field("gone_at", "time", "When the address was found to answer that the article is gone; `null`: it was there.",
          exported=True, view=False),
    Field("http_status", "integer", "Status of the last answer from its address.", exported=True, view=False),
    Field("title_declared", "text", "Headline in JSON-LD, else `og:title`, where the page shows another wording.", view=False),
    Field("date_confidence", "number", "0 to 1: how often a day of publication of this probability is right; `null` without one, "
          "or if not ranked.", view=False),
    Field("publisher", "text", "Name of the site, as the page declares it or links to its front page by it."),
    Field("source", "text", "`archive`: a copy of a web archive was read, captured at `fetched_at`, as the page is gone. "
          "Missing otherwise.", csv=False, optional=True),
    Field("paragraphs", "objects", "The body in pieces: `kind` (`paragraph`, `heading`, `list item`, `quote`, `table row`, "
          "`preformatted`), `text`, and in a live blog `post`, the number of the post; `level` of a heading and of a list item, "
          "`numbered` and `number` of an item (further paragraphs of an item have its number); `cells` of a table row, empty where "
          "a cell above or before reaches, `header` if these are headings; `lines` of preformatted text.", column=False, csv=False),
    Field("images", "objects", "Pictures of the article: `url`, `alt`, `caption`, `credit`, `position`.", column=False, csv=False,
          optional=True),
    Field("comments", "texts", "Paragraphs of the comments of readers on the page.", column=False, csv=False, optional=True),
    Field("comment_details", "objects", "The same comments one by one: `text`, `author`, `time`.", column=False, csv=False,
          optional=True),
    Field("reasons", "objects", "Every candidate for title, date, authors and section: `field`, `text`, `value` of a date, "
          "`source`, `role`, `probability`, `chosen`, `reason`; without `text`: why the field is empty.", column=False, csv=False,
          optional=True),
)  # fmt: skip
_OF_ARTICLE = tuple(field for field in FIELDS if not field.exported)


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One news article; `FIELDS` describes its fields.

    Raises:
        ValueError: a time without an offset.
    """

    title: str
    paragraphs: tuple[Paragraph, ...]
    url: str | None = None
    canonical_url: str | None = None
    lead: str | None = None
    description: str | None = None
    description_is_lead: bool = False
    authors: tuple[str, ...] = ()
    published_at: datetime | None = None
    published_precision: DatePrecision | None = None
    published_source: str | None = None
    offset_given: bool = False
    modified_at: datetime | None = None
    section: str | None = None
    section_source: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None
    language_detected: str | None = None
    title_declared: str | None = None
    date_confidence: float | None = None
    image_url: str | None = None
    genre: str = "news"
    free: bool | None = None
    fetched_at: datetime | None = None
    portal: str | None = None
    method: str
    confidence: float
    #: None: not requested.
    images: tuple[Image, ...] | None = None
    comments: tuple[str, ...] | None = None
    comment_details: tuple[ReaderComment, ...] | None = None
    reasons: tuple[Judgement, ...] | None = None
    publisher: str | None = None
    #: FROM_ARCHIVE, or None: the portal.
    source: str | None = None

    def __post_init__(self) -> None:
        for name in ("published_at", "modified_at", "fetched_at"):
            moment = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                msg = f"{name} is {moment!r}, which has no offset; times in an Article are aware"
                raise ValueError(msg)

    @property
    def body(self) -> str:
        """Return the texts of the paragraphs, separated by line breaks."""
        return "\n".join(map(attrgetter("text"), self.paragraphs))

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
            field.name: field.read(self) for field in _OF_ARTICLE if not field.optional or getattr(self, field.name) is not None
        }

    def __repr__(self) -> str:
        """Return day, headline, length and address in one line."""
        facts = (self.date.isoformat() if self.date else None, repr(self.title), f"{self.word_count} words", self.url)
        return f"<Article {', '.join(filter(None, facts))}>"

    def to(self, form: str) -> str:
        """Return the article as "text", "markdown", "html", "json" or "tei".

        Raises:
            ConfigError: there is no such format.
        """
        # by its name: the renderers import this module
        return str(import_module("newscrawler.formats").render(self, form))

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        facts = list(filter(None, [*self.authors, str(self.date or ""), self.section]))
        return str(import_module("newscrawler.formats").write_html_article(self, facts))


def is_cut(text: str) -> bool:
    """Return whether a text ends in an ellipsis."""
    return text.rstrip(" \t\n»”\"')]").endswith(("…", "..."))


def is_teaser(article: Article) -> bool:
    """Return whether an article is only the beginning of one that is not free; one that is long is paid for, but whole."""
    return article.free is False and article.method != FROM_FEED and len(article.body) <= LONGEST_TEASER


def find_suspicions(article: Article) -> list[Suspicion]:
    """Return the traits by which a record looks wrong, without a look at its page."""
    kinds, texts = ([getattr(each, name) for each in article.paragraphs] for name in ("kind", "text"))
    site = {name.casefold() for name in (article.publisher, article.portal) if name}
    headings = [kind is ParagraphKind.HEADING for kind in kinds]
    found = {
        Suspicion.CUT: bool(texts) and is_cut(texts[-1]),
        Suspicion.BYLINE: bool(texts) and _is_byline(texts[0], article),
        Suspicion.HEADING: any(map(all, pairwise(headings))) or headings[-1:] == [True],
        Suspicion.SITE: any(author.casefold() in site for author in article.authors),
        Suspicion.TEASER: is_teaser(article),
        Suspicion.CLOCK: _is_clock_unknown(article),
    }
    return [suspicion for suspicion, has in found.items() if has]


def _is_clock_unknown(article: Article) -> bool:
    at = article.published_at
    return at is not None and article.published_precision == DatePrecision.MINUTE and not article.offset_given and at.tzinfo is UTC


def _is_byline(line: str, article: Article) -> bool:
    """Return whether a line is one of the article's date or of an author, and not a sentence."""
    if len(line) > _LONGEST_BYLINE or line.rstrip().endswith((".", "!", "?", "…", ":", "”", "“", "。")):
        return False
    numbers = set(re.findall(r"\d+", line))
    day = article.published_at
    is_dated = day is not None and {str(day.year), *numbers & {str(day.day), f"{day.day:02}"}} <= numbers and len(numbers) > 1
    return is_dated or any(author.casefold() in line.casefold() for author in article.authors)
