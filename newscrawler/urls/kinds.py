"""The kinds of page that a link can lead to, and what a classifier of links is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol


class UrlKind(StrEnum):
    """What a page is for a crawl."""

    #: One piece of text: news, opinion, recipe, guide, test, review.
    ARTICLE = "article"
    #: The front page, a section, region or topic, an archive: it leads to articles.
    SECTION = "section"
    #: Everything else of the portal; the verdict's `why` says what.
    OTHER = "other"
    #: Not of this portal.
    EXTERNAL = "external"


class Link(NamedTuple):
    """A link as it was found; a page has a hundred of them."""

    #: Absolute.
    href: str
    #: The page that links to it.
    page_url: str = ""
    #: Its text, or the title or alternative text of its picture.
    anchor: str = ""
    #: The nearest landmark (`nav`, `main`, `footer`, `menu`, ...); empty where unknown.
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a link is taken for, before anything was fetched."""

    label: UrlKind
    #: 0 to 1: how sure the label is.
    score: float
    #: For other: a word (tag, author, login, ...); else the evidence, in short.
    why: str = ""
    #: 0 to 1: how likely the link is an article, whatever the label; orders the frontier.
    article_score: float = 0.0


class Classifier(Protocol):
    """Tells the kind of page from a link alone."""

    def __call__(self, link: Link, /) -> Verdict:
        """Judge a link; pure, and never raises."""
        ...
