"""robots.txt by RFC 9309: this module selects the group that applies to us, Protego matches URLs against it.

Used directly, Protego takes time that grows with user agents times rules, matches parts of product tokens, and fails at octets
other than UTF-8. So it gets one group with normalised lines. No function here raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import urlsplit

from protego import Protego

from newscrawler.limits import ROBOTS_BYTES, ROBOTS_SITEMAPS

#: RFC 9309, section 2.2.1: the name of our group.
PRODUCT_TOKEN = "newscrawler"  # noqa: S105  no password
#: RFC 9309, section 2.5: at least this much is read; the rest is ignored.
MOST_ROBOTS_BYTES = ROBOTS_BYTES
#: Longest Crawl-delay that is applied; a longer one is noted.
LONGEST_CRAWL_DELAY_SECONDS = 120.0
#: How an HTML page begins; its parts without text; and tags of blocks and lines, in any document.
_MARKUP = re.compile(r"<(?:!doctype\b|\?xml\b|[a-z][a-z0-9-]*(?=[\s/>]))", re.IGNORECASE)
_SILENT = re.compile(r"<!--.*?-->|<(script|style|title)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?(?:br|p|div|pre|li|td|tr)\b[^<>\r\n]*>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"<[/!?a-z][^<>]*>", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z_-]+")
_DELAY = re.compile(r"\d{1,9}(?:[.,]\d{1,9})?")
_RATE = re.compile(r"(\d{1,9})\s*/\s*(\d{1,9}(?:\.\d{1,9})?)\s*([smhd]?)", re.IGNORECASE)
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
#: RFC 9309, section 2.2.4, permits common misspellings; these are those of Google's parser and Protego.
_KEYS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "user-agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    **dict.fromkeys(("crawl-delay", "crawl delay"), "crawl-delay"),
    **dict.fromkeys(("request-rate", "request rate"), "request-rate"),
    **dict.fromkeys(("visit-time", "visit time"), "visit-time"),
    **dict.fromkeys(("sitemap", "sitemaps", "site-map"), "sitemap"),
    "allow": "allow",
    # about uses; `newscrawler.politeness.rights` reads their values
    "content-usage": "content-usage",
    "content-signal": "content-signal",
    "license": "license",
}
_USAGE = {"content-usage": "Content-Usage", "content-signal": "Content-Signal"}
_MOST_USAGE_LINES = 200
#: A line without a colon: a key and one word; two words would be prose.
_NO_COLON = re.compile(rf"({'|'.join(sorted(_KEYS, key=len, reverse=True))})[ \t]+(\S+)", re.IGNORECASE)
_CLOCK = re.compile(r"([01]?\d|2[0-3])([0-5]\d)\s*[-\s]\s*([01]?\d|2[0-3])([0-5]\d)")
_MINUTES_OF_DAY = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRules:
    """The rules of a robots.txt that apply to us."""

    #: Normalised Allow and Disallow lines of our group.
    lines: tuple[str, ...] = ()
    #: Matches these lines; None: there are none.
    matcher: Protego | None = field(default=None, repr=False, compare=False)
    #: The longest of Crawl-delay and Request-rate in our groups, unlimited; None: none.
    asks_seconds: float | None = None
    #: Visit-time: minutes of the day, UTC, between which visits are welcome; None: always.
    visit_minutes: tuple[int, int] | None = None
    sitemaps: tuple[str, ...] = ()
    #: (name, value) of the lines Content-Usage and Content-Signal of our group.
    usage: tuple[tuple[str, str], ...] = ()
    #: Addresses of licences (RSL 1.0, section 4.4), which belong to no group.
    licenses: tuple[str, ...] = ()
    #: Our group names us; it is not the group of `*`.
    names_us: bool = False
    #: An HTML page without lines of a robots.txt.
    is_markup: bool = False

    @property
    def delay_seconds(self) -> float:
        """Return the requested delay, up to the limit."""
        return min(self.asks_seconds or 0.0, LONGEST_CRAWL_DELAY_SECONDS)

    def allows(self, url: str) -> bool:
        """Return whether a URL of this origin may be fetched: the longest matching pattern decides, Allow before Disallow."""
        return self.matcher is None or self.matcher.can_fetch(f"http://host{_get_path(url)}", "*")

    def opens_in(self, now: datetime) -> float:
        """Return the seconds until Visit-time begins; 0: now."""
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
class _RobotsGroup:
    """The lines for one product token, of all its groups."""

    lines: dict[str, None] = field(default_factory=dict)
    seconds: float | None = None
    visit_minutes: tuple[int, int] | None = None
    usage: dict[tuple[str, str], None] = field(default_factory=dict)
    named: bool = False


def parse_robots(body: bytes, *, token: str = PRODUCT_TOKEN) -> RobotsRules:
    """Parse a robots.txt (its first 500 KiB); unknown lines are ignored.

    An editor or a publishing system may have written it as an HTML page: the lines that it shows count.
    """
    text = _decode(body)
    is_markup = _is_markup(text)
    if is_markup or "<" in text:
        text = unescape(_OTHER_TAG.sub("", _TAG.sub("\n", _SILENT.sub("", text)))) if is_markup else _TAG.sub("\n", text)
    if is_markup and not any(key == "user-agent" for key, _ in _split_lines(text)):
        return RobotsRules(is_markup=True)
    groups, sitemaps, licenses = _read(text, token.lower())
    names_us = groups[token.lower()].named
    ours = groups[token.lower() if names_us else "*"]
    return RobotsRules(
        lines=tuple(ours.lines),
        matcher=Protego.parse("\n".join(("User-agent: *", *ours.lines))) if ours.lines else None,
        asks_seconds=ours.seconds,
        visit_minutes=ours.visit_minutes,
        sitemaps=tuple(dict.fromkeys(sitemaps))[:ROBOTS_SITEMAPS],
        usage=tuple(ours.usage)[:_MOST_USAGE_LINES],
        licenses=tuple(dict.fromkeys(licenses))[:ROBOTS_SITEMAPS],
        names_us=names_us and token != "*",  # noqa: S105  no password
    )


def extract_product_token(user_agent: str) -> str:
    """Return the product token of a User-Agent header: its first word, without the version (RFC 9309, section 2.2.1)."""
    found = _TOKEN.match(user_agent.strip())
    return found.group() if found else "*"


def _decode(body: bytes) -> str:
    if len(body) > MOST_ROBOTS_BYTES:  # a truncated line would be another rule
        body = body[: MOST_ROBOTS_BYTES + 1]  # one more, as a line may end right there
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    if body.startswith(b"\xef"):  # a byte order mark, or the rest of one
        body = body.removeprefix(b"\xef").removeprefix(b"\xbb").removeprefix(b"\xbf")
    return body.decode("utf-8", "surrogateescape")


def _is_markup(text: str) -> bool:
    at = _skip_space(text, 0)
    while text.startswith("<!--", at):
        end = text.find("-->", at)
        if end < 0:
            return False
        at = _skip_space(text, end + 3)
    return _MARKUP.match(text, at) is not None


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _read(text: str, token: str) -> tuple[dict[str, _RobotsGroup], list[str], list[str]]:
    """Group the lines: a group ends at a User-agent after a rule; other records end none (RFC 9309, section 2.2.4)."""
    groups = {token: _RobotsGroup(), "*": _RobotsGroup()}
    sitemaps: list[str] = []
    licenses: list[str] = []
    before_groups = True
    began_rules = True  # rules before the first User-agent apply to nobody
    for_rules: set[str] = set()  # agents that the group is for
    for_delays: set[str] = set()  # agents directly above, to which a Crawl-delay applies
    above_is_agent = False
    for key, value in _split_lines(text):
        if key in {"sitemap", "license"}:
            (sitemaps if key == "sitemap" else licenses).append(value)
            continue
        if key in _USAGE:
            began_rules = began_rules or key == "content-usage"  # a rule (draft-ietf-aipref-attach-05, section 3)
            for each in groups if before_groups else for_rules:  # before all groups it applies to all agents
                groups[each].usage[_USAGE[key], value] = None
            continue
        if key == "user-agent":
            agent, before_groups = _read_agent(value), False
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
                    groups[each].lines[f"{key.capitalize()}: {_encode(value)}"] = None
        else:
            for each in for_delays:
                _take_time(groups[each], key, value)
    return groups, sitemaps, licenses


def _split_lines(text: str) -> Iterator[tuple[str, str]]:
    for whole in re.split(r"\r\n|\r|\n", text):
        line = whole.partition("#")[0].strip()
        key, colon, value = line.partition(":")
        known = _KEYS.get(key.strip().lower()) if colon else None
        if known is not None:
            yield known, value.strip()
        elif found := _NO_COLON.fullmatch(line):
            yield _KEYS[found[1].lower()], found[2]


def _read_agent(value: str) -> str:
    if value == "*" or (value.startswith("*") and value[1].isspace()):
        return "*"
    found = _TOKEN.match(value)
    return found.group().lower() if found else ""


def _take_time(group: _RobotsGroup, key: str, value: str) -> None:
    """Store delay and hours of a group: the longest delay, the last hours."""
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


def _get_path(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    return _encode((parts.path or "/") + (f"?{parts.query}" if "?" in url.partition("#")[0] else ""))


def _encode(text: str) -> str:
    """Percent-encode all octets that are not printable ASCII; decode slashes in the query, where they mean the same."""
    if not text.isascii() or not text.isprintable() or " " in text:
        octets = _to_octets(text)
        text = "".join(chr(octet) if 0x21 <= octet <= 0x7E else f"%{octet:02X}" for octet in octets)
    path, mark, query = text.partition("?")
    return path + mark + re.sub("%2f", "/", query, flags=re.IGNORECASE) if mark and "%" in query else text


def _to_octets(text: str) -> bytes:
    """Return the octets of a text decoded with `surrogateescape`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate of a URL's own
        return text.encode("utf-8", "replace")
