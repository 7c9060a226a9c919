"""Extracts an Article from a Document, or a reason why not; pure, without clock, network or global state."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

from newscrawler.article import Article, Body, Paragraph, ParagraphKind
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction.body.extractor import Examination, load_default_extractor
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.body.page_kind import find_barrier
from newscrawler.extraction.body.site_names import is_front
from newscrawler.extraction.dates import NO_CALENDAR, DateContext, DateHint, Dates, PortalCalendar, find_dates
from newscrawler.extraction.metadata import Metadata, find_metadata
from newscrawler.extraction.metadata.language import choose_language
from newscrawler.extraction.metadata.names import fold_name
from newscrawler.extraction.reasons import explain_fields
from newscrawler.extraction.templates.protocol import SiteTemplate
from newscrawler.page import Document
from newscrawler.plugins import find_method, get_site_method_name, page_method_name

if TYPE_CHECKING:
    from newscrawler.extraction.templates.fast_path import FastPage
    from newscrawler.extraction.templates.model import TemplateFit
    from newscrawler.extraction.templates.portal_template import PortalTemplate

    PageMethod = Callable[[Document], Body | None]

DEFAULT_REQUIRED = frozenset({"body"})
_SEPARATORS = re.compile(r"[,;\n]")
#: Attributes that can be required of an article, and the reason for refusing a page without them.
ATTRIBUTES = {
    "title": PageReason.NO_TITLE_ATTRIBUTE, "description": PageReason.NO_DESCRIPTION, "source": PageReason.NO_SOURCE,
    "date": PageReason.NO_DATE, "body": PageReason.NO_BODY_ATTRIBUTE,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Optional details of an article."""

    #: Links and emphasis of paragraphs.
    links: bool = False
    images: bool = False
    #: Rows of tables, with their cells; False: they are left out.
    tables: bool = True
    comments: bool = False
    #: Every candidate for title, date, authors and section, and why it was chosen or not.
    reasons: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionOptions:
    """How to extract the pages of a portal."""

    #: Finds the body, from a page method or a site method's template; None: the default extractor.
    method: PageMethod | None = None
    method_name: str = "default"
    #: Attributes that an article must have: title, description, source, date, body.
    required: frozenset[str] = DEFAULT_REQUIRED
    time_zone: str = "UTC"
    language: str | None = None
    #: Names that are never authors, as `fold_name` returns them.
    ignored_authors: frozenset[str] = frozenset()
    portal: str | None = None
    #: How the portal's other pages write dates.
    calendar: PortalCalendar = NO_CALENDAR
    #: The learned template of the portal; None: each page is extracted on its own.
    template: PortalTemplate | None = None
    details: Details = Details()

    def add_template(self, template: PortalTemplate | SiteTemplate | None) -> ExtractionOptions:
        """Return the options with a template; that of a site method takes the place of the method."""
        if isinstance(template, SiteTemplate):
            return replace(self, method=template, method_name=get_site_method_name(template.method), template=None)
        return replace(self, template=template)

    def remove_template(self) -> ExtractionOptions:
        """Return the options for a page that has to be read without what was learned of its portal."""
        if isinstance(self.method, SiteTemplate):
            return replace(self, template=None, method=None, method_name="default")
        return replace(self, template=None)


def build_options(
    *,
    method: str = "default",
    template: PortalTemplate | SiteTemplate | None = None,
    ignore_authors: Iterable[str] = (),
    **settings: Any,
) -> ExtractionOptions:
    """Return the options with the method of a name and a template, which replaces the method if it is of a site method.

    Raises:
        ConfigError: there is no such method.
    """
    found = None if method == "default" or isinstance(template, SiteTemplate) else find_method(method)
    ignored = frozenset(map(fold_name, ignore_authors))
    options = ExtractionOptions(method=found, method_name=method.partition("[")[0], ignored_authors=ignored, **settings)
    return options.add_template(template)


