"""Probe a portal before it is added: crawl a few pages into a temporary database."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from rich.console import Console

from newscrawler.cli.crawl_progress import describe_failure, make_progress_report
from newscrawler.cli.politeness import collect_rules, describe_robots
from newscrawler.cli.screen import print_rows
from newscrawler.config import Configuration, Portal, require_contact
from newscrawler.crawl import RunSummary, crawl_portals
from newscrawler.discovery import USUAL_SITEMAP
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction.explain import explain_page, render_saved_page
from newscrawler.store import Store, hosts_database, open_store
from newscrawler.store.archive import read_page
from newscrawler.store.articles import Selection, StoredArticle

#: Front page, robots.txt, a feed, a few articles: enough to see whether it works.
MOST_PAGES = 12
MOST_ARTICLES = 3
MOST_MINUTES = 1.0
_SHOWN = 8
_MOST_LINKS = 40
_MOST_BODIES = 3
#: Outcomes of a start URL, in words.
_FRONT_PAGES = {
    "article": "an article",
    "listing": "a page that leads to others",
    "redirect": "redirects to another page",
    "nothing": "neither an article nor a page that leads to others",
    "unchanged": "unchanged since the last look",
    "": "not read",
}
#: A larger marked page is left out.
_LARGEST_PAGE = 2 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalProbe:
    """The result of a short crawl of a portal."""

    #: (outcome, its meaning, URL) of the start URLs; the outcome is empty where it was not fetched.
    front_pages: tuple[tuple[str, str, str], ...] = ()
    #: Summaries of robots.txt, one line per host.
    robots: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    #: (date, title, URL)
    articles: tuple[tuple[str, str, str], ...] = ()
    #: The bodies of the first articles.
    bodies: tuple[str, ...] = ()
    #: Their pages with parts marked, as HTML that loads nothing; empty where not requested or too large.
    pages: tuple[str, ...] = ()
    #: (kind, URL) of links that were found.
    links: tuple[tuple[str, str], ...] = ()
    #: Why nothing was found, if so.
    failure: str | None = None
    #: No request got an answer.
    is_unreachable: bool = False

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "front_pages": [{"outcome": outcome, "meaning": said, "url": url} for outcome, said, url in self.front_pages],
            "robots": list(self.robots),
            "feeds": list(self.feeds),
            "sitemaps": list(self.sitemaps),
            "sections": list(self.sections),
            "articles": [
                {"date": day, "title": title, "url": url, "body": body} | ({"page": page} if page else {})
                for (day, title, url), body, page in zip(
                    self.articles, chain(self.bodies, repeat("")), chain(self.pages, repeat("")), strict=False
                )
            ],
            "links": [{"kind": kind, "url": url} for kind, url in self.links],
            "failure": self.failure,
        }


def probe_portal(configuration: Configuration, portal: Portal, *, marked: bool = False) -> PortalProbe:
    """Probe one portal, as `probe_portals` does."""
    return probe_portals(configuration, [portal], marked=marked)[0]


def probe_portals(configuration: Configuration, portals: Sequence[Portal], *, marked: bool = False) -> list[PortalProbe]:
    """Fetch a few pages of each portal under the rules of a crawl; `marked`: return the first articles with their parts marked.

    Raises:
        ConfigError: a portal is not on this machine and there is no contact.
    """
    require_contact(configuration, portals)
    with tempfile.TemporaryDirectory(prefix="newscrawler-probe-") as folder:
        database = f"sqlite:///{Path(folder) / 'probe.sqlite'}"
        limits = {"max_pages": MOST_PAGES, "max_articles": MOST_ARTICLES, "max_minutes": MOST_MINUTES}
        update = {**limits, "articles_first": True, "keep_pages": marked, "learn": False}
        short = [portal.model_copy(update=update) for portal in portals]
        aside = configuration.model_copy(update={"database_url": database, "data_folder": Path(folder)})
        known = hosts_database(configuration.database_url)
        with make_progress_report(Console(stderr=True)) as report:
            summaries = {each.portal: each for each in crawl_portals(aside, short, report=report, hosts_database=known)}
        with open_store(database, create=False) as store:
            return [
                _read_probe(
                    store, aside, portal, summaries[portal.name], _summarize_robots(known, configuration, portal), marked=marked
                )
                for portal in portals
            ]


def _read_probe(
    store: Store, aside: Configuration, portal: Portal, summary: RunSummary, robots: tuple[str, ...], *, marked: bool
) -> PortalProbe:  # fmt: skip
    starts = store.urls_of_kind(portal.name, ("start",))
    urls = store.urls_of_kind(portal.name, ("feed", "sitemap", "section"))
    links = store.urls_of_kind(portal.name, ("article", "section", "other"), most=_MOST_LINKS)
    found = list(store.articles.stream(Selection(portal=portal.name, newest_first=True)))
    pages = [_mark_page(store, aside, portal, stored) for stored in found[:_MOST_BODIES]] if marked else []
    articles = [stored.article for stored in found]
    return PortalProbe(
        front_pages=tuple(
            (outcome or "", _describe_front_page(outcome or "", reason, has_links=bool(links)), url)
            for _, outcome, reason, url in starts
        ),
        robots=robots,
        feeds=tuple(url for kind, outcome, _, url in urls if kind == "feed" and outcome == "listing"),
        # those at usual addresses are guesses until they were read
        sitemaps=tuple(
            url
            for kind, outcome, _, url in urls
            if kind == "sitemap" and (outcome == "listing" or (not outcome and urlsplit(url).path != USUAL_SITEMAP))
        ),
        sections=tuple(url for kind, *_, url in urls if kind == "section"),
        articles=tuple((str(article.date or ""), article.title, article.url or "") for article in articles),
        bodies=tuple(article.body for article in articles[:_MOST_BODIES]),
        pages=tuple(pages),
        links=tuple((kind, url) for kind, *_, url in links),
        is_unreachable=summary.got_nothing and bool(summary.counts.failed) and all(map(_is_unreached, summary.counts.failed)),
        failure=None if articles else describe_failure(summary) or f"{summary.portal}: {summary.ended_because}",
    )


def _is_unreached(reason: str) -> bool:
    """Return whether a request failed since its host gave no answer."""
    return reason.startswith((PageReason.DNS, PageReason.REFUSED, PageReason.TIMEOUT, PageReason.CONNECTION, PageReason.TLS))


def _describe_front_page(outcome: str, reason: str | None, *, has_links: bool) -> str:
    """Return the outcome of a start URL in words: why it gave nothing, where that is known."""
    if outcome == "listing" and not has_links:
        return "a page without links to others"
    return reason if reason and outcome == "nothing" else _FRONT_PAGES[outcome]


def _summarize_robots(hosts_database: str, configuration: Configuration, portal: Portal) -> tuple[str, ...]:
    """Return a summary of each robots.txt of a portal's hosts, one line each."""
    with open_store(hosts_database) as store:
        found = collect_rules(store, configuration, portal, now=datetime.now(UTC))
    return tuple(value for host in found["hosts"] for robots in host["robots"] for _, value in describe_robots(robots))


