"""One request of a user, as the pages see it, jobs that it adds for the service, and the main menu."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, RedirectResponse, Response

from newscrawler import __version__
from newscrawler.corpus import BESIDE
from newscrawler.errors import StoreError
from newscrawler.limits import JOBS_OF_A_USER
from newscrawler.store import Store
from newscrawler.store.service import Job, JobKind
from newscrawler.store.web import Role
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.forms import Form, parse_whole_number
from newscrawler.web.requests.identity import AccessKind, Identity
from newscrawler.web.requests.problems import RequestProblem, report_missing

#: Pages that belong to another entry of the menu.
_ALSO = {"/portals": ("/add-portal",), "/crawls": ("/runs/", "/jobs")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry."""

    path: str
    name: str
    icon: str
    #: Its place among the groups, and the name of the group.
    group: str
    #: Role that sees it.
    role: Role = Role.READER

    @property
    def is_published(self) -> bool:
        """Return whether it belongs to a static copy, too."""
        return self.path in {"/", "/articles", "/explore", "/releases"}

    def is_current(self, path: str) -> bool:
        """Return whether a page belongs to the entry."""
        parts = (path == self.path, self.path != "/" and path.startswith(f"{self.path}/"))
        return any(parts) or path.startswith(_ALSO.get(self.path, ()))


MENU = (
    Entry(path="/", name="Overview", icon="overview", group="0"),
    Entry(path="/articles", name="Articles", icon="articles", group="1 Corpus"),
    Entry(path="/explore", name="Explore", icon="explore", group="1 Corpus"),
    Entry(path="/review", name="Review", icon="review", group="1 Corpus"),
    Entry(path="/releases", name="Releases", icon="releases", group="1 Corpus"),
    Entry(path="/portals", name="Portals", icon="portals", group="2 Crawling"),
    Entry(path="/crawls", name="Crawls", icon="crawls", group="2 Crawling"),
    Entry(path="/alerts", name="Alerts", icon="alerts", group="2 Crawling"),
    Entry(path="/service", name="Service", icon="service", group="3 System"),
    Entry(path="/settings", name="Settings", icon="settings", group="3 System", role=Role.OPERATOR),
    Entry(path="/audit", name="Audit log", icon="audit", group="3 System", role=Role.OPERATOR),
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

    def localize(self, value: datetime, portal: str = "") -> datetime:
        """Return a time on the clock of a portal, or else of the service."""
        configuration = self.context.configuration
        known = next((each.time_zone for each in configuration.portals if each.name == portal), "UTC" if portal else "")
        if known == "UTC" and value.utcoffset():  # the clock of the page says more
            return value
        return value.astimezone(ZoneInfo(known) if known else configuration.service.zone)

    def number(self, name: str, missing: int | None = None) -> int:
        """Return a value of the query as a whole number.

        Raises:
            RequestProblem: it is not a whole number.
        """
        return parse_whole_number(self.query.get(name, ""), name, missing)

    def note(self, action: str, subject: str, detail: str = "") -> None:
        """Append an entry to the audit log."""
        who = self.identity.name if self.identity else self.address
        self.store.audit.note(who=who, action=action, subject=subject, detail=detail, now=self.now)

    def request_job(self, kind: JobKind, target: str, parameters: Mapping[str, Any] | None = None) -> Response:
        """Add a job for the service, and return a redirect to the page of jobs.

        Raises:
            RequestProblem: no service runs.
        """
        add_job(self.context, kind, target, who=self.user.name, now=self.now, parameters=parameters)
        return self.go("/jobs")

    def page(self, template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any) -> Response:
        """Return a page."""
        is_static = self.context.is_static
        if "badges" not in values or is_static:
            values["badges"] = self._count_badges() if self.identity and not is_static else {}
        shown = self.context.templates.get_template(template).render(
            visit=self,
            menu=[entry for entry in MENU if self.may(entry.role) and (not is_static or entry.is_published)],
            static=is_static,
            csrf=self.form_token,
            can_log_out=self.identity is not None and self.identity.access is AccessKind.SESSION,
            version=__version__,
            **values,
        )
        return HTMLResponse(shown.encode("utf-8", "replace"), status_code=status, headers=dict(headers or {}))

    def _count_badges(self) -> dict[str, int]:
        """Return the numbers of open alerts and of live crawls; none while the database is away."""
        try:
            return {"/alerts": len(self.store.service.open_alerts()), "/crawls": len(self.store.runs.live(now=self.now))}
        except StoreError:
            return {}

    def go(self, path: str) -> Response:
        """Return a redirect to a page of ours, after a change."""
        return RedirectResponse(path if is_own_path(path) else "/", status_code=303)


def is_own_path(path: str) -> bool:
    """Return whether this is a path of ours, and not one that a browser would resolve to another site."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path


def add_job(
    context: WebContext, kind: JobKind, target: str, *, who: str, now: datetime, parameters: Mapping[str, Any] | None = None
) -> Job:
    """Add a job, and record it in the audit log.

    Raises:
        RequestProblem: no service runs, or too many jobs of the user wait.
    """
    store, service = context.store, context.store.service.service(now=now)
    if not context.runs_jobs.is_set() and (service is None or not service.alive):
        raise RequestProblem(409, "The service is stopped, so nothing can carry this out. Start it with `newscrawler run`.")
    if kind not in {JobKind.CRAWL, JobKind.STOP} and sum(job.asked_by == who for job in store.jobs.open()) >= JOBS_OF_A_USER:
        raise RequestProblem(429, f"{JOBS_OF_A_USER} jobs of yours wait or run. Add another when one has ended.")
    job = store.jobs.ask(kind, target, who=who, now=now, parameters=parameters)
    store.audit.note(who=who, action=f"{kind} asked for", subject=target, detail=f"job {job.id}", now=now)
    return job


#: Jobs that write a file to download.
JOBS_WITH_FILE = (JobKind.COUNT, JobKind.SELECTION, JobKind.REEXTRACT, JobKind.DIFF)


def find_job_file(context: WebContext, number: int, *, recipe: bool = False) -> Path:
    """Return the file that a job wrote, or its recipe.

    Raises:
        RequestProblem: there is none, or an article was withdrawn since.
    """
    job = context.store.jobs.get(number)
    path = Path(job.path + (BESIDE if recipe else "")) if job is not None and job.path else None
    if job is None or job.kind not in JOBS_WITH_FILE or path is None or not path.is_file():
        raise report_missing(f"file of job {number}")
    if context.store.articles.are_reserved_since(job.began_at or job.planned_at, context.reserved):
        raise RequestProblem(451, f"Publishers withdrew articles since job {number} wrote its file. Ask for it again.")
    return path
