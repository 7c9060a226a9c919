"""`newscrawler evaluate --table`: the tables of the source documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import read_configuration, require_known_selection
from newscrawler.cli.screen import print_figures
from newscrawler.corpus.reviews import summarise_reviews
from newscrawler.errors import ConfigError
from newscrawler.plugins import split_names
from newscrawler.research.evaluation import Evaluation, TestPage, candidates, template_tables
from newscrawler.research.evaluation.accuracy_tables import MSS_METHODS, accuracy_tables, mss_table, pair_table, results_by_gold
from newscrawler.research.evaluation.crawl_tables import crawl_table, crawls_table, memory_table, stages_figure
from newscrawler.research.evaluation.detection_tables import detection_tables, find_detectors, labelled_evidence, printed
from newscrawler.research.evaluation.document_table import NOT_COMPARABLE, DocumentTable, PrintedTable
from newscrawler.research.evaluation.template_tables import PortalYears, wrapper_table
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection

#: Tables that portal:NAME fills from the database, not from reviewed pages.
_OF_DATABASE = ("000.1", "004.2")
#: Tables that crawl portals and read no pages.
_OF_CRAWLS = ("002.4.3", "002.4.4", "002.4.2.1.3")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRequest:
    """The options of the command line."""

    table: str
    methods: str | None
    versus: str | None
    detectors: str | None
    known: Sequence[TestPage]
    selectors: Sequence[str]
    repeats: int
    as_json: bool
    config: Path | None
    database: str | None


def needs_pages(table: str, sources: Sequence[str]) -> list[str]:
    """Return the sources whose pages are read. Some tables take portals from the database or from a crawl instead."""
    if table in _OF_CRAWLS:
        return []
    return [source for source in sources if table not in _OF_DATABASE or not source.startswith("portal:")]


def print_tables(
    asked: TableRequest, sources: Sequence[str], pages: Sequence[TestPage], evaluate: Callable[[Sequence[str]], Evaluation]
) -> None:
    """Print a table of a document; `pages`: those of the sources that are read, on which `evaluate` measures methods by name.

    Raises:
        ConfigError: there is no such portal, detector or field, or nothing to print.
    """
    portals = [source.removeprefix("portal:") for source in sources if source not in needs_pages(asked.table, sources)]
    tables = _make_crawl_tables(asked, sources) if asked.table in _OF_CRAWLS else _make_tables(asked, portals, pages, evaluate)
    reason = NOT_COMPARABLE[DocumentTable(asked.table)]
    for number, table in enumerate(tables):
        if asked.as_json:
            click.echo(encode({**table.as_dict(), "not_comparable": reason}), nl=False)
            continue
        click.echo(("\n" if number else "") + table.title)
        print_figures(table.rows, table.heading)
    if not asked.as_json:
        click.echo(click.wrap_text(f"\nNot comparable with the document: {reason}", width=80), err=True)


def _make_tables(
    asked: TableRequest, portals: Sequence[str], pages: Sequence[TestPage], evaluate: Callable[[Sequence[str]], Evaluation]
) -> Iterable[PrintedTable]:
    match DocumentTable(asked.table):
        case DocumentTable.ACCURACY:
            yield from _make_accuracy_tables(asked, portals, pages, evaluate)
        case DocumentTable.TWO_EXTRACTORS:
            yield _compare_two_extractors(asked, evaluate)
        case DocumentTable.SUBSEQUENCE:
            yield mss_table(evaluate(_list_methods(asked.methods, ",".join(MSS_METHODS))))
        case DocumentTable.WRAPPERS:
            yield wrapper_table(pages)
        case DocumentTable.DETECTORS:
            detectors = find_detectors(split_names(asked.detectors or "all"))
            yield printed(detection_tables(labelled_evidence(pages), labelled_evidence(asked.known), detectors.items()))
        case DocumentTable.METHODS:
            yield template_tables.methods_table(pages)
        case DocumentTable.COLLECTED:
            yield template_tables.years_table(template_tables.years_of(pages) | _read_from_database(asked, portals, _count_years))
        case DocumentTable.TEMPLATES:
            yield template_tables.templates_table(pages, _parse_selectors(asked.selectors))


def _make_crawl_tables(asked: TableRequest, sources: Sequence[str]) -> Iterable[PrintedTable]:
    from newscrawler.cli.measured_crawls import measure_crawls

    configuration = read_configuration(asked.config, asked.database)

    def progress(line: str) -> None:
        click.echo(line, err=True)

    crawls = {
        source: measure_crawls(source, repeats=asked.repeats, configuration=configuration, progress=progress)
        for source in dict.fromkeys(sources)
    }
    if asked.table == DocumentTable.CRAWLS:
        yield crawls_table(crawls)
        return
    if asked.table == DocumentTable.MEMORY:
        yield memory_table(crawls)
        return
    for source, measured in crawls.items():
        yield crawl_table(source, measured)
        yield stages_figure(source, measured)


def _make_accuracy_tables(
    asked: TableRequest, portals: Sequence[str], pages: Sequence[TestPage], evaluate: Callable[[Sequence[str]], Evaluation]
) -> Iterable[PrintedTable]:
    if portals:
        reviewed = _read_from_database(
            asked, portals, lambda store, portal: summarise_reviews(store.reviews.of(portal), store.articles.counts())
        )
        results = [result for found in reviewed.values() for result in found]
        if not results:
            raise ConfigError(f"No article of {', '.join(portals)} has been reviewed. `newscrawler review start` begins.")
        yield from accuracy_tables(results, "judged by people")
    if pages:
        names = _list_methods(asked.methods, "default")
        evaluation = evaluate(names)
        for name in names:
            yield from accuracy_tables(results_by_gold(evaluation, name), f"{name} judged by gold")


def _compare_two_extractors(asked: TableRequest, evaluate: Callable[[Sequence[str]], Evaluation]) -> PrintedTable:
    method = _list_methods(asked.versus, "default")[0]
    others = [name for name in _list_methods(asked.methods, "portal_crawler") if name != method]
    if not others:
        raise ConfigError(f"There is nothing to compare {method} with. Name other methods with --methods.")
    return pair_table(evaluate([method, *others]), method, others)


def _read_from_database(asked: TableRequest, portals: Sequence[str], read: Callable[[Store, str], Any]) -> dict[str, Any]:
    if not portals:
        return {}
    found: dict[str, Any] = {}
    with open_store(read_configuration(asked.config, asked.database).database_url, create=False) as store:
        for portal in portals:
            require_known_selection(store, Selection(portal=portal))
            found[portal] = read(store, portal)
    return found


def _count_years(store: Store, portal: str) -> PortalYears:
    sizes = store.facets.sizes(Selection(portal=portal), Facet.YEAR)
    is_in_english = store.articles.count(Selection(portal=portal, language="en")) > 0
    return PortalYears(years={year: articles for year, (articles, _) in sizes.items()}, is_in_english=is_in_english)


def _parse_selectors(written: Sequence[str]) -> Mapping[str, str]:
    found = dict(text.split("=", 1) for text in written if "=" in text)
    if len(found) < len(written):
        raise ConfigError("A selector is FIELD=SELECTOR, each field once, for example title=h1.")
    return {name: text if text.startswith(("css:", "xpath:")) else f"css: {text}" for name, text in found.items()}


def _list_methods(written: str | None, default: str) -> list[str]:
    """Return the names of methods as they are in results."""
    return [candidate.name for candidate in candidates(split_names(written or default))]
