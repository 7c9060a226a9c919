"""Names of months, time zones, the order of day and month, and the clock of a page's readers.

News systems often write UTC for machines and local time for readers. The moment is the same; the day is not, in the
evening west of Greenwich and around midnight east of it. Readers and editors know an article by the day on their own clock.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.candidate import (
    CRAWL,
    NO_CALENDAR,
    Clock,
    DateCandidate,
    DateContext,
    DateRole,
    Family,
    PortalCalendar,
)
from newscrawler.extraction.dates.day_candidates import is_in_utc, is_own
from newscrawler.languages import alternatives, languages, one_of, table, words
from newscrawler.page import Document


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
    if found or len(word) < 4:
        return found
    return _fold_names().get(_fold_letters(word)) or _find_shortened(word, languages_of_page)


def _find_shortened(word: str, languages_of_page: tuple[str, ...]) -> int | None:
    """Return the month whose name begins with the word in a language of the page: "juill."; None where several do."""
    found = {number for code in languages_of_page for name, number in _read_names(code).items() if name.startswith(word)}
    return found.pop() if len(found) == 1 else None


def find_solar_month(word: str) -> int | None:
    """Return the number of the name of a month of the solar calendar, Iranian or Afghan."""
    return _read_names(None, "solar_months").get(word.translate(_LETTERS))


@cache
def _read_names(language: str | None, topic: str = "months") -> dict[str, int]:
    return {name: int(number) for number, names in table(topic, language).items() for name in names}


@cache
def _read_all_names() -> dict[str, int]:
    """Return the names of all languages; of a name that means several months, the meaning in the first of them."""
    # some months of the two are called as others are in Czech and Polish: their names count last
    codes = sorted(languages(), key=lambda code: (code in {"hr", "bs"}, code), reverse=True)
    return {name: number for code in codes for name, number in _read_names(code).items()}


@cache
def _fold_names() -> dict[str, int]:
    return {_fold_letters(name): number for name, number in reversed(_read_all_names().items())}


def _fold_letters(word: str) -> str:
    """Fold a word; Turkish capitals lose their dotless i in small letters ("KASIM")."""
    return fold(word).replace("ı", "i")


#: Arabic forms of two letters, which many keyboards write.
_LETTERS = str.maketrans("\u064a\u0649\u0643", "\u06cc\u06cc\u06a9")
#: Languages that are written where this calendar counts: Persian, Dari, Pashto, Kurdish, Azerbaijani and Uzbek in Arabic letters.
SOLAR_LANGUAGES = frozenset({"fa", "prs", "ps", "ckb", "azb"})


_HOURS = {name: float(hours) for hours, names in table("time_zones").items() for name in names}
_PLACES = {"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles"}


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
    if delta > timedelta(hours=15) or minutes > 59:
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


_MONTH_FIRST_LANGUAGES = frozenset({"en", "fil"})
#: Domains of no country, under which a page that tells no language is taken for an American one.
_GENERIC = frozenset({"", "com", "org", "net"})
_LAST_LABEL = re.compile(r"(?:[a-z]+:)?//(?:[^/?#@]*@)?(?:[^/?#:]*\.)?([^/?#:.\[\]]+)(?=[:/?#]|$)", re.IGNORECASE)
ZONES_OF_COUNTRIES = {code: zone for zone, codes in table("zones_of_countries").items() for code in codes}


def make_clock(page: Document, context: DateContext) -> Clock:
    """Return the settings for the written dates of a page."""
    languages = tuple(dict.fromkeys(filter(None, (context.language, page.declared_language))))
    order = context.calendar.order
    month_first = order == "mdy" if order else is_month_first(page, languages)
    return Clock(
        zone=find_zone(context.time_zone), fetched_at=context.fetched_at, month_first=month_first, languages=languages,
        calendar=context.calendar,
    )  # fmt: skip


def is_month_first(page: Document, languages: tuple[str, ...]) -> bool:
    """Return whether the month comes first, by the page's domain, region and language; the day does almost everywhere."""
    countries = (get_top_level_domain(page), *(country for _, country in find_language_tags(page)))
    country = next((country for country in countries if country in ZONES_OF_COUNTRIES), None)
    if country is not None:
        return country in {"us", "ph"}  # English is written in many countries, and only few of them put the month first
    return languages[0] in _MONTH_FIRST_LANGUAGES if languages else get_top_level_domain(page) in _GENERIC