def _mark_page(store: Store, configuration: Configuration, portal: Portal, stored: StoredArticle) -> str:
    """Return the page of an article with its parts marked, or an empty string where it is not kept or too large."""
    page = store.pages.of_article(stored.id)
    if page is None:
        return ""
    try:
        document = read_page(configuration.pages_folder, page.kept).parse()
        explanation = explain_page(document, language=portal.language, time_zone=portal.time_zone, fetched_at=page.kept.fetched_at)
        shown = render_saved_page(explanation.page, explanation)
    except PageError:
        return ""
    return shown if len(shown) <= _LARGEST_PAGE else ""


def print_probe(found: PortalProbe) -> None:
    """Print the result of a probe, with long lists shortened."""
    for _, said, url in found.front_pages:
        click.echo(f"Front page: {url} ({said})")
    for line in found.robots:
        click.echo(f"robots.txt: {line}")
    for name, urls in (("Feeds", found.feeds), ("Sitemaps", found.sitemaps), ("Sections", found.sections)):
        more = f", and {len(urls) - _SHOWN} more" if len(urls) > _SHOWN else ""
        click.echo(f"{name}: {', '.join(urls[:_SHOWN]) or 'none'}{more}")
    if not found.articles:
        click.echo("No article was found on the first pages.")
        return
    click.echo("Sample articles:")
    print_rows(found.articles, ("date", "title", "URL"))
