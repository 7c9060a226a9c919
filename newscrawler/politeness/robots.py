"""robots.txt by RFC 9309: the rules that a host has for us, and whether they allow a URL. Never raises, whatever it reads.

Matching takes time in proportion to pattern and path, however many wildcards a pattern holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

#: RFC 9309, section 2.2.1: what a group of rules names.
PRODUCT_TOKEN = "newscrawler"  # noqa: S105  no password
#: RFC 9309, section 2.5: at least this much is read; the rest is left.
MOST_BYTES = 500 * 1024
#: A Crawl-delay beyond this would stop a crawl for good; what is asked beyond it is reported.
LONGEST_CRAWL_DELAY_SECONDS = 120.0
_MOST_SITEMAPS = 200
_MARKUP = re.compile(r"<(?:!doctype\b|html\b|head\b|body\b|meta\b|\?xml\b)", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z_-]+")
_RATE = re.compile(r"(\d{1,9})\s*/\s*(\d{1,9}(?:\.\d{1,9})?)\s*([smh]?)", re.IGNORECASE)
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
#: RFC 9309, section 2.2.4, allows common misspellings to be understood; these are the ones that Google's parser knows.
_AGENT_KEYS = frozenset({"user-agent", "useragent", "user agent"})
_DISALLOW_KEYS = frozenset({"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"})
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
#: Characters that may stand in path and query as they are (RFC 3986, section 3.3 and 3.4); `*` and `$` mean something here.
_LITERAL = _UNRESERVED | frozenset(b"!&'()+,;=:@/?")
_HEX = frozenset(b"0123456789abcdefABCDEF")


@dataclass(frozen=True, slots=True)
class Rule:
    """One line `Allow:` or `Disallow:`."""

    allows: bool
    #: As RFC 9309, section 2.2.2, compares it: octets outside ASCII encoded, unreserved ones decoded.
    pattern: str

    def matches(self, path: str) -> bool:
        """Whether a path, written in the same way, begins as the pattern says."""
        anchored = self.pattern.endswith("$")
        first, *rest = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        if not rest:
            return not anchored or len(path) == len(first)
        at = len(first)
        last = rest.pop()
        for part in rest:
            at = path.find(part, at)
            if at < 0:
                return False
            at += len(part)
        if anchored:
            return len(path) - at >= len(last) and path.endswith(last)
        return path.find(last, at) >= 0

    def matches_query(self, decoded: str) -> bool:
        """Whether the pattern fits where what is reserved in the query is written without its encoding."""
        return "?" in decoded and "?" in self.pattern and Rule(self.allows, _decoded_query(self.pattern)).matches(decoded)


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRules:
    """What a robots.txt says to us."""

    rules: tuple[Rule, ...] = ()
    #: The longest of Crawl-delay and Request-rate in our groups, as it stands there; None: none.
    asks_seconds: float | None = None
    sitemaps: tuple[str, ...] = ()
    #: The group that holds for us names us, and is not the one for all.
    names_us: bool = False
    #: What came is a page of HTML, and so says nothing.
    is_markup: bool = False

    @property
    def delay_seconds(self) -> float:
        """What is kept of what is asked."""
        return min(self.asks_seconds or 0.0, LONGEST_CRAWL_DELAY_SECONDS)

    def allows(self, url: str) -> bool:
        """Whether a URL of this origin may be fetched: the longest pattern decides, of two as long the one that allows."""
        path = _path_of(url)
        if path == "/robots.txt" or not self.rules:
            return True
        decoded = _decoded_query(path)
        best: Rule | None = None
        for rule in self.rules:
            longer = best is None or (len(rule.pattern), rule.allows) > (len(best.pattern), best.allows)
            if longer and (rule.matches(path) or rule.matches_query(decoded)):
                best = rule
        return best is None or best.allows


@dataclass(slots=True)
class _Group:
    agents: list[str] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)


@dataclass(slots=True)
class _File:
    groups: list[_Group] = field(default_factory=list)
    #: (agent, seconds)
    delays: list[tuple[str, float]] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)


def parse_robots(body: bytes, *, token: str = PRODUCT_TOKEN) -> RobotsRules:
    """Read a robots.txt; lines that are none of ours are passed over, a page of HTML in its place is an empty one.

    Args:
        body: as it came; what lies behind the first 500 KiB is left out.
        token: our product token.
    """
    text = _text(body)
    if _is_markup(text):
        return RobotsRules(is_markup=True)
    found = _read(text)
    names_us = any(token.lower() in group.agents for group in found.groups)
    agent = token.lower() if names_us else "*"
    return RobotsRules(
        rules=tuple(dict.fromkeys(rule for group in found.groups if agent in group.agents for rule in group.rules)),
        asks_seconds=max((delay for named, delay in found.delays if named == agent), default=None),
        sitemaps=tuple(dict.fromkeys(found.sitemaps))[:_MOST_SITEMAPS],
        names_us=names_us,
    )


def _text(body: bytes) -> str:
    if len(body) > MOST_BYTES:  # half a line would forbid or allow something else
        body = body[: MOST_BYTES + 1]  # one more, as a line may end right there
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    return body.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def _is_markup(text: str) -> bool:
    at = _beginning(text, 0)
    while text.startswith("<!--", at):
        end = text.find("-->", at)
        if end < 0:
            return False
        at = _beginning(text, end + 3)
    return _MARKUP.match(text, at) is not None


def _beginning(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _read(text: str) -> _File:
    """Sort the lines: a group goes on until a User-agent follows a rule; other records end none (RFC 9309, section 2.2.4)."""
    file = _File()
    began_rules = True  # what stands before the first User-agent belongs to nobody
    named: list[str] = []  # whom a Crawl-delay is for: the User-agent lines right above it
    above_is_agent = False
    for key, value in _lines(text):
        if key in _AGENT_KEYS:
            if began_rules:
                file.groups.append(_Group())
                began_rules = False
            file.groups[-1].agents.append(_agent(value))
            named = [*(named if above_is_agent else []), _agent(value)]
            above_is_agent = True
            continue
        if key == "sitemap":
            file.sitemaps.append(value)
            continue
        if not file.groups:
            continue
        if key == "allow" or key in _DISALLOW_KEYS:
            began_rules, above_is_agent = True, False
            if value:
                file.groups[-1].rules.append(Rule(key == "allow", _pattern(value)))
        elif (delay := _delay(key, value)) is not None:
            above_is_agent = False
            file.delays += [(agent, delay) for agent in named]
    return file


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in re.split(r"\r\n|\r|\n", text):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _agent(value: str) -> str:
    if value == "*" or (value.startswith("*") and value[1].isspace()):
        return "*"
    found = _TOKEN.match(value)
    return found.group().lower() if found else ""


def _delay(key: str, value: str) -> float | None:
    """Seconds between two requests; None: the line does not tell."""
    if key == "crawl-delay":
        found = re.match(r"\d{1,9}(?:[.,]\d{1,9})?", value)
        return float(found.group().replace(",", ".")) if found else None
    if key == "request-rate" and (found := _RATE.match(value)):
        requests = int(found[1])
        return float(found[2]) * _UNITS[found[3].lower()] / requests if requests else None
    return None


def _path_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    path = (parts.path or "/") + (f"?{parts.query}" if "?" in url.partition("#")[0] else "")
    return _normal(path, wild=False)


def _pattern(value: str) -> str:
    body = value.removesuffix("$")
    return _normal(body, wild=True) + ("$" if value.endswith("$") else "")


def _normal(text: str, *, wild: bool) -> str:
    """Write path or pattern so that octets can be compared (RFC 9309, section 2.2.2); `*` is a wildcard in patterns only."""
    data = text.encode("utf-8", "surrogateescape")
    if all(octet in _LITERAL for octet in data):
        return data.decode("ascii")
    out: list[str] = []
    at = 0
    while at < len(data):
        octet = data[at]
        if octet == 0x25 and at + 2 < len(data) and data[at + 1] in _HEX and data[at + 2] in _HEX:
            octet = int(data[at + 1 : at + 3], 16)
            out.append(chr(octet) if octet in _UNRESERVED else f"%{octet:02X}")
            at += 3
            continue
        out.append(chr(octet) if octet in _LITERAL or (wild and octet == 0x2A) else f"%{octet:02X}")
        at += 1
    return "".join(out)


def _decoded_query(text: str) -> str:
    """Decode what is reserved in the query: an address in it is the same address with and without its encoding."""
    path, mark, query = text.partition("?")
    if not mark or "%" not in query:
        return text
    return path + mark + re.sub(r"%(3A|2F|3F|40|21|27|28|29|2C|3B)", lambda found: chr(int(found[1], 16)), query)
