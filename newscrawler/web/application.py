"""The ASGI application: all routes, and its middleware."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Match, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from newscrawler import __version__
from newscrawler.web.api import changes, resources
from newscrawler.web.api.call import HANDLERS, PREFIX
from newscrawler.web.pages import (
    account,
    article,
    articles,
    correction,
    explore,
    exports,
    judging,
    overview,
    portal,
    portal_keys,
    releases,
    review,
    run,
    service,
    settings,
    template,
)
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.endpoint import Page, make_route
from newscrawler.web.requests.forms import MOST_BYTES
from newscrawler.web.requests.headers import SecurityHeaders
from newscrawler.web.requests.identity import is_open

PAGES: Sequence[Page] = (
    *overview.PAGES,
    *portal_keys.PAGES,
    *template.PAGES,
    *portal.PAGES,
    *run.PAGES,
    *articles.PAGES,
    *article.PAGES,
    *explore.PAGES,
    *releases.PAGES,
    *review.PAGES,
    *judging.PAGES,
    *correction.PAGES,
    *service.PAGES,
    *exports.PAGES,
    *settings.PAGES,
    *account.PAGES,
)
_STATIC = Path(__file__).parent / "static"


class _CachedFiles(StaticFiles):
    """Static files. Their addresses contain the version, so browsers may cache them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response


def create_app(context: WebContext) -> FastAPI:
    """Return the application."""
    files = Mount("/static", _CachedFiles(directory=_STATIC), name="static")
    application = FastAPI(
        title="newscrawler",
        version=__version__,
        description="News articles, and how they were crawled.",
        openapi_url=None,  # an operation of the API, which needs a token as the others do
        routes=[*(make_route(page, context) for page in PAGES), *resources.router.routes, *changes.router.routes, files],
        middleware=[
            Middleware(SecurityHeaders, hosts=context.hosts, is_open=lambda: is_open(context)),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={**HANDLERS, HTTPException: _answer_refusal, 500: _answer_fault},
        max_body_size=MOST_BYTES,
        redirect_slashes=False,  # it would redirect to the host that the Host header names
        telemetry={"auto_configure": False, "tracing": False, "metrics": False, "logs": False},
    )
    application.state.context = context
    return application


async def _answer_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if "Allow" in headers:  # of one route; the methods of an operation are a route each
        routes = (route for route in request.app.routes if isinstance(route, Route))
        found = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
        headers["Allow"] = ", ".join(sorted({method for route in found for method in route.methods or ()}))
    if request.url.path.startswith(f"{PREFIX}/"):
        return JSONResponse({"error": error.detail}, error.status_code, headers)
    return PlainTextResponse(f"{error.status_code} {error.detail}", status_code=error.status_code, headers=headers)


async def _answer_fault(_request: Request, _error: Exception) -> Response:
    """Return a response for an internal error without details, which only the log has."""
    return PlainTextResponse("500 newscrawler itself is at fault; its log says where.", status_code=500)
