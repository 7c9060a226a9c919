"""What a block-detection method is, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lxml import etree

from newscrawler.article import Paragraph
from newscrawler.page import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The body that a method found on a page."""

    #: In reading order; the lead, where there is one, comes first.
    paragraphs: tuple[Paragraph, ...]
    #: None where the method does not look for it: the metadata room decides.
    headline: str | None = None
    lead: str | None = None
    #: 0 to 1.
    confidence: float = 0.5
    #: The element of the headline, where the method knows it.
    headline_element: etree._Element | None = None
    #: The elements that the text was taken from, in page order; dates and authors are looked for around them.
    elements: tuple[etree._Element, ...] = ()

    @property
    def text(self) -> str:
        """Paragraphs parted by line breaks."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


class PageMethod(Protocol):
    """Finds the body of a page by looking at that page alone; None: no article here."""

    def __call__(self, page: Document, /) -> Body | None:
        """Find the body of a page, which is left untouched."""
        ...


class SiteMethod(Protocol):
    """Learns from several pages of one site how to read the others."""

    def learn(self, pages: Sequence[Document], /) -> PageMethod:
        """Learn a template from pages of one site."""
        ...
