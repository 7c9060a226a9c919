"""`newscrawler demo`: crawl, search, export and release the bundled portal."""

from __future__ import annotations

import json
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path

import click

from newscrawler.cli.group import BROKEN_PIPE, INTERRUPTED, find_program
from newscrawler.cli.options import Decimal
from newscrawler.cli.screen import sanitize
from newscrawler.config import CONFIGURATION_FILE, Configuration, TableArray, add_table, build_portal
from newscrawler.corpus import export_articles, find_snippet
from newscrawler.corpus.formats import FORMATS
from newscrawler.corpus.releases import ReleasePlan, create_release
from newscrawler.demo import TIME_ZONE, DemoPortal, check, serve
from newscrawler.errors import ConfigError
from newscrawler.store import open_store
from newscrawler.store.articles import Selection
from newscrawler.store.search import parse

_DATABASE = "newscrawler.sqlite"
_RELEASE = "release"
#: Czech, without accents, and one of several words that begin so.
_QUERY = "starostk* OR ministr*"
#: Limits for safety: the crawl ends long before.
_MOST_MINUTES = 5.0
_MOST_PAGES = 1500


@click.command("demo")
@click.option(
    "--output", type=click.Path(path_type=Path), default="demo-out", show_default=True, metavar="FOLDER",
    help="Folder for the results.",
)  # fmt: skip
@click.option("--delay", type=Decimal(), default=0.05, show_default=True, metavar="SECONDS", help="Between two requests.")
@click.option(
    "--layout", type=click.Choice(["classic", "modern"]), default="classic", show_default=True, help="Layout of the portal."
)
@click.pass_context
def demo_command(ctx: click.Context, /, output: Path, delay: float, layout: str) -> None:
    """Crawl the bundled portal and check the result.

    Serves a small news portal on this machine, crawls it as politely as any other, exports its articles as CSV and JSON, and
    compares them with what the portal published. Then shows a search and writes a small release. The exit code is 1 if an article
    differs from what was published.

    \b
    Example:
      newscrawler demo
    """
    # takes more than a second, which the help and completions should not
    from newscrawler.cli.crawl_progress import CrawlConsole, make_summary_table, run_crawls

    _prepare(output)
    configuration = Configuration(database_url=f"sqlite:///{output / _DATABASE}", data_folder=output)
    console = CrawlConsole()
    with serve(DemoPortal(layout=layout)) as running:
        click.echo(f"A news portal is served at {running.base_url}/ during the demo. Its crawl:\n")
        url = f"{running.base_url}/"
        portal = build_portal(url, name="demo", delay=delay, time_zone=TIME_ZONE, max_minutes=_MOST_MINUTES, max_pages=_MOST_PAGES)
        summaries = run_crawls(configuration, [portal], console)
        log = running.log
        console.print(make_summary_table(summaries))
        if any(summary.is_interrupted for summary in summaries):
            ctx.exit(BROKEN_PIPE if console.abandoned else INTERRUPTED)
        exported = _export(configuration, output)
        outcome = check(exported, running.portal, log, delay_seconds=delay or None)
    click.echo("\nThe articles found, compared with those that the portal published:\n")
    for line in outcome.lines():
        click.echo(line)
    _show_corpus(configuration, output)
    _write_configuration(output, url)
    _print_farewell(output)
    ctx.exit(0 if outcome.ok else 1)


def _prepare(output: Path) -> None:
    """Create the folder and remove earlier results, since the portal dates its articles relative to today."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        for ending in ("", "-wal", "-shm"):
            (output / f"{_DATABASE}{ending}").unlink(missing_ok=True)
        if (output / _RELEASE / "manifest.json").exists():
            shutil.rmtree(output / _RELEASE)
    except OSError as error:
        raise ConfigError(
            f"{output} cannot be used for the results: {error.strerror}; name another folder with --output"
        ) from error


def _export(configuration: Configuration, output: Path) -> list[dict[str, object]]:
    with open_store(configuration.database_url, create=False) as store:
        export_articles(store.articles.stream(Selection()), FORMATS["csv"], output / "articles.csv")
        export_articles(store.articles.stream(Selection()), FORMATS["json"], output / "articles.json")
    exported: list[dict[str, object]] = json.loads((output / "articles.json").read_bytes())
    return exported


def _show_corpus(configuration: Configuration, output: Path) -> None:
    """Search what was crawled, and write a release of the Czech articles."""
    query = parse(_QUERY)
    with open_store(configuration.database_url, create=False) as store:
        hits = store.search.find(query, Selection(), limit=1)
        recipe = ReleasePlan(
            name="demo", title="Articles of the demo portal", creators=("newscrawler demo",), licence="Apache-2.0",
            created_at=datetime.now(UTC).replace(microsecond=0), until_id=store.articles.newest_id(),
            selection=Selection(language="cs"), formats=("jsonl", "tei"),
        )  # fmt: skip
        release = create_release(store, recipe, output / _RELEASE, disregarded=lambda _portal: (), now=recipe.created_at)
        total = store.search.count(query, Selection())
    click.echo(f"\nThe search for {_QUERY} finds {total} articles, first:\n")
    for hit in hits:
        passage = "".join(f"[{piece.text}]" if piece.is_hit else piece.text for piece in find_snippet(hit.stored.article, query))
        click.echo(f"  {sanitize(hit.stored.article.title)}\n  {sanitize(passage)}")
    click.echo(f"\nA release of the {release.articles} Czech articles, to be cited and checked, is in {output / _RELEASE}.")


def _write_configuration(output: Path, url: str) -> None:
    """Write a configuration with which the other commands and the web application show the result."""
    path = output / CONFIGURATION_FILE
    path.write_text(f'[crawler]\ndatabase = "sqlite:///{_DATABASE}"\ndata_folder = "."\n', "utf-8")
    # the portal is gone when the demo has ended
    add_table(path, TableArray.PORTAL, {"name": "demo", "start_urls": [url], "time_zone": TIME_ZONE, "schedule": "never"})


def _print_farewell(output: Path) -> None:
    program, configuration = find_program(), f"--config {shlex.quote(str(output / CONFIGURATION_FILE))}"
    click.echo(f"\nThe articles are in {output / _DATABASE}, {output / 'articles.csv'} and {output / 'articles.json'}.")
    click.echo("\nIn the browser:\n")
    click.echo(f"  {program} web {configuration}")
    click.echo("\nIn the terminal:\n")
    click.echo(f"  {program} articles {configuration}")
    click.echo(f"  {program} concordance {shlex.quote(_QUERY)} {configuration}")
    click.echo("\nA portal of your own, in the browser or in the terminal:\n")
    click.echo(f"  {program} web")
    click.echo(f"  {program} portal add --help")
