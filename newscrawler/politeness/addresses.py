"""Hosts, origins and network addresses of URLs; the addresses that requests may go to.

A host has a slot, an origin has a robots.txt. Permitted are public addresses, and those that a portal is configured with.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
_LOOPBACK: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.1/32"), ipaddress.ip_network("::1/128"))
#: Not public although Python counts them as such: services of clouds for their own machines, obsolete IPv4-in-IPv6 ranges.
_NEVER_PUBLIC: tuple[Network, ...] = tuple(
    ipaddress.ip_network(network)
    for network in ("168.63.129.16/32", "192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "::/96", "5f00::/16", "100.64.0.0/10")
)
#: The last 32 bits are an IPv4 address (RFC 6052).
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_PORTS = {"http": 80, "https": 443}


def parse_ip_address(text: str) -> Address | None:
    """Read an IP address, with or without brackets and zone; None: it is a name."""
    try:
        return ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


def is_local_name(host: str) -> bool:
    """Return whether a name means this machine, regardless of name servers (RFC 6761, section 6.3)."""
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost")


def is_public(address: Address) -> bool:
    """Return whether an address is public: not private, loopback, link-local, multicast, reserved or a cloud's own."""
    inner = _extract_ipv4(address)
    if inner is not None:
        return is_public(inner)
    if any(address in network for network in _NEVER_PUBLIC):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _extract_ipv4(address: Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address contains."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address.teredo is not None:
        return address.teredo[1]
    return address.ipv4_mapped or address.sixtofour


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressRules:
    """Permitted addresses of a portal's requests."""

    #: (configured host, network): permitted for that host only.
    at_hosts: frozenset[tuple[str, Network]] = frozenset()
    #: Permitted for all hosts.
    networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, hosts: Iterable[str], networks: Iterable[str] = ()) -> AddressRules:
        """Take them from the configuration.

        Args:
            hosts: start URLs, feeds and hosts in scope; an address of this machine among them is allowed for this host.
            networks: permitted private networks, such as 10.0.0.0/8; an address elsewhere in private networks needs one.
        """
        at_hosts: set[tuple[str, Network]] = set()
        for host in hosts:
            name = (urlsplit(host).hostname or "" if "://" in host else host).strip("[]").rstrip(".").lower()
            address = parse_ip_address(name)
            if address is not None and address.is_loopback:
                at_hosts.add((str(address), ipaddress.ip_network(address)))
            elif is_local_name(name):
                at_hosts.update((name, network) for network in _LOOPBACK)
        return cls(at_hosts=frozenset(at_hosts), networks=tuple(ipaddress.ip_network(network) for network in networks))

    def allows(self, host: str, address: Address) -> bool:
        """Return whether a connection for `host` may go to `address`."""
        if is_public(address):
            return True
        name = host.strip("[]").rstrip(".").lower()
        literal = parse_ip_address(name)
        name = str(literal) if literal is not None else name
        if any(name == at and address in network for at, network in self.at_hosts):
            return True
        if is_local_name(name) and any(is_local_name(at) for at, _ in self.at_hosts):  # sub.localhost of localhost
            return address.is_loopback
        return any(address in network for network in self.networks if network.version == address.version)


def get_host(url: str) -> str:
    """Return the host of a URL in lower case, without port; an IP address in its shortest form; "" if there is none."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""
    address = parse_ip_address(host)
    if address is not None:
        return str(address)
    try:
        host = host.encode("idna").decode("ascii")
    except UnicodeError:
        pass
    return host.lower()[:255]


def get_origin(url: str) -> str:
    """Return scheme://host, with the port if it is not the scheme's default: the scope of a robots.txt (RFC 9309, section 2.3)."""
    parts = urlsplit(url)
    host = get_host(url)
    host = f"[{host}]" if ":" in host else host
    try:
        port = parts.port
    except ValueError:
        port = None
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != _PORTS.get(parts.scheme) else "")


def list_slots(host: str, addresses: Iterable[str]) -> tuple[str, ...]:
    """Return the slots that a request needs: the host's, then those of its addresses."""
    return tuple(dict.fromkeys((host, *sorted(addresses)[:8])))


def is_on_denylist(host: str, names: Iterable[str]) -> bool:
    """Return whether a host or a parent domain is on the denylist."""
    return any(host == name or host.endswith(f".{name}") for name in names)


def is_this_machine(host: str | None) -> bool:
    """Return whether a host is this machine by its name or address, without DNS."""
    name = (host or "").rstrip(".")
    address = parse_ip_address(name)
    return address.is_loopback if address is not None else is_local_name(name)
