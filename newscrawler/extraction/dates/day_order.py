"""Whether 3/4/2024 is 4 March or 3 April: as the portal's other pages write it, else by language and country."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from newscrawler.extraction.dates.candidate import DateContext, Dates
from newscrawler.extraction.dates.moment import Clock
from newscrawler.extraction.dates.structured_data import addresses
from newscrawler.extraction.dates.zones import zone_of
from newscrawler.languages import table
from newscrawler.page import Document

#: English is written in many countries, and only few of them put the month first.
_MONTH_FIRST_COUNTRIES, _MONTH_FIRST_LANGUAGES = frozenset({"us", "ph"}), frozenset({"en", "fil"})
#: Domains of no country, under which a page that tells no language is taken for an American one.
_GENERIC = frozenset({"", "com", "org", "net"})
_TAG = re.compile(r"([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?\b")
_LAST_LABEL = re.compile(r"(?:[a-z]+:)?//(?:[^/?#@]*@)?(?:[^/?#:]*\.)?([^/?#:.\[\]]+)(?=[:/?#]|$)", re.IGNORECASE)
ZONES_OF_COUNTRIES = {code: zone for zone, codes in table("zones_of_countries").items() for code in codes}


def clock_of(page: Document, context: DateContext) -> Clock:
    """Say how the written dates of a page are to be understood."""
    languages = tuple(dict.fromkeys(filter(None, (context.language, page.declared_language))))
    # found out when somebody asks: few pages hold such a date
    month_first = context.day_order == "mdy" if context.day_order else cache(lambda: month_comes_first(page, languages))
    return Clock(zone=zone_of(context.time_zone), fetched_at=context.fetched_at, month_first=month_first, languages=languages)


def month_comes_first(page: Document, languages: tuple[str, ...]) -> bool:
    """Tell by the page's domain, its declared region and its language; the day comes first almost everywhere."""
    countries = (top_level(page), *(country for _, country in declared_tags(page)))
    country = next((country for country in countries if country in ZONES_OF_COUNTRIES), None)
    if country is not None:
        return country in _MONTH_FIRST_COUNTRIES
    return languages[0] in _MONTH_FIRST_LANGUAGES if languages else top_level(page) in _GENERIC


def declared_tags(page: Document) -> Iterator[tuple[str, str]]:
    """Yield language and country, which may be empty, of what the page declares: "de" and "at" of de-AT."""
    for tag in (page.root.get("lang"), page.first_meta("og:locale", "content-language")):
        if tag and (match := _TAG.match(tag.strip().replace("_", "-").lower())):
            yield match[1], match[2] or ""


def top_level(page: Document) -> str:
    """Return the last label of the page's own host; empty where the page does not tell it."""
    hosts = (_LAST_LABEL.match(address) for _, address in addresses(page))
    return next((match[1].lower() for match in hosts if match), "")


#: So many pages must have orders, nine of ten of them the same.
FEWEST_PAGES = 3
_SHARE = 0.9
#: Counts are halved here, so that a portal that changes its form is followed.
_MOST_PAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOrders:
    """The pages of a portal that tell in which order day and month stand."""

    dmy: int = 0
    mdy: int = 0

    @property
    def order(self) -> str | None:
        """What holds for the portal: "dmy" or "mdy"; None: not known yet, or it writes both."""
        most = max(self.dmy, self.mdy)
        if most < FEWEST_PAGES or most < _SHARE * (self.dmy + self.mdy):
            return None
        return "dmy" if self.dmy > self.mdy else "mdy"

    def after(self, dates: Dates) -> DayOrders:
        """Count one more page; one that shows both orders, or none, tells nothing."""
        orders = {c.day_order for c in dates.candidates if c.day_order}
        if len(orders) != 1:
            return self
        dmy, mdy = self.dmy + ("dmy" in orders), self.mdy + ("mdy" in orders)
        return DayOrders(dmy=dmy // 2, mdy=mdy // 2) if dmy + mdy > _MOST_PAGES else DayOrders(dmy=dmy, mdy=mdy)
