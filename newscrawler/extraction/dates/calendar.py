"""The number of a month by its name, in any language: nominative, genitive and the usual short forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

from newscrawler.extraction.dates.candidate import Clock, DateContext, Dates
from newscrawler.languages import languages, table
from newscrawler.page import Document

#: Languages in which some months are called as other months are in Czech and Polish; their names count last.
_LAST = frozenset({"hr", "bs"})
_SHORTEST_FOLDED = 4


def fold(text: str) -> str:
    """Take the accents off."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)))


@lru_cache(maxsize=4096)  # the same few names on every page
def find_month(word: str, languages_of_page: tuple[str, ...] = ()) -> int | None:
    """Return the number of a month's name, with or without its accents; in the first language of the page, if that has it."""
    word = word.lower().rstrip("'")
    own = _read_names(languages_of_page[0]).get(word) if languages_of_page else None
    found = own or _read_all_names().get(word) or (None if word.isascii() else _read_all_names().get(word.replace("i̇", "i")))
    return found or (_fold_names().get(_fold_letters(word)) if len(word) >= _SHORTEST_FOLDED else None)


def find_solar_month(word: str) -> int | None:
    """Return the number of the name of a month of the solar calendar, Iranian or Afghan."""
    return _read_names(None, "solar_months").get(word.translate(_LETTERS))


@cache
def _read_names(language: str | None, topic: str = "months") -> dict[str, int]:
    return {name: int(number) for number, names in table(topic, language).items() for name in names}


@cache
def _read_all_names() -> dict[str, int]:
    """Return the names of all languages; of a name that means several months, the meaning in the first of them."""
    codes = sorted(languages(), key=lambda code: (code in _LAST, code), reverse=True)
    return {name: number for code in codes for name, number in _read_names(code).items()}


@cache
def _fold_names() -> dict[str, int]:
    return {_fold_letters(name): number for name, number in reversed(_read_all_names().items())}


def _fold_letters(word: str) -> str:
    """Fold a word; Turkish capitals lose their dotless i in small letters ("KASIM")."""
    return fold(word).replace("ı", "i")


#: Arabic forms of two letters, which many keyboards write.
_LETTERS = str.maketrans("\u064a\u0649\u0643", "\u06cc\u06cc\u06a9")
#: Leap years of the solar calendar in 33 years, and the first day of the first year that is read.
_LEAP_OF_33, _FIRST_YEAR, _FIRST_DAY = frozenset({1, 5, 9, 13, 17, 22, 26, 30}), 1340, date(1961, 3, 21)
#: Languages that are written where this calendar counts: Persian, Dari, Pashto, Kurdish, Azerbaijani and Uzbek in Arabic letters.
SOLAR_LANGUAGES = frozenset({"fa", "prs", "ps", "ckb", "azb"})


def convert_to_gregorian(year: int, month: int, day: int) -> date | None:
    """Convert a day of the solar calendar of Iran to the Gregorian calendar; None for a day that does not exist."""
    lengths = (*[31] * 6, *[30] * 5, 29 + (year % 33 in _LEAP_OF_33))
    if not (1 <= month <= len(lengths) and 1 <= day <= lengths[month - 1]):
        return None
    leap_years = sum(each % 33 in _LEAP_OF_33 for each in range(_FIRST_YEAR, year))
    return _FIRST_DAY + timedelta(days=365 * (year - _FIRST_YEAR) + leap_years + sum(lengths[: month - 1]) + day - 1)


_HOURS = {name: float(hours) for hours, names in table("time_zones").items() for name in names}
_PLACES = {"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles"}
_WIDEST = timedelta(hours=15)


@lru_cache(maxsize=64)
def find_zone(name: str) -> tzinfo:
    """Return the zone of an IANA name; UTC for an unknown name (the configuration checks its own)."""
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


@lru_cache(maxsize=256)
def find_zone_by_abbreviation(name: str) -> tzinfo | None:
    """Return the zone of "CEST" or "ET", in the commonest meaning; None for any other word."""
    name = name.lower().replace(".", "")
    if name in _PLACES:
        return find_zone(_PLACES[name])
    hours = _HOURS.get(name)
    return None if hours is None else timezone(timedelta(hours=hours))


@lru_cache(maxsize=256)
def make_offset_zone(sign: str, hours: int, minutes: int) -> tzinfo | None:
    """Return the zone of "+02:00"; None where no place on earth is so far off."""
    delta = timedelta(hours=hours, minutes=minutes)
    if delta > _WIDEST or minutes > 59:
        return None
    return timezone(-delta if sign in "-−" else delta)


