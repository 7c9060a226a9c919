"""`newscrawler extract`: the records of one page, of many, or of pages on standard input."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from newscrawler import extraction
from newscrawler.cli.lines import LineError, answer_lines, encode
from newscrawler.cli.options import ARTICLE_FORMAT, METHOD, Whole, config_option, require_time_zone
from newscrawler.cli.screen import print_record
from newscrawler.errors import PageError

R = TypeVar("R")

url_option = click.option("--url", metavar="URL", help="URL of the page in FILE, for its links and dates.")
contact_option = click.option(
    "--contact", metavar="ADDRESS", help="E-mail or web address at which the operator of the portal reaches you."
)
method_option = click.option(
    "--method",
    type=METHOD,
    default="default",
    show_default=True,
    metavar="NAME[…]",
    help="Block-detection method; with parameters: NAME[PARAMETER=VALUE, …].",
)
#: Commands that were options of this one.
_MOVED = {
    "--explain": "explain PAGE", "--html": "explain PAGE --html FILE", "--texts": "texts PAGE",
    "--dictionary": "texts PAGE --dictionary FILE",
}  # fmt: skip


class ExtractCommand(click.Command):
    """Names the command that replaces a former option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name not in _MOVED:
                raise
            raise click.UsageError(
                f"There is no option {error.option_name}. Use newscrawler {_MOVED[error.option_name]}.", ctx
            ) from error


def add_extraction_options(command: Callable[..., R]) -> Callable[..., R]:
    """Add the options on how a page is read; the command gets them as one `options`, as `newscrawler.extract` takes them."""

    @click.option("--language", metavar="CODE", help="Language of the page, if it declares none.")
    @click.option("--time-zone", metavar="NAME", default="UTC", show_default=True, help="Time zone of times without an offset.")
    @method_option
    @click.option(
        "--template", type=click.Path(path_type=Path), metavar="FILE", help="Template written by `newscrawler template learn`."
    )
    @wraps(command)
    def with_options(*arguments: Any, language: str | None, time_zone: str, method: str, template: Path | None, **values: Any) -> R:
        options: dict[str, Any] = {"language": language, "time_zone": require_time_zone(time_zone), "method": method}
        if template is not None:
            from newscrawler.cli.page_input import read_named_template

            options["template"] = read_named_template(template, method)
        return command(*arguments, options=options, **values)

    return with_options


@click.command("extract", cls=ExtractCommand)
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
@click.option("--reasons", is_flag=True, help="Add every candidate for title, date, authors and section to JSON, and why it lost.")
@click.option("--no-tables", is_flag=True, help="Leave rows of tables out.")
@url_option
@add_extraction_options
@contact_option
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
    url: str | None,
    options: dict[str, Any],
    contact: str | None,
    config: Path | None,
    **details: bool,
) -> None:
    """Extract the articles of pages or files, without a database.

    One page: its record is shown. Many pages: they are extracted into the folder --output.
    A URL is fetched once, if its robots.txt allows it. The exit code for a page without an article is 5. With --output, pages
    are HTML files, folders of them, WARC files, URLs, and lists of URLs (a file named .txt, one URL per line). With --jsonl, each
    line of standard input is answered at once with one line. "url" may be null, and relative dates count from "fetched_at", if
    given. An invalid line is answered with "error". `newscrawler explain` shows why a page was read as it was.

    \b
    Example:
      newscrawler extract https://www.example.org/2026/02/title --contact you@your.domain
      newscrawler extract saved.html --url https://www.example.org/2026/02/title --json
      newscrawler extract saved/ CC-NEWS-2026.warc.gz urls.txt --output corpus/
      newscrawler extract saved/ --output corpus/ --format markdown --links --images
      newscrawler extract --jsonl < pages.jsonl > records.jsonl
      newscrawler extract --jsonl --template template.json < pages.jsonl
      newscrawler extract saved.html --method "vips[layout=chromium, permitted_coherence=6]"
    """
    details["tables"] = not details.pop("no_tables")
    if as_lines and (pages or form or output is not None):
        raise click.UsageError("--jsonl reads pages from standard input; give no URL or FILE")
    if scheduler is not None and (output is None or workers is not None):
        raise click.UsageError("--scheduler goes with --output, and takes the place of --workers")
    if not pages and not as_lines:
        raise click.UsageError("give a URL, a FILE or a FOLDER, or --jsonl")
    if output is not None:
        if as_json or url is not None:
            raise click.UsageError("--output reads many pages; --json and --url go with one page")
        from newscrawler.cli.page_input import extract_into, fetch_named_page

        fetch = partial(fetch_named_page, config=config, contact=contact)
        options |= details | {"scheduler": scheduler}
        ctx.exit(0 if extract_into(output, pages, options, form=form, fetch=fetch, workers=workers) else PageError.exit_code)
    if as_json and form is not None:
        raise click.UsageError(f"--json and --format {form} are two forms; give one of them")
    if details["reasons"] and not (as_json or as_lines or form == "json"):
        raise click.UsageError("--reasons goes with --json, --jsonl or --output; `newscrawler explain` shows the reasons in words")
    reading = extraction.build_options(**options, details=extraction.Details(**details))
    if as_lines:
        from newscrawler.extraction.batch import collect_rarely

        with collect_rarely():
            answer_lines(lambda question: _answer_line(question, reading))
        return
    from newscrawler.cli.page_input import load_page, parse_page

    page = load_page(pages, url=url, config=config, contact=contact)
    if form is not None:
        state = extraction.ExtractionState(page=parse_page(page), fetched_at=page.fetched_at)
        click.echo(extraction.read_article(state, reading).to(form), nl=False)
        return
    record = extraction.read_record(
        page.html, page.url, content_type=page.content_type, fetched_at=page.fetched_at, reading=reading
    )
    if not record["article"]:
        if as_json:
            click.echo(encode({name: record[name] for name in ("article", "reason", "url")}), nl=False)
        click.echo(f"Error: {page.id} holds no article: {record['reason']}", err=True)
        ctx.exit(PageError.exit_code)
    if as_json:
        click.echo(encode(record), nl=False)
    else:
        print_record(record)


def _answer_line(question: dict[str, Any], reading: extraction.ExtractionOptions) -> dict[str, Any]:
    """Return the record of one line, with the reason where a page has no article."""
    html, url = question.get("html"), question.get("url")
    if not isinstance(html, str):
        raise LineError('"html" is missing or not a string')
    if url is not None and not isinstance(url, str):
        raise LineError('"url" is not a string')
    return extraction.read_record(html, url or None, fetched_at=_parse_time(question.get("fetched_at")), reading=reading)


def _parse_time(value: object) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise LineError(f'"fetched_at" is not an ISO 8601 time: {value}') from error
    if moment.tzinfo is None:
        raise LineError(f'"fetched_at" has no offset: {value}')
    return moment