class PortalSettings(Protocol):
    """What the configuration of a portal says about the extraction of its pages."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def method(self) -> str: ...  # noqa: D102
    @property
    def required(self) -> frozenset[str]: ...  # noqa: D102
    @property
    def time_zone(self) -> str: ...  # noqa: D102
    @property
    def language(self) -> str | None: ...  # noqa: D102
    @property
    def ignore_authors(self) -> Iterable[str]: ...  # noqa: D102


def build_portal_options(portal: PortalSettings, template: PortalTemplate | SiteTemplate | None = None) -> ExtractionOptions:
    """Return the options for the pages of a portal; a site method reads them only with its template."""
    return build_options(
        method=page_method_name(portal.method), template=template, required=portal.required, time_zone=portal.time_zone,
        language=portal.language, ignore_authors=portal.ignore_authors, portal=portal.name,
    )  # fmt: skip


@dataclass(slots=True, kw_only=True)
class ExtractionState:
    """An article under construction; each step fills one field."""

    page: Document
    fetched_at: datetime | None = None
    #: Date hints that the crawl found before fetching the page.
    hints: tuple[DateHint, ...] = ()
    #: Log-odds of an article by the origin of the page, which add to those of the page.
    prior: float = 0.0
    #: What reads the fields of a page that fits its template from the sources that proved right; for a sample, to be compared.
    fast: FastPage | None = None
    #: Set once the page is classified; empty where a published method reads it.
    examined: Examination | None = None
    body: Body | None = None
    #: Probability that each block of the page belongs to the body; empty if unknown.
    likely: Sequence[float] = ()
    dates: Dates | None = None
    metadata: Metadata | None = None
    #: Agreement of the template with the page-level method; None: there is no template.
    explained: TemplateFit | None = None


def classify_page(draft: ExtractionState, reading: ExtractionOptions) -> None:
    """Judge the kind of the page by its blocks, its declarations and its origin; a published method judges none.

    Raises:
        PageError: it is not an article.
    """
    check_page(draft.page)
    if reading.method is not None:
        draft.examined = Examination(page=draft.page)
        return
    if reading.template is not None:
        applied = reading.template.apply(draft.page, draft.prior)
        draft.examined, draft.explained, draft.fast = applied.found, applied.explained, applied.fast
    else:
        draft.examined = load_default_extractor().examine(draft.page, draft.prior)
    if (refusal := draft.examined.refusal) is not None:
        raise PageError(refusal.reason, refusal.detail)


def detect_body(draft: ExtractionState, reading: ExtractionOptions) -> None:
    """Find the body with the method of the options, in a page that is classified first.

    Raises:
        PageError: the page contains no article.
    """
    if draft.examined is None:
        classify_page(draft, reading)
    if reading.method is not None:
        draft.body = reading.method(draft.page)
    elif draft.examined is not None:
        draft.body, draft.likely = draft.examined.body, draft.examined.probabilities.tolist()
    if draft.body is None or not draft.body.paragraphs:
        raise PageError(PageReason.NO_BODY)


def check_page(page: Document) -> None:
    """Refuse a page that is certainly not an article, whatever method would read it.

    Raises:
        PageError: it is not HTML, a front page, or a page that bars the way to another.
    """
    if page.other_format is not None:
        raise PageError(PageReason.NOT_HTML, page.other_format)
    if is_front(page.url):
        raise PageError(PageReason.LISTING, "the address is that of a front page")
    if (barrier := find_barrier(page)) is not None:
        raise barrier


def read_dates(draft: ExtractionState, reading: ExtractionOptions) -> None:
    """Find when the article was published and modified."""
    # the body tells the language better than the page's declaration; it decides what 3/4/2024 is
    if draft.metadata is not None:
        language = draft.metadata.language
    else:
        language, _ = choose_language(reading.language, draft.page.declared_language, draft.body.text if draft.body else "")
    context = DateContext(
        fetched_at=draft.fetched_at, time_zone=reading.time_zone, language=language, calendar=reading.calendar, hints=draft.hints
    )
    body = draft.body
    headline = draft.page.view(find_headline) if body is None else None
    element = body.headline_element if body else headline.element if headline else None
    elements = body.elements if body else ()

    def read(page: Document) -> Dates:
        likely = draft.fast.list_probabilities(page) if draft.fast is not None and not draft.likely else draft.likely
        return find_dates(page, context, headline_element=element, body_elements=elements, likely=likely)

    if draft.fast is not None and draft.explained is not None:
        if draft.explained.is_fast:
            draft.dates = draft.fast.read_dates(context, read)
            return
        draft.dates = found = read(draft.page)
        fast = draft.fast.read_dates(context, lambda _: found)
        days = {dates.published and dates.published.value.date() for dates in (found, fast)}
        draft.explained = draft.explained.note_comparison(is_same=len(days) == 1)
    else:
        draft.dates = read(draft.page)
    if reading.template is not None and draft.explained is not None:
        draft.dates, draft.explained = reading.template.amend_dates(draft.page, draft.dates, context, draft.explained)


def read_metadata(draft: ExtractionState, reading: ExtractionOptions) -> None:
    """Find all other fields of the record."""
    body = draft.body
    read_in_full = partial(
        find_metadata, draft.page, language=reading.language, body_text=body.text if body else "",
        headline=body.headline if body else None, body_elements=body.elements if body else (),
        ignored_authors=reading.ignored_authors,
    )  # fmt: skip
    if draft.fast is not None and draft.explained is not None:
        if draft.explained.is_fast:
            draft.metadata = draft.fast.read_metadata(reading.language, reading.ignored_authors)
            return
        draft.metadata = read_in_full()
        draft.explained = draft.explained.note_comparison(is_same=draft.fast.agrees(draft.metadata, reading.ignored_authors))
    else:
        draft.metadata = read_in_full()
    if (read_fields := getattr(reading.method, "read_fields", None)) is not None:
        draft.metadata = _replace_named(draft.metadata, read_fields(draft.page) or {})
    if reading.template is not None and draft.explained is not None:
        draft.metadata, draft.explained = reading.template.amend_metadata(draft.page, draft.metadata, draft.explained)
    if reading.ignored_authors:
        authors = tuple(name for name in draft.metadata.authors if fold_name(name) not in reading.ignored_authors)
        draft.metadata = replace(draft.metadata, authors=authors)


def _replace_named(metadata: Metadata, named: Mapping[str, str]) -> Metadata:
    """Return the metadata with the fields that a site method's template reads by name."""
    listed = {name: tuple(filter(None, map(str.strip, _SEPARATORS.split(named.get(name, ""))))) for name in ("authors", "keywords")}
    return replace(
        metadata, headline=named.get("title") or metadata.headline, description=named.get("annotation") or metadata.description,
        authors=listed["authors"] or metadata.authors, keywords=listed["keywords"] or metadata.keywords,
    )  # fmt: skip


