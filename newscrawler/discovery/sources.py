"""The table of sources, extended by plugins."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from newscrawler.discovery.feeds import FeedSource
from newscrawler.discovery.month_archives import MonthArchives
from newscrawler.discovery.pagination import LinkSource
from newscrawler.discovery.posts import PostSource, SlugSource
from newscrawler.discovery.sitemaps import SitemapSource
from newscrawler.discovery.source import Source
from newscrawler.plugins import ExtendedTable, PluginGroup

#: By name, in the order in which they read a response: later sources see the admitted leads of earlier ones.
SOURCES: Mapping[str, Callable[[], Source]] = ExtendedTable[Callable[[], Source]](
    {
        "links": LinkSource,
        "month archives": MonthArchives,
        "feeds": FeedSource,
        "sitemaps": SitemapSource,
        "posts": PostSource,
        "slugs": SlugSource,
    },
    PluginGroup.SOURCES,
)


def make_sources() -> tuple[Source, ...]:
    """Return one instance of each source."""
    return tuple(make() for make in SOURCES.values())
