"""The scope of a portal. Nothing outside it is ever requested.

Without configured hosts it is the registered domain of each start URL by the public-suffix list, including the list's private
part (`a.github.io` and `b.github.io` are different publishers). Addresses without a registered domain (IP addresses, localhost,
names of an intranet) are compared with their port: 127.0.0.1:8702 and 127.0.0.1:8711 are different portals.
The list is the one bundled with tldextract; it is neither fetched nor cached on disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from newscrawler.discovery.urls.canonical import canonicalize, canonicalize_or_none
from newscrawler.discovery.urls.user_patterns import UserPattern
from newscrawler.limits import PATTERN_SECONDS

if TYPE_CHECKING:
    from tldextract import TLDExtract

_MOST_ORIGINS = 2_000
_STANDARD_PORTS = frozenset({80, 443})
_IPV4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The hosts of a portal, and which of its URLs are wanted."""

    #: In scope with every subdomain.
    domains: frozenset[str]
    #: Ports that count for `domains`: the standard ones and those of the start URLs.
    ports: frozenset[int]
    #: (host, port) in scope without subdomains.
    exact: frozenset[tuple[str, int]]
    #: Canonical start URLs, allowed whatever the patterns.
    start_urls: frozenset[str]
    #: Searched for in the canonical URL: only these (empty: all), and not these.
    include: tuple[UserPattern, ...] = ()
    exclude: tuple[UserPattern, ...] = ()
    _origins: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        start_urls: Iterable[str],
        hosts: Iterable[str] = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        *,
        exact_hosts: bool = False,
    ) -> Self:
        """Create the scope of a portal.

        Args:
            start_urls: where the portal begins.
            hosts: `name` or `name:port`, each with its subdomains; they replace the registered domains.
            include: only URLs in which one of these is found.
            exclude: no URL in which one of these is found.
            exact_hosts: only the hosts of the start URLs and `hosts`, without subdomains.

        Raises:
            ValueError: a start URL, a host or a pattern is impossible.
        """
        starts = frozenset(canonicalize(url) for url in start_urls)
        exact = {_split_host(url) for url in starts}
        ports = {port for _, port in exact} | _STANDARD_PORTS
        domains: set[str] = set()
        configured = [_read_host(entry) for entry in hosts]
        for host, port in configured:
            ports |= {port} if port is not None else set()
            if _has_subdomains(host) and not exact_hosts:
                domains.add(host)
            else:
                exact |= {(host, each) for each in ([port] if port is not None else ports)}
        if not (configured or exact_hosts):
            domains = {domain for host, _ in exact if (domain := find_registered_domain(host))}
        return cls(
            domains=frozenset(domains), ports=frozenset(ports), exact=frozenset(exact), start_urls=starts,
            include=tuple(map(UserPattern, include)), exclude=tuple(map(UserPattern, exclude)),
        )  # fmt: skip

    def allows_host(self, url: str) -> bool:
        """Return whether the host of a URL belongs to the portal; False for other than http(s) addresses."""
        canonical = canonicalize_or_none(url)
        if canonical is None:
            return False
        return self._has(canonical[: canonical.index("/", 8)])

    def may_fill(self, url: str, page_url: str) -> bool:  # noqa: ARG002  for scopes of all hosts
        """Say whether a page of the portal may get its content from a URL: the host is the portal's, and no pattern excludes it."""
        return self.allows_host(url) and not any(pattern.search(url) for pattern in self.exclude)

    def _has(self, origin: str) -> bool:
        """Return whether a canonical origin belongs to the portal. Results are cached, since links name few origins."""
        known = self._origins.get(origin)
        if known is None:
            if len(self._origins) >= _MOST_ORIGINS:
                self._origins.clear()
            known = self._origins[origin] = self._is_within(*_split_host(origin))
        return known

    def _is_within(self, host: str, port: int) -> bool:
        if (host, port) in self.exact:
            return True
        if port not in self.ports:
            return False
        while host:
            if host in self.domains:
                return True
            host = host.partition(".")[2]
        return False

    def allows(self, url: str) -> bool:
        """Return whether a URL may be requested: host in scope, included and not excluded. Start URLs always may."""
        canonical = canonicalize_or_none(url)
        return canonical is not None and self.allows_canonical(canonical)

    def get_notes(self) -> list[str]:
        """Return a note for the user of each pattern that took too long, and was left out from then on."""
        return [
            f"the pattern {each.pattern} took over {PATTERN_SECONDS * 1000:.0f} ms on {each.gave_up_at}: left out of this run"
            for each in (*self.include, *self.exclude)
            if each.gave_up_at
        ]

    def allows_canonical(self, canonical: str) -> bool:
        """Return `allows` of a canonical URL, a little faster."""
        if not self._has(canonical[: canonical.index("/", 8)]):
            return False
        if canonical in self.start_urls:
            return True
        if self.include and not any(pattern.search(canonical) for pattern in self.include):
            return False
        return not any(pattern.search(canonical) for pattern in self.exclude)


@lru_cache(maxsize=4_096)
def find_registered_domain(host: str) -> str:
    """Return the registered domain of a host (`news.example.co.uk` → `example.co.uk`), or "" if it has none."""
    host = host.lower().rstrip(".")
    if not _has_subdomains(host):
        return ""
    return _load_suffixes()(host).top_domain_under_public_suffix


@lru_cache(maxsize=1)
def _load_suffixes() -> TLDExtract:
    from tldextract import TLDExtract  # takes a fifth of a second

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def _has_subdomains(host: str) -> bool:
    return "." in host and not _is_address(host)


def _is_address(host: str) -> bool:
    return ":" in host or bool(_IPV4.match(host))


def _split_host(canonical: str) -> tuple[str, int]:
    parts = urlsplit(canonical)
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _read_host(entry: str) -> tuple[str, int | None]:
    """Return host and port of a configured host, which may be written as a URL.

    Raises:
        ValueError: the name is impossible for a host.
    """
    text = entry.strip()
    host, port = _split_host(canonicalize(text if "//" in text else f"http://{text}/"))
    given = urlsplit(text if "//" in text else f"//{text}").port
    return host, port if given is not None else None
