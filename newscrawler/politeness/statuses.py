"""The table of HTTP statuses: who is at fault, how often to try again, and what a user can do.

A rule for another status is one row here. `crawl/` reads from it what follows for the URL, its host and robots.txt; the commands
read what to advise, and the service which statuses deny access.
"""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.politeness.delays import FailureScope

#: Tries of a URL within one run: after a server error, and while the server is busy.
TRIES_OF_ERRORS, TRIES_OF_BUSY = 3, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusRule:
    """What follows from an HTTP status."""

    #: Who is at fault where the response may be different a little later; None: the status is the outcome of the URL.
    scope: FailureScope | None = None
    #: Within one run.
    most_tries: int = 1
    #: For robots.txt and tdmrep.json: the rules are not known. False: there are none.
    hides_rules: bool = False
    #: The server denies access to the crawler.
    denies_access: bool = False
    #: With the header `crawler-price`, the host sells its pages.
    sells_pages: bool = False
    #: What a user can do.
    advice: str = ""

    @property
    def is_transient(self) -> bool:
        """Return whether the response may be different a little later."""
        return self.scope is not None

    def get_scope(self, *, is_front: bool) -> FailureScope | None:
        """Return who is at fault; a start URL or robots.txt fails only with its host. None: nobody."""
        return FailureScope.HOST if is_front and self.scope is not None else self.scope


_FAILS = "its server fails: crawl again later"
_REFUSES = "its server refuses the address: check it in a browser"
_ERROR = StatusRule(scope=FailureScope.PAGE, most_tries=TRIES_OF_ERRORS, advice=_REFUSES)
_SERVER_ERROR = StatusRule(scope=FailureScope.PAGE, most_tries=TRIES_OF_ERRORS, hides_rules=True, advice=_FAILS)

STATUS_RULES: dict[int, StatusRule] = {
    401: StatusRule(denies_access=True, advice="it requires a password: ask its operator for access"),
    402: StatusRule(sells_pages=True, advice=_REFUSES),
    403: StatusRule(denies_access=True, advice="its server refuses the crawler: ask its operator for access"),
    408: _ERROR,
    425: _ERROR,
    429: StatusRule(
        scope=FailureScope.HOST, most_tries=TRIES_OF_BUSY, hides_rules=True, denies_access=True,
        advice="its server asks for fewer requests: set a longer `delay`, and crawl again later",
    ),
    451: StatusRule(denies_access=True, advice="its server may not show it here for legal reasons"),
    500: _SERVER_ERROR,
    502: _SERVER_ERROR,
    503: StatusRule(scope=FailureScope.UNSURE, most_tries=TRIES_OF_BUSY, hides_rules=True, advice=_FAILS),
    504: _SERVER_ERROR,
    **dict.fromkeys((520, 521, 522, 523, 524, 525, 526, 529), _SERVER_ERROR),  # of proxies
}  # fmt: skip
#: Statuses that the table does not name, by their first digit; no standard knows those from 600.
_CLASSES = {
    1: StatusRule(hides_rules=True), 2: StatusRule(), 3: StatusRule(), 4: StatusRule(advice=_REFUSES),
    5: StatusRule(hides_rules=True, advice=_FAILS),
}  # fmt: skip


def find_status_rule(status: int) -> StatusRule:
    """Return what follows from an HTTP status."""
    return STATUS_RULES.get(status) or _CLASSES[max(1, min(status // 100, 5))]
