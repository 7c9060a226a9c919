"""Why a page cannot be shown or a change cannot be made."""

from __future__ import annotations


class RequestProblem(Exception):  # noqa: N818  it becomes a page
    """A request that cannot be answered; `sentence` says why and what to do."""

    def __init__(self, status: int, sentence: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = headers or {}


def report_missing(what: str) -> RequestProblem:
    """Return the problem for something that does not exist."""
    return RequestProblem(404, f"There is no {what}.")
