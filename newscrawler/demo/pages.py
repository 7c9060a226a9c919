"""The pages of the portal: Jinja templates (layouts/*.html), what they call, and which stories a page links to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from newscrawler.demo import address
from newscrawler.demo.story import LANGUAGES, Edition, Story, StoryBlock, load_edition

LAYOUTS = ("classic", "modern")


@dataclass(frozen=True, kw_only=True)
class Context:
    """The rest of the portal, from which a page takes its links; `portal` in the templates."""

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

    def load_template(self, name: str) -> Any:
        """Return a template with the portal; its macros are functions that return pages."""
        return _make_environment().get_template(name).make_module({"portal": self})


def get_editions() -> list[Edition]:
    """Return all editions in the order of the menu."""
    return [load_edition(code) for code in LANGUAGES]


@cache
def _make_environment() -> Environment:
    created = Environment(loader=FunctionLoader(_read_template), autoescape=True, undefined=StrictUndefined)
    created.globals |= {
        "add_tracking": add_tracking, "article_path": address.get_article_path, "author_path": address.get_author_path,
        "format_date": format_date, "format_datetime": format_datetime, "format_day_of_issue": format_day_of_issue,
        "format_update": format_update, "format_worded_date": format_worded_date, "get_editions": get_editions,
        "json_ld": write_json_ld, "list_printed_blocks": list_printed_blocks, "part_path": address.get_part_path,
        "print_path": address.print_path, "section_path": address.get_section_path, "short_path": address.get_short_path,
        "tag_path": address.get_tag_path,
    }  # fmt: skip
    return created


def _read_template(name: str) -> str:
    """Return a template without its line breaks and indentation, which are for its reader."""
    return re.sub(r"\n\s*", "", files("newscrawler.demo").joinpath("layouts", name).read_text("utf-8"))


def write_json_ld(story: Story, context: Context) -> str:
    """Return what a page says of its article to search engines."""
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.headline,
        "mainEntityOfPage": context.base_url + address.get_article_path(story),
        "publisher": {"@type": "Organization", "name": story.edition.site},
    }
    if story.date_form == "json-ld":
        data["datePublished"] = story.published_at.isoformat()
        if story.modified_at:
            data["dateModified"] = story.modified_at.isoformat()
    if story.byline == "json-ld":
        data["author"] = [{"@type": "Person", "name": story.author}]
    return json.dumps(data, ensure_ascii=False)


def list_printed_blocks(story: Story) -> list[tuple[int, StoryBlock]]:
    """Return the blocks of the print version with their numbers: the text alone."""
    kinds = {"paragraph", "question", "heading", "list", "table"}
    return [(number, block) for number, block in enumerate(story.blocks) if block.kind in kinds]


def add_tracking(path: str, query: str) -> str:
    """Return another address of the same page, with tracking parameters."""
    return f"{path}{'&' if '?' in path else '?'}{query}"


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
