"""The template of a portal: its versions, their differences, and rollback."""

from __future__ import annotations

import json
from difflib import unified_diff

from starlette.responses import Response

from newscrawler.store.articles import StoredTemplate
from newscrawler.store.web import Role
from newscrawler.web.pages.portal import get_portal_name
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit

#: Lines of a difference that are shown; templates can be long.
_MOST_LINES = 2_000


def show_template(visit: Visit) -> Response:
    """Show a version, and its difference from the previous one."""
    stored = _find_version(visit, parse_whole_number(visit.arguments["version"], "version"))
    against = visit.number("against", stored.version - 1)
    before = visit.store.templates.get(stored.portal, against) if against else None
    difference = list(unified_diff(_list_lines(before), _list_lines(stored), lineterm="", n=2)) if before else []
    return visit.page(
        "template.html",
        stored=stored,
        before=before,
        difference=difference[2 : 2 + _MOST_LINES],
        is_cut=len(difference) > _MOST_LINES,
        text=_list_lines(stored)[:_MOST_LINES] if before is None else [],
        used=visit.store.templates.in_use(stored.portal),
        versions=visit.store.templates.versions(stored.portal),
    )


def use_template(visit: Visit) -> Response:
    """Use a version, or no template."""
    number = parse_whole_number(visit.arguments["version"], "version")
    if number:
        _find_version(visit, number)
    visit.store.templates.go_back(get_portal_name(visit), number or None)
    visit.note(
        "template taken into use" if number else "template withdrawn", get_portal_name(visit), f"version {number}" if number else ""
    )
    return visit.go(f"/portals/{get_portal_name(visit)}")


def _find_version(visit: Visit, number: int) -> StoredTemplate:
    stored = visit.store.templates.get(get_portal_name(visit), number)
    if stored is None:
        raise report_missing(f"version {number} of the template of {get_portal_name(visit)}")
    return stored


def _list_lines(stored: StoredTemplate | None) -> list[str]:
    return json.dumps(json.loads(stored.document), ensure_ascii=False, indent=1).splitlines() if stored else []


PAGES = (Page(path="/portals/{name}/template/{version}", show=show_template, change=use_template, change_role=Role.OPERATOR),)
