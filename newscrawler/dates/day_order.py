"""Whether 3/4/2024 is 4 March or 3 April: as the portal's other pages write it, else by language and country."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from newscrawler.dates.candidate import DateContext, Dates
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
