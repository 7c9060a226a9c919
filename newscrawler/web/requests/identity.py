"""Identify users by session, by token, by the header of a proxy, or as the user of this machine."""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import Request

from newscrawler.store.web import Account, Role, TokenScope
from newscrawler.web.requests.context import WebContext

#: Cookie with the token of the session.
COOKIE = "newscrawler"
#: Cookie of a browser with which somebody has logged in; it outlives the session.
KNOWN_COOKIE = "newscrawler_known"
#: The user of this machine while there are no accounts.
LOCAL = "local"
_BEARER = "bearer "
#: An address with a port, as some proxies write it.
_PORT = re.compile(r"\[?([0-9a-f:]+|[\d.]+)(?:\]:\d+|\]|:\d+)", re.IGNORECASE)


class AccessKind(StrEnum):
    """How a user was identified."""

    #: There are no accounts, and only this machine has access.
    OPEN = "open"
    SESSION = "session"
    PROXY = "proxy"
    TOKEN = "token"  # noqa: S105  the name of a way, no secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who asks."""

    name: str
    role: Role
    access: AccessKind
    #: Only for a token.
    scope: TokenScope | None = None


def identify(request: Request, context: WebContext) -> Identity | None:
    """Return the user of a request, or None if unknown."""
    header = request.headers.get("authorization", "")
    if header[: len(_BEARER)].lower() == _BEARER:
        found = context.store.credentials.account_of_token(header[len(_BEARER) :].strip(), now=context.now())
        return Identity(name=found[0].name, role=found[0].role, access=AccessKind.TOKEN, scope=found[1]) if found else None
    if context.user_header is not None:
        return _identify_by_proxy(request, context, context.user_header)
    if is_open(context):
        return Identity(name=LOCAL, role=Role.OPERATOR, access=AccessKind.OPEN)
    secret = request.cookies.get(COOKIE)
    account = context.store.credentials.account_of_session(secret, now=context.now()) if secret else None
    return _identify_account(account, AccessKind.SESSION) if account else None


def is_open(context: WebContext) -> bool:
    """Return whether no login is required: only this machine has access, and there are no accounts."""
    if not context.is_for_this_machine or context.has_accounts.is_set():
        return False
    if context.store.accounts.count():
        context.has_accounts.set()  # accounts are closed, never removed
        return False
    return True


def _identify_by_proxy(request: Request, context: WebContext, header: str) -> Identity | None:
    """Return the user that a proxy names. Without an account of that name, the role is reader."""
    named = request.headers.getlist(header)
    if not is_from_proxy(request, context) or len(named) != 1 or not named[0].strip():
        return None
    name = named[0].strip()[:100]
    account = context.store.accounts.get(name)
    if account is not None and account.closed_at is not None:
        return None
    return (
        _identify_account(account, AccessKind.PROXY) if account else Identity(name=name, role=Role.READER, access=AccessKind.PROXY)
    )


def _identify_account(account: Account, access: AccessKind) -> Identity:
    return Identity(name=account.name, role=account.role, access=access)


def is_from_proxy(request: Request, context: WebContext) -> bool:
    """Return whether a trusted proxy sent the request."""
    return request.client is not None and context.is_proxy(request.client.host)


def is_secure(request: Request, context: WebContext) -> bool:
    """Return whether the browser uses HTTPS, to us or to the proxy in front of us; a proxy that does not say so does."""
    if is_from_proxy(request, context):
        declared = urlsplit(context.public_url).scheme or "https"
        return request.headers.get("x-forwarded-proto", declared).rpartition(",")[2].strip() == "https"
    return request.url.scheme == "https"


def find_address(request: Request, context: WebContext) -> str:
    """Return the address of the client: by the connection or, from a trusted proxy, the last in X-Forwarded-For that is none."""
    address = request.client.host if request.client else "unknown"
    named = ",".join(request.headers.getlist("x-forwarded-for")).split(",")
    while context.is_proxy(address) and named:
        try:
            address = str(ip_address(_PORT.sub(r"\1", named.pop().strip())))
        except ValueError:
            break
    return address


def make_secret() -> str:
    """Return a random session or token."""
    return secrets.token_urlsafe(32)


def derive_form_token(secret: str) -> str:
    """Return the token that a form must send back. It is derived from the cookie, which other sites cannot read."""
    return sha256(f"form {secret}".encode("utf-8", "surrogatepass")).hexdigest()


def is_forged(request: Request, context: WebContext, sent: str) -> bool:
    """Return whether a change comes from another site, by its origin or a missing form token."""
    origin = request.headers.get("origin")
    host = request.headers.get("host", "").lower()
    if origin is not None and urlsplit(origin).netloc.lower() not in {host, context.public_netloc or host}:
        return True
    if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return True
    secret = request.cookies.get(COOKIE)
    return not secret or not hmac.compare_digest(derive_form_token(secret).encode(), sent.encode("utf-8", "surrogatepass"))
