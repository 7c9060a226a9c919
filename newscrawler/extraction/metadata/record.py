"""Everything about an article but its text and its dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from newscrawler.extraction.body.headline import headline_of
from newscrawler.extraction.metadata.authors import Authors, find_authors
from newscrawler.extraction.metadata.descriptions import find_canonical, find_description, find_keywords, find_picture
from newscrawler.extraction.metadata.genre import find_free_access, find_genre
from newscrawler.extraction.metadata.language import choose_language
from newscrawler.extraction.metadata.section import find_section
from newscrawler.page import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Everything about an article but its text and its dates."""

    headline: str | None = None
    #: Its wording in the head of the page, if that is different.
    headline_declared: str | None = None
    description: str | None = None
    authors: tuple[str, ...] = ()
    #: The evidence for the first of them, and the probability that each of them wrote the article.
    authors_source: str | None = None
    authors_confidence: float = 0.0
    section: str | None = None
    #: The evidence for it.
    section_source: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    image_url: str | None = None
    genre: str = "news"
    free: bool | None = None
    #: Language of the body, if the page or the configuration declares another one.
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
    section, section_source = find_section(page)
    found = page.view(headline_of)
    return build_metadata(
        page,
        headline=headline,
        shown_headline=found.text if found is not None else None,
        declared_headline=found.declared if found is not None else None,
        authors=find_authors(page, body_elements),
        section=section,
        section_source=section_source,
        language=language,
        body_text=body_text,
        walled=body_elements,
    )


def build_metadata(
    page: Document,
    *,
    headline: str | None,
    declared_headline: str | None,
    authors: Authors,
    section: str | None,
    section_source: str | None,
    language: str | None,
    body_text: str,
    walled: Sequence[etree._Element],
    shown_headline: str | None = None,
) -> Metadata:
    """Return the metadata of a page from the fields that are read in several ways, and from the page for all others.

    Args:
        page: the page.
        headline: as the body detector found it.
        declared_headline: as the head of the page words it, if that is different.
        authors: the authors.
        section: the section.
        section_source: the evidence for it.
        language: that of the portal, if it is configured.
        body_text: the text of the article, in which the language is detected.
        walled: the elements of the body, near which a paywall is searched.
        shown_headline: replaces `headline` if the body detector found none.
    """
    spoken, detected = choose_language(language, page.declared_language, body_text)
    return Metadata(
        headline=headline or shown_headline,
        headline_declared=declared_headline,
        description=find_description(page),
        authors=authors.names,
        authors_source=authors.source,
        authors_confidence=authors.confidence,
        section=section,
        section_source=section_source if section else None,
        keywords=find_keywords(page),
        language=spoken,
        canonical_url=find_canonical(page),
        image_url=find_picture(page),
        genre=find_genre(page, headline, section),
        free=find_free_access(page, walled),
        language_detected=detected,
    )
