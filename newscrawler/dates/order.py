"""Whether 3/4/2024 is 4 March or 3 April: as the portal's other pages write it, else by language and country."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from newscrawler.dates.candidate import DateContext
from newscrawler.dates.moment import Clock
from newscrawler.dates.structured import addresses
from newscrawler.dates.zones import zone_of
from newscrawler.page import Document

#: English is written in many countries, and only few of them put the month first.
_MONTH_FIRST_REGIONS = frozenset({"us", "ph", "pr", "gu", "as", "vi", "mp"})
_DAY_FIRST_DOMAINS_NAMES = (
    "uk ie au nz in za sg my pk bd lk ng ke gh tz ug zm zw mt jm tt hk eu de fr es it pl cz nl be ch at se no dk fi pt gr il ae qa"
)
_TAG = re.compile(r"([a-z]{2,3})-([a-z]{2})\b")
_DAY_FIRST_DOMAINS = frozenset(_DAY_FIRST_DOMAINS_NAMES.split())


def clock_of(page: Document, context: DateContext) -> Clock:
    """Say how the written dates of a page are to be understood."""
    languages = tuple(dict.fromkeys(filter(None, (context.language, page.declared_language))))
    month_first = context.day_order == "mdy" if context.day_order else _found_out(page, languages)
    return Clock(zone=zone_of(context.time_zone), fetched_at=context.fetched_at, month_first=month_first, languages=languages)


def _found_out(page: Document, languages: tuple[str, ...]) -> Callable[[], bool]:
    """Find out once, and only when somebody asks: few pages hold such a date."""
    known: list[bool] = []

    def month_first() -> bool:
        if not known:
            known.append(month_comes_first(page, languages))
        return known[0]

    return month_first


def month_comes_first(page: Document, languages: tuple[str, ...]) -> bool:
    """Tell by the page's declared region, its language and its domain; the day comes first almost everywhere."""
    tag = (page.root.get("lang") or page.first_meta("og:locale", "content-language") or "").replace("_", "-").lower()
    match = _TAG.match(tag)
    region = match.group(2) if match else None
    language = languages[0] if languages else None
    domain = top_level(page)
    if domain in _DAY_FIRST_DOMAINS:
        return False
    if domain in _MONTH_FIRST_REGIONS:
        return True
    if region:
        return region in _MONTH_FIRST_REGIONS
    return language in {"en", "fil"} or (language is None and domain in {"", "com", "org", "net"})


def top_level(page: Document) -> str:
    """Give the last label of the page's own host; empty where the page does not tell it."""
    for _, address in addresses(page):
        try:
            host = urlsplit(address).hostname
        except ValueError:
            continue
        if host:
            return host.rsplit(".", 1)[-1].lower()
    return ""
