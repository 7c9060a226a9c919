"""HTML that all layouts share: the head of a page, JSON-LD, links and dates, and which stories link to which."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import escape as _escape
from typing import Any

from newscrawler.demo.address import get_article_path, get_author_path, get_part_path, print_path
from newscrawler.demo.story import LANGUAGES, Edition, Story, load_edition


def escape(text: str) -> str:
    """Return text escaped for HTML."""
    return _escape(text, quote=False)


def write_attribute(text: str) -> str:
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

    def select_edition(self, code: str) -> tuple[Story, ...]:
        """Return the stories of one language, newest first."""
        return tuple(story for story in self.stories if story.edition.code == code)

    def read_also(self, story: Story, headlines: Iterable[str]) -> list[Story]:
        """Return the published stories that a box in the text links to."""
        found = (self.by_headline.get((story.edition.code, headline)) for headline in headlines)
        return [other for other in found if other]

    def related(self, story: Story) -> list[Story]:
        """Return three stories of the edition: older before newer ones, those of the same section first."""
        others = [other for other in self.select_edition(story.edition.code) if other is not story]
        return sorted(others, key=lambda other: (other.published_at > story.published_at, other.section != story.section))[:3]

    def most_read(self, edition: Edition) -> list[Story]:
        """Return five stories for the sidebar of every page."""
        return sorted(self.select_edition(edition.code), key=lambda story: (story.number * 7919) % 101)[:5]

    def beside(self, story: Story) -> list[Story]:
        """Return all stories whose headlines the page of this one shows."""
        boxes = [self.read_also(story, block.items) for block in story.blocks if block.kind == "read also"]
        others = [*self.related(story), *self.most_read(story.edition), *(other for box in boxes for other in box)]
        return [other for other in others if other is not story]


def get_editions() -> list[Edition]:
    """Return all editions in the order of the menu."""
    return [load_edition(code) for code in LANGUAGES]


def document(edition: Edition, title: str, body: str, context: Context, *, extra_head: str = "", body_class: str = "") -> str:
    """Return a whole page with the given content of its body."""
    kind = f' class="{body_class}"' if body_class else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{edition.code}" dir="{edition.direction}">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)} | {escape(edition.site)}</title>'
        f'<link rel="stylesheet" href="/assets/{context.layout}.css"><link rel="icon" href="/assets/icon.svg" type="image/svg+xml">'
        f'<link rel="alternate" type="application/rss+xml" title="{write_attribute(edition.site)}" href="/{edition.code}/rss.xml">'
        f"{extra_head}</head>\n<body{kind}>\n{body}\n</body></html>\n"
    )


def _write_json_ld(story: Story, context: Context) -> str:
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.headline,
        "mainEntityOfPage": context.base_url + get_article_path(story),
        "publisher": {"@type": "Organization", "name": story.edition.site},
    }
    if story.date_form == "json-ld":
        data["datePublished"] = story.published_at.isoformat()
        if story.modified_at:
            data["dateModified"] = story.modified_at.isoformat()
    if story.byline == "json-ld":
        data["author"] = [{"@type": "Person", "name": story.author}]
    return f'<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>'


def write_article_head(story: Story, part: int, context: Context) -> str:
    """Return the part of the head that is specific to an article."""
    own = context.base_url + get_part_path(story, part)
    lines = [
        f'<link rel="canonical" href="{write_attribute(own)}">',
        '<meta property="og:type" content="article">',
        f'<meta property="og:title" content="{write_attribute(story.headline)}">',
        f'<meta property="og:url" content="{write_attribute(own)}">',
        f'<meta property="og:image" content="{context.base_url}/img/{story.number}-0.svg">',
        f'<meta property="og:site_name" content="{write_attribute(story.edition.site)}">',
    ]
    if part > 1:
        lines.append(f'<link rel="prev" href="{write_attribute(get_part_path(story, part - 1))}">')
    if part < len(story.parts):
        lines.append(f'<link rel="next" href="{write_attribute(get_part_path(story, part + 1))}">')
    if story.has_description:
        lines.append(f'<meta name="description" content="{write_attribute(story.lead)}">')
    if story.date_form == "meta":
        lines.append(f'<meta property="article:published_time" content="{story.published_at.isoformat()}">')
        if story.modified_at:
            lines.append(f'<meta property="article:modified_time" content="{story.modified_at.isoformat()}">')
    if story.byline == "meta":
        lines.append(f'<meta name="author" content="{write_attribute(story.author)}">')
    if "json-ld" in {story.date_form, story.byline}:
        lines.append(_write_json_ld(story, context))
    return "".join(lines)


def link_to(story: Story, text: str | None = None) -> str:
    """Return a link to an article."""
    return f'<a href="{write_attribute(get_article_path(story))}">{escape(text or story.headline)}</a>'


def add_tracking(path: str, query: str) -> str:
    """Return another address of the same page, with tracking parameters."""
    return f"{path}{'&' if '?' in path else '?'}{query}"


def write_odd_links(edition: Edition, anchor: datetime) -> list[str]:
    """Return links to a missing page with status 200 and to one with 404, as every portal has them."""
    odd = {
        "en": (f"/en/politics/{anchor:%Y}/{anchor:%m}/the-story-we-withdrew.html", "Editor’s note"),
        "de": ("/de/wirtschaft/archiv-a9999", "Archiv"),
    }.get(edition.code)
    return [f'<a href="{odd[0]}">{odd[1]}</a>'] if odd else []


def write_byline(story: Story) -> str:
    """Return the byline; empty if only initials or a meta element name the author."""
    if story.byline in {"initials", "meta"}:
        return ""
    name = escape(story.author)
    if story.byline == "link":
        name = f'<a rel="author" href="{get_author_path(story.edition.code, story.author)}">{name}</a>'
    return name


def write_tools(story: Story) -> str:
    """Return links for sharing and printing."""
    words = story.edition.words
    shared = write_attribute(add_tracking(get_article_path(story), "share=network"))
    links = [f'<a rel="nofollow" href="{shared}">{escape(words["share"])}</a>']
    printed = print_path(story)
    if printed:
        links.append(f'<a rel="nofollow" href="{printed}">{escape(words["print"])}</a>')
    return " ".join(links)


def write_time(story: Story, shown: str) -> str:
    """Return the date in a time element; empty if the story's form of the date has none."""
    if story.date_form not in {"time", "time without offset"}:
        return ""
    machine = story.published_at.isoformat() if story.date_form == "time" else f"{story.published_at:%Y-%m-%d %H:%M}"
    return f'<time datetime="{machine}">{shown}</time>'