def finish(draft: ExtractionState, reading: ExtractionOptions) -> Article:
    """Check the required attributes and return the record.

    Raises:
        PageError: a required attribute is missing.
    """
    if draft.body is None:
        raise PageError(PageReason.NO_BODY)
    article = build_article(draft, reading)
    check_attributes(article, reading.required)
    return article


def check_attributes(article: Article, required: Collection[str]) -> None:
    """Refuse a record without an attribute that is required of it.

    Raises:
        PageError: the reason names the attribute.
    """
    present = {
        "title": article.title, "description": article.description and not article.description_is_lead, "source": article.url,
        "date": article.published_at, "body": article.paragraphs,
    }  # fmt: skip
    for attribute, reason in ATTRIBUTES.items():
        if attribute in required and not present[attribute]:
            raise PageError(reason)


def build_article(draft: ExtractionState, reading: ExtractionOptions, headline: str | None = None) -> Article:
    """Return the record of the steps that were taken, with this headline if one is given; fields of other steps are empty."""
    body, dates, metadata = draft.body, draft.dates or Dates(), draft.metadata or Metadata()
    headline = headline or (body.headline if body else None) or metadata.headline or ""
    published, modified = dates.published, dates.modified
    paragraphs = body.paragraphs if body else ()
    lead = body.lead if body else None
    return Article(
        title=headline,
        paragraphs=paragraphs,
        url=draft.page.url,
        canonical_url=metadata.canonical_url,
        lead=lead,
        description=metadata.description or lead or (paragraphs[0].text if paragraphs else None),
        description_is_lead=not metadata.description and bool(lead or paragraphs),
        authors=metadata.authors,
        published_at=published.value if published else None,
        published_precision=published.precision if published else None,
        published_source=published.source if published else None,
        offset_given=published.offset_given if published else False,
        modified_at=modified.value if modified else None,
        section=metadata.section,
        section_source=metadata.section_source,
        title_declared=metadata.headline_declared,
        date_confidence=dates.confidence or None,
        keywords=metadata.keywords,
        language=metadata.language,
        language_detected=metadata.language_detected,
        image_url=metadata.image_url,
        publisher=metadata.publisher,
        genre="live" if metadata.genre == "news" and any(map(attrgetter("post"), paragraphs)) else metadata.genre,
        free=metadata.free,
        reasons=explain_fields(draft.page, headline, metadata, dates) if reading.details.reasons else None,
        fetched_at=draft.fetched_at,
        portal=reading.portal,
        method="template" if draft.explained is not None and draft.explained.used == "template" else reading.method_name,
        confidence=body.confidence if body else 0.0,
    )