def find_language_tags(page: Document) -> Iterator[tuple[str, str]]:
    """Yield the declared languages, each with its country or "": "de" and "at" of de-AT."""
    for tag in (page.root.get("lang"), page.get_first_meta("og:locale", "content-language")):
        if tag and (match := re.match(r"([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?\b", tag.strip().replace("_", "-").lower())):
            yield match[1], match[2] or ""


def get_top_level_domain(page: Document) -> str:
    """Return the last label of the page's own host; empty where the page does not tell it."""
    hosts = (_LAST_LABEL.match(address) for _, address in list_addresses(page))
    return next((match[1].lower() for match in hosts if match), "")


def list_addresses(page: Document) -> Iterator[tuple[str, str]]:
    """Yield the places and values of the page's addresses: as fetched, and as it declares them."""
    if page.url:
        yield "url", page.url
    for link in page.declarations["link"]:
        if "canonical" in link.get("rel", "").lower() and (canonical := link.get("href")):
            if canonical.strip():
                yield "canonical", canonical.strip()
            break
    if url := page.get_first_meta("og:url"):
        yield "og:url", url


_ZONES_OF_LANGUAGES = {code: zone for zone, codes in table("zones_of_languages").items() for code in codes}
_NAMED_ZONE = re.compile(
    r"[zZ](?:one|ONE)[^\n]{0,36}?\b((?:America|Europe|Asia|Australia|Africa|Pacific)(?:\\?/[A-Z][A-Za-z_-]+){1,3})"
)


def find_named_zone(page: Document) -> tzinfo | None:
    """Give the zone that a page's scripts name ("timezone": "America/New_York"); None where they name none, or several."""
    texts = (script.text or "" for script in page.declarations["script"])
    texts = (text for text in texts if any(map(text.__contains__, ("zone", "Zone", "ZONE"))))
    found = {match[1].replace("\\", "") for text in texts for match in _NAMED_ZONE.finditer(text)}
    zone = find_zone(found.pop()) if len(found) == 1 else None
    return zone if isinstance(zone, ZoneInfo) else None


def guess_zone(page: Document, language: str | None = None) -> tzinfo | None:
    """Guess the zone of a page's readers, at last by the language in which it is written; None where nothing tells."""
    tags = list(find_language_tags(page))  # site builders write en-US into every page
    countries = [get_top_level_domain(page), *(country for tag, country in tags if (tag, country) != ("en", "us"))]
    named = [*map(ZONES_OF_COUNTRIES.get, countries), *map(_ZONES_OF_LANGUAGES.get, [*(tag for tag, _ in tags), language or ""])]
    zone = find_zone(next(filter(None, named), "UTC"))
    return zone if isinstance(zone, ZoneInfo) else None


#: Offsets that some country keeps, in minutes; another article's time matches one of them only by chance.
_OFFSETS = frozenset({hours * 60 for hours in range(-12, 15)} | {-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765})
_DAY = timedelta(days=1)
#: A time of the day, also as "14 h 30" and "18時42分"; "3 hours ago" and "3時間前" are moments already.
_HOUR_SIGNS = one_of(sign for sign in words("hour_signs") if sign[0] >= "\u2e80")
_WALL = re.compile(rf"\d(?:[:.h]|\s[hH]\s)\d\d|\d\s?(?:：\s?\d\d|(?!{alternatives('units_ago/hour')}){_HOUR_SIGNS})")


