"""The audit log: who changed what, and when."""

from __future__ import annotations

from starlette.responses import Response

from newscrawler.store.web import Role
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.visit import Visit

_SHOWN = 100


def show(visit: Visit) -> Response:
    """List the entries, newest first."""
    before = visit.number("before", 0)
    entries = visit.store.audit.entries(before_id=before or None, limit=_SHOWN + 1)
    return visit.page("audit.html", entries=entries[:_SHOWN], next_before=entries[_SHOWN - 1].id if len(entries) > _SHOWN else None)


PAGES = (Page(path="/audit", show=show, role=Role.OPERATOR),)
