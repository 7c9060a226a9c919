"""How a kept page is read now, with the portal's configuration and template."""

from __future__ import annotations

from functools import lru_cache

from newscrawler.config import Configuration, Portal
from newscrawler.errors import PageError
from newscrawler.extraction.explain import Explanation, explain_page, render_html
from newscrawler.extraction.templates import PortalTemplate
from newscrawler.page import Document
from newscrawler.plugins import page_method_name
from newscrawler.store import Store
from newscrawler.store.archive import StoredPage, read_page


def read_document(configuration: Configuration, page: StoredPage) -> Document:
    """Return a kept page.

    Raises:
        PageError: the page is missing or damaged.
    """
    raw = read_page(configuration.pages_folder, page.kept)
    return Document.parse(raw.body, raw.url, content_type=raw.content_type)


def explain_kept_page(store: Store, configuration: Configuration, page: StoredPage) -> Explanation:
    """Return how a kept page is read now, and why.

    Raises:
        PageError: the page is missing or damaged.
    """
    used = store.templates.in_use(page.portal)
    portal = find_settings(configuration, page.portal)
    return explain_page(
        read_document(configuration, page),
        method=page_method_name(portal.method),
        template=read_template(used.document) if used is not None and portal.method == "default" else None,
        language=portal.language,
        time_zone=portal.time_zone,
        fetched_at=page.kept.fetched_at,
    )


def mark_page(store: Store, configuration: Configuration, page: StoredPage) -> str:
    """Return a kept page with its blocks marked by class; it runs nothing and loads nothing.

    Raises:
        PageError: it is gone or damaged.
    """
    return render_html(explain_kept_page(store, configuration, page))


def find_settings(configuration: Configuration, portal: str) -> Portal:
    """Return the settings of a portal, or the defaults where it is not configured."""
    return next(
        (known for known in configuration.portals if known.name == portal), Portal.model_construct(name=portal, start_urls=())
    )


def is_kept(configuration: Configuration, page: StoredPage | None) -> bool:
    """Return whether a page can still be read."""
    try:
        return page is not None and bool(read_page(configuration.pages_folder, page.kept))
    except PageError:
        return False


@lru_cache(maxsize=32)
def read_template(document: str) -> PortalTemplate:
    """Return the template in a template file."""
    return PortalTemplate.from_json(document)
