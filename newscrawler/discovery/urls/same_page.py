"""Different addresses of one page: the canonical address that it declares, and AMP, print and mobile forms.

The results are not certain, since addresses are compared, not pages. The key joins addresses that nearly always lead to one page,
to look up whether an address was seen in another form. It is not an address to fetch.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from newscrawler.discovery.urls.canonical import Address, canonicalize_or_none, split_address
from newscrawler.discovery.urls.scope import Scope
from newscrawler.languages import alternatives

_HOST_FORM = re.compile(r"^(?:www\d?|m|mobile|mobil|amp|touch|wap)\.(?=[^.]+\.)")
_PATH_FORM = re.compile(r"(?:/(?:amp|print|print-?version|mobile)|\.amp|-amp)(?=/?$|\.html?$)", re.IGNORECASE)
_PATH_BEGINNING = re.compile(r"^/(?:amp|mobile|print)(?=/.)", re.IGNORECASE)
_INDEX = re.compile(r"/(?:index|default)\.(?:s?html?|php|aspx?)$", re.IGNORECASE)
#: Suffixes of the address of an article's second page or other form.
_FURTHER = re.compile(rf"(?:{alternatives('page')}[/-]?)?\d{{1,3}}|amp|print|galler(?:y|ie)|foto|comments?", re.IGNORECASE)
_FORM_PARAMETERS = frozenset({"amp", "outputtype", "output", "print", "printable", "mobile", "view_mode", "noamp"})


def make_same_page_key(url: str) -> str | None:
    """Return a key that is the same for all forms of a page, or None if the URL is not an http(s) address.

    It ignores the scheme, `www.`, mobile and AMP hosts, a slash or an index file at the end, and AMP or print endings.
    """
    return _examine_form(url)[0]


def is_other_form(url: str) -> bool:
    """Return whether an address looks like the AMP, print or mobile form of a page."""
    return _examine_form(url)[1]


@lru_cache(maxsize=2_048)  # each page of a portal repeats its menu
def _examine_form(url: str) -> tuple[str | None, bool]:
    parts = split_address(url)
    return (None, False) if parts is None else (_make_key(parts), _is_other_form(parts))


@lru_cache(maxsize=1_024)  # the links of a page name few hosts
def _strip_host(host: str) -> str:
    while (shorter := _HOST_FORM.sub("", host)) != host:
        host = shorter
    return host


def _make_key(parts: Address) -> str:
    host = _strip_host(parts.netloc)
    path = _PATH_BEGINNING.sub("", parts.path)
    path = _PATH_FORM.sub("", _INDEX.sub("/", path)).rstrip("/")
    pairs = [pair for pair in parts.query.split("&") if pair and pair.partition("=")[0].lower() not in _FORM_PARAMETERS]
    return f"{host}{path}" + (f"?{'&'.join(sorted(pairs))}" if pairs else "")


def _is_other_form(parts: Address) -> bool:
    host = parts.netloc.removeprefix("www.")
    names = {pair.partition("=")[0].lower() for pair in parts.query.split("&")} if parts.query else set()
    return bool(
        _HOST_FORM.match(host) or _PATH_BEGINNING.match(parts.path) or _PATH_FORM.search(parts.path) or names & _FORM_PARAMETERS
    )


def accept_canonical(url: str, stated: str | None, scope: Scope) -> str | None:
    """Return the canonical form of the address that a page declares (rel=canonical, og:url), or None if it is implausible.

    Portals declare the front page, a section or another site's page by mistake, so an address out of scope, the root, and a
    folder above the page are not accepted.

    Args:
        url: where the page came from.
        stated: absolute.
        scope: of the portal.
    """
    own, other = canonicalize_or_none(url), canonicalize_or_none(stated) if stated else None
    if own is None or other is None or not scope.allows_host(other):
        return None
    if other == own or make_same_page_key(other) == make_same_page_key(own):
        return other
    here, there = urlsplit(own), urlsplit(other)
    if there.path in {"", "/"} and not there.query:
        return None
    # A parameter may be a tracking parameter of this portal; a whole folder is not.
    if there.path == here.path:
        return other if len(there.query) < len(here.query) else None
    return None if here.path.startswith(there.path.rstrip("/") + "/") and not _is_page_of(here.path, there.path) else other


def _is_page_of(path: str, above: str) -> bool:
    """Return whether a path is the second page or another form of the article above it."""
    rest = path[len(above.rstrip("/")) :].strip("/")
    return _FURTHER.fullmatch(rest) is not None
