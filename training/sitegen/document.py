"""Whole pages of a generated site: their head, what stands around every page, and the teasers of listings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from training.sitegen.site import Site
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


def header(site: Site) -> str:
    """The head of the page with the menu."""
    markup, words = site.markup, site.edition.words
    items = "".join(markup("nav-item", site.link(site.section_path(section), section[1])) for section in site.writer.sections)
    logo = markup("logo", site.link("/", site.title)) + markup("tagline", escape(site.edition.tagline))
    search = markup(
        "search",
        f'<input name="q" placeholder="{escape(words["search"])}">{markup("button", escape(words["search"]), type="submit")}',
        action="/search",
    )
    login = site.link("/login", words["login"])
    home = markup("nav-item", site.link("/", site.words["home"]))
    return markup("header", f"{logo}{markup('nav', home + items)}{search}{login}")


def box(site: Site, title: str, items: list[str]) -> str:
    """A box of links with a title."""
    markup = site.markup
    content = "".join(markup("box-item", item) for item in items)
    return markup("box", markup("box-title", escape(title)) + markup("box-list", content))


def sidebar(site: Site) -> str:
    """The side column."""
    edition, words = site.edition, site.words
    most_read = [site.link(site.path(story), story.headline) for story in site.stories[3:18:3]]
    topics = [site.link(site.tag_path(key), name) for key, name in site.writer.tags]
    months = [site.link(f"/2026/{month:02}/", f"{edition.months[month - 1]} 2026") for month in range(11, 6, -1)]
    boxes = [
        box(site, edition.words["most_read"], most_read),
        box(site, edition.words["tags"], topics),
        site.markup("ad", f"<small>{escape(edition.words['advertisement'])}</small> {escape(edition.ads[-1])}"),
        box(site, words["trending"], [site.link(site.path(story), story.headline) for story in site.stories[1:4]]),
        box(site, edition.words["calendar"], months),
        newsletter(site),
    ]
    start = len(site.name) % len(boxes)
    chosen = (boxes + boxes)[start : start + site.habits.boxes]
    return site.markup("sidebar", "".join(chosen)) if chosen else ""


def newsletter(site: Site) -> str:
    """The request to subscribe."""
    words = site.edition.words
    button = site.markup("button", escape(words["subscribe"]))
    return site.markup(
        "newsletter", f'<p>{escape(site.edition.newsletter)}</p><input placeholder="{escape(words["email"])}">{button}', action="/n"
    )


def footer(site: Site) -> str:
    """The foot of the page."""
    words = site.edition.words
    links = " ".join(site.link(f"/{page}/", words[page]) for page in ("about", "contact", "legal"))
    social = site.markup(
        "social", f"{escape(site.words['follow'])}: " + " ".join(site.link(f"/out/{n}", n) for n in ("Fb", "X", "IG"))
    )
    return site.markup(
        "footer", f"{links}{social}" + site.markup("footer-text", f"© 2026 {escape(site.title)}. {escape(words['legal_text'])}")
    )


def cookies(site: Site) -> str:
    """The bar that asks for consent."""
    buttons = site.markup("button", escape(site.words["accept"])) + site.markup("button", escape(site.words["settings"]))
    text = site.words["consent_text"][0] if site.habits.boxes % 2 else site.edition.words["cookies"]
    return site.markup("cookies", f"{escape(text)} {buttons}")


def _texts(site: Site, story: Story, place: int, most: int) -> list[str]:
    """The beginning of an article that a teaser shows."""
    amount = site.habits.teaser_texts
    if amount == "mixed":
        amount = ("paragraphs", "short", "none", "long")[place % 4]
    if amount == "none":
        return []
    if amount == "short":
        return [story.lead[:140].rsplit(" ", 1)[0] + " …"]
    texts = [story.lead, *(text for kind, text in story.blocks if kind == "p")]
    return texts[: 1 if amount == "long" else most]


def _teaser(site: Site, story: Story, place: int, most: int) -> str:
    markup, habits = site.markup, site.habits
    path = escape(site.path(story))
    image = f'<a href="{path}"><img src="/img/{story.number}-s.jpg" alt=""></a>' if habits.teaser_images else ""
    meta = site.date(story, "teaser-date") if habits.teaser_dates else ""
    if habits.teaser_authors:
        meta += markup("teaser-author", site.link(site.author_path(story.author), story.author))
    pieces = [
        markup("teaser-image", image) if image else "",
        markup("teaser-kicker", site.link(site.section_path(story.section), story.section[1])) if place % 2 else "",
        markup("teaser-title", f'<a href="{path}">{escape(story.headline)}</a>'),
        markup("teaser-meta", meta) if meta else "",
        *(markup("teaser-text", escape(text)) for text in _texts(site, story, place, most)),
        markup("teaser-more", site.link(site.path(story), site.words["read_more"])) if habits.teaser_more else "",
    ]
    return markup("teaser", "".join(pieces))


def teasers(site: Site, stories: Sequence[Story], *, most: int = 3) -> str:
    """Return the teasers of a listing, in HTML; none shows more paragraphs than `most`."""
    return site.markup("teasers", "\n".join(_teaser(site, story, place, most) for place, story in enumerate(stories)))


def teaser_texts(site: Site, stories: Sequence[Story], *, most: int) -> list[str]:
    """Return the texts that those teasers hold beside the headlines."""
    return [text for place, story in enumerate(stories) for text in _texts(site, story, place, most)]
