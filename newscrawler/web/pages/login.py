"""Log in and out."""

from __future__ import annotations

from starlette.responses import Response

from newscrawler.web.requests.endpoint import Page, set_cookie
from newscrawler.web.requests.identity import COOKIE, make_secret
from newscrawler.web.requests.passwords import is_password
from newscrawler.web.requests.problems import RequestProblem
from newscrawler.web.requests.visit import Visit, is_own_path


def show_login(visit: Visit) -> Response:
    """Show the form."""
    return visit.page("login.html", behind=_choose_target(visit.query.get("next", "/")), name="", wrong=False)


def log_in(visit: Visit) -> Response:
    """Begin a session.

    Raises:
        RequestProblem: too many failures.
    """
    name, password = visit.form.text("name")[:100], visit.form.values.get("password", [""])[-1]
    keys = (f"account {name}", f"address {visit.address}")
    wait = visit.context.limiter.wait_seconds(keys, now=visit.now)
    if wait:
        raise RequestProblem(
            429, f"Too many attempts failed. Try again in {wait // 60 + 1} minutes.", headers={"Retry-After": str(wait)}
        )
    account = visit.store.accounts.get(name)
    is_closed = account is None or account.closed_at is not None
    if not is_password(password, account.password if account and not is_closed else None) or account is None:
        visit.context.limiter.note_failure(keys, now=visit.now)
        visit.note("login failed", name)
        return visit.page("login.html", status=403, behind=_choose_target(visit.form.text("next")), name=name, wrong=True)
    visit.context.limiter.forget(keys[0])
    secret = make_secret()  # always a new one: the browser's old token may be known to others
    visit.store.credentials.begin_session(account, secret, now=visit.now)
    visit.store.audit.note(who=account.name, action="login", subject=account.name, now=visit.now)
    response = visit.go(_choose_target(visit.form.text("next")))
    set_cookie(response, secret, secure=visit.secure)
    return response


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
    Page(path="/login", show=show_login, role=None, change=log_in),
    Page(path="/logout", show=show_login, role=None, change=log_out),
)
