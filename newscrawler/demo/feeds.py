"""Machine-readable files of the portal: robots.txt, sitemaps, RSS."""

from __future__ import annotations

from collections.abc import Iterable
from email.utils import format_datetime
from xml.sax.saxutils import escape

from newscrawler.demo.address import get_article_path, get_section_path
from newscrawler.demo.markup import Context, add_tracking, get_editions
from newscrawler.demo.story import Edition

#: Paths that robots.txt forbids, as prefixes.
DISALLOWED = ("/internal/", "/search", "/login")


def write_robots(context: Context) -> str:
    """Return robots.txt, which forbids the newsroom's pages, the search and the login to all crawlers."""
    rules = "\n".join(f"Disallow: {prefix}" for prefix in DISALLOWED)
    return f"User-agent: *\n{rules}\n\nSitemap: {context.base_url}/sitemap.xml\n"


def write_sitemap_index(context: Context) -> str:
    """Return the index of the sitemaps: one of articles and one of listings."""
    entries = "".join(
        f"<sitemap><loc>{context.base_url}/sitemap-{name}.xml</loc><lastmod>{context.anchor.isoformat()}</lastmod></sitemap>"
        for name in ("articles", "sections")
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>\n'
    )


def _write_urlset(entries: Iterable[str]) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(entries)}</urlset>\n'
    )


def write_article_sitemap(context: Context) -> str:
    """Return the sitemap of all articles with their times of publication."""
    return _write_urlset(
        f"<url><loc>{escape(context.base_url + get_article_path(story))}</loc>"
        f"<lastmod>{story.published_at.isoformat()}</lastmod></url>\n"
        for story in context.stories
    )


def write_section_sitemap(context: Context) -> str:
    """Return the sitemap of the listings of every edition."""
    paths = ["/", *(f"/{edition.code}/" for edition in get_editions())]
    paths += [get_section_path(edition.code, key) for edition in get_editions() for key, _ in edition.sections]
    return _write_urlset(f"<url><loc>{context.base_url}{path}</loc></url>\n" for path in paths)


def write_rss(edition: Edition, context: Context) -> str:
    """Return the ten newest articles of an edition; links carry tracking parameters, as in many feeds."""
    items = []
    for story in context.select_edition(edition.code)[:10]:
        path = get_article_path(story)
        link = context.base_url + add_tracking(path, "utm_source=rss&utm_medium=feed")
        items.append(
            f"<item><title>{escape(story.headline)}</title><link>{escape(link)}</link>"
            f'<guid isPermaLink="true">{escape(context.base_url + path)}</guid>'
            f"<pubDate>{format_datetime(story.published_at)}</pubDate><description>{escape(story.lead)}</description></item>\n"
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        f"<title>{escape(edition.site)}</title><link>{context.base_url}/{edition.code}/</link>"
        f"<description>{escape(edition.tagline)}</description><language>{edition.code}</language>\n{''.join(items)}</channel></rss>\n"
    )
