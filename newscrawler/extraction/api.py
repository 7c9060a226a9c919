"""`newscrawler.extract`: returns the article of one page; loads the extractor on first use."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from newscrawler.article import Article
from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.extraction.templates.portal_template import PortalTemplate
    from newscrawler.extraction.templates.protocol import SiteTemplate
    from newscrawler.page import Page


def extract(
    html: Page,
    url: str | None = None,
    *,
    method: str = "default",
    template: PortalTemplate | SiteTemplate | str | PathLike[str] | None = None,
    content_type: str | bytes | None = None,
    fetched_at: datetime | None = None,
    language: str | None = None,
    time_zone: str = "UTC",
    required: Iterable[str] = ("body",),
    ignore_authors: Iterable[str] = (),
    links: bool = False,
    images: bool = False,
    tables: bool = True,
    comments: bool = False,
    reasons: bool = False,
) -> Article:
    """Return the article of one page.

    Args:
        html: text, bytes, an lxml tree (left as it is), or a response of Scrapy, httpx or requests.
        url: the address of the page; a response has its own.
        method: the name of a block-detection method, as `newscrawler evaluate` lists them.
        template: a template of the portal, by the default or a published method: a file, or its parsed contents.
        content_type: the HTTP header with the charset of bytes; a response has its own.
        fetched_at: an aware time; the base of relative dates ("3 hours ago"), which are ignored without it.
        language: ISO 639 code, for pages that do not declare their language.
        time_zone: IANA name; applies to times without an offset.
        required: attributes without which the page is refused: title, description, source, date, body.
        ignore_authors: names that are never given as authors, such as "NOC Admin"; case and spacing do not count.
        links: give paragraphs their links and emphasis (`Paragraph.spans`).
        images: give the article its `images`, with captions.
        tables: keep rows of tables as paragraphs with `cells`.
        comments: give the article the `comments` of readers on the page.
        reasons: give the article the `reasons` for title, date, authors and section: every candidate, and why it lost.

    Raises:
        PageError: the page holds no article; `reason` says why.
        ConfigError: `html` is an address or the path of a file, or an option has a value that does not exist.
    """
    # takes half a second of processor time, which importing the package alone should not
    from newscrawler.extraction.pipeline import Details, ExtractionState, build_options, read_article
    from newscrawler.page import Document, read_content

    content = read_content(html, url, content_type)
    if isinstance(template, (str, PathLike)):
        from newscrawler.extraction.templates.template_files import read_template_file

        template = read_template_file(template)
    reading = build_options(
        method=method,
        template=template,
        required=_known(required),
        time_zone=_known_zone(time_zone),
        language=language,
        ignore_authors=_known_names(ignore_authors),
        details=Details(links=links, images=images, tables=tables, comments=comments, reasons=reasons),
    )
    page = Document.parse(content.html, content.url, content_type=content.content_type)
    return read_article(ExtractionState(page=page, fetched_at=fetched_at), reading)


def _known(required: Iterable[str]) -> frozenset[str]:
    from newscrawler.extraction.pipeline import ATTRIBUTES

    wrong = sorted(set(required) - set(ATTRIBUTES))
    if wrong:
        raise ConfigError(f"{wrong[0]!r} is no attribute of an article. Choose among: {', '.join(ATTRIBUTES)}.")
    return frozenset(required)


def _known_names(names: Iterable[str]) -> list[str]:
    is_list = isinstance(names, Iterable) and not isinstance(names, (str, bytes))
    found = list(names) if is_list else []
    wrong = [each for each in found if not isinstance(each, str)] if is_list else [names]
    if wrong:
        raise ConfigError(f"ignore_authors has {wrong[0]!r}. Use a list of names, for example ['NOC Admin'].")
    return found


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise ConfigError(f"{name!r} is no time zone. Use an IANA name, for example Europe/Prague.") from None
    return name
