"""Who we are towards the operator of a portal: the contact, the user agent, and where neither is needed."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from newscrawler import __version__
from newscrawler.config.portal import CONFIGURATION_FILE, Configuration, Portal
from newscrawler.errors import ConfigError

#: Printable ASCII without white space or brackets: it stands in a comment of an HTTP header (RFC 9110 §10.1.5).
_CONTACT = re.compile(r"[!-'*-~]+@[!-'*-~]+\.[!-'*-~]+|https?://[!-'*-~]+\.[!-'*-~]+")


def is_contact(text: str) -> bool:
    """Whether this is an e-mail address or a web address that fits into the user agent."""
    return _CONTACT.fullmatch(text) is not None and "\\" not in text


def checked_contact(text: str) -> str:
    """Return the contact.

    Raises:
        ConfigError: it is none.
    """
    if not is_contact(text):
        raise ConfigError(f"the contact {text} is neither an e-mail address nor a web address at which an operator reaches you")
    return text


def user_agent(contact: str | None) -> str:
    """The name that we give in every request: "newscrawler/VERSION (+CONTACT)"."""
    return f"newscrawler/{__version__} (+{contact})" if contact else f"newscrawler/{__version__}"


def is_loopback(host: str | None) -> bool:
    """Whether the host is this machine, by its name or address alone; nothing is looked up."""
    if not host:
        return False
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):  # RFC 6761 §6.3
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def foreign_hosts(start_urls: Sequence[str], hosts: Sequence[str] = ()) -> tuple[str, ...]:
    """The hosts among these that are not this machine."""
    named = [*(urlsplit(url).hostname or "" for url in start_urls), *hosts]
    return tuple(dict.fromkeys(host for host in named if host and not is_loopback(host)))


def require_contact(configuration: Configuration, portals: Sequence[Portal]) -> None:
    """Make sure that operators can reach us before anything but this machine is crawled.

    Raises:
        ConfigError: a portal is elsewhere and there is no contact.
    """
    if configuration.contact:
        return
    hosts = [host for portal in portals for host in foreign_hosts(portal.start_urls, portal.hosts)]
    if hosts:
        file = configuration.path or CONFIGURATION_FILE
        raise ConfigError(
            f"{hosts[0]} may be asked for pages only once its operator can reach you: write an e-mail or web address as "
            f'contact = "you@your.domain" under [crawler] in {file}, or give --contact'
        )
