"""The portal's published articles, as a crawl should extract them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newscrawler.demo.address import get_article_path, get_part_path, get_short_path, print_path
from newscrawler.demo.pages import Context
from newscrawler.demo.story import Story, StoryBlock


class ShownDate(StrEnum):
    """The precision of the publication time on the page."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedArticle:
    """One article of the portal."""

    #: The address that the portal declares canonical.
    url: str
    title: str
    #: Empty if the page shows none.
    lead: str
    #: What must be in the body, the lead apart: paragraphs and list items, in reading order, over all pages of the article.
    paragraphs: tuple[str, ...]
    #: What may be in the body: subheadings, pull quotes, table rows, the agency's initials.
    optional: tuple[str, ...]
    #: What must not be in the body: captions, advertisements, comments, headlines of other articles ...
    pollution: tuple[str, ...]
    published_at: datetime
    shown: ShownDate
    #: Empty if the page names nobody.
    authors: tuple[str, ...]
    section: str
    language: str
    #: Further addresses of the same article: later pages, print version, short link.
    also_at: tuple[str, ...] = ()


def build_gold(story: Story, context: Context) -> PublishedArticle:
    """Return the expected article of one story."""
    also = [get_part_path(story, part) for part in range(2, len(story.parts) + 1)]
    also += [path for path in (print_path(story), get_short_path(story)) if path]
    named = story.byline != "initials"
    shown = {"hours ago": ShownDate.HOUR, "day": ShownDate.DAY}.get(story.date_form, ShownDate.MINUTE)
    return PublishedArticle(
        url=context.base_url + get_article_path(story),
        title=story.headline,
        lead="" if story.lead_form == "none" else story.lead,
        paragraphs=tuple(_collect_required(story.blocks)),
        optional=tuple(_collect_optional(story)),
        pollution=tuple(dict.fromkeys(_collect_pollution(story, context))),
        published_at=story.published_at,
        shown=shown,
        authors=(story.author,) if named else (),
        section=story.edition.section_name(story.section),
        language=story.edition.code,
        also_at=tuple(context.base_url + path for path in also),
    )


def _collect_required(blocks: Iterable[StoryBlock]) -> Iterable[str]:
    for block in blocks:
        if block.kind in {"paragraph", "question"}:
            yield block.text
        elif block.kind == "list":
            yield from block.items


def _collect_optional(story: Story) -> Iterable[str]:
    for block in story.blocks:
        if block.kind in {"heading", "pull quote"}:
            yield block.text
        for row in block.rows:
            yield " ".join(row)
    if story.byline == "initials":
        yield f"({story.initials})"


def _collect_pollution(story: Story, context: Context) -> Iterable[str]:
    edition = story.edition
    for block in story.blocks:
        if block.kind in {"picture", "ad", "newsletter"}:
            yield block.text
    yield from (other.headline for other in context.beside(story))
    yield from (comment.text for comment in story.comments)
    yield edition.ads[-1]
    if story.byline == "link":
        yield edition.bio
    yield edition.words["cookies"]
    yield edition.words["legal_text"]
