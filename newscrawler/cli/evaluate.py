"""`newscrawler evaluate`: compare methods on pages with expectations."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.options import Whole, config_option, database_option, open_known, read_configuration
from newscrawler.cli.screen import print_figures, sanitize
from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.research.evaluation import DataProblem, Evaluation, Summary, TestPage

#: The values of `newscrawler.research.evaluation.document_table.DocumentTable`; a test checks that they agree.
TABLES = (
    "000.1", "000.4.2", "001", "002.4.2", "002.4.3", "002.4.4", "002.4.2.1.3", "002.5", "004.1", "004.2", "004.3",
)  # fmt: skip
#: Tables for which portal:NAME means all kept pages of articles, not only those that people have reviewed.
OF_KEPT_PAGES = ("004.1", "004.3")
#: Problems that are listed; further ones are only counted.
_MOST_NAMED = 20
#: Tables of more portals are not printed.
_MOST_PORTALS = 40


@click.command("evaluate")
@click.argument("data", nargs=-1, required=True, metavar="DATA…")
@click.option(
    "--methods",
    metavar="NAME,…",
    help='Methods to compare, also with parameters, NAME[PARAMETER=VALUE, …]; "all" (the default) for every one.',
)
@click.option("--sweep", "sweeps", multiple=True, metavar="METHOD.PARAMETER=FROM:TO:STEP", help="Try values of a parameter.")
@click.option("--table", type=click.Choice(TABLES), help="Print a table of the source documents, with their columns, instead.")
@click.option("--detectors", metavar="NAME,…", help="With --table 002.5: detectors of news; by default all.")
@click.option("--known", multiple=True, metavar="DATA", help="With --table 002.5: pages that are known to be news.")
@click.option("--selector", "selectors", multiple=True, metavar="FIELD=SELECTOR", help="With --table 004.3: selector of a field.")
@click.option(
    "--repeats", type=Whole(1, 100), default=5, show_default=True, metavar="N",
    help="With --table 002.4.3, 002.4.4, 002.4.2.1.3: crawls.",
)  # fmt: skip
@click.option("--versus", metavar="NAME", help="Method to compare the others with; by default the default method, or the best.")
@click.option("--sample", "count", type=Whole(min=1), metavar="N", help="Take N random pages of each portal.")
@click.option("--stratify", type=click.Choice(["section"]), help="With --sample: take of each section in proportion.")
@click.option("--seed", default=0, show_default=True, metavar="N", help="Seed of random samples and intervals.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON in place of the tables.")
@click.option("--csv", "as_csv", is_flag=True, help="Print one line a page and method as CSV in place of the tables.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a report with charts to FILE.")
@click.option("--processes", type=Whole(min=1), metavar="N", help="Processes; by default one per core.")
@click.option("--cache", type=click.Path(path_type=Path), metavar="FOLDER", help="Where results are kept; by default your cache.")
@click.option("--no-cache", is_flag=True, help="Measure everything again and store nothing.")
@database_option
@config_option
def evaluate_command(
    data: tuple[str, ...],
    *,
    methods: str | None,
    sweeps: tuple[str, ...],
    table: str | None,
    detectors: str | None,
    known: tuple[str, ...],
    selectors: tuple[str, ...],
    repeats: int,
    versus: str | None,
    count: int | None,
    stratify: str | None,
    seed: int,
    as_json: bool,
    as_csv: bool,
    html: Path | None,
    processes: int | None,
    cache: Path | None,
    no_cache: bool,
    database: str | None,
    config: Path | None,
) -> None:
    """Compare block-detection methods on pages with expectations.

    DATA is a file of JSON lines {"id","url","html","gold": {"title","lead","body","date","authors"}}, plain or .gz, or a folder of
    pages (*.html) with expectations of the same name (*.json), or portal:NAME: articles of a portal in the database that people
    have reviewed (`newscrawler review`), and their kept pages. The gold needs one of body, paragraphs, with, title and date.
    Unusable pages are named, counted and skipped. Results are cached, so that only new ones are measured.

    --table prints a table of the source documents (docs/tables.md): 000.1 accuracy and kinds of errors, for portal:NAME as people
    judged it; 000.4.2 --versus against --methods; 001 Maximum Subsequence Segmentation; 002.4.2 Blanár's template; 002.4.3, 002.4.4
    pages and seconds of crawls, 002.4.2.1.3 their memory; 002.5 news among pages; 004.1, 004.2, 004.3 Trinity, for portal:NAME on
    all kept pages of articles. For crawls, DATA is demo (the bundled portal, on this machine), portal:NAME from the
    configuration, or a URL.

    \b
    Example:
      newscrawler evaluate pages.jsonl --methods default,mss,pagelet --html report.html
      newscrawler evaluate pages.jsonl --methods "vips,vips[layout=chromium]"
      newscrawler evaluate pages.jsonl.gz --sweep mss.tag_cost=1:7:0.25 --html sweep.html
      newscrawler evaluate pages/ --sample 100 --stratify section --seed 7 --csv > results.csv
      newscrawler evaluate portal:example --methods default,mss
      newscrawler evaluate pages.jsonl --table 000.1 --methods portal_crawler
      newscrawler evaluate demo --table 002.4.3
      newscrawler evaluate portal:example --table 004.3 --selector title=h1
      newscrawler evaluate mixed.jsonl --table 002.5 --known news.jsonl
    """
    from newscrawler.cli.evaluate_tables import TableRequest, needs_pages, print_tables
    from newscrawler.research.evaluation import Cache, candidates, evaluate, parse_sweep, summarise
    from newscrawler.research.evaluation.cache import default_folder

    if as_json and as_csv:
        raise click.UsageError("give --json or --csv, not both")
    if stratify and count is None:
        raise click.UsageError("--stratify says how to take a sample; give --sample N too")
    if html is not None and any(Path(source).resolve() == html.resolve() for source in data):
        raise click.UsageError(f"--html {html} would overwrite the data")
    if table is None and (known or detectors or selectors):
        raise click.UsageError("--known, --detectors and --selector are for a --table")
    if table is not None and (as_csv or html is not None or sweeps):
        raise click.UsageError("--table is printed, or --json; it has no --csv, --html or --sweep")
    found_sweeps = [parse_sweep(text) for text in sweeps]
    versus = candidates([versus])[0].name if versus else None
    compared = [] if table else _list_compared(methods, found_sweeps, versus)
    sources = data if table is None else needs_pages(table, data)
    pages, problems = _read_pages(sources, config, database, all_kept=table in OF_KEPT_PAGES)
    _print_problems(problems)
    pages = _draw_sample(pages, count, seed=seed, by_section=stratify is not None)
    if sources and not pages:
        raise ConfigError(f"there is no page to evaluate on in {', '.join(data)}")

    def measure(compared: Sequence[Any]) -> Evaluation:
        with _show_progress() as on_progress:
            results = Cache(None if no_cache else cache or default_folder())
            return evaluate(pages, compared, results, processes=processes, on_progress=on_progress)

    if table is not None:
        asked = TableRequest(
            table=table, methods=methods, versus=versus, detectors=detectors, known=_read_pages(known, config, database)[0],
            selectors=selectors, repeats=repeats, as_json=as_json, config=config, database=database,
        )  # fmt: skip
        print_tables(asked, data, pages, lambda names: measure(candidates(names)))
        return
    results = measure(compared)
    summary = summarise(results, versus=versus, seed=seed)
    if html is not None:
        _write_html(html, results, summary, problems, found_sweeps)
    if as_json or as_csv:
        from newscrawler.research.evaluation import tables

        text = tables.as_csv(results) if as_csv else tables.as_json(results, summary, problems, found_sweeps) + "\n"
        click.echo(text.encode("utf-8", "replace"), nl=False)
        return
    _print(results, summary)


def _list_compared(methods: str | None, sweeps: Sequence[Any], versus: str | None) -> list[Any]:
    from newscrawler.plugins import split_names
    from newscrawler.research.evaluation import candidates

    names = split_names(methods or "") or list(dict.fromkeys(sweep.method for sweep in sweeps)) or ["all"]
    return [
        *dict.fromkeys(candidates([*names, versus] if versus else names)),
        *dict.fromkeys(candidate for sweep in sweeps for candidate in sweep.candidates),
    ]


def _read_pages(
    data: Sequence[str], config: Path | None, database: str | None, *, all_kept: bool = False
) -> tuple[list[TestPage], list[DataProblem]]:
    from newscrawler.research.evaluation import DataProblem, TestPage, read_data
    from newscrawler.research.evaluation.data import PORTAL

    found: list[TestPage | DataProblem] = []
    for source in data:
        name = source.removeprefix(PORTAL)
        found += read_data(source) if name == source else _read_portal_pages(name, config, database, all_kept=all_kept)
    return [item for item in found if isinstance(item, TestPage)], [item for item in found if isinstance(item, DataProblem)]


def _read_portal_pages(portal: str, config: Path | None, database: str | None, *, all_kept: bool) -> list[TestPage | DataProblem]:
    from newscrawler.research.evaluation.data import article_pages, reviewed_pages
    from newscrawler.store.articles import Selection

    configuration = read_configuration(config, database)
    with open_known(configuration, Selection(portal=portal)) as store:
        read = article_pages if all_kept else reviewed_pages
        found = list(read(store, configuration.pages_folder, portal))
    if not found and all_kept:
        raise ConfigError(f"no page of an article of {portal} is kept; a crawl with keep_pages = true keeps them")
    if not found:
        raise ConfigError(f"no article of {portal} has been reviewed yet; `newscrawler review start {portal}` begins")
    return found


def _print_problems(problems: Sequence[DataProblem]) -> None:
    for problem in problems[:_MOST_NAMED]:
        click.echo(f"skipped: {sanitize(problem.where)}: {sanitize(problem.what)}", err=True)
    if len(problems) > _MOST_NAMED:
        click.echo(f"skipped: {len(problems) - _MOST_NAMED} more; --json names them all", err=True)


def _draw_sample(pages: list[TestPage], count: int | None, *, seed: int, by_section: bool) -> list[TestPage]:
    from newscrawler.corpus.reviews import draw_sample

    if count is None:
        return pages
    chosen = draw_sample(pages, count, seed=seed, by_section=by_section)
    portals = {page.portal for page in chosen}
    few = sum(sum(page.portal == portal for page in chosen) < count for portal in portals)
    rest = f"; {few} of them have fewer than {count}" if few else ""
    click.echo(f"{len(chosen)} of {len(pages)} pages are in the sample, of {len(portals)} portals{rest}", err=True)
    return chosen


@contextmanager
def _show_progress() -> Iterator[Any]:
    """Show the progress of the evaluation: a bar on a terminal, a line for each tenth elsewhere."""
    if not sys.stderr.isatty():
        reported = -1

        def report(done: int, total: int) -> None:
            nonlocal reported
            if total and done * 10 // total > reported:
                reported = done * 10 // total
                click.echo(f"{done} of {total} results", err=True)

        yield report
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("measuring"), BarColumn(), MofNCompleteColumn(), TextColumn("results"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("measuring", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _write_html(path: Path, results: Evaluation, summary: Summary, problems: Sequence[DataProblem], sweeps: Sequence[Any]) -> None:
    from newscrawler.corpus import open_target
    from newscrawler.research.evaluation.report import report

    text = report(results, summary, problems, sweeps)
    with open_target(path) as stream:
        stream.write(text.encode("utf-8", "xmlcharrefreplace"))
    click.echo(f"The report is in {path}", err=True)


def _print(results: Evaluation, summary: Summary) -> None:
    from newscrawler.research.evaluation import tables

    if not sys.stdout.isatty():
        print_figures(tables.method_rows(summary), tables.METHOD_HEADING)
        return
    first_heading, first_rows = tables.method_table(summary)
    print_figures(first_rows, first_heading)
    for title, heading, rows in tables.further(summary, most_portals=_MOST_PORTALS):
        click.echo(f"\n{title}")
        if rows:
            print_figures(rows, heading)
    cached = sum(result.cached for result in results.results)
    click.echo(f"\n{len(results.results)} results on {len(results.pages)} pages, {cached} of them known from before.")
