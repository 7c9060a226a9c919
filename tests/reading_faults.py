"""How many stories of a portal of scripts a crawl has read without a fault, and in which ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crawling import articles
from script_portals import STORIES, Stories, Story

from newscrawler.store import open_store
from newscrawler.store.articles import StoredArticle


def is_perfect(stored: StoredArticle, story: Story) -> bool:
    article = stored.article
    return (
        article.title == story.title
        and [paragraph.text for paragraph in article.paragraphs] == story.paragraphs
        and article.authors == (story.author,)
        and article.published_at is not None
        and article.published_at.isoformat()[:10] == story.published[:10]
    )


def perfect(folder: Path, stories: Stories = STORIES) -> int:
    """Return how many stories were read without a fault."""
    found = {stored.article.title: stored for stored in articles(folder)}
    assert len(found) <= len(stories)
    return sum(story.title in found and is_perfect(found[story.title], story) for story in stories)


def learned(folder: Path) -> dict[str, Any]:
    with open_store(f"sqlite:///{folder}/newscrawler.sqlite", create=False) as store:
        (name,) = [run.portal for run in store.runs.latest()]
        ways: dict[str, Any] = store.patterns.learned_of(name)["ways"]
        return ways
