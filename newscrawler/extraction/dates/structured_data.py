"""Dates that a page states for machines: JSON-LD, the head's meta elements, its state, its scripts and its own address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.state import read_state
from newscrawler.extraction.dates.calendar import list_addresses
from newscrawler.extraction.dates.candidate import Clock, DateCandidate, DateRole, Family, Moment
from newscrawler.extraction.dates.text_dates import read_moment
from newscrawler.page import PLACES_OF_ARTICLE, Document, PlacedObject, is_article, is_template_value

_PAGE = re.compile(r"page$|^creativework$|^webcontent$", re.IGNORECASE)
_MEDIA = re.compile(r"(?:video|audio|media)object$|episode$|imagegallery$", re.IGNORECASE)
_LD_KEYS = {
    "datePublished": DateRole.PUBLISHED,
    "dateCreated": DateRole.PUBLISHED,
    "uploadDate": DateRole.PUBLISHED,
    "dateModified": DateRole.MODIFIED,
}


def find_json_ld_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the objects in the page's JSON-LD; those of its page only where they are its article's, too."""
    found = list(_find_json_ld_dates(page, clock))
    days = {c.value.date() for c in found if c.family is Family.LD_ARTICLE and c.role is DateRole.PUBLISHED}
    for c in found:
        if c.family is not Family.LD_PAGE or c.role is not DateRole.PUBLISHED or not days or c.value.date() in days:
            yield c


def explain_refused(page: Document) -> Iterator[tuple[str, DateRole, str, str]]:
    """Yield source, role and text of the dates that the page declares and that were not weighed, and why."""
    kept = {c.text for c in find_json_ld_dates(page, Clock())}
    for _, key, text in _list_json_ld_texts(page.list_foreign_json_ld()):
        yield "json-ld", _LD_KEYS[key], text, "another article's JSON-LD"
    for _, key, text in _list_json_ld_texts(page.placed_json_ld):
        if text[:80] not in kept:
            yield "json-ld", _LD_KEYS[key], text, _OF_PAGE if read_moment(text, Clock()) else _UNREADABLE
    for name, contents in page.meta.items():
        if rule := find_meta_role(name):
            for text in filter(_is_meant_as_date, contents[:_MOST_VALUES]):
                if read_moment(text, Clock()) is None:
                    yield "meta", rule[0], text, _UNREADABLE


def _is_meant_as_date(text: str) -> bool:
    return len(text) <= _LONGEST_VALUE and "://" not in text and (any(map(str.isdigit, text)) or is_template_value(text))


def _list_json_ld_texts(placed: Iterable[PlacedObject]) -> Iterator[tuple[PlacedObject, str, str]]:
    """Yield the objects with their keys of dates, and what these say."""
    for each in placed:
        yield from ((each, key, text) for key in _LD_KEYS if key in each.value and (text := _get_text(each.value[key])))


_UNREADABLE, _OF_PAGE = "not written as a date", "of the page, whose article has another day"


def _find_json_ld_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    for placed, key, text in _list_json_ld_texts(page.placed_json_ld):
        if moment := read_moment(text, clock):
            family = Family.LD_CREATED if key == "dateCreated" else _choose_ld_family(placed.types, placed.path)
            place = ".".join((*placed.path, "/".join(placed.types), key))
            yield make_candidate(moment, family, "json-ld", _LD_KEYS[key], text=text, place=place)


@lru_cache(maxsize=1024)  # systems write the same objects into all of their pages
def _choose_ld_family(types: tuple[str, ...], path: tuple[str, ...]) -> Family:
    if path not in PLACES_OF_ARTICLE:
        return Family.LD_NESTED
    if is_article(types):
        return Family.LD_ARTICLE
    if not types or any(map(_PAGE.search, types)):
        return Family.LD_PAGE
    return Family.LD_MEDIA if any(map(_MEDIA.search, types)) else Family.LD_OTHER


def _get_text(value: Any) -> str:
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, Mapping):
        value = value.get("@value")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(int(value)) if abs(value) < 1e14 else ""
    return value.strip() if isinstance(value, str) else ""


