"""The ASGI application of the API."""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from newscrawler import __version__
from newscrawler.web.api import analyses, changes, feeds, resources
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.problems import FAILURES, RequestProblem, explain_failure


def create_api(context: WebContext) -> FastAPI:
    """Return the application, whose paths begin with /api/v1."""
    handlers: dict[int | type[Exception], Any] = dict.fromkeys(FAILURES, _report_failure)
    handlers |= {RequestValidationError: _report_invalid, HTTPException: _report_refusal}
    api = FastAPI(
        title="newscrawler",
        version=__version__,
        description="News articles, and how they were crawled.",
        openapi_url=None,  # an operation, which needs a token as the others do
        routes=[*resources.router.routes, *analyses.router.routes, *feeds.router.routes, *changes.router.routes],
        exception_handlers=handlers,
        redirect_slashes=False,  # it would redirect to the host that the Host header names
        telemetry={"auto_configure": False, "tracing": False, "metrics": False, "logs": False},
    )
    api.state.context = context
    return api


#: A member of an enumeration as Python writes it, of which a client knows the value only.
_MEMBER = re.compile(r"<\w+\.\w+: ('[^']*')>")


async def _report_failure(_request: Request, error: Exception) -> Response:
    problem = explain_failure(error)
    return JSONResponse({"error": problem.sentence}, problem.status, problem.headers)


async def _report_invalid(request: Request, error: RequestValidationError) -> Response:
    first = error.errors()[0]
    if isinstance(error.body, bytes):
        problem = RequestProblem(415, "Bodies are sent as application/json.")
    elif first["type"] == "json_invalid" or first["loc"] == ("body",):
        problem = RequestProblem(400, "The body is not a JSON object.")
    else:
        name, said = ".".join(map(str, first["loc"][1:])), _MEMBER.sub(r"\1", first["msg"])
        problem = RequestProblem(
            422, f"{name} is missing." if first["type"] == "missing" else f"{name} is {first['input']!r:.80}. {said}."
        )
    return await _report_failure(request, problem)


async def _report_refusal(request: Request, error: HTTPException) -> Response:
    headers = dict(error.headers or {})
    if "Allow" in headers:  # of one route; the methods of an operation are a route each
        routes = (route for route in request.app.routes if isinstance(route, Route))
        found = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
        headers["Allow"] = ", ".join(sorted({method for route in found for method in route.methods or ()}))
    return JSONResponse({"error": error.detail}, error.status_code, headers)
