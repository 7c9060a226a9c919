"""robots.txt by RFC 9309: the group of lines that holds for us is picked here, Protego matches URLs against it.

Protego alone reads a file in time that grows with its user agents times its rules, matches parts of product tokens, and fails at
octets that are not UTF-8. So it is given one group, in which each line is written in one form. Nothing here ever raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from protego import Protego

#: RFC 9309, section 2.2.1: what a group of rules names.
PRODUCT_TOKEN = "newscrawler"  # noqa: S105  no password
#: RFC 9309, section 2.5: at least this much is read; the rest is ignored.
MOST_BYTES = 500 * 1024
#: A Crawl-delay beyond this would stop a crawl for good; what is asked beyond it is reported.
LONGEST_CRAWL_DELAY_SECONDS = 120.0
_MOST_SITEMAPS = 200
_MARKUP = re.compile(r"<(?:!doctype\b|html\b|head\b|body\b|meta\b|\?xml\b)", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z_-]+")
_DELAY = re.compile(r"\d{1,9}(?:[.,]\d{1,9})?")
_RATE = re.compile(r"(\d{1,9})\s*/\s*(\d{1,9}(?:\.\d{1,9})?)\s*([smhd]?)", re.IGNORECASE)
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
#: RFC 9309, section 2.2.4, allows common misspellings to be understood; these are the ones that Google's parser and Protego know.
_KEYS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "user-agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    **dict.fromkeys(("crawl-delay", "crawl delay"), "crawl-delay"),
    **dict.fromkeys(("request-rate", "request rate"), "request-rate"),
    **dict.fromkeys(("visit-time", "visit time"), "visit-time"),
    **dict.fromkeys(("sitemap", "sitemaps", "site-map"), "sitemap"),
    "allow": "allow",
    # of uses, not of crawling: `newscrawler.rights` reads their values
    "content-usage": "content-usage",
    "content-signal": "content-signal",
    "license": "license",
}
_USAGE = {"content-usage": "Content-Usage", "content-signal": "Content-Signal"}
_MOST_USAGE_LINES = 200
#: A line whose colon is missing: one of the keys, and one word behind it (two are a sentence).
_NO_COLON = re.compile(rf"({'|'.join(sorted(_KEYS, key=len, reverse=True))})[ \t]+(\S+)", re.IGNORECASE)
_CLOCK = re.compile(r"([01]?\d|2[0-3])([0-5]\d)\s*[-\s]\s*([01]?\d|2[0-3])([0-5]\d)")
_MINUTES_OF_DAY = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRules:
    """What a robots.txt says to us."""

    #: The lines Allow and Disallow of our group, each in one form.
    lines: tuple[str, ...] = ()
    #: Matches these lines; None: there are none.
    matcher: Protego | None = field(default=None, repr=False, compare=False)
    #: The longest of Crawl-delay and Request-rate in our groups, as it stands there; None: none.
    asks_seconds: float | None = None
    #: Visit-time: minutes of the day, UTC, between which visits are welcome; None: always.
    visit_minutes: tuple[int, int] | None = None
    sitemaps: tuple[str, ...] = ()
    #: (name, value) of the lines Content-Usage and Content-Signal of our group.
    usage: tuple[tuple[str, str], ...] = ()
    #: Addresses of licences (RSL 1.0, section 4.4), which belong to no group.
    licenses: tuple[str, ...] = ()
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
        return self.matcher is None or self.matcher.can_fetch(f"http://host{_path_of(url)}", "*")

    def opens_in(self, now: datetime) -> float:
        """Return the seconds until visits are welcome, by Visit-time; 0: they are."""
        if self.visit_minutes is None:
            return 0.0
        opens, closes = self.visit_minutes
        now = now.astimezone(UTC)
        minute = now.hour * 60 + now.minute
        if (minute - opens) % _MINUTES_OF_DAY < (closes - opens) % _MINUTES_OF_DAY:
            return 0.0
        wait = timedelta(minutes=(opens - minute) % _MINUTES_OF_DAY, seconds=-now.second, microseconds=-now.microsecond)
        return wait.total_seconds()


@dataclass(slots=True)
class _Group:
    """The lines for one product token, of all its groups."""

    lines: dict[str, None] = field(default_factory=dict)
    seconds: float | None = None
    visit_minutes: tuple[int, int] | None = None
    usage: dict[tuple[str, str], None] = field(default_factory=dict)
    named: bool = False


def parse_robots(body: bytes, *, token: str = PRODUCT_TOKEN) -> RobotsRules:
    """Read a robots.txt; lines that are none of ours are passed over, a page of HTML in its place is an empty one.

    Args:
        body: as it came; what lies behind the first 500 KiB is ignored.
        token: our product token.
    """
    text = _text(body)
    if _is_markup(text):
        return RobotsRules(is_markup=True)
    groups, sitemaps, licenses = _read(text, token.lower())
    names_us = groups[token.lower()].named
    ours = groups[token.lower() if names_us else "*"]
    return RobotsRules(
        lines=tuple(ours.lines),
        matcher=Protego.parse("\n".join(("User-agent: *", *ours.lines))) if ours.lines else None,
        asks_seconds=ours.seconds,
        visit_minutes=ours.visit_minutes,
        sitemaps=tuple(dict.fromkeys(sitemaps))[:_MOST_SITEMAPS],
        usage=tuple(ours.usage)[:_MOST_USAGE_LINES],
        licenses=tuple(dict.fromkeys(licenses))[:_MOST_SITEMAPS],
        names_us=names_us and token != "*",  # noqa: S105  no password
    )


def product_token(user_agent: str) -> str:
    """Return the product token of a User-Agent header: its first word, without the version (RFC 9309, section 2.2.1)."""
    found = _TOKEN.match(user_agent.strip())
    return found.group() if found else "*"


def _text(body: bytes) -> str:
    if len(body) > MOST_BYTES:  # half a line would forbid or allow something else
        body = body[: MOST_BYTES + 1]  # one more, as a line may end right there
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    if body.startswith(b"\xef"):  # a byte order mark, or what is left of one
        body = body.removeprefix(b"\xef").removeprefix(b"\xbb").removeprefix(b"\xbf")
    return body.decode("utf-8", "surrogateescape")


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


def _read(text: str, token: str) -> tuple[dict[str, _Group], list[str], list[str]]:
    """Sort the lines: a group goes on until a User-agent follows a rule; other records end none (RFC 9309, section 2.2.4)."""
    groups = {token: _Group(), "*": _Group()}
    sitemaps: list[str] = []
    licenses: list[str] = []
    before_groups = True
    began_rules = True  # what stands before the first User-agent belongs to nobody
    for_rules: set[str] = set()  # which of the two the group is for
    for_delays: set[str] = set()  # and the User-agent lines right above: a Crawl-delay is theirs alone
    above_is_agent = False
    for key, value in _lines(text):
        if key in {"sitemap", "license"}:
            (sitemaps if key == "sitemap" else licenses).append(value)
            continue
        if key in _USAGE:
            began_rules = began_rules or key == "content-usage"  # a rule (draft-ietf-aipref-attach-05, section 3)
            for each in groups if before_groups else for_rules:  # before all groups it is said to everybody
                groups[each].usage[_USAGE[key], value] = None
            continue
        if key == "user-agent":
            agent, before_groups = _agent(value), False
            for_rules = set() if began_rules else for_rules
            for_delays = for_delays if above_is_agent else set()
            began_rules, above_is_agent = False, True
            if agent in groups:
                groups[agent].named = True
                for_rules.add(agent)
                for_delays.add(agent)
            continue
        above_is_agent = False
        if key in {"allow", "disallow"}:
            began_rules = True
            if value:
                for each in for_rules:
                    groups[each].lines[f"{key.capitalize()}: {_encoded(value)}"] = None
        else:
            for each in for_delays:
                _take_time(groups[each], key, value)
    return groups, sitemaps, licenses


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for whole in re.split(r"\r\n|\r|\n", text):
        line = whole.partition("#")[0].strip()
        key, colon, value = line.partition(":")
        known = _KEYS.get(key.strip().lower()) if colon else None
        if known is not None:
            yield known, value.strip()
        elif found := _NO_COLON.fullmatch(line):
            yield _KEYS[found[1].lower()], found[2]


def _agent(value: str) -> str:
    if value == "*" or (value.startswith("*") and value[1].isspace()):
        return "*"
    found = _TOKEN.match(value)
    return found.group().lower() if found else ""


def _take_time(group: _Group, key: str, value: str) -> None:
    """Keep when and how often a group wants to be visited: of several delays the longest, of several hours the last."""
    seconds = None
    if key == "crawl-delay" and (delay := _DELAY.match(value)):
        seconds = float(delay.group().replace(",", "."))
    elif key == "request-rate" and (rate := _RATE.match(value)) and int(rate[1]):
        seconds = float(rate[2]) * _UNITS[rate[3].lower()] / int(rate[1])
    elif key == "visit-time" and (clock := _CLOCK.fullmatch(value)):
        opens, closes = int(clock[1]) * 60 + int(clock[2]), int(clock[3]) * 60 + int(clock[4])
        group.visit_minutes = (opens, closes) if opens != closes else None
    if seconds is not None:
        group.seconds = max(seconds, group.seconds or 0.0)


def _path_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    return _encoded((parts.path or "/") + (f"?{parts.query}" if "?" in url.partition("#")[0] else ""))


def _encoded(text: str) -> str:
    """Encode all octets that are not printable ASCII; in the query, an encoded slash is a slash: the address is the same."""
    if not text.isascii() or not text.isprintable() or " " in text:
        octets = _octets(text)
        text = "".join(chr(octet) if 0x21 <= octet <= 0x7E else f"%{octet:02X}" for octet in octets)
    path, mark, query = text.partition("?")
    return path + mark + re.sub("%2f", "/", query, flags=re.IGNORECASE) if mark and "%" in query else text


def _octets(text: str) -> bytes:
    """Return the octets of a text that may hold some that are not UTF-8, as `surrogateescape` keeps them."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate of a URL's own
        return text.encode("utf-8", "replace")