_LETTERS = re.compile(r"[^a-z]+")
#: Role and family by the letters of a meta name; the first that matches decides.
_META_RULES: Sequence[tuple[re.Pattern[str], tuple[DateRole, Family] | None]] = (
    (re.compile(r"^lastmodified$|expir|event|start|end(?:time|date)|valid|birth|death|release(?!date)|copyright|unavailable|archiv|embargo|"
        r"deadline|next|crawl|cache|review"), None),
    (re.compile(r"modif|updat|revis|lastmod|lastpub|lastedit|changed|aktualis|edited|dateupd|published?last"),
     (DateRole.MODIFIED, Family.META_PUBLISHED)),
    (re.compile(r"^articlepublished|publishedtime|^datepublished|firstpubl|originalpubl|parselypubdate|sailthrudate"),
     (DateRole.PUBLISHED, Family.META_NAMED)),
    (re.compile(r"publi(?:sh|cation|cat|cado|ee|ziert)|pubdate|datepub|issued|posted|citation.*date|^ptime$|publi.*date|"
        r"pubtime|publdate|displaydate|articledate|datearticle|newsdate|contentdate|storydate|postdate"),
     (DateRole.PUBLISHED, Family.META_PUBLISHED)),
    (re.compile(r"creat|dateline"), (DateRole.PUBLISHED, Family.META_CREATED)),
    (re.compile(r"^(?:dc|dcterms|itemprop|article|og|news|page|doc|eprints?|resource|pdf)?(?:date|datum|fecha|data|datetime|"
        r"timestamp|time|upload(?:date)?|releasedate)$|dateiso|isodate|uploaddate"), (DateRole.PUBLISHED, Family.META_DATE)),
)  # fmt: skip
_META_HINT = re.compile("date|time|publi|datum|created|modif|updat|issued|fecha|lastmod|data$")
_DATE_LIKE = re.compile(r"\d{4}|\d\d?[./]\d\d?[./]\d\d|\d{10}")
#: Endings that mean a date: "createdAt", "posted_on".
_AT = re.compile(r"(?<=[a-z])_?(?:at|on|ts|utc|iso)$")
_LONGEST_VALUE, _MOST_VALUES = 60, 3


@lru_cache(maxsize=4096)  # there are not many names, and every page has dozens
def find_meta_role(name: str) -> tuple[DateRole, Family] | None:
    """Return role and family of the date in a meta element of that name; None: not a date of the article."""
    letters = _LETTERS.sub("", _AT.sub("date", name.lower()))
    if _META_HINT.search(letters) is None:
        return None
    return next((rule for pattern, rule in _META_RULES if pattern.search(letters)), None)


