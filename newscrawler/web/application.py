"""The ASGI application: all routes, and its middleware."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from newscrawler.web.pages import (
    account,
    article,
    articles,
    correction,
    explore,
    overview,
    portal,
    portal_keys,
    releases,
    review,
    run,
    service,
    settings,
    setup,
    template,
)
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.endpoint import Page, make_route, show_problem
from newscrawler.web.requests.forms import MOST_BYTES
from newscrawler.web.requests.headers import SecurityHeaders
from newscrawler.web.requests.identity import is_open
from newscrawler.web.requests.problems import RequestProblem

#: Of pages that match the same path, the first is shown.
_MODULES = (
    overview, setup, portal_keys, template, portal, run, articles, article, explore, releases, review, correction, service,
    settings, account,
)  # fmt: skip
PAGES: Sequence[Page] = [page for module in _MODULES for page in module.PAGES]
_STATIC = Path(__file__).parent / "static"


class _CachedFiles(StaticFiles):
    """Static files. Their addresses contain the version, so browsers may cache them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response


class _Api:
    """The API, loaded with its first request: FastAPI and the models take half a second and 14 MB, which pages do not need."""

    def __init__(self, context: WebContext) -> None:
        self._context = context
        self._loaded: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._loaded is None:
            self._loaded = await run_in_threadpool(self._load)
        await self._loaded(scope, receive, send)

    def _load(self) -> ASGIApp:
        from newscrawler.web.api.application import create_api

        return create_api(self._context)


def create_app(context: WebContext) -> Starlette:
    """Return the application."""
    files = Mount("/static", _CachedFiles(directory=_STATIC), name="static")
    pages = [make_route(page, context) for page in PAGES]
    application = Starlette(
        routes=[*pages, Route("/api/v1/{operation:path}", _Api(context)), files],
        middleware=[
            Middleware(SecurityHeaders, hosts=context.hosts, is_open=lambda: is_open(context)),
            Middleware(RequestBodyLimitMiddleware, max_body_size=MOST_BYTES),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers=_make_handlers(context),
    )
    application.router.redirect_slashes = False  # it would redirect to the host that the Host header names
    return application


def _make_handlers(context: WebContext) -> dict[Any, Any]:
    """Return the handlers of errors outside of pages: an unknown address, and a fault of ours, whose details only the log has."""

    async def answer_refusal(request: Request, error: HTTPException) -> Response:
        if request.url.path.startswith("/api/v1/"):
            return JSONResponse({"error": error.detail}, error.status_code, error.headers)
        sentence = f"There is nothing at {request.url.path[:200]}." if error.status_code == 404 else f"{error.detail}."
        return await show_problem(request, context, RequestProblem(error.status_code, sentence, headers=dict(error.headers or {})))

    async def answer_fault(request: Request, _error: Exception) -> Response:
        problem = RequestProblem(500, "newscrawler itself is at fault; its log says where. Nothing was changed.")
        return await show_problem(request, context, problem)

    return {HTTPException: answer_refusal, 500: answer_fault}
