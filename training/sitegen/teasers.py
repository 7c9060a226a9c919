"""Teasers: how a listing shows its articles."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from training.sitegen.site import Site
from training.sitegen.texts import Story


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
