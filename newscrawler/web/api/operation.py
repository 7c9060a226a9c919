"""One operation of the API: its path, parameters and permissions, and the way from a request to JSON."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from newscrawler.errors import ConfigError, PageError, StoreAwayError, StoreError
from newscrawler.store import Store
from newscrawler.store.web import Role, TokenScope
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.forms import read_body
from newscrawler.web.requests.identity import AccessKind, Identity, identify
from newscrawler.web.requests.problems import RequestProblem

logger = logging.getLogger(__name__)
PREFIX = "/api/v1"


class HttpMethod(StrEnum):
    """The HTTP method of an operation."""

    GET = "GET"
    POST = "POST"
    DELETE = "DELETE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A value of the query or of the path."""

    name: str
    about: str
    #: string, integer, date.
    kind: str = "string"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request from a program."""

    context: WebContext
    caller: Identity
    arguments: Mapping[str, Any]
    query: QueryParams
    body: Mapping[str, Any]
    now: datetime

    @property
    def store(self) -> Store:
        """The database."""
        return self.context.store


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation."""

    path: str
    summary: str
    #: Returns JSON values, or a response.
    answer: Callable[[Call], Any]
    method: HttpMethod = HttpMethod.GET
    parameters: Sequence[Parameter] = ()
    role: Role = Role.READER
    #: Fields of the body, with their descriptions.
    body: Mapping[str, str] = field(default_factory=dict)
    #: Media type of the answer, where it is not JSON.
    media_type: str = "application/json"

    @property
    def scope(self) -> TokenScope:
        """Return the scope that a token needs."""
        return TokenScope.READ if self.method is HttpMethod.GET else TokenScope.WRITE


def make_operation_route(operation: Operation, context: WebContext) -> Route:
    """Return the route of an operation."""

    async def endpoint(request: Request) -> Response:
        return await _answer_operation(request, operation, context)

    return Route(PREFIX + operation.path, endpoint, methods=[str(operation.method)])


async def _answer_operation(request: Request, operation: Operation, context: WebContext) -> Response:
    try:
        caller = await run_in_threadpool(identify, request, context)
        caller = _identify_caller(caller, operation)
        body = await _read_json_body(request) if operation.body else {}
        call = Call(
            context=context, caller=caller, arguments=request.path_params, query=request.query_params, body=body, now=context.now()
        )
        found = await run_in_threadpool(operation.answer, call)
        return found if isinstance(found, Response) else _parse_json(found, request)
    except RequestProblem as problem:
        return _refuse(problem.status, problem.sentence, problem.headers)
    except (ConfigError, PageError) as error:
        return _refuse(422, str(error), {})
    except StoreError as error:
        logger.error("%s", error)  # noqa: TRY400  our errors are sentences
        return _refuse(503 if isinstance(error, StoreAwayError) else 500, "The database cannot be used just now.", {})


def _identify_caller(caller: Identity | None, operation: Operation) -> Identity:
    """Return the caller.

    Raises:
        RequestProblem: the caller is unknown, or lacks permission.
    """
    if caller is None:
        raise RequestProblem(401, "Send a token: Authorization: Bearer TOKEN.", headers={"WWW-Authenticate": "Bearer"})
    if operation.scope is TokenScope.WRITE and (caller.access is not AccessKind.TOKEN or caller.scope is not TokenScope.WRITE):
        raise RequestProblem(403, "This needs a token with the scope write.")
    if not caller.role.includes(operation.role):
        raise RequestProblem(403, f"This needs the role {operation.role}; {caller.name} has the role {caller.role}.")
    return caller


async def _read_json_body(request: Request) -> Mapping[str, Any]:
    """Read the JSON object in the body.

    Raises:
        RequestProblem: the body is not a JSON object.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestProblem(415, "Bodies are sent as application/json.")
    try:
        found = json.loads(await read_body(request))
        written = json.dumps(found, ensure_ascii=False).encode()  # a lone surrogate is not text
    except (ValueError, RecursionError):
        raise RequestProblem(400, "The body is not JSON.") from None
    if b"\\u0000" in written:
        raise RequestProblem(400, "The body contains a null character.")
    if not isinstance(found, dict):
        raise RequestProblem(400, "The body is not a JSON object.")
    return found


def _parse_json(found: Any, request: Request) -> Response:
    """Return JSON with an ETag, or only the tag where the caller has this version already."""
    body = _encode(found)
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    known = {each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")}
    if request.method == "GET" and tag in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def _refuse(status: int, sentence: str, headers: Mapping[str, str]) -> Response:
    return Response(_encode({"error": sentence}), status_code=status, media_type="application/json", headers=dict(headers))


def _encode(found: Any) -> bytes:
    """Return JSON in UTF-8, with lone surrogates escaped."""
    return json.dumps(found, ensure_ascii=False).encode("utf-8", "backslashreplace")
