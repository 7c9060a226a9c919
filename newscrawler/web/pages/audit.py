"""The audit log: who changed what, and when."""

from __future__ import annotations

from starlette.responses import Response

from newscrawler.store.web import Role
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.visit import Visit

_MOST_ENTRIES = 100


def show_audit_log(visit: Visit) -> Response:
    """List the entries, newest first."""
    before = visit.number("before", 0)
    entries = visit.store.audit.entries(before_id=before or None, limit=_MOST_ENTRIES + 1)
    return visit.page(
        "audit.html",
        entries=entries[:_MOST_ENTRIES],
        next_before=entries[_MOST_ENTRIES - 1].id if len(entries) > _MOST_ENTRIES else None,
    )


PAGES = (Page(path="/audit", show=show_audit_log, role=Role.OPERATOR),)
