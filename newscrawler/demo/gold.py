"""What the portal published, as a crawl ought to bring it home."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Shown(StrEnum):
    """How exactly the page shows when the article was published."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedArticle:
    """One article of the portal."""

    #: The address that the portal declares canonical.
    url: str
    title: str
    #: Empty where the page shows none.
    lead: str
    #: What must be in the body, the lead apart: paragraphs and list items, in reading order, over all pages of the article.
    paragraphs: tuple[str, ...]
    #: What may be in the body: subheadings, pull quotes, table rows, the agency's initials.
    optional: tuple[str, ...]
    #: What must not be in the body: captions, advertisements, comments, headlines of other articles ...
    pollution: tuple[str, ...]
    published_at: datetime
    shown: Shown
    #: Empty where the page names nobody.
    authors: tuple[str, ...]
    section: str
    language: str
    #: Further addresses of the same article: later pages, print version, short link.
    also_at: tuple[str, ...] = ()