def read_article(draft: ExtractionState, reading: ExtractionOptions) -> Article:
    """Fill a draft step by step and return its article.

    Raises:
        PageError: the page contains no article; `reason` says why.
    """
    detect_body(draft, reading)
    read_metadata(draft, reading)
    read_dates(draft, reading)
    return with_details(finish(draft, reading), draft.page, reading.details)


def with_details(article: Article, page: Document, details: Details) -> Article:
    """Return an article with the requested details."""
    paragraphs: tuple[Paragraph, ...] = article.paragraphs
    has_rows = ParagraphKind.TABLE_ROW in map(attrgetter("kind"), paragraphs)
    if not (has_rows or details.links or details.images or details.comments):
        return article
    from newscrawler.extraction.body.details import add_cells, add_spans, blocks_of, find_images, read_comments

    if has_rows and not details.tables:
        paragraphs = tuple(paragraph for paragraph in paragraphs if paragraph.kind is not ParagraphKind.TABLE_ROW)
    blocks = blocks_of(page, paragraphs) if has_rows or details.links or details.images else []
    if has_rows and details.tables:
        paragraphs = tuple(add_cells(paragraphs, blocks))
    if details.links:
        paragraphs = tuple(add_spans(page, paragraphs, blocks))
    found = find_images(page, blocks) if details.images else None
    written = read_comments(page) if details.comments else None
    texts = tuple(text for comment in written for text in comment.text.split("\n")) if written is not None else None
    return replace(article, paragraphs=paragraphs, images=found, comments=texts, comment_details=written)


def read_record(
    html: str | bytes,
    url: str | None = None,
    *,
    content_type: str | None = None,
    fetched_at: datetime | None = None,
    reading: ExtractionOptions | None = None,
) -> dict[str, Any]:
    """Read one page into the record that JSON lines carry, whether it holds an article or not.

    A page without an article has `"article": false`, the reason, and no body, but title, dates, authors and the other metadata.
    """
    reading = reading or ExtractionOptions()
    draft = ExtractionState(page=Document.parse(html, url, content_type=content_type), fetched_at=fetched_at)
    try:
        return {"article": True, "reason": None, **read_article(draft, reading).as_dict()}
    except PageError as error:
        return {"article": False, "reason": str(error.reason), **_record_without_body(draft, reading)}


def _record_without_body(draft: ExtractionState, reading: ExtractionOptions) -> dict[str, Any]:
    found = draft.body
    draft.body = None
    if draft.metadata is None:
        read_metadata(draft, reading)
    if draft.dates is None:
        read_dates(draft, reading)
    declared = draft.metadata.headline if draft.metadata else None
    headline = (found.headline if found else None) or declared or draft.page.title
    return build_article(draft, reading, headline).as_dict() | {"title": headline or None, "body": None, "paragraphs": []}
