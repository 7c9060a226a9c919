"""`newscrawler extract`: extract the article of one page, or of one page per line."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.lines import LineError, converse
from newscrawler.cli.options import ARTICLE_FORMAT, METHOD, Whole, config_option, configuration_of, known_time_zone
from newscrawler.errors import ConfigError, PageError, PageReason

if TYPE_CHECKING:
    from newscrawler.crawl import FetchedPage
    from newscrawler.extraction.templates.portal_template import PortalTemplate
    from newscrawler.extraction.templates.protocol import SiteTemplate

#: A saved page larger than this is refused, as a fetched one is.
LARGEST_FILE_BYTES = 50 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    html: bytes
    url: str | None
    content_type: str | None = None
    fetched_at: datetime | None = None


@click.command("extract")
@click.argument("pages", nargs=-1, metavar="[URL|FILE|FOLDER|WARC]...")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Read many pages into FOLDER: articles.jsonl, and errors.jsonl for pages without one. Run again to continue.",
)
@click.option("--workers", type=Whole(1), metavar="N", help="Processes with --output.  [default: one per core]")
@click.option("--scheduler", metavar="ADDRESS", help="With --output: read the pages on a Dask cluster, such as tcp://node1:8786.")
@click.option("--jsonl", "as_lines", is_flag=True, help='Read lines {"id","url","html"} and answer each at once with one line.')
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option(
    "--format", "form", type=ARTICLE_FORMAT, metavar="FORMAT",
    help="Print the article as text, markdown, html, json or tei; with --output, also write one file for each article.",
)  # fmt: skip
@click.option("--links", is_flag=True, help="Keep links and emphasis.")
@click.option("--images", is_flag=True, help="Keep the images of the article, with their captions.")
@click.option("--comments", is_flag=True, help="Keep the comments of readers, apart from the body.")
@click.option("--no-tables", is_flag=True, help="Leave rows of tables out.")
@click.option("--url", metavar="URL", help="URL of the page in FILE, for its links and dates.")
@click.option("--language", metavar="CODE", help="Language of the page, if it declares none.")
@click.option("--time-zone", metavar="NAME", default="UTC", show_default=True, help="Time zone of times without an offset.")
@click.option(
    "--method",
    type=METHOD,
    default="default",
    show_default=True,
    metavar="NAME[…]",
    help="Block-detection method; with parameters: NAME[PARAMETER=VALUE, …].",
)
@click.option(
    "--template",
    "template",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Template written by `newscrawler template learn`.",
)
@click.option("--texts", is_flag=True, help="Print all coherent texts of the page instead of its article.")
@click.option(
    "--dictionary", type=click.Path(path_type=Path), metavar="FILE", help="With --texts: words that count as text, one a line."
)
@click.option("--explain", is_flag=True, help="Show how each block of the page was classified, and why, instead of the record.")
@click.option(
    "--html",
    "painted",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the page to FILE, with title, lead, body, date, authors and boilerplate marked.",
)
@click.option("--contact", metavar="ADDRESS", help="E-mail or web address at which the operator of the portal reaches you.")
@config_option
@click.pass_context
def extract_command(
    ctx: click.Context,
    /,
    pages: tuple[str, ...],
    *,
    output: Path | None,
    workers: int | None,
    scheduler: str | None,
    as_lines: bool,
    as_json: bool,
    form: str | None,
    links: bool,
    images: bool,
    comments: bool,
    no_tables: bool,
    url: str | None,
    language: str | None,
    time_zone: str,
    method: str,
    template: Path | None,
    texts: bool,
    dictionary: Path | None,
    explain: bool,
    painted: Path | None,
    contact: str | None,
    config: Path | None,
) -> None:
    """Extract the article of one page and show its record, or those of many pages into a folder.

    A URL is fetched once, if its robots.txt allows it. The exit code for a page without an article is 5. With --output, pages
    are HTML files, folders of them, WARC files, URLs, and lists of URLs (a file named .txt, one URL per line). With --jsonl, each
    line of standard input is answered at once with one line. "url" may be null, and relative dates count from "fetched_at", if
    given. An invalid line is answered with "error". With --texts, a page is divided into all its coherent texts (articles,
    teasers, links, ...), by --method node_energy, link_position, or both (the default).

    \b
    Example:
      newscrawler extract https://www.example.org/2026/02/title --contact you@your.domain
      newscrawler extract saved.html --url https://www.example.org/2026/02/title --json
      newscrawler extract saved.html --explain --html marked.html
      newscrawler extract saved.html --explain --template template.json
      newscrawler extract saved/ CC-NEWS-2026.warc.gz urls.txt --output corpus/
      newscrawler extract saved/ --output corpus/ --format markdown --links --images
      newscrawler extract --jsonl < pages.jsonl > records.jsonl
      newscrawler extract --jsonl --template template.json < pages.jsonl
      newscrawler extract saved.html --texts --method node_energy
      newscrawler extract saved.html --method "vips[layout=chromium, permitted_coherence=6]"
    """
    if (texts and (output is not None or explain or painted is not None or template is not None)) or (dictionary and not texts):
        raise click.UsageError(
            "--texts prints texts and takes --method, --dictionary, --json and --jsonl; --dictionary goes with it"
        )
    values: dict[str, Any] = {"language": language, "time_zone": known_time_zone(time_zone), "method": method}
    if template is not None:
        values["template"] = _read_template(template, method)
    if texts:
        from newscrawler.cli.extract_texts import answer_line, show_texts, texts_method
        from newscrawler.page import Document
    details = {"links": links, "images": images, "comments": comments, "tables": not no_tables}
    if as_lines:
        if pages or form or output is not None or explain or painted is not None:
            raise click.UsageError("--jsonl reads pages from standard input; give no URL or FILE, and explain one page at a time")
        # A page leaves hardly a cycle behind; looking for them every 700 objects costs a tenth of the time.
        gc.set_threshold(20_000, 20, 20)
        if texts:
            divider = texts_method(method, dictionary)
            converse(lambda question: answer_line(question, divider))
            return
        converse(lambda question: read_line(question, values, details))
        return
    if scheduler is not None and (output is None or workers is not None):
        raise click.UsageError("--scheduler goes with --output, and takes the place of --workers")
    if not pages:
        raise click.UsageError("give a URL, a FILE or a FOLDER, or --jsonl")
    if output is not None:
        if explain or painted is not None or as_json or url is not None:
            raise click.UsageError("--output reads many pages; --json, --explain, --html and --url go with one page")
        from newscrawler.cli.extract_many import extract_into

        fetched = partial(_fetched_page, config=config, contact=contact)
        found_any = extract_into(
            output, pages, values | details | {"scheduler": scheduler}, form=form, fetch=fetched, workers=workers
        )
        ctx.exit(0 if found_any else PageError.exit_code)
    from newscrawler.extraction.batch.sources import is_warc

    page = pages[0]
    if len(pages) > 1 or Path(page).is_dir() or is_warc(Path(page)):
        raise click.UsageError("name a folder for many pages: --output FOLDER")
    from newscrawler.discovery.urls import canonicalize_or_none

    if url is not None and canonicalize_or_none(url) is None:
        raise click.BadParameter(f"{url} is not an address; it must begin with http:// or https://", param_hint="--url")
    found = _fetched(page, config, contact) if "://" in page else _read(Path(page), url)
    if texts:
        document = Document.parse(found.html, found.url, content_type=found.content_type)
        show_texts(texts_method(method, dictionary).texts(document), found.url, as_json=as_json)
        return
    if explain or painted is not None:
        if as_json:
            raise click.UsageError("--json prints the record, --explain and --html show something else; give one of them")
        _explain(found, values, painted, as_text=explain)
        return
    context = {"content_type": found.content_type, "fetched_at": found.fetched_at}
    if form is not None:
        _print_as(form, found, values, details)
        return
    record = _record(found.html, found.url, values, details, **context)
    _show(record, as_json=as_json)
    if not record["article"]:
        click.echo(f"Error: {page} holds no article: {record['reason']}", err=True)
        ctx.exit(PageError.exit_code)


def read_line(question: dict[str, Any], values: dict[str, Any], details: dict[str, bool]) -> dict[str, Any]:
    """Return the record of one line, with the reason where a page has no article.

    Raises:
        LineError: `html`, `url` or `fetched_at` is not what it should be.
    """
    html, url = question.get("html"), question.get("url")
    if not isinstance(html, str):
        raise LineError('"html" is missing or not a string')
    if url is not None and not isinstance(url, str):
        raise LineError('"url" is not a string')
    return _record(html, url or None, values, details, fetched_at=_moment(question.get("fetched_at")))


def _record(html: str | bytes, url: str | None, values: dict[str, Any], details: dict[str, bool], **context: Any) -> dict[str, Any]:
    from newscrawler.extraction import Details, build_options, read_record

    return read_record(html, url, reading=build_options(**values, details=Details(**details)), **context)


def _print_as(form: str, page: _Page, values: dict[str, Any], details: dict[str, bool]) -> None:
    """Print the article in a format.

    Raises:
        PageError: the page holds no article.
    """
    from newscrawler.extraction import Details, ExtractionState, build_options, read_article
    from newscrawler.page import Document

    document = Document.parse(page.html, page.url, content_type=page.content_type)
    reading = build_options(**values, details=Details(**details))
    article = read_article(ExtractionState(page=document, fetched_at=page.fetched_at), reading)
    click.echo(article.to(form), nl=False)


def _fetched_page(url: str, *, config: Path | None, contact: str | None) -> FetchedPage:
    from newscrawler.crawl import fetch_page

    return fetch_page(url, configuration_of(config, contact=contact))


def _fetched(url: str, config: Path | None, contact: str | None) -> _Page:
    page = _fetched_page(url, config=config, contact=contact)
    return _Page(html=page.body, url=page.url, content_type=page.content_type, fetched_at=datetime.now(UTC))


def _read(path: Path, url: str | None) -> _Page:
    from newscrawler.page.encoding import binary_kind

    try:
        with path.open("rb") as file:
            html = file.read(LARGEST_FILE_BYTES + 1)
    except FileNotFoundError as error:
        raise ConfigError(f"there is no file {path}; a URL begins with http:// or https://") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    if len(html) > LARGEST_FILE_BYTES:
        raise PageError(PageReason.TOO_LARGE, f"{path} is larger than {LARGEST_FILE_BYTES // 1024 // 1024} MB")
    if binary := binary_kind(html):
        raise PageError(PageReason.NOT_HTML, f"{path} holds {binary}")
    return _Page(html=html, url=url)


def _read_template(path: Path, method: str) -> PortalTemplate | SiteTemplate:
    """Return the template in a file, of the portal or of a site method."""
    from newscrawler.extraction.templates.portal_template import PortalTemplate
    from newscrawler.extraction.templates.site_templates import read_template_file

    template = read_template_file(path)
    if isinstance(template, PortalTemplate) and method != "default":
        raise click.UsageError(f"--template goes with the default method, not with {method}")
    return template


def _explain(found: _Page, values: Mapping[str, Any], painted: Path | None, *, as_text: bool) -> None:
    from newscrawler.cli.screen import harmless
    from newscrawler.extraction import explain
    from newscrawler.page import Document

    page = Document.parse(found.html, found.url, content_type=found.content_type)
    explanation = explain.explain_page(page, fetched_at=found.fetched_at, **values)
    if painted is not None:
        from newscrawler.corpus.target import open_target

        with open_target(painted) as stream:
            stream.write(explain.as_html(explanation).encode("utf-8", "xmlcharrefreplace"))
        click.echo(f"The page with its parts marked is in {painted}", err=True)
    if as_text:
        click.echo(harmless(explain.as_text(explanation)))


def _show(record: dict[str, Any], *, as_json: bool) -> None:
    from newscrawler.cli.lines import encode
    from newscrawler.cli.screen import print_record

    if as_json:
        click.echo(encode(record), nl=False)
    else:
        print_record(record)


def _moment(value: object) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise LineError(f'"fetched_at" is not an ISO 8601 time: {value}') from error
    if moment.tzinfo is None:
        raise LineError(f'"fetched_at" has no offset: {value}')
    return moment
