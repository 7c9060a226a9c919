"""The template that a portal is read with; of a published method, if its configuration names one, learned from its kept pages."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from newscrawler.config import Portal
from newscrawler.corpus.templates.repair import article_pages, documents_of
from newscrawler.corpus.templates.sampling import PageChoice, choose_pages
from newscrawler.errors import ConfigError
from newscrawler.extraction.templates import PortalTemplate, SiteTemplate, write_template
from newscrawler.plugins import find_site_method, get_site_method_name, is_site_method
from newscrawler.store import Store
from newscrawler.store.archive import PagesFolder
from newscrawler.store.vocabularies import TemplateState

logger = logging.getLogger(__name__)


def find_template(store: Store, portal: Portal) -> PortalTemplate | SiteTemplate | None:
    """Return the template in use; None: there is none, the portal does not learn, or its method cannot read with the one stored."""
    has_site_method = is_site_method(portal.method)
    stored = store.templates.in_use(portal.name) if has_site_method or portal.learn else None
    if stored is None:
        return None
    because = f"it is not a template of the portal's method, {portal.method}"
    try:
        template = stored.read()
        if isinstance(template, SiteTemplate) is has_site_method:
            return template
    except ConfigError as error:
        because = str(error)
    logger.warning("%s: template %d cannot be used, pages are read one by one: %s", portal.name, stored.version, because)
    return None


def learn_site_template(
    store: Store,
    folder: PagesFolder,
    portal: str,
    method: str,
    *,
    now: datetime,
    share: float = 0.2,
    choice: PageChoice = PageChoice.EVENLY,
) -> str:
    """Learn a template from a share of a portal's kept articles and take it into use; return the result as a sentence.

    Raises:
        ConfigError: too few pages are kept.
    """
    learner: Any = find_site_method(method)
    kept = sorted(article_pages(store, portal), key=lambda page: page.kept.fetched_at)
    chosen = choose_pages(
        kept, share=share, least=learner.least_pages, choice=choice, parse=lambda page: next(documents_of(folder, [page]), None)
    )
    template = learner.learn(list(documents_of(folder, chosen)))
    note = f"{method} learned from {len(chosen)} of {len(kept)} kept articles"
    stored = store.templates.add(portal, write_template(template), origin="learned", state=TemplateState.IN_USE, note=note, now=now)
    return f"version {stored.version} is in use: {note}"


def learn_if_missing(store: Store, folder: PagesFolder, portal: str, method: str, *, now: datetime) -> str:
    """Learn a template if none of the method is in use; return the action as a sentence, empty if there was none."""
    used = store.templates.in_use(portal)
    try:
        if used is not None and _is_of(used.read(), method):
            return ""
    except ConfigError as error:
        logger.warning("%s: %s", portal, error)
    try:
        return learn_site_template(store, folder, portal, method, now=now)
    except ConfigError as error:
        return str(error)


def _is_of(template: PortalTemplate | SiteTemplate, method: str) -> bool:
    """Return whether a template is of a site method, and has the parameters if some are written behind its name."""
    if not isinstance(template, SiteTemplate):
        return False
    return template.method == find_site_method(method) if "[" in method else get_site_method_name(template.method) == method
