"""One request of a user, as the pages see it, jobs that it adds for the service, and the main menu."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, RedirectResponse, Response

from newscrawler import __version__
from newscrawler.store import Store
from newscrawler.store.service import Job, JobKind
from newscrawler.store.web import Role
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.forms import Form, parse_whole_number
from newscrawler.web.requests.identity import AccessKind, Identity
from newscrawler.web.requests.problems import RequestProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry."""

    path: str
    name: str
    #: Role that sees it.
    role: Role = Role.READER

    def is_current(self, path: str) -> bool:
        """Return whether a page belongs to the entry."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))


MENU = (
    Entry(path="/", name="Overview"),
    Entry(path="/articles", name="Articles"),
    Entry(path="/explore", name="Explore"),
    Entry(path="/releases", name="Releases"),
    Entry(path="/review", name="Review"),
    Entry(path="/alerts", name="Alerts"),
    Entry(path="/service", name="Service"),
    Entry(path="/jobs", name="Jobs"),
    Entry(path="/settings", name="Settings", role=Role.OPERATOR),
    Entry(path="/audit", name="Audit log", role=Role.OPERATOR),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request: the user, the request and its context."""

    context: WebContext
    #: None if unknown; then only public pages are shown.
    identity: Identity | None
    path: str
    arguments: Mapping[str, Any]
    query: QueryParams
    form: Form
    #: Token that a form of this page must send back.
    form_token: str
    #: The token of the session, if there is one.
    secret: str | None
    #: The mark that the browser was given when somebody logged in with it; "": none.
    known_browser: str
    #: The address of the client.
    address: str
    #: Whether the browser uses HTTPS.
    secure: bool
    now: datetime
    method: str

    @property
    def store(self) -> Store:
        """The database."""
        return self.context.store

    @property
    def user(self) -> Identity:
        """Return the user, on pages that require one."""
        assert self.identity is not None
        return self.identity

    @property
    def is_post(self) -> bool:
        """Return whether the request makes a change."""
        return self.method == "POST"

    def may(self, role: Role) -> bool:
        """Return whether the user has this role or a higher one."""
        return self.identity is not None and self.identity.role.includes(role)

    def number(self, name: str, missing: int | None = None) -> int:
        """Return a value of the query as a whole number.

        Raises:
            RequestProblem: it is not a whole number.
        """
        text = self.query.get(name, "")
        return missing if not text and missing is not None else parse_whole_number(text, name)

    def note(self, action: str, subject: str, detail: str = "") -> None:
        """Append an entry to the audit log."""
        who = self.identity.name if self.identity else self.address
        self.store.audit.note(who=who, action=action, subject=subject, detail=detail, now=self.now)

    def request_job(self, kind: JobKind, target: str, parameters: Mapping[str, Any] | None = None) -> Response:
        """Add a job for the service, and return a redirect to the page of jobs.

        Raises:
            RequestProblem: no service runs.
        """
        add_job(self.store, kind, target, who=self.user.name, now=self.now, parameters=parameters)
        return self.go("/jobs")

    def page(self, template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any) -> Response:
        """Return a page."""
        shown = self.context.templates.get_template(template).render(
            visit=self,
            menu=[entry for entry in MENU if self.may(entry.role)],
            csrf=self.form_token,
            can_log_out=self.identity is not None and self.identity.access is AccessKind.SESSION,
            version=__version__,
            **values,
        )
        return HTMLResponse(shown.encode("utf-8", "replace"), status_code=status, headers=dict(headers or {}))

    def go(self, path: str) -> Response:
        """Return a redirect to a page of ours, after a change."""
        return RedirectResponse(path if is_own_path(path) else "/", status_code=303)


def is_own_path(path: str) -> bool:
    """Return whether this is a path of ours, and not one that a browser would resolve to another site."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path


def add_job(
    store: Store, kind: JobKind, target: str, *, who: str, now: datetime, parameters: Mapping[str, Any] | None = None
) -> Job:
    """Add a job, and record it in the audit log.

    Raises:
        RequestProblem: no service runs.
    """
    service = store.service.service(now=now)
    if service is None or not service.alive:
        raise RequestProblem(409, "No service runs that could carry this out. Start it with `newscrawler run`.")
    job = store.jobs.ask(kind, target, who=who, now=now, parameters=parameters)
    store.audit.note(who=who, action=f"{kind} asked for", subject=target, detail=f"job {job.id}", now=now)
    return job
