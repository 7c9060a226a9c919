"""How a kept page is read now, with the portal's configuration and template."""

from __future__ import annotations

from enum import StrEnum

from newscrawler.config import Configuration, find_settings
from newscrawler.errors import PageError
from newscrawler.extraction.explain import Explanation, explain_page, render_html, render_saved_page
from newscrawler.page import Document
from newscrawler.plugins import page_method_name
from newscrawler.store import Store
from newscrawler.store.archive import StoredPage, read_page


def read_document(configuration: Configuration, page: StoredPage) -> Document:
    """Return a kept page.

    Raises:
        PageError: the page is missing or damaged.
    """
    return read_page(configuration.pages_folder, page.kept).parse()


def explain_kept_page(store: Store, configuration: Configuration, page: StoredPage) -> Explanation:
    """Return how a kept page is read now, and why.

    Raises:
        PageError: the page is missing or damaged.
    """
    portal = find_settings(configuration, page.portal)
    used = store.templates.in_use(page.portal) if page_method_name(portal.method) == "default" else None
    return explain_page(
        read_document(configuration, page), method=page_method_name(portal.method), template=used.read() if used else None,
        language=portal.language, time_zone=portal.time_zone, ignore_authors=portal.ignore_authors,
        fetched_at=page.kept.fetched_at,
    )  # fmt: skip


class PageView(StrEnum):
    """A way to show a kept page."""

    #: In its own style, its parts in colour.
    MARKED = "marked"
    #: In its own style.
    PLAIN = "plain"
    #: Without its style, with the class, the probability and the reasons of each block.
    EXPLAINED = "explained"


def render_kept_page(store: Store, configuration: Configuration, page: StoredPage, view: PageView) -> str:
    """Return a kept page, which runs nothing and loads nothing.

    Raises:
        PageError: it is gone or damaged.
    """
    if view is PageView.PLAIN:
        return render_saved_page(read_document(configuration, page))
    explanation = explain_kept_page(store, configuration, page)
    return render_html(explanation) if view is PageView.EXPLAINED else render_saved_page(explanation.page, explanation)


def is_kept(configuration: Configuration, page: StoredPage | None) -> bool:
    """Return whether a page can still be read."""
    try:
        return page is not None and bool(read_page(configuration.pages_folder, page.kept))
    except PageError:
        return False
