"""Contact and user agent, by which the operator of a portal identifies the crawler; hosts that need neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from newscrawler import __version__
from newscrawler.errors import ConfigError
from newscrawler.politeness import is_this_machine

#: In the current folder.
CONFIGURATION_FILE = "newscrawler.toml"
#: Printable ASCII without white space or brackets, since it is put into a comment of an HTTP header (RFC 9110 §10.1.5).
_CONTACT = re.compile(r"[!-'*-~]+@[!-'*-~]+\.[!-'*-~]+|https?://[!-'*-~]+\.[!-'*-~]+")


def is_contact(text: str) -> bool:
    """Return whether this is an e-mail or web address that can be put into the user agent."""
    return _CONTACT.fullmatch(text) is not None and "\\" not in text


def check_contact(text: str) -> str:
    """Return the contact if it is valid.

    Raises:
        ConfigError: it is neither an e-mail nor a web address.
    """
    if not is_contact(text):
        raise ConfigError(f"the contact {text} is neither an e-mail address nor a web address at which an operator reaches you")
    return text


def format_user_agent(contact: str | None, identity: str | None = None) -> str:
    """Return the value of the User-Agent header: "newscrawler/VERSION (+CONTACT; +URL)", the page about the bot last."""
    reach = [f"+{each}" for each in (contact, f"{identity}/bot.html" if identity else None) if each]
    return f"newscrawler/{__version__} ({'; '.join(reach)})" if reach else f"newscrawler/{__version__}"


def find_foreign_hosts(start_urls: Sequence[str], hosts: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the hosts that are not this machine, each once."""
    named = [*(urlsplit(url).hostname or "" for url in start_urls), *hosts]
    return tuple(dict.fromkeys(host for host in named if host and not is_this_machine(host)))
