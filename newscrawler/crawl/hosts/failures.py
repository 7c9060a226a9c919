"""Why a request was not sent or brought no answer, whether the page or the host is at fault, and how often to retry."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
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
from newscrawler.config import DEFAULT_PAGE_MEGABYTES
from newscrawler.errors import PageReason
from newscrawler.politeness import TRIES_OF_ERRORS, FailureScope, is_this_machine
from newscrawler.store.vocabularies import Reason, UrlState


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPause:
    """A pause of a host after a failure."""

    host: str
    seconds: float
    #: The failure.
    because: str
    #: Requested by the host (Retry-After).
    requested: bool = False
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
        """Return the cause of the pause, in words of a fixed vocabulary."""
        if self.closed:
            return "for the hours of visits in robots.txt"
        return "as the server asked" if self.requested else "after errors of the server"


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


class StuckError(Exception):
    """Reading a page took too long."""


#: Tries of a URL within one run: after a lost connection, and while pages break off or the host is unreachable.
TRIES_OF_LOST, TRIES_OF_UNREACHED = 5, 6
#: The same while its host has never answered.
TRIES_AT_FIRST = 3
#: Messages of OpenSSL, and their meanings.
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
    """A request without a response, and its consequences."""

    reason: Reason
    #: Failed, or skipped: it may not be requested.
    state: UrlState = UrlState.FAILED
    #: A retry may succeed.
    transient: bool = True
    most_tries: int = TRIES_OF_LOST
    #: Who is at fault; None: nothing was requested.
    scope: FailureScope | None = None
    #: Nothing was requested; the URL waits for the end of this pause.
    pause: HostPause | None = None


class _ErrorChain:
    """An error with its causes, as far as rules look at them."""

    def __init__(self, error: BaseException, *, began: bool, page_megabytes: float) -> None:
        self.error = error
        self.causes = _list_causes(error)
        self.names = {type(cause).__name__ for cause in self.causes}
        self.text = " ".join(f"{type(cause).__name__} {cause}" for cause in self.causes)
        #: The headers of a response were received.
        self.began = began
        self.page_megabytes = page_megabytes

    @property
    def line(self) -> str:
        """Return the first line of the innermost message."""
        return _find_first_line(self.error)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ErrorRule:
    """The consequences of an error: a row of the table below."""

    reason: PageReason
    #: The error is of one of these classes,
    classes: tuple[type[BaseException], ...] = ()
    #: or it or a cause of it has a class of one of these names,
    names: frozenset[str] = frozenset()
    #: or one of these words is in their names and messages,
    words: tuple[str, ...] = ()
    #: and so is this word.
    also: str = ""
    #: Only after the headers of a response.
    began: bool = False
    describe: Callable[[_ErrorChain], str] = lambda _: ""
    state: UrlState = UrlState.FAILED
    transient: bool = True
    most_tries: int = TRIES_OF_LOST
    scope: FailureScope | None = None

    def matches(self, chain: _ErrorChain) -> bool:
        """Return whether this is the rule of an error."""
        if (self.began and not chain.began) or self.also not in chain.text:
            return False
        return (
            isinstance(chain.error, self.classes)
            or not self.names.isdisjoint(chain.names)
            or any(word in chain.text for word in self.words)
        )

    def make_failure(self, chain: _ErrorChain) -> Failure:
        """Return the failure of an error."""
        return Failure(
            reason=Reason(self.reason, self.describe(chain)), state=self.state, transient=self.transient,
            most_tries=self.most_tries, scope=self.scope,
        )  # fmt: skip


def _get_line(chain: _ErrorChain) -> str:
    return chain.line


def _get_text(chain: _ErrorChain) -> str:
    return str(chain.error)


def _describe_limit(chain: _ErrorChain) -> str:
    return f"over {chain.page_megabytes:g} MiB"


def _describe_protocol(chain: _ErrorChain) -> str:
    return next(f"{cause}" for cause in chain.causes if type(cause).__name__ in _NO_HTTP)[:200]


def _describe_tls(chain: _ErrorChain) -> str:
    meaning = next((meaning for word, meaning in _TLS.items() if word in chain.text), None)
    return f"{meaning} ({chain.line})" if meaning else chain.line


def _describe_tunnel(chain: _ErrorChain) -> str:
    """Name the proxy and its status; Scrapy writes "with proxy HOST:PORT [{'status': 407, ...}]"."""
    found = re.search(r"proxy (\S+).*'status': (\d{3})", chain.text)
    return f"the proxy {found[1]} answers {found[2]}; see the key proxy of the portal" if found else chain.line


#: The first that matches counts. HTTP statuses are in `politeness.statuses`.
_ERROR_RULES = (
    _ErrorRule(
        classes=(IgnoreRequest,), also="decompress", reason=PageReason.TOO_LARGE, describe=_describe_limit, transient=False
    ),
    # refusals: nothing was requested
    _ErrorRule(classes=(ForbiddenByRobotsError,), reason=PageReason.ROBOTS, state=UrlState.SKIPPED, transient=False),
    _ErrorRule(
        classes=(DenylistedError,), reason=PageReason.DENYLISTED, describe=_get_text, state=UrlState.SKIPPED, transient=False
    ),
    _ErrorRule(classes=(RemovedError,), reason=PageReason.REMOVED, describe=_get_text, state=UrlState.SKIPPED, transient=False),
    _ErrorRule(
        classes=(AddressRefusedError, ContactMissingError), reason=PageReason.ADDRESS, describe=_get_text, transient=False
    ),
    _ErrorRule(
        classes=(NotFoundError,), reason=PageReason.DNS, describe=_get_text, most_tries=TRIES_OF_UNREACHED,
        scope=FailureScope.HOST,
    ),
    _ErrorRule(classes=(IgnoreRequest,), reason=PageReason.CONNECTION, describe=_get_line),
    _ErrorRule(classes=(StuckError,), reason=PageReason.TOO_SLOW, describe=_get_text, most_tries=TRIES_OF_ERRORS),
    # limits of size
    _ErrorRule(
        names=frozenset({"HeadersTooLargeError"}), reason=PageReason.TOO_LARGE, describe=lambda _: "its headers do not end",
        transient=False,
    ),
    _ErrorRule(classes=(DownloadCancelledError,), reason=PageReason.TOO_LARGE, describe=_describe_limit, transient=False),
    # no connection
    _ErrorRule(classes=(UnsupportedURLSchemeError,), reason=PageReason.FAULT, describe=_get_text, transient=False),
    _ErrorRule(
        classes=(CannotResolveHostError,), names=frozenset({"DNSLookupError"}), reason=PageReason.DNS,
        describe=_get_line, most_tries=TRIES_OF_UNREACHED, scope=FailureScope.HOST,
    ),
    _ErrorRule(
        names=frozenset({"TunnelError"}), reason=PageReason.REFUSED, describe=_describe_tunnel, most_tries=TRIES_OF_UNREACHED,
        scope=FailureScope.HOST,
    ),
    _ErrorRule(
        classes=(DownloadConnectionRefusedError,), words=("ConnectionRefused",), reason=PageReason.REFUSED,
        most_tries=TRIES_OF_UNREACHED, scope=FailureScope.HOST,
    ),
    _ErrorRule(
        classes=(DownloadTimeoutError,), words=("Timeout",), began=True, reason=PageReason.TOO_SLOW, describe=_get_line,
        most_tries=TRIES_OF_ERRORS, scope=FailureScope.UNSURE,
    ),
    _ErrorRule(
        classes=(DownloadTimeoutError,), words=("Timeout",), reason=PageReason.TIMEOUT, most_tries=TRIES_OF_ERRORS,
        scope=FailureScope.UNSURE,
    ),
    _ErrorRule(
        words=("SSL", "certificate", "VerificationError"), reason=PageReason.TLS, describe=_describe_tls, transient=False,
        scope=FailureScope.HOST,
    ),
    # a response that cannot be read
    _ErrorRule(
        classes=(zlib.error, EOFError, ValueError), names=frozenset({"BadGzipFile", "ZstdError", "error"}),
        reason=PageReason.GARBLED, describe=_get_line, most_tries=TRIES_OF_ERRORS,
    ),
    _ErrorRule(  # a retry would get the same
        names=_NO_HTTP, also="ResponseFailed", reason=PageReason.PROTOCOL, describe=_describe_protocol, transient=False,
        scope=FailureScope.PAGE,
    ),
    _ErrorRule(
        classes=(ResponseDataLossError,), reason=PageReason.CONNECTION, describe=lambda _: "it broke off before its end",
        most_tries=TRIES_OF_UNREACHED, scope=FailureScope.PAGE,
    ),
    _ErrorRule(classes=(BaseException,), reason=PageReason.CONNECTION, describe=_get_line, scope=FailureScope.UNSURE),
)  # fmt: skip


def find_failure(error: BaseException, *, began: bool = False, page_megabytes: float = DEFAULT_PAGE_MEGABYTES) -> Failure:
    """Return the failure of a request by its error: Scrapy's, Twisted's or one of this module.

    `began`: the headers of a response were received; `page_megabytes`: limit of a page's size.
    """
    match error:
        case ReservedError():
            return Failure(reason=Reason(error.reason, str(error)), state=UrlState.SKIPPED, transient=False)
        case RobotsUnreachableError():
            reason = _find_host_reason(error.because) or Reason(PageReason.ROBOTS_UNREACHABLE, str(error))
            if reason.word is PageReason.CAPTCHA:
                return Failure(reason=reason, transient=False)
            return Failure(reason=reason, most_tries=TRIES_OF_UNREACHED, pause=error.pause)
        case HostPausedError():
            word = PageReason.SUSPENDED if error.pause.suspended else PageReason.PAUSED
            return Failure(reason=Reason(word, str(error)), pause=error.pause)
    chain = _ErrorChain(error, began=began, page_megabytes=page_megabytes)
    return next(rule.make_failure(chain) for rule in _ERROR_RULES if rule.matches(chain))


def _find_host_reason(because: str) -> Reason | None:
    """Return the reason if no connection was made, or a challenge came; it counts for pages as for robots.txt."""
    for reason in (PageReason.DNS, PageReason.REFUSED, PageReason.TLS, PageReason.TIMEOUT, PageReason.CAPTCHA):
        if because.startswith(reason):
            return Reason(reason, because.removeprefix(reason).removeprefix(": "))
    return None


def _list_causes(error: BaseException | None) -> list[BaseException]:
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


def _find_first_line(error: BaseException) -> str:
    for cause in reversed(_list_causes(error)):
        text = str(cause).strip()
        if text and not text.startswith("[<twisted"):
            return text.splitlines()[0][:200]
    return type(error).__name__
