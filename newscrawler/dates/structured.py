"""Dates that a page states for machines: JSON-LD, the head's meta elements, and its own address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import DateCandidate, Role
from newscrawler.dates.moment import Clock, Moment, read_moment
from newscrawler.extraction.state import read_state
from newscrawler.page import Document

_ARTICLE = re.compile(
    r"article|blogposting|report|newsitem|review|^recipe$|socialmediaposting|liveblog|column|interview", re.IGNORECASE
)
_PAGE = frozenset(
    {"webpage", "itempage", "aboutpage", "collectionpage", "creativework", "webcontent", "faqpage", "qapage", "profilepage"}
)
_MEDIA = frozenset(
    {"videoobject", "audioobject", "podcastepisode", "radioepisode", "tvepisode", "episode", "imagegallery", "mediaobject"}
)
_NEVER = frozenset(
    {
        "comment",
        "event",
        "organization",
        "newsmediaorganization",
        "person",
        "imageobject",
        "offer",
        "product",
        "website",
        "usercomments",
        "aggregaterating",
    }
)
#: Keys under which other articles hang.
_ELSEWHERE = frozenset({
    "comment", "comments", "mentions", "relatedlink", "itemlistelement", "haspart", "ispartof", "citation", "review",
    "associatedmedia",
    "publisher", "author", "creator", "about", "subjectof", "isbasedon", "image", "logo", "video", "liveblogupdate",
    "significantlink",
    "blogpost", "blogposts", "acceptedanswer", "suggestedanswer", "offers", "sponsor",
})  # fmt: skip
_LD_KEYS = (
    ("datePublished", Role.PUBLISHED, 0.0),
    ("dateCreated", Role.PUBLISHED, -0.2),
    ("uploadDate", Role.PUBLISHED, -0.1),
    ("dateModified", Role.MODIFIED, 0.0),
)
_NAMES_OF_DATES = frozenset(key for key, _, _ in _LD_KEYS)


def json_ld_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the objects that describe the page or its article."""
    for order, placed in enumerate(page.placed_json_ld):
        if _NAMES_OF_DATES.isdisjoint(placed.value) or (weight := _ld_weight(placed.types, placed.path)) <= 0:
            continue
        for key, role, less in _LD_KEYS:
            value = _text(placed.value.get(key))
            moment = read_moment(value, clock) if value else None
            if moment:
                place = ".".join((*placed.path, "/".join(placed.types), key))
                yield candidate(moment, "json-ld", role, weight + less, text=value, place=place, order=order)


@lru_cache(maxsize=1024)  # systems write the same objects into all of their pages
def _ld_weight(types: tuple[str, ...], path: tuple[str, ...]) -> float:
    kinds = {kind.lower() for kind in types}
    away = sum(key.lower() in _ELSEWHERE for key in path)
    if any(_ARTICLE.search(kind) for kind in kinds):
        weight = 0.95
    elif kinds & _NEVER:
        return 0.0
    elif kinds & _PAGE or not kinds:
        weight = 0.85
    elif kinds & _MEDIA:
        weight = 0.6
    else:
        weight = 0.5
    return weight - 0.5 * away


def _text(value: Any) -> str:
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, Mapping):
        value = value.get("@value")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(int(value)) if abs(value) < 1e14 else ""
    return value.strip() if isinstance(value, str) else ""


_LETTERS = re.compile(r"[^a-z]+")
#: What a meta name says, letters only; the first that matches decides.
_META_RULES: Sequence[tuple[re.Pattern[str], str | None, float]] = (
    (re.compile(r"expir|event|start|end(?:time|date)|valid|birth|death|release(?!date)|copyright|unavailable|archiv|embargo|"
        r"deadline|next|crawl|cache|review"), None, 0.0),
    (re.compile(r"modif|updat|revis|lastmod|lastpub|lastedit|changed|aktualis|edited|dateupd|published?last"),
     Role.MODIFIED, 0.9),
    (re.compile(r"^articlepublished|publishedtime|^datepublished|firstpubl|originalpubl|parselypubdate|sailthrudate"),
     Role.PUBLISHED, 0.92),
    (re.compile(r"publi(?:sh|cation|cat|cado|ee|ziert)|pubdate|datepub|issued|posted|citation.*date|^ptime$|publi.*date|"
        r"pubtime|publdate|displaydate|articledate|datearticle|newsdate|contentdate|storydate|postdate"), Role.PUBLISHED, 0.88),
    (re.compile(r"creat|dateline"), Role.PUBLISHED, 0.7),
    (re.compile(r"^(?:dc|dcterms|itemprop|article|og|news|page|doc|eprints?|resource|pdf)?(?:date|datum|fecha|data|datetime|"
        r"timestamp|time|upload(?:date)?|releasedate)$|dateiso|isodate|uploaddate"), Role.PUBLISHED, 0.53),
)  # fmt: skip
_META_HINTS = ("date", "time", "publi", "datum", "created", "modif", "updat", "issued", "fecha", "lastmod")
_DATE_LIKE = re.compile(r"\d{4}|\d\d?[./]\d\d?[./]\d\d|\d{10}")


