"""Why a page cannot be shown or a change cannot be made."""

from __future__ import annotations

import logging
from typing import TypeVar

from newscrawler.errors import ConfigError, CostlyQueryError, PageError, StoreAwayError, StoreError

logger = logging.getLogger(__name__)
_Found = TypeVar("_Found")


#: Headlines of error pages, by status.
_TITLES = {
    400: "Too much at once",
    401: "Not logged in", 403: "Not allowed", 404: "Page not found", 405: "Not allowed here", 409: "Could not do this now",
    422: "Could not read the request", 429: "Too many requests",
    451: "Withdrawn by its publisher", 503: "The database is away",
}  # fmt: skip


class RequestProblem(Exception):  # noqa: N818  it becomes a page
    """A request that cannot be answered; `sentence` says why and what to do."""

    def __init__(self, status: int, sentence: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.title = _TITLES.get(status, "Could not show this page" if status >= 500 else "Could not do this")
        self.headers = headers or {}


def report_missing(what: str) -> RequestProblem:
    """Return the problem for something that does not exist."""
    return RequestProblem(404, f"There is no {what}.")


def require(found: _Found | None, what: str) -> _Found:
    """Return what was found.

    Raises:
        RequestProblem: it is None.
    """
    if found is None:
        raise report_missing(what)
    return found


#: Errors that are answered with a sentence.
FAILURES = (RequestProblem, ConfigError, PageError, StoreError)


def explain_failure(error: Exception) -> RequestProblem:
    """Return one of FAILURES as a problem."""
    if isinstance(error, RequestProblem):
        return error
    if isinstance(error, CostlyQueryError):
        sentence = "This takes longer than a page may. Narrow the selection, or have all of it counted or exported as a job."
        return RequestProblem(400, sentence)
    if isinstance(error, StoreError):
        logger.error("%s", error)
        return RequestProblem(503 if isinstance(error, StoreAwayError) else 500, "The database cannot be used just now.")
    return RequestProblem(422, str(error))
