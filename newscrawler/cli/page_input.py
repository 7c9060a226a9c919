"""The page that a command names, fetched or read from a file, and the template to read it with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from newscrawler.cli.options import read_configuration
from newscrawler.errors import ConfigError, PageError, PageReason
from newscrawler.extraction.batch import LARGEST_PAGE_BYTES, InputPage, is_warc
from newscrawler.page import Document, find_other_format

if TYPE_CHECKING:
    from newscrawler.extraction.templates import PortalTemplate, SiteTemplate


def load_page(pages: tuple[str, ...], *, url: str | None, config: Path | None, contact: str | None) -> InputPage:
    """Return the one page that is named, by its URL or its file."""
    if not pages:
        raise click.UsageError("give a URL or a FILE")
    if len(pages) > 1 or Path(pages[0]).is_dir() or is_warc(Path(pages[0])):
        raise click.UsageError("name a folder for many pages: newscrawler extract --output FOLDER")
    if url is not None:
        from newscrawler.discovery.urls import canonicalize_or_none  # takes as long to load as a page

        if canonicalize_or_none(url) is None:
            raise click.BadParameter(f"{url} is not an address; it must begin with http:// or https://", param_hint="--url")
    if "://" not in pages[0]:
        return _read_file(Path(pages[0]), url)
    return fetch_named_page(pages[0], config=config, contact=contact)


def parse_page(page: InputPage) -> Document:
    """Return the parsed page."""
    return Document.parse(page.html, page.url, content_type=page.content_type)


def fetch_named_page(url: str, *, config: Path | None, contact: str | None) -> InputPage:
    """Fetch a page once, if its robots.txt allows it."""
    from newscrawler.crawl import fetch_page  # loads Scrapy

    return fetch_page(url, read_configuration(config, contact=contact))


def _read_file(path: Path, url: str | None) -> InputPage:
    try:
        with path.open("rb") as file:
            html = file.read(LARGEST_PAGE_BYTES + 1)
    except FileNotFoundError as error:
        raise ConfigError(f"there is no file {path}; a URL begins with http:// or https://") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    if len(html) > LARGEST_PAGE_BYTES:
        raise PageError(PageReason.TOO_LARGE, f"{path} is larger than {LARGEST_PAGE_BYTES // 1024 // 1024} MB")
    if binary := find_other_format(html):
        raise PageError(PageReason.NOT_HTML, f"{path} holds {binary}; name a web page that was saved, or a URL")
    return InputPage(id=str(path), html=html, url=url)


def read_named_template(path: Path, method: str) -> PortalTemplate | SiteTemplate:
    """Return the template in a file, of the portal or of a site method."""
    from newscrawler.extraction.templates import PortalTemplate, read_template_file  # loads pydantic

    template = read_template_file(path)
    if isinstance(template, PortalTemplate) and method != "default":
        raise click.UsageError(f"--template goes with the default method, not with {method}")
    return template
