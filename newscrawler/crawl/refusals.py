"""Why a request was never sent: each an error of its own, so that whoever asked can keep the reason."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy.exceptions import IgnoreRequest

from newscrawler.politeness.names import is_this_machine


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