def _read_named(name: str, value: str, source: str, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the date that a value of that name gives."""
    rule = find_meta_role(name)
    if rule and len(value) <= _LONGEST_VALUE and _DATE_LIKE.search(value):
        moment = read_moment(value, clock)
        if moment and not moment.year_guessed:
            yield make_candidate(moment, rule[1], source, rule[0], text=value, place=name)


def find_meta_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the meta elements, whatever news systems call them."""
    for name, contents in page.meta.items():
        for content in contents[:_MOST_VALUES]:
            yield from _read_named(name, content, "meta", clock)


def find_state_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the article in the page's state, where the page itself shows no text."""
    state = page.view(read_state)
    for key, value in state.fields if state is not None else ():
        yield from _read_named(key, value, "state", clock)


#: What each such date has; as the pattern begins with a sign, it is found ten times as fast.
_MONTH_AND_DAY = re.compile(r"-[01]\d-[0-3]\d")
_MACHINE = re.compile(r"(?:19|20)\d\d-[01]\d-[0-3]\d(?:[T ][\d:.]{4,15})?(?:Z|[+-]\d\d:?\d\d)?(?=\\?[\"'])")
_KEY = re.compile(r"([A-Za-z_.:-]{3,40})\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"']$")
_NOT_OF_THE_ARTICLE = re.compile(r"user|member|regist|account|build|server|current|now|today", re.IGNORECASE)


def find_script_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates in the data that scripts carry: "publishedAt": "2024-05-03T15:47:00Z"."""
    for script in page.declarations["script"]:
        text = script.text or ""
        if len(text) > 400_000 or "ld+json" in (script.get("type") or ""):
            continue
        for match in filter(None, (_MACHINE.match(text, max(0, month.start() - 4)) for month in _MONTH_AND_DAY.finditer(text))):
            key = _KEY.search(text, max(0, match.start() - 50), match.start())
            if key is not None and not _NOT_OF_THE_ARTICLE.search(key[1]):
                for c in _read_named(key[1], match.group(), "script", clock):
                    yield replace(c, family=Family.SCRIPT)


_YEAR, _MONTH, _DAY = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>0?[1-9]|1[0-2])", r"(?P<d>0?[1-9]|[12]\d|3[01])"
_TWO_DIGITS = r"(?P<m>0[1-9]|1[0-2])"
_CENTURY = re.compile(r"(?:19|20)\d\d")
#: Forms of a day, or only a month, in addresses; the first that is found counts.
_ADDRESSES = (
    (re.compile(rf"/{_YEAR}(?P<s>[/-]){_MONTH}(?P=s){_DAY}(?=/|$|\.\w+$)"), Family.ADDRESS_PATH),
    (re.compile(rf"/{_YEAR}/(?P<m>[a-z]{{3,9}})/{_DAY}(?=/|$)"), Family.ADDRESS_PATH),
    # the number may belong to the words of a title behind it
    (re.compile(rf"(?<!\d){_YEAR}/{_MONTH}/{_DAY}(?=[-_][^\W\d_])"), Family.ADDRESS_SLUG),
    (re.compile(rf"(?<!\d){_YEAR}(?P<s>[-/_.]){_MONTH}(?P=s){_DAY}(?!\d)"), Family.ADDRESS_PART),
    # "20040307", but not "200412-7": without signs between them, day and month have two digits
    (re.compile(rf"(?<!\d){_YEAR}{_TWO_DIGITS}(?P<d>0[1-9]|[12]\d|3[01])(?!\d)"), Family.ADDRESS_PART),
    (re.compile(rf"(?<!\d){_DAY}(?P<s>[-_.]){_MONTH}(?P=s)(?P<y>20\d\d)(?!\d)"), Family.ADDRESS_PART),
    (re.compile(rf"/{_YEAR}[/-]?{_TWO_DIGITS}(?=/)"), Family.ADDRESS_PART),
)


def find_url_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the first day in each of the page's addresses, as fetched and as the page itself gives it, or else its month."""
    paths: dict[str, str] = {}
    for place, url in list_addresses(page):
        paths.setdefault(_cut_path(url), place)
    for path, place in paths.items():
        for moment, family, text in _read_path(path, clock):
            yield make_candidate(moment, family, "url", DateRole.PUBLISHED, text=text, place=place)


@lru_cache(maxsize=2_048)
def read_url_day(url: str) -> tuple[datetime, datetime] | None:
    """Return the first and the last moment of the day, or else the month, in an address, in UTC; None: it names none."""
    found = next(_read_path(_cut_path(url), Clock()), None) if _CENTURY.search(url) else None
    if found is None:
        return None
    days = 31 if found[0].precision is DatePrecision.MONTH else 1
    return found[0].value, found[0].value + timedelta(days=days)


def _cut_path(url: str) -> str:
    _, slash, path = url.split("://", 1)[-1].split("?", 1)[0].split("#", 1)[0].partition("/")
    return slash + path


def _read_path(path: str, clock: Clock) -> Iterator[tuple[Moment, Family, str]]:
    """Yield the date in a path by the first form that fits, if it can be read."""
    for form, family in _ADDRESSES:
        if (match := form.search(path)) is None:
            continue
        day = match.groupdict().get("d")
        moment = read_moment(f"{match['y']}-{match['m']}-{day or '01'}", clock)
        if moment is not None:
            yield moment if day else replace(moment, precision=DatePrecision.MONTH), family, match.group()
        return


def make_candidate(moment: Moment, family: Family, source: str, role: DateRole, *, text: str, **said: Any) -> DateCandidate:
    """Make a candidate of a date; `said` are more of its fields."""
    return DateCandidate(
        value=moment.value, precision=moment.precision, offset_given=moment.offset_given, ambiguous=moment.ambiguous,
        day_order=moment.day_order, year_guessed=moment.year_guessed, start=moment.start, end=moment.end,
        family=family, source=source, role=role, text=text[:80], **said,
    )  # fmt: skip