def meta_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the meta elements, whatever news systems call them."""
    for order, (name, contents) in enumerate(page.meta.items()):
        rule = meta_role(name)
        if rule is None:
            continue
        role, weight = rule
        for content in contents[:3]:
            if not _DATE_LIKE.search(content) or len(content) > 60:
                continue
            moment = read_moment(content, clock)
            if moment and not moment.year_guessed:
                yield candidate(moment, "meta", role, weight, text=content, place=name, order=order)


@lru_cache(maxsize=4096)  # there are not many names, and every page has dozens
def meta_role(name: str) -> tuple[str, float] | None:
    """Tell from a meta name which date it holds and how sure that is; None: no date of the article."""
    letters = _LETTERS.sub("", name)
    if not any(hint in letters for hint in _META_HINTS) and not letters.endswith("data"):
        return None
    for pattern, role, weight in _META_RULES:
        if pattern.search(letters):
            return None if role is None else (role, weight)
    return None


#: "2004/3/7", "2004-03-07" and "20040307", but not "200412/7": without signs between them, day and month have two digits.
#: Values in a page's state are not named for readers, but they are those of the article alone.
_IN_STATE = 0.9
_AT = re.compile(r"(?<=[a-z])_?(?:at|on|ts|utc|iso)$", re.IGNORECASE)


def state_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the article in the page's state, where the page itself shows no text."""
    state = page.view(read_state)
    for order, (key, value) in enumerate(state.fields if state is not None else ()):
        rule = meta_role(_AT.sub("date", key).lower())
        if rule is None or not _DATE_LIKE.search(value):
            continue
        moment = read_moment(value, clock)
        if moment and not moment.year_guessed:
            yield candidate(moment, "state", rule[0], _IN_STATE * rule[1], text=value, place=key, order=order)


_URL_DAY = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:([-/_.])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))(?!\d)"
)
_URL_DAY_LAST = re.compile(r"(?<!\d)(0?[1-9]|[12]\d|3[01])([-_.])(0?[1-9]|1[0-2])\2(20\d\d)(?!\d)")
_URL_WORD = re.compile(r"/((?:19|20)\d\d)/([a-z]{3,9})/(\d\d?)(?=/|$)|/((?:19|20)\d\d)/([a-z]{3,9})/")
_URL_MONTH = re.compile(r"/((?:19|20)\d\d)[/-]?(0[1-9]|1[0-2])(?=/)")


def url_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the date in the page's address: as fetched, as the page itself gives it."""
    seen: set[str] = set()
    for place, url in addresses(page):
        if url in seen:
            continue
        seen.add(url)
        yield from _dates_of_url(url, place, clock)


def addresses(page: Document) -> Iterator[tuple[str, str]]:
    """Yield the addresses that the page has, and gives itself."""
    if page.url:
        yield "url", page.url
    for link in page.declarations["link"]:
        if "canonical" in (link.get("rel") or "").lower() and (href := link.get("href")):
            yield "canonical", href.strip()
            break
    if og := page.first_meta("og:url"):
        yield "og:url", og


def _dates_of_url(url: str, place: str, clock: Clock) -> Iterator[DateCandidate]:
    path = url.split("://", 1)[-1].split("?", 1)[0].split("#", 1)[0]
    path = path[path.find("/") :] if "/" in path else ""
    match = _URL_DAY.search(path)
    if match and (match[2] or int(match[1]) >= 1995):
        parts = f"{match[1]}-{match[3] or match[5]}-{match[4] or match[6]}"
        weight = 0.8 if match[2] == "/" else 0.75 if match[2] else 0.6
    elif match := _URL_DAY_LAST.search(path):
        parts, weight = f"{match[4]}-{match[3]}-{match[1]}", 0.7
    elif (match := _URL_WORD.search(path)) and match[1]:
        parts, weight = f"{match[1]} {match[2]} {match[3]}", 0.8
    elif match := _URL_MONTH.search(path):
        parts, weight = f"{match[1]}-{match[2]}-01", 0.3
        moment = read_moment(parts, clock)
        if moment:
            month = Moment(value=moment.value, precision=DatePrecision.MONTH)
            yield candidate(month, "url", Role.PUBLISHED, weight, text=match.group(), place=place)
        return
    else:
        return
    moment = read_moment(parts, clock)
    if moment and not moment.year_guessed:
        yield candidate(moment, "url", Role.PUBLISHED, weight, text=match.group(), place=place)


def candidate(
    moment: Moment, source: str, role: str, weight: float, *, text: str, place: str = "", order: int = 0, why: str = ""
) -> DateCandidate:
    """Make a candidate of what was read."""
    return DateCandidate(
        value=moment.value,
        precision=moment.precision,
        source=source,
        offset_given=moment.offset_given,
        role=role,
        text=text[:80],
        place=place,
        weight=round(max(0.0, min(1.0, weight)), 3),
        ambiguous=moment.ambiguous,
        day_order=moment.day_order,
        order=order,
        why=why,
    )
