"""The canonical form of URLs, so that an address is fetched and stored once, and its parts.

Whatever can matter to a server stays: the order of parameters, trailing slashes, `www.` and the scheme. Tracking and session
parameters, fragments (including `#!`), user names and passwords are removed. A canonical URL is split once for all functions that
read the same link in turn: at two signs, since `urlsplit` accepts any text and takes 7 µs, as long as all look-ups in the path.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from newscrawler.discovery.urls.vocabulary import fold

_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\Z")
#: URLs that are canonical already, unless `//` or `/.` is in their path: most links.
_PLAIN = re.compile(r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::(?!80/|443/|0)[0-9]{1,4})?/[A-Za-z0-9_.~!$&'*+,=:@/-]*\Z")
_REMOVED = re.compile(r"[\t\r\n]")
_EDGES = "".join(map(chr, range(33)))
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|([^A-Za-z0-9\-._~!$&'()*+,;=:@/?])")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SESSION_SEGMENT = re.compile(r";(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*", re.IGNORECASE)
_COOKIELESS = re.compile(r"/\((?:[A-Z]\([a-z0-9_-]{16,}\))+\)(?=/)", re.IGNORECASE)
_DOTS = re.compile(r"/\.{1,2}(?:/|\Z)")
_TRACKING = """
fbclid gclid gclsrc gbraid wbraid dclid msclkid yclid ysclid ymclid twclid ttclid li_fat_id igshid igsh epik srsltid
rb_clickid s_kwcid ef_id dicbo wickedid obclid tblci mc_cid mc_eid mkt_tok _ga _gl _gac _hsenc _hsmi __hstc __hssc
__hsfp hsctatracking _openstat xtor ito ncid guccounter guce_referrer guce_referrer_sig soc_src soc_trk icid ocid
cmpid spm __twitter_impression __s vero_id vero_conv oly_anon_id oly_enc_id trk trkcampaign ref_src ref_url referrer
referer refsrc fb_action_ids fb_action_types fb_ref fb_source action_object_map action_type_map action_ref_map
wt_mc wt.mc wt_zmc wt.zmc at_medium at_campaign dm_i elqtrackid elqtrack sc_cid sc_channel ns_mchannel ns_source
ns_campaign ns_linkname campaign_id _branch_match_id smid smtyp partner_code spref
"""
#: Parameters that name the source of a visit or the reader, never the content.
TRACKING_NAMES = frozenset(_TRACKING.split())
_TRACKING_PREFIXES = ("utm_", "utm-", "pk_", "mtm_", "piwik_", "hsa_", "__cft__", "at_custom", "stm_", "ga_")
_CHANNEL = re.compile(r"(?:rss|feed|newsletter|e?mail|push|twitter|facebook|telegram|whatsapp|homepage|home|amp)\Z", re.IGNORECASE)
_TRACKING_BY_VALUE = {
    # A bare word is a source of visits; a number may be an identifier.
    "ref": re.compile(r"[A-Za-z][A-Za-z._-]*\Z"),
    "source": _CHANNEL,
    "from": _CHANNEL,
}
_SESSION_NAMES = frozenset({"phpsessid", "jsessionid", "sessionid", "session_id", "cfid", "cftoken", "oscsid", "zenid", "sessid"})
_SESSION_BY_VALUE = {
    name: re.compile(r"(?=[^/]*[0-9])[0-9A-Za-z,-]{16,}\Z") for name in ("sid", "s", "session", "sess", "ses", "psid", "token")
}


@lru_cache(maxsize=2_048)
def canonicalize(url: str) -> str:
    """Return the canonical form under which a URL is fetched, compared and stored; idempotent.

    Raises:
        ValueError: not an http or https address, or one that no server can have.
    """
    if _PLAIN.match(url) and "//" not in url[8:] and "/." not in url:
        return url
    return _canonicalize(url)


def canonicalize_or_none(url: str) -> str | None:
    """Return the canonical form, or None where `canonicalize` raises."""
    try:
        return canonicalize(url)
    except ValueError:
        return None


def _canonicalize(url: str) -> str:
    cleaned = _REMOVED.sub("", url.strip(_EDGES))
    scheme, colon, rest = cleaned.partition(":")
    scheme = scheme.lower()
    if not colon or scheme not in _DEFAULT_PORTS:
        msg = f"{url[:200]!r} is not an http or https address"
        raise ValueError(msg)
    before_query, question, query = rest.partition("#")[0].partition("?")
    # Browsers read backslashes as slashes, and any number of them before the host as two.
    before_query = "//" + before_query.replace("\\", "/").lstrip("/")
    authority, slash, path = before_query[2:].partition("/")
    netloc = _normalize_netloc(scheme, authority, url)
    path = _normalize_path(slash + path)
    query = _normalize_query(query) if question else ""
    return f"{scheme}://{netloc}{path}?{query}" if query else f"{scheme}://{netloc}{path}"


def _normalize_netloc(scheme: str, authority: str, url: str) -> str:
    """Return host and port in normal form."""
    try:
        return _compute_netloc(scheme, authority)
    except ValueError as exc:
        msg = f"{url[:200]!r} names {exc}"
        raise ValueError(msg) from exc


@lru_cache(maxsize=1_024)  # the links of a page name few hosts
def _compute_netloc(scheme: str, authority: str) -> str:
    try:
        parts = urlsplit(f"//{authority}")
        host, port = parts.hostname or "", parts.port
        is_ipv6 = ":" in host
        host = host if is_ipv6 else _encode_host(unquote(host))
    except ValueError as exc:
        msg = "no possible host or port"
        raise ValueError(msg) from exc
    if is_ipv6:
        host = f"[{host}]"
    elif not _HOST.match(host) or ".." in host or len(host) > 253:
        msg = "no possible host"
        raise ValueError(msg)
    return host if port in {None, _DEFAULT_PORTS[scheme]} else f"{host}:{port}"


def _encode_host(host: str) -> str:
    """Return a host in ASCII by UTS 46, as browsers do; IDNA 2008 knows no emoji, which some registries sell."""
    host = host.rstrip(".")
    if host.isascii():
        return host.lower()
    import idna  # large, and few hosts need it

    labels = idna.uts46_remap(host, std3_rules=False).rstrip(".").split(".")
    return ".".join(label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}" for label in labels)


def _normalize_path(path: str) -> str:
    path = _escape(path) or "/"
    if ";" in path:
        path = _SESSION_SEGMENT.sub("", path)
    if "(" in path:
        path = _COOKIELESS.sub("", path)
    return _remove_dots(path) if _DOTS.search(path) else path


def _remove_dots(path: str) -> str:
    """Return a path without `.` and `..` (RFC 3986, section 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _normalize_query(query: str) -> str:
    kept: list[str] = []
    for pair in query.split("&"):
        # `&amp;amp;` is what is left of an ampersand that was escaped twice.
        while pair[:4].lower() == "amp;":
            pair = pair[4:]  # noqa: PLW2901
        if pair and not _is_tracking(pair):
            kept.append(_escape(pair))
    return "&".join(kept)


def _is_tracking(pair: str) -> bool:
    """Return whether a parameter is for tracking or a session."""
    name, _, value = _escape(pair).partition("=")
    name = name.lower()
    if name in TRACKING_NAMES or name in _SESSION_NAMES or name.startswith(_TRACKING_PREFIXES) or name.startswith("aspsessionid"):
        return True
    shape = _TRACKING_BY_VALUE.get(name) or _SESSION_BY_VALUE.get(name)
    return bool(shape and shape.match(value))


def _escape(text: str) -> str:
    """Return a text with only the necessary escapes, in capital digits (RFC 3986, section 6.2.2)."""
    return _ESCAPE.sub(_escape_one, text)


def _escape_one(match: re.Match[str]) -> str:
    digits, character = match.groups()
    if digits is None:
        return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))
    byte = int(digits, 16)
    return chr(byte) if byte in _UNRESERVED else f"%{digits.upper()}"


class Address(NamedTuple):
    """The parts of a canonical URL."""

    #: The whole.
    url: str
    #: Host and port.
    netloc: str
    #: From the first slash.
    path: str
    #: Without the question mark.
    query: str
    #: The path unquoted, in small letters without accents.
    folded: str


@lru_cache(maxsize=2_048)  # several functions read each link in turn
def split_address(url: str) -> Address | None:
    """Return the parts of a URL, or None if it is not an http(s) address."""
    canonical = canonicalize_or_none(url)
    if canonical is None:
        return None
    start = canonical.index("/", 8)
    path, _, query = canonical[start:].partition("?")
    netloc = canonical[canonical.index("//") + 2 : start]
    return Address(canonical, netloc, path, query, fold(unquote(path) if "%" in path else path))
