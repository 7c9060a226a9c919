"""Everything about an article but its text and its dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from newscrawler.extraction.body.headline import headline_of
from newscrawler.extraction.metadata.authors import find_authors
from newscrawler.extraction.metadata.descriptions import find_canonical, find_description, find_keywords, find_picture
from newscrawler.extraction.metadata.genre import find_free_access, find_genre
from newscrawler.extraction.metadata.language import choose_language
from newscrawler.extraction.metadata.section import find_section
from newscrawler.page import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Everything about an article but its text and its dates."""

    headline: str | None = None
    #: How the page's head words it, where that is otherwise.
    headline_declared: str | None = None
    description: str | None = None
    authors: tuple[str, ...] = ()
    #: Which evidence names the first of them, and the probability that each of them wrote the article.
    authors_source: str | None = None
    authors_confidence: float = 0.0
    section: str | None = None
    #: Which evidence gave it.
    section_source: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    image_url: str | None = None
    genre: str = "news"
    free: bool | None = None
    #: What the body is written in, where that is not what the page declares or the configuration says.
    language_detected: str | None = None


def find_metadata(
    page: Document,
    *,
    language: str | None = None,
    body_text: str = "",
    headline: str | None = None,
    body_elements: Sequence[etree._Element] = (),
) -> Metadata:
    """Collect the metadata of one page.

    Args:
        page: the page.
        language: the portal's, where it is configured; goes before what the page declares and the body shows.
        body_text: the article's text; the language is detected in it.
        headline: as the body detector found it.
        body_elements: the elements of the body.
    """
    spoken, other = choose_language(language, page.declared_language, body_text)
    section, section_source = find_section(page)
    found = page.view(headline_of)
    authors = find_authors(page, body_elements)
    return Metadata(
        headline=headline or (found.text if found is not None else None),
        headline_declared=found.declared if found is not None else None,
        description=find_description(page),
        authors=authors.names,
        authors_source=authors.source,
        authors_confidence=authors.confidence,
        section=section,
        section_source=section_source,
        keywords=find_keywords(page),
        language=spoken,
        canonical_url=find_canonical(page),
        image_url=find_picture(page),
        genre=find_genre(page, headline, section),
        free=find_free_access(page, body_elements),
        language_detected=other,
    )
