"""A whole page of a generated site: its head, and the surroundings around its content."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from training.sitegen.site import Site
from training.sitegen.surroundings import cookies, footer, header, sidebar
from training.sitegen.texts import Story

_SCHEMA_TYPES = {
    "search": "SearchResultsPage",
    "author": "ProfilePage",
    "product": "Product",
    "video": "VideoObject",
    "front": "WebSite",
}


def document(
    site: Site, title: str, main: str, path: str, *, story: Story | None = None, kind: str = "page", bare: bool = False
) -> str:
    """Return a page; `story` is that of an article's page, `bare` leaves the side column out."""
    layout = site.markup.layout
    content = site.markup.frame(
        main=site.markup("main", _breadcrumb(site, title, story) + main),
        header=header(site),
        sidebar="" if bare else sidebar(site),
        footer=footer(site),
    )
    consent = cookies(site)
    body = consent + content if site.habits.cookies_first else content + consent
    attributes = layout.get("body", "").replace("$kind", "single" if story else kind)
    return (
        f"{layout.get('doctype', '<!DOCTYPE html>')}\n"
        f'<html{layout.get("html", "")} lang="{site.language}" dir="{site.edition.direction}">\n'
        f"<head>{_head(site, title, path, story, kind)}</head>\n<body{attributes}>\n{body}\n</body></html>\n"
    )


def _breadcrumb(site: Site, title: str, story: Story | None) -> str:
    if not site.habits.breadcrumb:
        return ""
    home = site.link("/", site.words["home"])
    last = site.link(site.section_path(story.section), story.section[1]) if story else escape(title)
    return site.markup("breadcrumb", f"{escape(site.words['breadcrumb'])}: {home} › {last}")


def _head(site: Site, title: str, path: str, story: Story | None, kind: str) -> str:
    habits, url = site.habits, escape(site.base_url + path)
    lines = [
        '<meta charset="utf-8">',
        f"<title>{escape(title)} {site.markup.layout.get('separator', '|')} {escape(site.title)}</title>",
        f'<link rel="canonical" href="{url}">',
        site.markup.layout.get("head", ""),
    ]
    if habits.generator:
        lines.append(f'<meta name="generator" content="{habits.generator}">')
    if habits.description:
        description = story.lead if story else f"{title} – {site.edition.tagline}"
        lines.append(f'<meta name="description" content="{escape(description)}">')
    if habits.og != "none":
        right = "article" if story else "website"
        shown = right if habits.og == "right" else habits.og.split()[-1]
        og = {"type": shown, "title": title, "url": site.base_url + path, "site_name": site.title}
        lines += [f'<meta property="og:{name}" content="{escape(value)}">' for name, value in og.items()]
    if habits.meta_dates and story:
        lines.append(f'<meta property="article:published_time" content="{story.published_at.isoformat()}">')
    if habits.json_ld:
        lines.append(_json_ld(site, title, path, story, kind))
    return "\n".join(line for line in lines if line)


def _json_ld(site: Site, title: str, path: str, story: Story | None, kind: str) -> str:
    url = site.base_url + path
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": _SCHEMA_TYPES.get(kind, "CollectionPage"),
        "name": title,
        "url": url,
    }
    if story:
        data = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": story.headline,
            "mainEntityOfPage": url,
            "datePublished": story.published_at.isoformat(),
            "author": {"@type": "Person", "name": story.author},
            "publisher": {"@type": "Organization", "name": site.title},
        }
    return f'<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>'
