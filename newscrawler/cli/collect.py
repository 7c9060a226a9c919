"""`newscrawler collect`: news from a mixed set of pages on any hosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.group import BROKEN_PIPE, INTERRUPTED, interrupt_on_sigterm, print_error
from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    DETECTOR,
    METHOD,
    Decimal,
    Whole,
    add_configuration_options,
    log_option,
    name_options,
)
from newscrawler.cli.screen import format_duration, print_rows, sanitize
from newscrawler.config import Collection, Configuration, choose_collection, require_contact
from newscrawler.discovery import HTML_PROBLEM
from newscrawler.errors import ConfigError, PageReason
from newscrawler.extraction.batch import is_warc
from newscrawler.store import open_store
from newscrawler.store.vocabularies import FrontierKind, UrlOutcome, UrlState

if TYPE_CHECKING:
    from newscrawler.crawl import RunSummary
    from newscrawler.store.articles import UrlLine

_STANDARD_INPUT = "-"


@click.command("collect")
@click.argument("sources", nargs=-1, metavar="[FILE|-]…")
@click.option("--query", "queries", multiple=True, metavar="WORDS", help="Ask a search service for this; may be repeated.")
@click.option("--service", metavar="NAME", help="The [[search_service]] to query; by default the first in newscrawler.toml.")
@click.option("--results", type=Whole(1, 1000), metavar="N", help="Results of each query; by default 100.")
@click.option("--feed", "feeds", multiple=True, metavar="URL", help="Read this feed; may be repeated.")
@click.option("--collection", "name", metavar="NAME", help="Add to this [[collection]], which may be new; by default: collect.")
@click.option(
    "--keyword", "keywords", multiple=True, metavar="WORDS", help="File articles that mention these words under them; repeatable."
)
@click.option(
    "--roam", is_flag=True, default=None, help="Follow links from page to page, to any host, within --max-pages or another limit."
)
@click.option("--detector", type=DETECTOR, metavar="NAME", help="Detector that separates news from other pages.")
@click.option("--method", type=METHOD, metavar="NAME", help="Block-detection method.")
@click.option("--deny", "denylist", multiple=True, metavar="HOST", help="Send no request to this host; may be repeated.")
@click.option("--network", "networks", multiple=True, metavar="NETWORK", help="Private network to allow: 127.0.0.0/8.")
@click.option("--language", metavar="CODE", help="Language of the pages and of the search, such as cs.")
@click.option("--delay", type=Decimal(), metavar="SECONDS", help="Between two requests to a host.")
@click.option("--max-pages", type=Whole(1), metavar="N", help="Pages to fetch at most.")
@click.option("--max-articles", type=Whole(1), metavar="N", help="New articles to store at most.")
@click.option("--max-minutes", type=Decimal(), metavar="N", help="Minutes to take at most.")
@click.option("--contact", metavar="ADDRESS", help="E-mail or web address at which operators reach you.")
@click.option("--json", "as_json", is_flag=True, help="Show no progress; print what became of each URL as JSON, a line each.")
@log_option
@add_configuration_options
@click.pass_context
def collect_command(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    *,
    name: str | None,
    as_json: bool,
    log: str | None,
    configuration: Configuration,
    **given: Any,
) -> None:
    """Collect news articles from a mixed set of pages.

    FILE is a list of URLs, one per line, or a WARC file (.warc, .warc.gz), such as one from Common Crawl, whose pages are read
    without any request. - reads a list from standard input. Pages that are not news are refused, with the reason.

    Pages are fetched as `newscrawler crawl` does: robots.txt, delays, rights and address rules apply. Run the same command again
    to continue where it stopped. Pages that were fetched are not requested again.

    \b
    Example:
      newscrawler collect urls.txt --contact you@your.domain
      newscrawler collect --query "flood dam" --keyword flood --collection floods
      newscrawler collect --feed https://www.example.org/rss.xml
      newscrawler collect urls.txt --roam --max-pages 500
      newscrawler collect CC-NEWS-20260201.warc.gz --detector keywords
      newscrawler collect --collection floods
    """
    interrupt_on_sigterm(ctx)
    with name_options(ctx):
        collection = _choose_collection(configuration, sources, name, given)
    require_contact(configuration, [collection.model_copy(update={"start_urls": (*collection.start_urls, *collection.given_urls)})])
    # takes more than a second, which the help and completions should not
    from newscrawler.cli.crawl_progress import CrawlConsole, run_crawls

    console = CrawlConsole()
    (summary,) = run_crawls(configuration, [collection], console, quiet=as_json, log=log)
    sentences = _print(configuration, summary, as_json=as_json)
    for sentence in sentences:
        print_error(sentence)
    if console.abandoned:
        ctx.exit(BROKEN_PIPE)
    ctx.exit(INTERRUPTED if summary.is_interrupted else int(bool(sentences) or summary.ended_early))


def _choose_collection(
    configuration: Configuration, sources: tuple[str, ...], name: str | None, given: dict[str, Any]
) -> Collection:
    """Return the collection that the command line describes."""
    archives = tuple(Path(source) for source in sources if is_warc(Path(source)))
    for path in archives:
        if not path.is_file():
            raise ConfigError(f"There is no file {path}.")
    urls = dict.fromkeys(url for source in sources if Path(source) not in archives for url in _read_urls(source))
    values = {key: list(value) if isinstance(value, tuple) else value for key, value in given.items()}
    if not (sources or name or values["queries"] or values["feeds"]):
        raise ConfigError("There is nothing to collect. Pass a file of URLs, a WARC file, --query, --feed or --collection.")
    return choose_collection(configuration, name or "collect", values, urls=tuple(urls), archives=archives)


def _read_urls(source: str) -> tuple[str, ...]:
    from newscrawler.crawl import read_urls

    named = "standard input" if source == _STANDARD_INPUT else source
    if source.startswith(("http://", "https://")):
        raise ConfigError(f"{source} is a URL. Write it into a file, or run `echo {source} | newscrawler collect -`.")
    found = read_urls(named, partial(_read_text, source))
    for number, line in found.mistakes[:5]:
        click.echo(f"{named}, line {number} is not a URL and is skipped: {line[:80]}", err=True)
    if len(found.mistakes) > 5:
        click.echo(f"{named}: {len(found.mistakes) - 5} more lines are not URLs and are skipped", err=True)
    return found.urls


def _read_text(source: str) -> str:
    with click.open_file(source, encoding="utf-8") as stream:
        return str(stream.read())


def _print(configuration: Configuration, summary: RunSummary, *, as_json: bool) -> list[str]:
    """Print the outcome of each URL. Return the errors of searches and feeds, as sentences."""
    with open_store(configuration.database_url, create=False) as store:
        lines = list(store.collections.outcomes(summary.portal, summary.round))
    if as_json:
        print_lines(lines)
    else:
        print_totals(summary, lines)
    return list_problems(lines)


_WAITING = frozenset({UrlState.WAITING, UrlState.FETCHING})
_HEADING = ("URLs", "what became of them", "for example")
_JSON_MISSING = "; SearXNG answers JSON only if its settings.yml lists json under search.formats"
_WAYS_OUT = {PageReason.ROBOTS: "; if its operator allows you to ask it, write `robots = false` under its [[search_service]]"}


def print_lines(lines: Sequence[UrlLine]) -> None:
    """Print a line of JSON for each URL of a page."""
    for line in lines:
        if line.kind != FrontierKind.FEED:
            record = {
                "url": line.url, "state": str(line.state), "outcome": str(line.outcome) if line.outcome else None,
                "reason": str(line.reason.word) if line.reason else None, "detail": line.reason.detail if line.reason else None,
                "article": line.article_id, "earlier": line.earlier,
            }  # fmt: skip
            click.echo(encode(record), nl=False)


def print_totals(summary: RunSummary, lines: Sequence[UrlLine]) -> None:
    """Print how many URLs had each outcome."""
    pages = [line for line in lines if line.kind != FrontierKind.FEED]
    counts = Counter(map(_describe_outcome, pages))
    examples = {_describe_outcome(line): line for line in reversed(pages)}
    if pages:
        print_rows(((number, what, _format_example(examples[what])) for what, number in counts.most_common()), _HEADING)
    new = summary.counts.new_articles
    left = f", {summary.waiting} URLs left; run the same command to continue" if summary.waiting else ""
    click.echo(
        f"{summary.portal}: {len(pages)} URLs, {new} new article{'' if new == 1 else 's'}; ended: {summary.ended_because} after "
        f"{format_duration(summary.seconds)}{left}",
        err=True,
    )
    if any(line.reason is not None and line.reason.word is PageReason.ADDRESS for line in pages):
        click.echo("Private networks are refused. --network NETWORK allows one; 127.0.0.0/8 is this machine.", err=True)
    for note in summary.notes:
        click.echo(f"{summary.portal}: {note}", err=True)


def _describe_outcome(line: UrlLine) -> str:
    if line.state in _WAITING:
        return "waiting" + (f" ({line.reason.word})" if line.reason else "")
    if line.reason is not None and line.reason.word is PageReason.TWIN:
        return "stored before"
    earlier = " (earlier run)" if line.earlier else ""
    if line.reason is None:
        outcomes = {UrlOutcome.ARTICLE: "article", UrlOutcome.REDIRECT: "redirect"}
        return f"{outcomes.get(line.outcome or UrlOutcome.NOTHING, 'nothing')}{earlier}"
    verb = "failed" if line.state is UrlState.FAILED else "refused"
    return f"{verb}: {line.reason.word}{earlier}"


def _format_example(line: UrlLine) -> str:
    detail = f" ({line.reason.detail})" if line.reason is not None and line.reason.detail else ""
    return sanitize(f"{line.url}{detail}")


def list_problems(lines: Sequence[UrlLine]) -> list[str]:
    """Return the errors of searches and feeds, as sentences."""
    found = []
    for line in lines:
        if line.kind != FrontierKind.FEED or line.earlier or line.outcome is UrlOutcome.LISTING:
            continue
        if line.reason is None or (line.reason.word is PageReason.NO_ENTRIES and not line.reason.detail):
            continue  # it was readable, and listed nothing
        way_out = _JSON_MISSING if line.reason.detail == HTML_PROBLEM else _WAYS_OUT.get(line.reason.word, "")
        found.append(f"{sanitize(line.url)} gave no URLs ({line.reason}){way_out}")
    return found
