"""Host and origin of a URL: a host has a slot, an origin has a robots.txt."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from newscrawler.politeness.addresses import address_of, is_local_name

_PORTS = {"http": 80, "https": 443}


def host_of(url: str) -> str:
    """Return the host of a URL in lower case, without port; an IP address in its shortest form; "" if there is none."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""
    address = address_of(host)
    if address is not None:
        return str(address)
    try:
        host = host.encode("idna").decode("ascii")
    except UnicodeError:
        pass
    return host.lower()[:255]


def origin_of(url: str) -> str:
    """Return scheme://host, with the port if it is not the scheme's default: the scope of a robots.txt (RFC 9309, section 2.3)."""
    parts = urlsplit(url)
    host = host_of(url)
    host = f"[{host}]" if ":" in host else host
    try:
        port = parts.port
    except ValueError:
        port = None
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != _PORTS.get(parts.scheme) else "")


def slot_names(host: str, addresses: Iterable[str]) -> tuple[str, ...]:
    """Return the slots that a request needs: the host's, then those of its addresses."""
    return tuple(dict.fromkeys((host, *sorted(addresses)[:8])))


def is_on_denylist(host: str, names: Iterable[str]) -> bool:
    """Return whether a host or a parent domain is on the denylist."""
    return any(host == name or host.endswith(f".{name}") for name in names)


def is_this_machine(host: str) -> bool:
    """Return whether a host is this machine by its name or address."""
    address = address_of(host)
    return address.is_loopback if address is not None else is_local_name(host)
