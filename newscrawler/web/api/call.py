"""The frame of each operation: who calls with which permission, and answers with an ETag."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Request, Response, Security
from fastapi.responses import FileResponse, StreamingResponse
from fastapi.routing import APIRoute, APIRouter
from fastapi.security import HTTPBearer, SecurityScopes
from pydantic import create_model

from newscrawler.store import Store
from newscrawler.store.web import Role, TokenScope
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.forms import read_body
from newscrawler.web.requests.identity import AccessKind, Identity, identify
from newscrawler.web.requests.problems import RequestProblem

PREFIX = "/api/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request from a program."""

    context: WebContext
    caller: Identity
    now: datetime

    @property
    def store(self) -> Store:
        """The database."""
        return self.context.store

    def note(self, action: str, subject: str, detail: str = "") -> None:
        """Append an entry to the audit log."""
        self.store.audit.note(who=self.caller.name, action=action, subject=subject, detail=detail, now=self.now)


def identify_caller(
    request: Request, needed: SecurityScopes, _token: Annotated[object, Depends(HTTPBearer(scheme_name="token", auto_error=False))]
) -> Call:
    """Return the call, if the caller has the scope and the role that the operation names.

    Raises:
        RequestProblem: the caller is unknown, or lacks permission.
    """
    context: WebContext = request.app.state.context
    caller, (scope, role) = identify(request, context), needed.scopes
    if caller is None:
        raise RequestProblem(401, "Send a token: Authorization: Bearer TOKEN.", headers={"WWW-Authenticate": "Bearer"})
    if scope == TokenScope.WRITE and (caller.access is not AccessKind.TOKEN or caller.scope is not TokenScope.WRITE):
        raise RequestProblem(403, "This needs a token with the scope write.")
    if not caller.role.includes(Role(role)):
        raise RequestProblem(403, f"This needs the role {role}; {caller.name} has the role {caller.role}.")
    return Call(context=context, caller=caller, now=context.now())


#: Calls by the scope of a token and the role of its account that they need.
Reading = Annotated[Call, Security(identify_caller, scopes=[TokenScope.READ, Role.READER])]
Asking = Annotated[Call, Security(identify_caller, scopes=[TokenScope.WRITE, Role.READER])]
Reviewing = Annotated[Call, Security(identify_caller, scopes=[TokenScope.WRITE, Role.REVIEWER])]
Operating = Annotated[Call, Security(identify_caller, scopes=[TokenScope.WRITE, Role.OPERATOR])]


class TaggedRoute(APIRoute):
    """A route whose answers have an ETag; a caller who has this version already is sent only the tag."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of a request."""
        answer = super().get_route_handler()

        async def answer_with_tag(request: Request) -> Response:
            await read_body(request)  # in time; FastAPI uses the same bytes
            response = await answer(request)
            if request.method != "GET" or isinstance(response, StreamingResponse | FileResponse):
                return response
            headers = {"ETag": f'"{sha256(response.body).hexdigest()[:32]}"', "Cache-Control": "private, no-cache"}
            if changed_at := response.headers.get("last-modified"):
                headers["Last-Modified"] = changed_at
            if _is_known(request, headers, response.status_code):
                return Response(status_code=304, headers=headers)
            response.headers.update(headers)
            return response

        return answer_with_tag


def _is_known(request: Request, headers: Mapping[str, str], status: int) -> bool:
    """Return whether the caller has this version already. A tag counts more than a time (RFC 9110), which has to be the same."""
    tags = request.headers.get("if-none-match")
    if tags is None:
        return "Last-Modified" in headers and request.headers.get("if-modified-since") == headers["Last-Modified"]
    known = {each.strip().removeprefix("W/") for each in tags.split(",")}
    return headers["ETag"] in known or ("*" in known and status == HTTPStatus.OK)


def make_router() -> APIRouter:
    """Return an empty part of the API."""
    refusal = {"model": create_model("Problem", error=str), "description": "The request is refused, for this reason"}
    return APIRouter(prefix=PREFIX, route_class=TaggedRoute, responses={"default": refusal})
