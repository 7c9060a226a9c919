"""The kinds of page that a link can lead to, and the interface of link classifiers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol


class UrlKind(StrEnum):
    """The kind of a page for a crawl."""

    #: One piece of text: news, opinion, recipe, guide, test, review.
    ARTICLE = "article"
    #: The front page, a section, region or topic, an archive: it leads to articles.
    SECTION = "section"
    #: Everything else of the portal; the verdict's `why` says what.
    OTHER = "other"
    #: Outside the portal.
    EXTERNAL = "external"


class PageLink(NamedTuple):
    """A link as it was found on a page."""

    #: Absolute.
    href: str
    #: The page that links to it.
    page_url: str = ""
    #: Its text, or the title or alternative text of its picture.
    anchor: str = ""
    #: The nearest landmark (`nav`, `main`, `footer`, `menu`, ...); empty where unknown.
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlVerdict:
    """The kind of a link, judged before anything is fetched."""

    label: UrlKind
    #: 0 to 1: confidence of the label.
    score: float
    #: For other: a word (tag, author, login, ...); else the evidence, in short.
    why: str = ""
    #: 0 to 1: how likely the link is an article, whatever the label; orders the frontier.
    article_score: float = 0.0


class Classifier(Protocol):
    """Judges the kind of a page by a link to it."""

    def __call__(self, link: PageLink, /) -> UrlVerdict:
        """Return the verdict on a link; pure, and never raises."""
        ...
