"""Hosts that may be added from a browser: public ones, and others only where only this machine has access."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from newscrawler.errors import ConfigError
from newscrawler.politeness import is_local_name, is_public, parse_ip_address
from newscrawler.web.requests.context import WebContext


def check_reach(context: WebContext, urls: Iterable[str], hosts: Iterable[str] = ()) -> None:
    """Refuse hosts of this machine and of private networks, unless only this machine has access.

    The crawl itself refuses names that resolve to such addresses, when it connects.

    Raises:
        ConfigError: a host is one of them.
    """
    if context.is_for_this_machine:
        return
    for host in (*map(_get_host, urls), *hosts):
        address = parse_ip_address(host)
        if is_local_name(host) or (address is not None and not is_public(address)):
            raise ConfigError(
                f"{host} is this machine or in a private network; such a portal is added in newscrawler.toml, or with "
                "`newscrawler portal add`, by whoever may log in to the machine"
            )


def _get_host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError as error:
        raise ConfigError(f"{url} is no web address: {error}") from error