def move_to_page_clock(
    best: DateCandidate, found: Sequence[DateCandidate], zone: tzinfo, page: Document, language: str | None = None,
    calendar: PortalCalendar = NO_CALENDAR,
) -> DateCandidate:  # fmt: skip
    """Return a date whose time is on the clock of the page's readers, where no zone is configured for the portal.

    A time in UTC is moved to that clock, and its day may be another: by a time that readers see of the same moment, or by the zone
    that the page's scripts name; a page that shows nothing keeps UTC. A time without an offset is taken for one on that clock, or
    on that of the portal's other articles, at last on that of the page's country or language; its day remains, as it is written.
    """
    is_wall_time = best.precision == DatePrecision.MINUTE and not best.offset_given and _WALL.search(best.text) is not None
    if zone is not UTC or best.value.tzinfo is not UTC or not (is_in_utc(best) or is_wall_time):
        return best
    own = [c for c in found if c.role is not DateRole.OTHER and not c.exchanged and is_own(c)]
    return _place_wall_time(best, own, page, language, calendar) if is_wall_time else _move_moment(best, own, page)


def _place_wall_time(
    best: DateCandidate, own: Sequence[DateCandidate], page: Document, language: str | None, calendar: PortalCalendar
) -> DateCandidate:
    """Return a time without an offset as one on the clock of a moment that the page or a feed gives too, or of the page's zone."""
    clocks = (_find_offset(best, c) if is_in_utc(c) else c.value.tzinfo for c in own if c.offset_given and _is_near(c, best))
    guess = guess_zone(page, language)
    clock = next(filter(None, clocks), None) or page.view(find_named_zone) or calendar.find_zone(best.value, guess) or guess or UTC
    return replace(best, value=localize(best.value.replace(tzinfo=None), clock))


def _is_near(c: DateCandidate, best: DateCandidate) -> bool:
    """Return whether a date is one of publication with a time, at most a day from another."""
    is_time = c.role is DateRole.PUBLISHED and c.precision == DatePrecision.MINUTE
    return is_time and abs(c.value.date() - best.value.date()) <= _DAY


def _move_moment(best: DateCandidate, own: Sequence[DateCandidate], page: Document) -> DateCandidate:
    """Return a moment in UTC on the clock of a time that readers see, or of a zone that fits the days on the page."""
    shown = [c for c in own if c.family not in CRAWL and not c.ambiguous and not is_in_utc(c)]
    moments = [best, *filter(is_in_utc, own)]
    # readers see a clock, not what is declared without an offset
    walls = sorted((c for c in shown if c.precision == DatePrecision.MINUTE), key=lambda c: c.position is None)
    clocks = ((clock, f"on the clock of {c.text!r}") for c in walls for m in moments if (clock := _find_offset(c, m)) is not None)
    days = {c.value.date() for c in shown if c.precision == DatePrecision.DAY and abs(c.value - best.value) < 2 * _DAY}
    if (seen := next(clocks, None)) is None and best.value.time() == time.min and days <= {best.value.date()}:
        return replace(best, precision=DatePrecision.DAY, offset_given=False, why="a day, written as midnight in UTC")
    clock, why = seen or next(_assume_zones(best, days, page), (None, ""))
    if clock is not None:
        return replace(best, value=best.value.astimezone(clock), why=why)
    # a site writes its addresses on its own clock: of that, they tell the day, though not the time
    written = (c for c in shown if c.family is Family.ADDRESS_PATH and c.role is best.role)
    next_day = next((c for c in written if abs(c.value.date() - best.value.date()) == _DAY), None)
    return best if next_day is None else replace(next_day, why=f"the day of the address, on a clock beside that of {best.text!r}")


def _assume_zones(best: DateCandidate, days: Collection[date], page: Document) -> Iterator[tuple[tzinfo, str]]:
    """Yield the zones in which a moment falls on a day that the page shows, or that its scripts name where it shows none."""
    named = page.view(find_named_zone)
    if named is not None and (not days or best.value.astimezone(named).date() in days):
        yield named, f"on the clock of {named}, which the page names"
    country = guess_zone(page) if days else None
    if country is not None and best.value.astimezone(country).date() in days:
        yield country, "on the day that the page shows, by a clock that is assumed"


def _find_offset(wall: DateCandidate, moment: DateCandidate) -> tzinfo | None:
    """Return the offset of the clock that shows a moment, given in UTC, as this time; None where no country has it."""
    apart = wall.value.replace(tzinfo=UTC, second=0) - moment.value.replace(second=0, microsecond=0)
    return timezone(apart) if apart.total_seconds() / 60 in _OFFSETS else None
