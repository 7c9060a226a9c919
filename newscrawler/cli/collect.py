"""`newscrawler collect`: news from a mixed set of pages on any hosts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.group import BROKEN_PIPE, INTERRUPTED, complain
from newscrawler.cli.log import faults_in_one_line
from newscrawler.cli.numbers import Decimal, Whole
from newscrawler.cli.options import DETECTOR, METHOD, config_option, configuration_of, database_option, log_option
from newscrawler.cli.signals import interrupt_on_sigterm
from newscrawler.errors import ConfigError
from newscrawler.store import open_store

if TYPE_CHECKING:
    from newscrawler.config import Collection, Configuration
    from newscrawler.crawl import RunSummary

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
@database_option
@config_option
@click.pass_context
def collect_command(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    *,
    name: str | None,
    contact: str | None,
    as_json: bool,
    log: str | None,
    database: str | None,
    config: Path | None,
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
      newscrawler collect CC-NEWS-20260201.warc.gz --detector keywords
      newscrawler collect --collection floods
    """
    interrupt_on_sigterm(ctx)
    configuration = configuration_of(config, database, contact)
    collection = _collection(configuration, sources, name, given)
    _require_contact(configuration, collection)
    summary, stopped = _crawled(configuration, collection, log, quiet=as_json)
    counted = _print(configuration, summary, as_json=as_json)
    for sentence in counted:
        complain(sentence)
    if stopped:
        ctx.exit(BROKEN_PIPE)
    ctx.exit(INTERRUPTED if summary.is_interrupted else int(bool(counted) or summary.ended_early))


def _collection(configuration: Configuration, sources: tuple[str, ...], name: str | None, given: dict[str, Any]) -> Collection:
    """Return the collection that the command line describes.

    Raises:
        ConfigError: a file cannot be read or names no URL, or a value is not allowed.
    """
    from newscrawler.config.collections import chosen_collection
    from newscrawler.config.portal import DEFAULT_COLLECTION
    from newscrawler.extraction.batch.sources import is_warc

    archives = tuple(Path(source) for source in sources if is_warc(Path(source)))
    for path in archives:
        if not path.is_file():
            raise ConfigError(f"There is no file {path}.")
    urls = dict.fromkeys(url for source in sources if Path(source) not in archives for url in _listed(source))
    values = {key: list(value) if isinstance(value, tuple) else value for key, value in given.items()}
    if not (sources or name or values["queries"] or values["feeds"]):
        raise ConfigError("There is nothing to collect. Pass a file of URLs, a WARC file, --query, --feed or --collection.")
    return chosen_collection(configuration, name or DEFAULT_COLLECTION, values, urls=tuple(urls), archives=archives)


def _listed(source: str) -> tuple[str, ...]:
    from newscrawler.crawl import read_urls

    named = "standard input" if source == _STANDARD_INPUT else source
    if source.startswith(("http://", "https://")):
        raise ConfigError(f"{source} is a URL. Write it into a file, or run `echo {source} | newscrawler collect -`.")
    try:
        found = read_urls(_text_of(source).splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{named} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}.") from error
    if not found.urls:
        raise ConfigError(f"{named} lists no URLs. Write one in each line, beginning with http:// or https://.")
    for number, line in found.mistakes[:5]:
        click.echo(f"{named}, line {number} is not a URL and is skipped: {line[:80]}", err=True)
    if len(found.mistakes) > 5:
        click.echo(f"{named}: {len(found.mistakes) - 5} more lines are not URLs and are skipped", err=True)
    return found.urls


def _text_of(source: str) -> str:
    with click.open_file(source, encoding="utf-8") as stream:
        return str(stream.read())


def _require_contact(configuration: Configuration, collection: Collection) -> None:
    from newscrawler.config import require_contact

    require_contact(configuration, [replace(collection, start_urls=(*collection.start_urls, *collection.urls))])


def _crawled(configuration: Configuration, collection: Collection, log: str | None, *, quiet: bool) -> tuple[RunSummary, bool]:
    """Collect; return how it ended, and whether the reader of the progress has closed the pipe."""
    from newscrawler.cli.console import CrawlConsole
    from newscrawler.cli.progress import progress_report
    from newscrawler.crawl import crawl_portals

    if log:
        from newscrawler.service.crawl_log import LogReport
        from newscrawler.service.logs import write_logs

        return crawl_portals(configuration, [collection], report=LogReport(write_logs(log)))[0], False
    console = CrawlConsole()
    with faults_in_one_line(), progress_report(console, quiet=quiet) as report:
        summaries = crawl_portals(configuration, [collection], report=report)
    return summaries[0], console.abandoned


def _print(configuration: Configuration, summary: RunSummary, *, as_json: bool) -> list[str]:
    """Print the outcome of each URL. Return the errors of searches and feeds, as sentences."""
    from newscrawler.cli.collect_report import print_lines, print_totals, problems

    with open_store(configuration.database_url, create=False) as store:
        lines = list(store.collections.outcomes(summary.portal, summary.round))
    if as_json:
        print_lines(lines)
    else:
        print_totals(summary, lines)
    return problems(lines)
