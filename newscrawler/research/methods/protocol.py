"""The interfaces of block-detection methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from newscrawler.article import Body
from newscrawler.page import Document


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
