"""Looks at a portal before it is added: a crawl of a few pages into a database that is thrown away."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import click

from newscrawler.cli.screen import print_rows
from newscrawler.config import Configuration, Portal

#: Front page, robots.txt, a feed, a sitemap, a few articles: enough to see whether it works.
MOST_PAGES = 12
MOST_ARTICLES = 5
MOST_MINUTES = 1.0
_SHOWN = 8
_MOST_LINKS = 40
_MOST_BODIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What a short look at a portal found."""

    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    #: (date, title, URL)
    articles: tuple[tuple[str, str, str], ...] = ()
    #: The bodies of the first of them.
    bodies: tuple[str, ...] = ()
    #: (what it was taken for, URL) of links that were found.
    links: tuple[tuple[str, str], ...] = ()
    #: Why there is nothing, where there is nothing.
    failure: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "feeds": list(self.feeds),
            "sitemaps": list(self.sitemaps),
            "sections": list(self.sections),
            "articles": [
                {"date": day, "title": title, "url": url, "body": body}
                for (day, title, url), body in zip(self.articles, chain(self.bodies, repeat("")), strict=False)
            ],
            "links": [{"kind": kind, "url": url} for kind, url in self.links],
            "failure": self.failure,
        }


def probe(configuration: Configuration, portal: Portal) -> Probe:
    """Fetch a few pages of a portal under the same rules as a crawl.

    Raises:
        ConfigError: the portal is not on this machine and there is no contact.
    """
    from newscrawler.cli.crawl_summary import failure
    from newscrawler.cli.progress import progress_report
    from newscrawler.config import require_contact
    from newscrawler.crawl import crawl_portals
    from newscrawler.store import Selection, open_store
    from newscrawler.store.state_folder import hosts_database

    require_contact(configuration, [portal])
    from rich.console import Console

    with tempfile.TemporaryDirectory(prefix="newscrawler-probe-") as folder:
        database = f"sqlite:///{Path(folder) / 'probe.sqlite'}"
        short = replace(
            portal, max_pages=MOST_PAGES, max_articles=MOST_ARTICLES, max_minutes=MOST_MINUTES, keep_pages=False, learn=False
        )
        known = hosts_database(configuration.database_url)
        with progress_report(Console(stderr=True)) as report:
            (summary,) = crawl_portals(replace(configuration, database_url=database), [short], report=report, hosts_database=known)
        with open_store(database, create=False) as store:
            urls = store.urls_of_kind(portal.name, ("feed", "sitemap", "section"))
            links = store.urls_of_kind(portal.name, ("article", "section", "other"), most=_MOST_LINKS)
            articles = [item.article for item in store.articles.stream(Selection(newest_first=True))]
    return Probe(
        feeds=tuple(url for kind, outcome, url in urls if kind == "feed" and outcome == "listing"),
        sitemaps=tuple(url for kind, outcome, url in urls if kind == "sitemap" and outcome == "listing"),
        sections=tuple(url for kind, _, url in urls if kind == "section"),
        articles=tuple((str(article.date or ""), article.title, article.url or "") for article in articles),
        bodies=tuple(article.body for article in articles[:_MOST_BODIES]),
        links=tuple((kind, url) for kind, _, url in links),
        failure=failure(summary),
    )


def show_probe(found: Probe) -> None:
    """Print what was found, most of it shortened."""
    for name, urls in (("Feeds", found.feeds), ("Sitemaps", found.sitemaps), ("Sections", found.sections)):
        more = f", and {len(urls) - _SHOWN} more" if len(urls) > _SHOWN else ""
        click.echo(f"{name}: {', '.join(urls[:_SHOWN]) or 'none'}{more}")
    if not found.articles:
        click.echo("No article was found on the first pages.")
        return
    click.echo("Sample articles:")
    print_rows(found.articles, ("date", "title", "URL"))
