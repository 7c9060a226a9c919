"""Which hosts somebody may add from a browser: those of the internet; others only where nobody but this machine can ask."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from newscrawler.errors import ConfigError
from newscrawler.politeness.addresses import address_of, is_local_name, is_public
from newscrawler.web.requests.context import WebContext


def check_reach(context: WebContext, urls: Iterable[str], hosts: Iterable[str] = ()) -> None:
    """Refuse hosts of this machine and of private networks, unless only this machine can ask.

    Names that resolve to such addresses are refused by the crawl itself, when it connects.

    Raises:
        ConfigError: a host is one of them.
    """
    if context.is_for_this_machine:
        return
    for host in (*map(_host, urls), *hosts):
        address = address_of(host)
        if is_local_name(host) or (address is not None and not is_public(address)):
            raise ConfigError(
                f"{host} is this machine or in a private network; such a portal is added in newscrawler.toml, or with "
                "`newscrawler portal add`, by whoever may log in to the machine"
            )


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError as error:
        raise ConfigError(f"{url} is no web address: {error}") from error
