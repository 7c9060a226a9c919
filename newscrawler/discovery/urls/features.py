"""Named features of a link, between 0 and 1, for the default classifier.

Nothing is specific to a publisher: shapes (lengths, digits, dates), words for page types by their position, the text of the
link and its place on the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from newscrawler.discovery.urls.canonical import Address, split_address
from newscrawler.discovery.urls.kinds import PageLink
from newscrawler.discovery.urls.vocabulary import (
    IDENTIFIER_PARAMETERS,
    KIND_PARAMETERS,
    LIST_PARAMETERS,
    OTHER_PARAMETERS,
    PAGE_PARAMETERS,
    find_category,
    fold,
    split_parameter,
)
from newscrawler.languages import alternatives

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")
_INDEX = re.compile(r"(?:index|default|start|home|main)(?:\.[a-z]{2,5})?\Z")
_EXTENSION = re.compile(r"\.(?:s?html?|php\d?|aspx?|jsp|cms|do|xhtml|ece|cfm|story|amp)\Z")
_ASSET = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|ico|avif|pdf|docx?|xlsx?|pptx?|zip|rar|gz|7z|mp3|mp4|m4a|m4v|avi|mov|webm|ogg|wav|css|js|json|xml|txt"
    r"|csv|epub|apk|exe|ics|rss|atom|woff2?)\Z"
)
_UUID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![0-9a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{16,40}(?![0-9a-f])"
)
_MIXED = re.compile(r"(?:^|[-_/,.])(?=[a-z0-9]*[0-9])(?=[a-z0-9]*[a-z])[a-z0-9]{6,14}\Z")
_YEAR = r"(?:19[89]\d|20[0-4]\d)"
_MONTH = rf"(?:0?[1-9]|1[0-2]|{alternatives('url_months')})"
_MONTH_NUMBER = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_DATE_FOLDERS = re.compile(rf"/{_YEAR}(?:[/-](?:{_MONTH})(?:[/-]\d{{1,2}})?|/{_MONTH_NUMBER}{_DAY})?(?=/|\Z)")
_DATE_COMPACT = re.compile(rf"(?<!\d){_YEAR}{_MONTH_NUMBER}{_DAY}(?!\d)|(?<!\d){_YEAR}-{_MONTH_NUMBER}-{_DAY}(?!\d)")
_PAGE_NUMBER = re.compile(rf"(?:^|/)(?:{alternatives('page')}|index)[/-]?\d{{1,5}}(?:\.[a-z]+)?/?\Z")
UNPARTED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_COUNT = re.compile(r"(?:^|[\s(\[])\d{1,5}(?:$|[\s)\]])")
#: Addresses of widespread publishing systems.
_SYSTEM = {
    "login": re.compile(r"/(?:wp-login|wp-signup|wp-register)\.php|/wp-admin(?:/|\Z)|/administrator(?:/|\Z)"),
    "feed": re.compile(r"/(?:feed|rss|atom)(?:/(?:rss2?|atom|rdf))?/?\Z|/feeds/posts/"),
    "api": re.compile(r"/(?:xmlrpc\.php|wp-json|oembed|cdn-cgi|graphql)(?:/|\Z)"),
}
#: One of these words is in each of them.
_SYSTEM_WORD = re.compile(r"/(?:wp-|administrator|feed|rss|atom|xmlrpc|oembed|cdn-cgi|graphql)")
_PLACES = {
    **dict.fromkeys(("navbar", "navi", "navigation"), "nav"), **dict.fromkeys(("sidebar", "widget"), "aside"),
    **dict.fromkeys(("comment",), "comments"), "articlebody": "article", "breadcrumbs": "breadcrumb", "pager": "pagination",
    "social": "share", "tag": "tags",
}  # fmt: skip
_MEDIA = ("video", "gallery", "podcast", "live", "tv")
_SERVICES = ("games", "weather", "data", "horoscope", "event", "contest", "coupon", "classifieds", "jobs", "shop")
_UTILITIES = (
    *("legal", "about", "contact", "login", "subscribe", "newsletter", "advertising", "feed", "search", "help", "epaper", "donate"),
    *("app", "share", "print", "comments", "sitemap"),
)
#: Categories of the vocabulary that make a page other, by group.
GROUPS = {
    **dict.fromkeys(("tag", "author"), "label"), **dict.fromkeys(_MEDIA, "media"), **dict.fromkeys(_SERVICES, "service"),
    **dict.fromkeys(_UTILITIES, "utility"),
}  # fmt: skip
#: Steps for counts of words and lengths of numbers.
_WORDS = (0, 1, 2, 3, 4, 4, 6, 6, 6, 9)
_DIGITS = (0, 1, 1, 1, 4, 5, 5, 7)
_UNREASONED = frozenset({"category", "article", "topic", "more"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The features of a link."""

    #: Feature → value; absent: 0.
    features: dict[str, float]
    #: (category, weight) of the words that indicate a page of kind other, the highest weight first.
    reasons: tuple[tuple[str, float], ...] = ()


