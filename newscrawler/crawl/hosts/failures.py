"""Why a request was not sent or brought no answer, whether the page or the host is at fault, and how often to retry."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)

from newscrawler.article import Reservation
from newscrawler.config.portal import DEFAULT_PAGE_MEGABYTES
from newscrawler.errors import PageReason
from newscrawler.politeness.backoff import FailureScope
from newscrawler.politeness.names import is_this_machine
from newscrawler.store.vocabularies.outcomes import Reason, UrlState


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPause:
    """A pause of a host after a failure."""

    host: str
    seconds: float
    #: What happened.
    because: str
    #: The host asked for it (Retry-After).
    asked: bool = False
    #: It failed too often: no requests for 12 hours.
    suspended: bool = False
    #: Failures in a row, this one included.
    failures: int = 1
    #: Another URL than before failed, so this is a new failure of the host.
    fresh: bool = True
    #: The host has never answered anything.
    never_answered: bool = False
    #: No more tries in this run.
    final: bool = False
    #: Its address refuses connections, so other hosts there are paused too.
    of_address: bool = False
    #: No failure: outside the Visit-time of its robots.txt.
    closed: bool = False

    @property
    def why(self) -> str:
        """Return what the pause is for, in words of a fixed vocabulary."""
        if self.closed:
            return "for the hours of visits in robots.txt"
        return "as the server asked" if self.asked else "after errors of the server"


class ForbiddenByRobotsError(IgnoreRequest):
    """The host's robots.txt disallows this URL."""


class RobotsUnreachableError(IgnoreRequest):
    """The host's robots.txt is unreachable, so nothing may be fetched for now."""

    def __init__(self, place: str, because: str, pause: HostPause) -> None:
        super().__init__(f"{place} {because}")
        self.because = because
        self.pause = pause


class HostPausedError(IgnoreRequest):
    """The host is paused, by us or by another crawl on the same database."""

    def __init__(self, pause: HostPause) -> None:
        super().__init__(f"{pause.host}: {pause.because}")
        self.pause = pause


class DenylistedError(IgnoreRequest):
    """The host is on the denylist."""


class AddressRefusedError(IgnoreRequest):
    """The host's name resolves to an address that is not public."""


class ContactMissingError(IgnoreRequest):
    """The host is not this machine, and no contact is set."""


def refuse_nameless(host: str, contact: str | None) -> None:
    """Refuse a host other than this machine if no contact is set.

    Raises:
        ContactMissingError: no contact is set.
    """
    if not contact and not is_this_machine(host):
        raise ContactMissingError(
            f"requests to {host} need a contact, so that its operator can reach you: an e-mail or web address"
        )


class ReservedError(IgnoreRequest):
    """The origin reserves the use that the corpus is for, so the URL is not requested."""

    def __init__(self, reservation: Reservation, reason: PageReason) -> None:
        super().__init__(f"{reservation.place} {reservation.said}")
        self.reservation = reservation
        self.reason = reason


class RemovedError(IgnoreRequest):
    """The operator of the portal requested the removal of this URL."""


class NotFoundError(IgnoreRequest):
    """The host's name does not resolve."""


class StoppingError(IgnoreRequest):
    """The crawl ends before the request's turn came."""