def write_part_links(story: Story, part: int) -> str:
    """Return the pagination of an article of several pages."""
    if len(story.parts) == 1:
        return ""
    label = escape(story.edition.words["page"])
    links = [
        f"<b>{number}</b>" if number == part else f'<a href="{write_attribute(get_part_path(story, number))}">{number}</a>'
        for number in range(1, len(story.parts) + 1)
    ]
    return f"{label} {' '.join(links)}"


def format_day(moment: datetime, edition: Edition) -> str:
    """Return a date such as "19. listopadu 2026"."""
    return edition.date.format(day=moment.day, month=edition.months[moment.month - 1], year=moment.year)


def format_worded_date(moment: datetime, edition: Edition) -> str:
    """Return a time such as "19. listopadu 2026, 14:05"."""
    return f"{format_day(moment, edition)}, {moment:%H:%M}"


def format_numeric_date(moment: datetime, edition: Edition) -> str:
    """Return a date as numbers, in the order of the language."""
    separator = "/" if edition.code == "en" else "."
    return f"{moment.day:02}{separator}{moment.month:02}{separator}{moment.year} {moment:%H:%M}"


def format_date(story: Story, anchor: datetime) -> str:
    """Return the date as the page shows it; relative dates count from the anchor."""
    moment, edition = story.published_at, story.edition
    local = anchor.astimezone(moment.tzinfo)
    if story.date_form == "hours ago":
        return edition.hours_ago.format(hours=int((anchor.timestamp() - moment.timestamp()) // 3600))
    if story.date_form == "relative":
        pattern = edition.today if local.date() == moment.date() else edition.yesterday
        return pattern.format(time=f"{moment:%H:%M}")
    if story.date_form == "numeric":
        return format_numeric_date(moment, edition)
    if story.date_form == "day":
        return format_day(moment, edition)
    return format_worded_date(moment, edition)


def format_update(story: Story) -> str:
    """Return the time of the latest change with its label; empty if there was none."""
    if story.modified_at is None:
        return ""
    return f"{story.edition.words['updated']}: {format_worded_date(story.modified_at, story.edition)}"


def format_day_of_issue(anchor: datetime, edition: Edition) -> str:
    """Return the date of today with the name day, which the head of every page shows."""
    text = f"{edition.weekdays[anchor.weekday()]} {format_day(anchor, edition)}"
    if edition.name_days:
        name = edition.name_days[anchor.toordinal() % len(edition.name_days)]
        text += " · " + edition.name_day.format(name=name)
    return text
