"""Why a request was never sent: each an error of its own, so that whoever asked can keep the reason."""

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

from newscrawler.config.portal import DEFAULT_PAGE_MEGABYTES
from newscrawler.errors import PageReason
from newscrawler.politeness.backoff import FailureScope
from newscrawler.politeness.names import is_this_machine
from newscrawler.store.vocabularies.outcomes import Reason, UrlState


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPause:
    """A failure of a host, and how long nothing is asked of it therefore."""

    host: str
    seconds: float
    #: What happened.
    because: str
    #: The host itself asked for it, and for how long.
    asked: bool = False
    #: It failed again and again: no more requests until the next night.
    suspended: bool = False
    #: Failures in a row, this one included.
    failures: int = 1
    #: The URL had not failed before, so this says something new about the host.
    fresh: bool = True
    #: The host has never answered anything.
    never_answered: bool = False
    #: It was tried often enough: the run ends.
    final: bool = False
    #: Nobody answered at its address, so nobody else there is asked for a while either.
    of_address: bool = False
    #: No failure: these are not the hours in which it wants to be visited.
    closed: bool = False

    @property
    def why(self) -> str:
        """What is waited for, in words of a fixed vocabulary."""
        if self.closed:
            return "for the hours of visits in robots.txt"
        return "as the server asked" if self.asked else "after errors of the server"


class ForbiddenByRobotsError(IgnoreRequest):
    """The rules of the host say that this URL is not for us."""


class RobotsUnreachableError(IgnoreRequest):
    """The host's robots.txt cannot be had, so nothing may be fetched for now."""

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
    """The host's name leads to an address that is not on the open internet."""


class ContactMissingError(IgnoreRequest):
    """The host is not this machine, and its operator could not reach us."""


def refuse_nameless(host: str, contact: str | None) -> None:
    """Refuse a host that is not this machine where no contact is given.

    Raises:
        ContactMissingError: its operator could not reach us.
    """
    if not contact and not is_this_machine(host):
        raise ContactMissingError(
            f"requests to {host} need a contact, so that its operator can reach you: an e-mail or web address"
        )


class NotFoundError(IgnoreRequest):
    """The host's name leads nowhere."""


class StoppingError(IgnoreRequest):
    """The crawl ends before the request's turn came."""


#: Answers that may be different a little later.
TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 529})
#: Tries within one run: of an error of the server, of an answer that was lost, of one that it asks to come back for.
TRIES_OF_ERRORS, TRIES_OF_LOST, TRIES_OF_BUSY = 3, 5, 8
#: Of a host that cannot be reached; where it fails again and again, it is the host that is given up, not the URL.
TRIES_OF_UNREACHED = 6
TRIES_AT_FIRST = 3
#: What OpenSSL says, and what it means.
_TLS = {
    "certificate verify failed": "its certificate is not valid for us: expired, self-signed, or of an unknown authority",
    "wrong version number": "it does not speak TLS at this port",
    "unsupported protocol": "it offers only versions of TLS that are not safe any more",
    "handshake failure": "it offers no encryption that is safe",
    "VerificationError": "its certificate is for another host",
    "mismatch": "its certificate is for another host",
}
#: What Twisted raises at an answer whose status, headers or chunks are not as HTTP has them.
_NO_HTTP = frozenset({"ParseError", "ValueError", "KeyError", "_MalformedChunkedDataError"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What became of a request that brought no answer."""

    reason: Reason
    #: failed, or skipped: it was never meant to be asked.
    state: UrlState = UrlState.FAILED
    #: It may pass.
    transient: bool = True
    most_tries: int = TRIES_OF_LOST
    #: What it says about the host; None: nothing.
    scope: FailureScope | None = None
    #: Nothing was asked; the URL waits for this.
    pause: HostPause | None = None


def failure_of(error: BaseException, *, began: bool = False, page_megabytes: float = DEFAULT_PAGE_MEGABYTES) -> Failure:
    """Work out what an error means.

    Args:
        error: Scrapy's, Twisted's or one of `refusals`.
        began: the headers of an answer had come.
        page_megabytes: the largest page that is taken.
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
    if names & _NO_HTTP and "ResponseFailed" in names:  # the same answer would come again
        detail = next(f"{cause}" for cause in chain if type(cause).__name__ in _NO_HTTP)
        return Failure(reason=Reason(PageReason.PROTOCOL, detail[:200]), transient=False, scope=FailureScope.PAGE)
    detail = "it broke off before its end" if isinstance(error, ResponseDataLossError) else _first_line(error)
    return Failure(reason=Reason(PageReason.CONNECTION, detail), scope=FailureScope.UNSURE)


def status_scope(status: int, *, surely_host: bool) -> FailureScope | None:
    """What a status says about the host."""
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
        case AddressRefusedError():
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
    """Where not even a connection came about, that is the reason, whatever was asked for."""
    for reason in (PageReason.DNS, PageReason.REFUSED, PageReason.TLS, PageReason.TIMEOUT):
        if because.startswith(reason):
            return Reason(reason, because.removeprefix(reason).removeprefix(": "))
    return None


def _tls(described: str, error: BaseException) -> str:
    meaning = next((meaning for word, meaning in _TLS.items() if word in described), None)
    line = _first_line(error)
    return f"{meaning} ({line})" if meaning else line


def _causes(error: BaseException | None) -> list[BaseException]:
    """An error and what led to it; Twisted wraps what happened into lists of failures."""
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
