"""The effect of a correction: what the portal's template, learned again with it, would change on other kept pages."""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import Response

from newscrawler.corpus.templates import candidate
from newscrawler.corpus.templates.trial import kept_documents, try_template
from newscrawler.errors import ConfigError
from newscrawler.extraction import build_portal_options
from newscrawler.extraction.templates import PortalTemplate
from newscrawler.store.vocabularies import TemplateState
from newscrawler.store.web import Role
from newscrawler.web.pages.explained import find_settings, read_template
from newscrawler.web.pages.judging import find_judged_article
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.visit import Visit

#: More pages would take too long for a request; the next crawl learns from all of them.
LEARNED_FROM, TRIED = 12, 12


def show_effect(visit: Visit) -> Response:
    """Try the template learned with the corrections on the newest kept pages, without storing anything."""
    stored, _ = find_judged_article(visit)
    portal = stored.article.portal or ""
    try:
        learned = _learn_template(visit, portal)
    except ConfigError as error:
        return visit.page("effect.html", stored=stored, trial=None, refusal=str(error))
    now = build_portal_options(find_settings(visit.context.configuration, portal))
    used = visit.store.templates.in_use(portal)
    if used is not None:
        now = replace(now, template=read_template(used.document))
    pages = kept_documents(visit.store, visit.context.configuration.pages_folder, portal, TRIED)
    trial = try_template(pages, replace(now, template=learned), now)
    return visit.page("effect.html", stored=stored, trial=trial, refusal="")


def accept_template(visit: Visit) -> Response:
    """Take the template into use as a new version."""
    stored, _ = find_judged_article(visit)
    portal = stored.article.portal or ""
    note = f"learned with corrections, accepted by {visit.user.name}"
    document = _learn_template(visit, portal).to_json()
    added = visit.store.templates.add(portal, document, origin="by hand", state=TemplateState.IN_USE, note=note, now=visit.now)
    visit.note("template taken into use", portal, f"version {added.version}, after the correction of article {stored.id}")
    return visit.go(f"/review/{stored.id}?{visit.query}")


def _learn_template(visit: Visit, portal: str) -> PortalTemplate:
    reading = build_portal_options(find_settings(visit.context.configuration, portal))
    return candidate(visit.store, visit.context.configuration.pages_folder, reading, most=LEARNED_FROM, now=visit.now)


PAGES = (
    Page(path="/review/{number}/effect", show=show_effect, role=Role.REVIEWER, change=accept_template, change_role=Role.OPERATOR),
)
