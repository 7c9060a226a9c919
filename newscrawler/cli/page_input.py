"""The pages that a command names, one, or many to extract into a folder, and the template to read them with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.options import read_configuration
from newscrawler.errors import ConfigError, PageError, PageReason
from newscrawler.extraction.batch import LARGEST_PAGE_BYTES, InputPage, ResultsFolder, extract_many, find_pages, is_warc
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


#: Suffix of files that list addresses, one per line.
LIST_ENDING = ".txt"
#: Interval between reports of progress.
_PROGRESS_SECONDS = 10.0

Fetch = Callable[[str], InputPage]


def extract_into(
    folder: Path, targets: Sequence[str], options: dict[str, Any], *, form: str | None, fetch: Fetch, workers: int | None
) -> int:
    """Read all pages that the targets name into a folder, but those that an earlier run has processed, and print a summary.

    `options`: as `newscrawler.extract_many` takes them; `form`: format in which each article is also written to a separate file;
    `fetch`: fetches a page politely. Returns the number of articles in the folder that this run has added.
    """
    paths, addresses = _split_targets(targets)
    with ResultsFolder(folder, form) as results:
        done = frozenset(results.read_done_ids())
        if done:
            click.echo(f"{folder}: {_count(len(done), 'page')} of an earlier run skipped", err=True)
        fetched = _fetch_pages((address for address in addresses if address not in done), fetch)
        pages = chain(find_pages(paths, skip=done), fetched)
        shown = monotonic()
        for result in extract_many(pages, workers=workers, **options):
            results.write(result)
            if monotonic() - shown >= _PROGRESS_SECONDS:
                shown = monotonic()
                click.echo(f"{_summarize(results.articles, results.errors)} so far", err=True)
        if not done and not results.articles and not results.errors:
            raise ConfigError("There is no page to read: a folder counts files named .html, .htm, .xhtml, .warc and .warc.gz.")
    click.echo(f"{folder}: {_summarize(results.articles, results.errors)} (see errors.jsonl)" if results.errors
               else f"{folder}: {_summarize(results.articles, results.errors)}", err=True)  # fmt: skip
    return results.articles


def _split_targets(targets: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Return the paths and the addresses among the targets, including those in lists."""
    paths: list[Path] = []
    addresses: list[str] = []
    for target in targets:
        if "://" in target:
            addresses.append(target)
        elif target.lower().endswith(LIST_ENDING):
            addresses += _read_list(Path(target))
        else:
            paths.append(Path(target))
    return paths, addresses


def _read_list(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except FileNotFoundError:
        raise ConfigError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as a list of addresses: {error}") from error
    found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    wrong = next((line for line in found if not line.startswith(("http://", "https://"))), None)
    if wrong is not None:
        raise ConfigError(f"{path}: {wrong[:80]} is not an address. Write one address a line, beginning with http:// or https://.")
    return found


def _fetch_pages(addresses: Iterable[str], fetch: Fetch) -> Iterator[InputPage]:
    """Fetch pages one after another and yield each; a page that cannot be fetched is yielded with its error."""
    for address in addresses:
        try:
            yield fetch(address)
        except PageError as error:
            yield InputPage(id=address, html=b"", url=address, error=error)


def _summarize(articles: int, errors: int) -> str:
    return f"{_count(articles, 'article')}, {_count(errors, 'page')} without one"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
