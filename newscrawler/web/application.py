"""The ASGI application: all routes, and its middleware."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from newscrawler.web.api.openapi import OPERATIONS
from newscrawler.web.api.operation import make_operation_route as operation_route
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


def create_app(context: WebContext) -> Starlette:
    """Return the application."""
    files = Mount("/static", _CachedFiles(directory=_STATIC), name="static")
    pages = [make_route(page, context) for page in PAGES]
    operations = [operation_route(operation, context) for operation in OPERATIONS]
    application = Starlette(
        routes=[*pages, *operations, files],
        middleware=[
            Middleware(SecurityHeaders, hosts=context.hosts, is_open=lambda: is_open(context)),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={HTTPException: _answer_refusal, 500: _answer_fault},
    )
    application.router.redirect_slashes = False  # it would redirect to the host that the Host header names
    return application


async def _answer_refusal(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainTextResponse(f"{error.status_code} {error.detail}", status_code=error.status_code, headers=error.headers)


async def _answer_fault(_request: Request, _error: Exception) -> Response:
    """Return a response for an internal error without details, which only the log has."""
    return PlainTextResponse("500 newscrawler itself is at fault; its log says where.", status_code=500)