#: Answers that may be different a little later.
TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 529})
#: Tries within one run: after a server error, after a lost connection, after 429 or 503.
TRIES_OF_ERRORS, TRIES_OF_LOST, TRIES_OF_BUSY = 3, 5, 8
#: Tries of a URL whose host is unreachable; the host is suspended before.
TRIES_OF_UNREACHED = 6
TRIES_AT_FIRST = 3
#: Messages of OpenSSL, and what they mean.
_TLS = {
    "certificate verify failed": "its certificate is not valid for us: expired, self-signed, or of an unknown authority",
    "wrong version number": "it does not speak TLS at this port",
    "unsupported protocol": "it offers only versions of TLS that are not safe any more",
    "handshake failure": "it offers no encryption that is safe",
    "VerificationError": "its certificate is for another host",
    "mismatch": "its certificate is for another host",
}
#: Errors of Twisted for an answer with invalid status, headers or chunks.
_NO_HTTP = frozenset({"ParseError", "ValueError", "KeyError", "_MalformedChunkedDataError"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A request that brought no answer."""

    reason: Reason
    #: Failed, or skipped: it may not be requested.
    state: UrlState = UrlState.FAILED
    #: A retry may succeed.
    transient: bool = True
    most_tries: int = TRIES_OF_LOST
    #: Whose failure it is; None: nothing was requested.
    scope: FailureScope | None = None
    #: Nothing was requested; the URL waits for the end of this pause.
    pause: HostPause | None = None


def failure_of(error: BaseException, *, began: bool = False, page_megabytes: float = DEFAULT_PAGE_MEGABYTES) -> Failure:
    """Return the failure that an error stands for.

    Args:
        error: Scrapy's, Twisted's or one of `refusals`.
        began: the headers of an answer were received.
        page_megabytes: limit of a page's size.
    """
    too_large = Failure(reason=Reason(PageReason.TOO_LARGE, f"over {page_megabytes:g} MiB"), transient=False)
    if isinstance(error, IgnoreRequest):
        return too_large if "decompress" in str(error) else _refusal(error)
    chain = _causes(error)
    names = {type(cause).__name__ for cause in chain}
    described = " ".join(f"{type(cause).__name__} {cause}" for cause in chain)
    if "HeadersTooLargeError" in names:
        return Failure(reason=Reason(PageReason.TOO_LARGE, "its headers do not end"), transient=False)
    if isinstance(error, DownloadCancelledError):
        return too_large
    if isinstance(error, UnsupportedURLSchemeError):
        return Failure(reason=Reason(PageReason.FAULT, str(error)), transient=False)
    if isinstance(error, (CannotResolveHostError, NotFoundError)) or "DNSLookupError" in names:
        return Failure(reason=Reason(PageReason.DNS, _first_line(error)), most_tries=TRIES_OF_UNREACHED, scope=FailureScope.HOST)
    if isinstance(error, DownloadConnectionRefusedError) or "ConnectionRefused" in described:
        return Failure(reason=Reason(PageReason.REFUSED), most_tries=TRIES_OF_UNREACHED, scope=FailureScope.HOST)
    if isinstance(error, DownloadTimeoutError) or "Timeout" in described:
        reason = Reason(PageReason.TOO_SLOW, _first_line(error)) if began else Reason(PageReason.TIMEOUT)
        return Failure(reason=reason, most_tries=TRIES_OF_ERRORS, scope=FailureScope.UNSURE)
    if "SSL" in described or "certificate" in described or "VerificationError" in described:
        return Failure(reason=Reason(PageReason.TLS, _tls(described, error)), transient=False, scope=FailureScope.HOST)
    if isinstance(error, (zlib.error, EOFError, ValueError)) or names & {"BadGzipFile", "ZstdError", "error"}:
        return Failure(reason=Reason(PageReason.GARBLED, _first_line(error)), most_tries=TRIES_OF_ERRORS)
    if names & _NO_HTTP and "ResponseFailed" in names:  # a retry would get the same answer
        detail = next(f"{cause}" for cause in chain if type(cause).__name__ in _NO_HTTP)
        return Failure(reason=Reason(PageReason.PROTOCOL, detail[:200]), transient=False, scope=FailureScope.PAGE)
    detail = "it broke off before its end" if isinstance(error, ResponseDataLossError) else _first_line(error)
    return Failure(reason=Reason(PageReason.CONNECTION, detail), scope=FailureScope.UNSURE)


def status_scope(status: int, *, surely_host: bool) -> FailureScope | None:
    """Return whose failure a status is; None: it is none."""
    if status == 429:
        return FailureScope.HOST
    if status == 503 or (surely_host and status in TRANSIENT_STATUS):
        return FailureScope.HOST if surely_host else FailureScope.UNSURE
    return FailureScope.PAGE if status in TRANSIENT_STATUS else None


def _refusal(error: IgnoreRequest) -> Failure:
    match error:
        case ForbiddenByRobotsError():
            return Failure(reason=Reason(PageReason.ROBOTS), state=UrlState.SKIPPED, transient=False)
        case DenylistedError():
            return Failure(reason=Reason(PageReason.DENYLISTED, str(error)), state=UrlState.SKIPPED, transient=False)
        case RemovedError():
            return Failure(reason=Reason(PageReason.REMOVED, str(error)), state=UrlState.SKIPPED, transient=False)
        case ReservedError():
            return Failure(reason=Reason(error.reason, str(error)), state=UrlState.SKIPPED, transient=False)
        case AddressRefusedError() | ContactMissingError():
            return Failure(reason=Reason(PageReason.ADDRESS, str(error)), transient=False)
        case NotFoundError():
            return Failure(reason=Reason(PageReason.DNS, str(error)), most_tries=TRIES_OF_UNREACHED, scope=FailureScope.HOST)
        case RobotsUnreachableError():
            reason = _of_host(error.because) or Reason(PageReason.ROBOTS_UNREACHABLE, str(error))
            return Failure(reason=reason, most_tries=TRIES_OF_UNREACHED, pause=error.pause)
        case HostPausedError():
            word = PageReason.SUSPENDED if error.pause.suspended else PageReason.PAUSED
            return Failure(reason=Reason(word, str(error)), pause=error.pause)
    return Failure(reason=Reason(PageReason.CONNECTION, _first_line(error)))


def _of_host(because: str) -> Reason | None:
    """Return the reason if no connection was made; it counts for pages as for robots.txt."""
    for reason in (PageReason.DNS, PageReason.REFUSED, PageReason.TLS, PageReason.TIMEOUT):
        if because.startswith(reason):
            return Reason(reason, because.removeprefix(reason).removeprefix(": "))
    return None


def _tls(described: str, error: BaseException) -> str:
    meaning = next((meaning for word, meaning in _TLS.items() if word in described), None)
    line = _first_line(error)
    return f"{meaning} ({line})" if meaning else line


def _causes(error: BaseException | None) -> list[BaseException]:
    """Return an error and its causes; Twisted wraps them into lists of failures."""
    found: list[BaseException] = []
    waiting: list[Any] = [error]
    while waiting and len(found) < 12:
        each = waiting.pop(0)
        if not isinstance(each, BaseException) or each in found:
            continue
        found.append(each)
        waiting += [reason.value for reason in getattr(each, "reasons", None) or [] if hasattr(reason, "value")]
        waiting += [each.__cause__ or each.__context__]
    return found


def _first_line(error: BaseException) -> str:
    for cause in reversed(_causes(error)):
        text = str(cause).strip()
        if text and not text.startswith("[<twisted"):
            return text.splitlines()[0][:200]
    return type(error).__name__