def collect_evidence(link: PageLink) -> Evidence:
    """Return the features of a link; never raises."""
    try:
        # Tracking parameters say nothing of the page; the fragment may.
        parts = split_address(link.href) or _split_other_address(link.href)
        page_host, page_path = _split_host_and_path(link.page_url)
        host = _strip_host(parts.netloc)
    except ValueError:
        return Evidence(features={"bias": 1.0, "broken": 1.0})
    seen = _FeatureCollector()
    seen.add("bias")
    if host != page_host:
        _add_host(seen, host, page_host)
    path = parts.path
    if path in {"", "/"} and not parts.query:
        seen.add("root")
        if host == page_host:
            seen.add("front page")
    segments = _add_path(seen, parts.folded)
    name_words = _add_name(seen, segments)
    if parts.query:
        _add_query(seen, fold(unquote(parts.query)), has_path=bool(segments))
    _add_anchor(seen, link.anchor, name_words)
    seen.key("where", _PLACES.get(link.where.lower(), link.where.lower()))
    if host == page_host and len(path) < len(page_path) and page_path.startswith(path):
        seen.add("above the page")
    if fragment := link.href.partition("#")[2]:
        _add_fragment(seen, fold(fragment))
    _add_crosses(seen)
    reasons = sorted(seen.reasons.items(), key=lambda item: -item[1])
    return Evidence(features=seen.features, reasons=tuple(reasons))


def _split_other_address(url: str) -> Address:
    """Return the features of an address that is not http(s).

    Raises:
        ValueError: it is not an address at all.
    """
    parts = urlsplit(url)
    return Address(url, parts.netloc, parts.path, parts.query, fold(unquote(parts.path)))


@lru_cache(maxsize=1_024)  # a page has many links
def _split_host_and_path(page_url: str) -> tuple[str, str]:
    page = urlsplit(page_url)
    return _strip_host(page.netloc), page.path


@lru_cache(maxsize=1_024)
def _strip_host(netloc: str) -> str:
    return (urlsplit(f"//{netloc}").hostname or "").removeprefix("www.")


class _FeatureCollector:
    """Collects features and reasons."""

    __slots__ = ("features", "keys", "others", "reasons")

    def __init__(self) -> None:
        self.features: dict[str, float] = {}
        self.reasons: dict[str, float] = {}
        #: The value of each graded feature, for crossing.
        self.keys: dict[str, str] = {}
        #: Places of words that are evidence against an article.
        self.others: set[str] = set()

    def add(self, name: str, value: float = 1.0) -> None:
        self.features[name] = value

    def key(self, name: str, value: object) -> None:
        feature = f"{name}={value}"
        self.keys[name] = feature
        self.features[feature] = 1.0

    def word(self, category: str, place: str, weight: float) -> None:
        """Record a word of a category at a place ("first", "last end", "anchor", ...)."""
        group = GROUPS.get(category, category)
        self.features[f"{place}:{group}"] = 1.0
        if category not in _UNREASONED:
            self.features[f"{place}:{category}"] = 1.0
            self.reasons[category] = max(self.reasons.get(category, 0.0), weight)
        if category in GROUPS:
            self.others.add(place.partition(" ")[0])


def _add_host(seen: _FeatureCollector, host: str, page_host: str) -> None:
    seen.add("another host")
    labels = host.split(".")[:-2] if not host.replace(".", "").isdigit() else []
    around = page_host.split(".")
    for label in labels:
        if label in around:
            continue
        seen.add("subdomain")
        folded = fold(label)
        found = [find_category(folded), *(map(find_category, folded.split("-")) if "-" in folded else ())]
        for category in dict.fromkeys(filter(None, found)):
            seen.word(category, "host", 0.9)


