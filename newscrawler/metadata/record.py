"""Everything about an article but its text and its dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from newscrawler.metadata.authors import find_authors
from newscrawler.page import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Everything about an article but its text and its dates."""

    headline: str | None = None
    description: str | None = None
    authors: tuple[str, ...] = ()
    section: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    image_url: str | None = None
    genre: str = "news"
    free: bool | None = None


def find_metadata(
    page: Document,
    *,
    language: str | None = None,
    body_text: str = "",
    headline: str | None = None,
    headline_element: etree._Element | None = None,
    body_elements: Sequence[etree._Element] = (),
) -> Metadata:
    """Collect the metadata of one page."""
    return Metadata(
        description=page.first_meta("description", "og:description"),
        authors=find_authors(page, headline_element, body_elements),
        language=language or page.declared_language,
    )
