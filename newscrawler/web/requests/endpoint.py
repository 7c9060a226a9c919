"""Routes of pages: identify the user, check permissions and forged forms, and report errors."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from newscrawler.errors import StoreError
from newscrawler.store import limited_queries
from newscrawler.store.web import Role
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.forms import Form, read_form
from newscrawler.web.requests.identity import (
    COOKIE,
    KNOWN_COOKIE,
    AccessKind,
    Identity,
    derive_form_token,
    find_address,
    identify,
    is_forged,
    is_secure,
    make_secret,
)
from newscrawler.web.requests.problems import FAILURES, RequestProblem, explain_failure
from newscrawler.web.requests.visit import Visit

#: It raises RequestProblem, ConfigError or PageError for a request that it refuses, which becomes a page.
Handler = Callable[[Visit], Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: its path, its handlers, and who may use them."""

    path: str
    show: Handler
    #: Role that may see it; None: everybody, logged in or not.
    role: Role | None = Role.READER
    #: Handler of changes; None where the page changes nothing.
    change: Handler | None = None
    #: Role that may make changes.
    change_role: Role | None = None
    #: Whether it shows the results of a user's query, which may cost much.
    is_query: bool = False


def make_route(page: Page, context: WebContext) -> Route:
    """Return the route of a page."""

    async def endpoint(request: Request) -> Response:
        return await _answer_request(request, page, context)

    return Route(page.path, endpoint, methods=["GET", "POST"] if page.change else ["GET"])


async def _answer_request(request: Request, page: Page, context: WebContext) -> Response:
    visit: Visit | None = None
    fresh = None if request.cookies.get(COOKIE) else make_secret()
    try:
        if "\0" in request.scope["path"] or "%00" in request.url.query:  # databases cannot store it in text
            raise RequestProblem(400, "The address contains a null character.")
        identity = await run_in_threadpool(identify, request, context)
        if identity is not None and identity.access is AccessKind.TOKEN:
            identity = None  # tokens are for the API
        form = await read_form(request) if request.method == "POST" else Form()
        visit = _make_visit(request, context, identity, form, fresh or request.cookies[COOKIE])
        handler = _find_handler(visit, page, request)
        with limited_queries() if page.is_query and not visit.is_post else nullcontext():
            response = await run_in_threadpool(handler, visit)
    except FAILURES as error:
        problem = explain_failure(error)
        if visit is None:
            response = await show_problem(request, context, problem)
        else:
            response = visit.page("problem.html", status=problem.status, headers=problem.headers, problem=problem)
    if fresh is not None and "set-cookie" not in response.headers:
        set_cookie(response, fresh, secure=is_secure(request, context))
    return response


async def show_problem(request: Request, context: WebContext, problem: RequestProblem) -> Response:
    """Return the page of a problem outside of any page."""
    try:
        identity = await run_in_threadpool(identify, request, context)
    except StoreError:
        identity = None
    visit = _make_visit(request, context, identity, Form(), request.cookies.get(COOKIE) or make_secret())
    return visit.page("problem.html", status=problem.status, headers=problem.headers, problem=problem)


def _make_visit(request: Request, context: WebContext, identity: Identity | None, form: Form, secret: str) -> Visit:
    return Visit(
        context=context,
        identity=identity,
        path=request.url.path,
        arguments=request.path_params,
        query=request.query_params,
        form=form,
        form_token=derive_form_token(secret),
        secret=secret,
        known_browser=request.cookies.get(KNOWN_COOKIE, ""),
        address=find_address(request, context),
        secure=is_secure(request, context),
        now=context.now(),
        method=request.method,
    )


def _find_handler(visit: Visit, page: Page, request: Request) -> Handler:
    """Return the handler of the request.

    Raises:
        RequestProblem: the user lacks permission, or the request was forged.
    """
    role = (page.change_role or page.role) if visit.is_post else page.role
    if role is not None and visit.identity is None:
        return _redirect_to_login
    if role is not None and not visit.may(role):
        raise RequestProblem(403, f"This needs the role {role}; {visit.user.name} has the role {visit.user.role}.")
    if not visit.is_post:
        return page.show
    if is_forged(request, visit.context, visit.form.text("csrf")):
        raise RequestProblem(
            403, "The form is out of date, or was sent by another site. Open the page again and send it once more."
        )
    assert page.change is not None
    return page.change


def _redirect_to_login(visit: Visit) -> Response:
    """Redirect to the login, which leads back to the page."""
    if visit.context.user_header is not None:
        raise RequestProblem(401, "The proxy in front of this application does not say who you are.")
    if visit.is_post:
        raise RequestProblem(401, "You are not logged in, or no longer. Log in, then send the form once more.")
    behind = f"{visit.path}?{visit.query}" if visit.query else visit.path
    return RedirectResponse(f"/login?{urlencode({'next': behind})}", status_code=303)


def set_cookie(response: Response, value: str, *, secure: bool, name: str = COOKIE, seconds: int | None = None) -> None:
    """Set a cookie, which scripts cannot read and forms of other sites do not send; without `seconds` until the browser ends."""
    response.set_cookie(name, value, max_age=seconds, httponly=True, samesite="lax", secure=secure, path="/")