def _add_path(seen: _FeatureCollector, path: str) -> list[str]:
    """Collect features of a whole folded path, and return its parts without index and extension."""
    if "." in path and _ASSET.search(path):
        seen.add("asset")
        seen.reasons["asset"] = 0.8
    if _SYSTEM_WORD.search(path):
        for name, pattern in _SYSTEM.items():
            if pattern.search(path):
                seen.add(f"system:{name}")
    if _NUMBER.search(path):
        _add_numbers(seen, path)
    segments = [segment for segment in path.split("/") if segment]
    if segments and _INDEX.match(segments[-1]):
        segments.pop()
        seen.add("index")
    elif segments and (extension := _EXTENSION.search(segments[-1])):
        segments[-1] = segments[-1][: extension.start()]
        seen.add("program" if extension.group().startswith((".php", ".asp", ".jsp", ".cfm", ".do", ".cms")) else "extension")
    elif path.endswith("/"):
        seen.add("slash")
    seen.key("depth", min(len(segments), 5))
    return segments


def _add_numbers(seen: _FeatureCollector, path: str) -> None:
    """Collect features of page numbers and dates."""
    if _PAGE_NUMBER.search(path):
        seen.add("page number")
        seen.reasons["pagination"] = 0.85
    if folders := _DATE_FOLDERS.search(path):
        seen.add("date in folders")
        rest, before = path[folders.end() :].strip("/"), path[: folders.start()].strip("/")
        seen.add("date, then a name" if rest and not _INDEX.match(rest) else "date at the end")
        if not rest and find_category(before) in {"archive", "topic", "category", ""} and "-" not in before:
            seen.add("only a date")
    if _DATE_COMPACT.search(path):
        seen.add("date in a name")


def _add_name(seen: _FeatureCollector, segments: list[str]) -> list[str]:
    """Collect features of the parts of a path, and return the words of the last."""
    if not segments:
        return []
    last = segments[-1]
    words = _WORD.findall(last)
    count = len(words)
    seen.key("words", _WORDS[count] if count < len(_WORDS) else 9)
    seen.add("long name", min(count, 12) / 12)
    seen.add("letters", min(sum(map(len, words)), 80) / 80)
    if "_" in last:
        seen.add("underscore")
    if "," in last:
        seen.add("comma")
    _add_digits(seen, segments)
    _add_vocabulary(seen, segments, words)
    return words


def _add_digits(seen: _FeatureCollector, segments: list[str]) -> None:
    last = segments[-1]
    longest = max(map(len, _NUMBER.findall(last)), default=0)
    seen.key("digits", _DIGITS[min(longest, 7)])
    before = max(map(_measure_longest_number, segments[:-1])) if len(segments) > 1 else 0
    seen.key("digits before", _DIGITS[min(before, 7)])
    if longest == 0:
        return
    if last.isdigit():
        seen.add("number alone")
        if longest <= 3 and len(segments) > 1 and len(_WORD.findall(segments[-2])) >= 4:
            seen.add("long name before")
    if _UUID.search(last):
        seen.add("hexadecimal")
    elif _MIXED.search(last):
        seen.add("mixed identifier")


@lru_cache(maxsize=2_048)  # a portal has few folders
def _measure_longest_number(folder: str) -> int:
    return max(map(len, _NUMBER.findall(folder)), default=0)


def _add_vocabulary(seen: _FeatureCollector, segments: list[str], last_words: list[str]) -> None:
    """Look up the parts of the path: short ones are the portal's structure, long ones the name of a page."""
    final = len(segments) - 1
    for index, segment in enumerate(segments[:6]):
        place = "last" if index == final else "first" if index == 0 else "middle"
        weight = 1.0 if index == 0 else 0.8
        if category := find_category(segment.strip("-_ ").replace("_", "-").replace(" ", "-")):
            seen.word(category, place, weight)
            if final == 0:
                seen.word(category, "only", weight)
            continue
        words = last_words if index == final else _split_words(segment)
        if len(words) <= 4:
            _add_short_part(seen, words, place, weight)
        elif index == final:
            for word, end in ((words[0], "name begins"), (words[-1], "name ends")):
                if (category := find_category(word)) and category != "topic":
                    seen.word(category, end, 0.3)


@lru_cache(maxsize=2_048)
def _split_words(folder: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(folder))


def _add_short_part(seen: _FeatureCollector, words: Sequence[str], place: str, weight: float) -> None:
    for position, word in enumerate(words):
        if category := find_category(word):
            near = "" if len(words) == 1 else " begin" if position == 0 else " end" if position == len(words) - 1 else " inside"
            seen.word(category, place + near, weight - 0.1 - 0.05 * position)