def localize(wall: datetime, zone: tzinfo) -> datetime:
    """Make a naive time aware.

    A time in the gap of spring, which never was, is moved on by the length of the gap; of a time in the overlap of autumn, which
    was twice, the first is taken.

    Raises:
        OverflowError, ValueError: the moment lies outside of the years that datetime knows.
    """
    aware = wall.replace(tzinfo=zone)
    if zone is UTC or isinstance(zone, timezone):
        return aware
    return aware.astimezone(UTC).astimezone(zone)


#: English is written in many countries, and only few of them put the month first.
_MONTH_FIRST_COUNTRIES, _MONTH_FIRST_LANGUAGES = frozenset({"us", "ph"}), frozenset({"en", "fil"})
#: Domains of no country, under which a page that tells no language is taken for an American one.
_GENERIC = frozenset({"", "com", "org", "net"})
_TAG = re.compile(r"([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?\b")
_LAST_LABEL = re.compile(r"(?:[a-z]+:)?//(?:[^/?#@]*@)?(?:[^/?#:]*\.)?([^/?#:.\[\]]+)(?=[:/?#]|$)", re.IGNORECASE)
ZONES_OF_COUNTRIES = {code: zone for zone, codes in table("zones_of_countries").items() for code in codes}


def make_clock(page: Document, context: DateContext) -> Clock:
    """Return the settings for the written dates of a page."""
    languages = tuple(dict.fromkeys(filter(None, (context.language, page.declared_language))))
    # found out on demand: few pages contain such a date
    month_first = context.day_order == "mdy" if context.day_order else cache(lambda: is_month_first(page, languages))
    return Clock(zone=find_zone(context.time_zone), fetched_at=context.fetched_at, month_first=month_first, languages=languages)


def is_month_first(page: Document, languages: tuple[str, ...]) -> bool:
    """Return whether the month comes first, by the page's domain, region and language; the day does almost everywhere."""
    countries = (get_top_level_domain(page), *(country for _, country in find_language_tags(page)))
    country = next((country for country in countries if country in ZONES_OF_COUNTRIES), None)
    if country is not None:
        return country in _MONTH_FIRST_COUNTRIES
    return languages[0] in _MONTH_FIRST_LANGUAGES if languages else get_top_level_domain(page) in _GENERIC


def find_language_tags(page: Document) -> Iterator[tuple[str, str]]:
    """Yield the declared languages, each with its country or "": "de" and "at" of de-AT."""
    for tag in (page.root.get("lang"), page.get_first_meta("og:locale", "content-language")):
        if tag and (match := _TAG.match(tag.strip().replace("_", "-").lower())):
            yield match[1], match[2] or ""


def get_top_level_domain(page: Document) -> str:
    """Return the last label of the page's own host; empty where the page does not tell it."""
    hosts = (_LAST_LABEL.match(address) for _, address in list_addresses(page))
    return next((match[1].lower() for match in hosts if match), "")


def list_addresses(page: Document) -> Iterator[tuple[str, str]]:
    """Yield the places and values of the page's addresses: as fetched, and as it declares them."""
    links = (link.get("href") for link in page.declarations["link"] if "canonical" in link.get("rel", "").lower())
    canonical = next(filter(None, links), "").strip()
    for place, url in (("url", page.url), ("canonical", canonical), ("og:url", page.get_first_meta("og:url"))):
        if url:
            yield place, url


#: So many pages must have orders, nine of ten of them the same.
FEWEST_PAGES = 3
_SHARE = 0.9
#: Counts are halved here, so that a portal that changes its form is followed.
_MOST_PAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOrders:
    """Counts of the pages of a portal that show the order of day and month."""

    dmy: int = 0
    mdy: int = 0

    @property
    def order(self) -> str | None:
        """The portal's order: "dmy" or "mdy"; None: not known yet, or it writes both."""
        most = max(self.dmy, self.mdy)
        if most < FEWEST_PAGES or most < _SHARE * (self.dmy + self.mdy):
            return None
        return "dmy" if self.dmy > self.mdy else "mdy"

    def after(self, dates: Dates) -> DayOrders:
        """Count one more page; one that shows both orders, or none, does not count."""
        orders = {c.day_order for c in dates.candidates if c.day_order}
        if len(orders) != 1:
            return self
        dmy, mdy = self.dmy + ("dmy" in orders), self.mdy + ("mdy" in orders)
        return DayOrders(dmy=dmy // 2, mdy=mdy // 2) if dmy + mdy > _MOST_PAGES else DayOrders(dmy=dmy, mdy=mdy)
