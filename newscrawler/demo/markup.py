"""Markup that both layouts share: the head of a page, JSON-LD, and which stories link to which."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import escape as _escape
from typing import Any, Protocol

from newscrawler.demo.address import article_path, author_path, part_path, print_path, short_path
from newscrawler.demo.edition import LANGUAGES, Edition, load_edition
from newscrawler.demo.story import Story


def escape(text: str) -> str:
    """Return text escaped for HTML."""
    return _escape(text, quote=False)


def attribute(text: str) -> str:
    """Return text escaped for the value of an attribute."""
    return _escape(text, quote=True)


@dataclass(frozen=True, kw_only=True)
class Context:
    """The rest of the portal, from which a page takes its links."""

    anchor: datetime
    base_url: str
    layout: str
    stories: tuple[Story, ...]
    #: By language and headline.
    by_headline: Mapping[tuple[str, str], Story]

    def of_edition(self, code: str) -> tuple[Story, ...]:
        """Return the stories of one language, newest first."""
        return tuple(story for story in self.stories if story.edition.code == code)

    def read_also(self, story: Story, headlines: Iterable[str]) -> list[Story]:
        """Return the published stories that a box in the text links to."""
        found = (self.by_headline.get((story.edition.code, headline)) for headline in headlines)
        return [other for other in found if other]

    def related(self, story: Story) -> list[Story]:
        """Return three stories of the edition: older before newer ones, those of the same section first."""
        others = [other for other in self.of_edition(story.edition.code) if other is not story]
        return sorted(others, key=lambda other: (other.published_at > story.published_at, other.section != story.section))[:3]

    def most_read(self, edition: Edition) -> list[Story]:
        """Return five stories for the sidebar of every page."""
        return sorted(self.of_edition(edition.code), key=lambda story: (story.number * 7919) % 101)[:5]

    def beside(self, story: Story) -> list[Story]:
        """Return all stories whose headlines the page of this one shows."""
        boxes = [self.read_also(story, block.items) for block in story.blocks if block.kind == "read also"]
        others = [*self.related(story), *self.most_read(story.edition), *(other for box in boxes for other in box)]
        return [other for other in others if other is not story]


class Layout(Protocol):
    """A template of the portal; all have the same content in different markup."""

    def article(self, story: Story, part: int, context: Context) -> str:
        """Return one page of an article, counted from 1."""

    def printed(self, story: Story, context: Context) -> str:
        """Return the print version."""

    def listing(
        self, edition: Edition, title: str, stories: Iterable[Story], context: Context, *, extra: str = "", intro: str = ""
    ) -> str:
        """Return a list of teasers; `intro` and `extra` are HTML."""

    def front(self, context: Context) -> str:
        """Return the front page of all editions."""

    def text(self, edition: Edition, title: str, content: str, context: Context) -> str:
        """Return a page that is neither; `content` is HTML."""


def editions() -> list[Edition]:
    """Return all editions in the order of the menu."""
    return [load_edition(code) for code in LANGUAGES]


def document(edition: Edition, title: str, body: str, context: Context, *, extra_head: str = "", body_class: str = "") -> str:
    """Return a whole page with the given content of its body."""
    kind = f' class="{body_class}"' if body_class else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{edition.code}" dir="{edition.direction}">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)} | {escape(edition.site)}</title>'
        f'<link rel="stylesheet" href="/assets/{context.layout}.css"><link rel="icon" href="/assets/icon.svg" type="image/svg+xml">'
        f'<link rel="alternate" type="application/rss+xml" title="{attribute(edition.site)}" href="/{edition.code}/rss.xml">'
        f"{extra_head}</head>\n<body{kind}>\n{body}\n</body></html>\n"
    )


def _json_ld(story: Story, context: Context) -> str:
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.headline,
        "mainEntityOfPage": context.base_url + article_path(story),
        "publisher": {"@type": "Organization", "name": story.edition.site},
    }
    if story.date_form == "json-ld":
        data["datePublished"] = story.published_at.isoformat()
        if story.modified_at:
            data["dateModified"] = story.modified_at.isoformat()
    if story.byline == "json-ld":
        data["author"] = [{"@type": "Person", "name": story.author}]
    return f'<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>'


def article_head(story: Story, part: int, context: Context) -> str:
    """Return the part of the head that is specific to an article."""
    own = context.base_url + part_path(story, part)
    lines = [
        f'<link rel="canonical" href="{attribute(own)}">',
        '<meta property="og:type" content="article">',
        f'<meta property="og:title" content="{attribute(story.headline)}">',
        f'<meta property="og:url" content="{attribute(own)}">',
        f'<meta property="og:image" content="{context.base_url}/img/{story.number}-0.svg">',
        f'<meta property="og:site_name" content="{attribute(story.edition.site)}">',
    ]
    if part > 1:
        lines.append(f'<link rel="prev" href="{attribute(part_path(story, part - 1))}">')
    if part < len(story.parts):
        lines.append(f'<link rel="next" href="{attribute(part_path(story, part + 1))}">')
    if story.has_description:
        lines.append(f'<meta name="description" content="{attribute(story.lead)}">')
    if story.date_form == "meta":
        lines.append(f'<meta property="article:published_time" content="{story.published_at.isoformat()}">')
        if story.modified_at:
            lines.append(f'<meta property="article:modified_time" content="{story.modified_at.isoformat()}">')
    if story.byline == "meta":
        lines.append(f'<meta name="author" content="{attribute(story.author)}">')
    if "json-ld" in {story.date_form, story.byline}:
        lines.append(_json_ld(story, context))
    return "".join(lines)


def link_to(story: Story, text: str | None = None, css_class: str = "") -> str:
    """Return a link to an article."""
    kind = f' class="{css_class}"' if css_class else ""
    return f'<a{kind} href="{attribute(article_path(story))}">{escape(text or story.headline)}</a>'


def tracked(path: str, query: str) -> str:
    """Return another address of the same page, with tracking parameters."""
    return f"{path}{'&' if '?' in path else '?'}{query}"


def most_read_links(edition: Edition, context: Context) -> list[str]:
    """Return links to the stories most read; the first is a short link, which redirects."""
    first, *others = context.most_read(edition)
    return [f'<a href="{short_path(first)}">{escape(first.headline)}</a>', *(link_to(story) for story in others)]


def odd_links(edition: Edition, anchor: datetime) -> list[str]:
    """Return links to a missing page with status 200 and to one with 404, as every portal has them."""
    odd = {
        "en": (f"/en/politics/{anchor:%Y}/{anchor:%m}/the-story-we-withdrew.html", "Editor’s note"),
        "de": ("/de/wirtschaft/archiv-a9999", "Archiv"),
    }.get(edition.code)
    return [f'<a href="{odd[0]}">{odd[1]}</a>'] if odd else []


def byline(story: Story) -> str:
    """Return the byline; empty if only initials or a meta element name the author."""
    if story.byline in {"initials", "meta"}:
        return ""
    name = escape(story.author)
    if story.byline == "link":
        name = f'<a rel="author" href="{author_path(story.edition.code, story.author)}">{name}</a>'
    return name


def tools(story: Story) -> str:
    """Return links for sharing and printing."""
    words = story.edition.words
    shared = attribute(tracked(article_path(story), "share=network"))
    links = [f'<a rel="nofollow" href="{shared}">{escape(words["share"])}</a>']
    printed = print_path(story)
    if printed:
        links.append(f'<a rel="nofollow" href="{printed}">{escape(words["print"])}</a>')
    return " ".join(links)


def time_element(story: Story, shown: str, css_class: str) -> str:
    """Return the date in the markup of the story's form."""
    if story.date_form == "time":
        return f'<time datetime="{story.published_at.isoformat()}">{escape(shown)}</time>'
    if story.date_form == "time without offset":
        return f'<time datetime="{story.published_at:%Y-%m-%d %H:%M}">{escape(shown)}</time>'
    return f'<span class="{css_class}">{escape(shown)}</span>'


def part_links(story: Story, part: int) -> str:
    """Return the pagination of an article of several pages."""
    if len(story.parts) == 1:
        return ""
    label = escape(story.edition.words["page"])
    links = [
        f"<b>{number}</b>" if number == part else f'<a href="{attribute(part_path(story, number))}">{number}</a>'
        for number in range(1, len(story.parts) + 1)
    ]
    return f"{label} {' '.join(links)}"
