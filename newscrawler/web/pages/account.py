"""The account of a user: login, logout, password and tokens."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from datetime import timedelta
from math import ceil

from starlette.responses import Response

from newscrawler.errors import counted
from newscrawler.limits import FREE_ATTEMPTS, FREE_ATTEMPTS_OF_ACCOUNT, FREE_ATTEMPTS_OF_ADDRESS
from newscrawler.store.web import Account, TokenScope
from newscrawler.web.requests.endpoint import Page, set_cookie
from newscrawler.web.requests.identity import COOKIE, KNOWN_COOKIE, AccessKind, make_secret
from newscrawler.web.requests.passwords import derive_browser_mark, hash_password, is_password
from newscrawler.web.requests.problems import RequestProblem
from newscrawler.web.requests.visit import Visit, is_own_path

LONGEST_DAYS = 365
#: How long a browser is known after the last login with it.
_KNOWN_SECONDS = 365 * 86_400
#: Prefix by which scanners recognise a leaked token, for example in a repository.
TOKEN_PREFIX = "newscrawler_"  # noqa: S105  no secret


def show_account(visit: Visit, fresh: str = "") -> Response:
    """Show the account with its tokens; `fresh`: the secret of one that was just made."""
    account = visit.store.accounts.get(visit.user.name)
    tokens = visit.store.credentials.tokens(account) if account else []
    return visit.page("account.html", account=account, tokens=tokens, fresh=fresh, scopes=list(TokenScope))


def change_password(visit: Visit) -> Response:
    """Change the password; all sessions end."""
    account = _find_account(visit)
    if visit.user.access is not AccessKind.SESSION:
        raise RequestProblem(403, "The proxy in front of this application logs you in; there is no password to change.")
    limits = {f"password of {account.name}": FREE_ATTEMPTS}
    if not _try_password(visit, visit.form.values.get("present", [""])[-1], account, limits):
        raise RequestProblem(403, "The current password is wrong.")
    visit.store.accounts.change(account.name, password=hash_password(visit.form.values.get("password", [""])[-1]))
    visit.note("password changed", account.name)
    return visit.go("/login")


def add_token(visit: Visit) -> Response:
    """Make a token and show it once."""
    account = _find_account(visit)
    name, scope, days = visit.form.text("name"), visit.form.text("scope"), visit.form.number("days", 90)
    if not 1 <= len(name) <= 100:
        raise RequestProblem(422, "A token needs a name of at most 100 characters.")
    if scope not in set(TokenScope):
        raise RequestProblem(422, f"The scope must be one of: {', '.join(TokenScope)}.")
    if not 1 <= days <= LONGEST_DAYS:
        raise RequestProblem(422, f"A token is valid for 1 to {LONGEST_DAYS} days.")
    secret = TOKEN_PREFIX + make_secret()
    expires_at = visit.now + timedelta(days=days)
    visit.store.credentials.add_token(account, secret, name=name, scope=TokenScope(scope), expires_at=expires_at, now=visit.now)
    visit.note("token added", name, f"scope {scope}, until {expires_at:%Y-%m-%d}")
    return show_account(visit, secret)


def revoke_token(visit: Visit) -> Response:
    """Revoke a token."""
    number = visit.form.number("token")
    if not visit.store.credentials.revoke_token(_find_account(visit), number, now=visit.now):
        raise RequestProblem(404, "You have no such token.")
    visit.note("token revoked", str(number))
    return visit.go("/account")


def _find_account(visit: Visit) -> Account:
    account = visit.store.accounts.get(visit.user.name)
    if account is None:
        raise RequestProblem(409, "There are no accounts yet. Add one with `newscrawler web account add NAME`.")
    return account


def show_login(visit: Visit) -> Response:
    """Show the form."""
    return visit.page("login.html", behind=_choose_target(visit.query.get("next", "/")), name="", wrong=False)


def log_in(visit: Visit) -> Response:
    """Begin a session."""
    name, password = visit.form.text("name")[:100], visit.form.values.get("password", [""])[-1]
    account = visit.store.accounts.get(name)
    if account is not None and account.closed_at is not None:
        account = None
    mark = derive_browser_mark(account.name, account.password) if account else ""
    if mark and hmac.compare_digest(visit.known_browser.encode("utf-8", "replace"), mark.encode()):
        limits = {f"browser {mark}": FREE_ATTEMPTS}
    else:
        limits = {
            f"account {name} {visit.address}": FREE_ATTEMPTS, f"account {name}": FREE_ATTEMPTS_OF_ACCOUNT,
            f"address {visit.address}": FREE_ATTEMPTS_OF_ADDRESS,
        }  # fmt: skip
    if not _try_password(visit, password, account, limits) or account is None:
        visit.note("login failed", name)
        return visit.page("login.html", status=403, behind=_choose_target(visit.form.text("next")), name=name, wrong=True)
    secret = make_secret()  # always a new one: the browser's old token may be known to others
    visit.store.credentials.begin_session(account, secret, now=visit.now)
    visit.store.audit.note(who=account.name, action="login", subject=account.name, now=visit.now)
    response = visit.go(_choose_target(visit.form.text("next")))
    set_cookie(response, secret, secure=visit.secure)
    set_cookie(response, mark, secure=visit.secure, name=KNOWN_COOKIE, seconds=_KNOWN_SECONDS)
    return response


def _try_password(visit: Visit, password: str, account: Account | None, limits: Mapping[str, int]) -> bool:
    """Return whether a password is right; the attempt counts before.

    Raises:
        RequestProblem: too many attempts failed, or too many passwords are being looked at.
    """
    limiter = visit.context.limiter
    with limiter.hashing() as free:
        if not free:
            raise RequestProblem(503, "Many people are logging in just now. Try again.", headers={"Retry-After": "2"})
        wait = limiter.begin(limits, now=visit.now)
        if wait:
            in_words = counted(wait, "second") if wait < 60 else counted(ceil(wait / 60), "minute")
            raise RequestProblem(429, f"Too many attempts failed. Try again in {in_words}.", headers={"Retry-After": str(wait)})
        if not is_password(password, account.password if account else None):
            return False
    limiter.end(limits)
    return True


def log_out(visit: Visit) -> Response:
    """End the session."""
    if visit.secret:
        visit.store.credentials.end_session(visit.secret)
    if visit.identity is not None:
        visit.note("logout", visit.identity.name)
    response = visit.go("/login")
    response.delete_cookie(COOKIE, path="/")
    return response


def _choose_target(path: str) -> str:
    return path if is_own_path(path) else "/"


PAGES = (
    Page(path="/account", show=show_account),
    Page(path="/account/password", show=show_account, change=change_password),
    Page(path="/account/tokens", show=show_account, change=add_token),
    Page(path="/account/tokens/revoke", show=show_account, change=revoke_token),
    Page(path="/login", show=show_login, role=None, change=log_in),
    Page(path="/logout", show=show_login, role=None, change=log_out),
)