def _add_query(seen: _FeatureCollector, query: str, *, has_path: bool) -> None:
    seen.add("query")
    for pair in query.split("&")[:12]:
        name, value = split_parameter(pair)
        if name in PAGE_PARAMETERS and (value.isdigit() or not value):
            seen.add("query:page number")
            seen.reasons["pagination"] = 0.95
        elif name in IDENTIFIER_PARAMETERS and value.isdigit():
            seen.add("query:identifier")
            if "program" in seen.features:
                seen.add("program with an identifier")
            if not has_path:
                seen.add("query:identifier alone")
        elif name in LIST_PARAMETERS:
            seen.add("query:list")
        elif name in KIND_PARAMETERS:
            if category := find_category(value):
                seen.word(category, "query", 0.7)
        elif reason := OTHER_PARAMETERS.get(name):
            seen.add(f"query:{reason}")
            seen.reasons[reason] = 0.9


def _add_anchor(seen: _FeatureCollector, anchor: str, name_words: list[str]) -> None:
    folded = fold(anchor.strip())
    words = _WORD.findall(folded)
    # Where no spaces separate the words, two characters count as one.
    count = len(words) if folded.isascii() else max(len(words), len(UNPARTED.findall(folded)) // 2)
    seen.key("anchor words", _WORDS[count] if count < len(_WORDS) else 9)
    seen.add("anchor long", min(count, 12) / 12)
    if not folded:
        seen.add("anchor empty")
    elif not words:
        seen.add("anchor number")
    _add_punctuation(seen, anchor, folded)
    if count <= 2 and "number alone" in seen.features and "long name before" in seen.features:
        # `/a-long-name/2/`, and no text that could be a headline: the second page of an article.
        seen.add("page number")
        seen.reasons["pagination"] = 0.85
    if 0 < count <= 4 or len(words) == 1:  # some languages do not separate words
        _add_anchor_words(seen, words)
        if "anchor:comments" in seen.features and _COUNT.search(folded):
            seen.add("anchor:comment count")
    if name_words and words:
        known = {word[:6] for word in words}
        shared = sum(word[:6] in known for word in name_words) / len(name_words)
        seen.add("anchor in name", shared)
        if len(name_words) >= 4 and shared > 0.5:
            seen.add("anchor is a long name")


def _add_punctuation(seen: _FeatureCollector, anchor: str, folded: str) -> None:
    if anchor.isupper():
        seen.add("anchor capitals")
    if folded.endswith((".", "!", "?", "…", "”", '"', "“")):
        seen.add("anchor ends like a sentence")
    if ":" in folded or "," in folded:
        seen.add("anchor has a colon or comma")
    if folded.startswith("#"):
        seen.word("tag", "anchor", 0.6)


def _add_anchor_words(seen: _FeatureCollector, words: list[str]) -> None:
    if whole := find_category("-".join(words)):
        seen.word(whole, "anchor", 0.75)
        return
    for word in words:
        if category := find_category(word):
            seen.word(category, "anchor", 0.55 if len(words) <= 2 else 0.4)


def _add_fragment(seen: _FeatureCollector, fragment: str) -> None:
    seen.add("fragment")
    if any(find_category(word) == "comments" for word in _WORD.findall(fragment)[:3]):
        seen.add("fragment:comments")
        seen.reasons["comments"] = 1.0


def _add_crosses(seen: _FeatureCollector) -> None:
    """Add products of features that matter only in combination, which a linear model cannot learn."""
    keys, add = seen.keys, seen.add
    words, digits = keys.get("words", "words=none"), keys.get("digits", "digits=none")
    seen.features.update(_cross(words, digits, keys["depth"], keys["anchor words"], keys["where"]))
    structure = not seen.others.isdisjoint(("first", "only", "host"))
    if structure:
        add("structure:other")
    if "host" in seen.others:
        add("host:other")
    if "last" in seen.others:
        add("last:other")
    if "anchor" in seen.others:
        add("anchor:other")
        if structure:
            add("anchor:other & structure:other")


@lru_cache(maxsize=4_096)  # a portal's links have few patterns
def _cross(words: str, digits: str, depth: str, anchor: str, place: str) -> Mapping[str, float]:
    pairs = ((words, digits), (words, anchor), (words, place), (anchor, place), (depth, words), (depth, anchor))
    return {f"{first} & {second}": 1.0 for first, second in pairs}
