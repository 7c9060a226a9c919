"""The queue of a portal's past: the days of its addresses, and how far a backfill is, by month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from math import ceil, floor
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection, bindparam, func, select, update

from newscrawler.backfill import estimate_month
from newscrawler.discovery import Completeness
from newscrawler.errors import PageReason
from newscrawler.store.database import StorePart
from newscrawler.store.frontier.frontier_records import FoundUrl
from newscrawler.store.frontier.intake import SOURCES
from newscrawler.store.tables import FRONTIER, PORTAL
from newscrawler.store.vocabularies import PAST, FrontierKind, UrlState, reason_values

_IS_ARTICLE = FRONTIER.c.kind == FrontierKind.ARTICLE
#: Addresses that are dated at a time.
_AT_ONCE = 20_000
#: From this certainty on, an estimated day decides.
_SURE = 50
_SET_DAY = (
    update(FRONTIER)
    .where(FRONTIER.c.id == bindparam("row"))
    .values(day=bindparam("date"), day_percent=bindparam("sure"), priority=bindparam("place"), state=bindparam("now"),
            reason=bindparam("why"))
)  # fmt: skip


class ListedUrl(NamedTuple):
    """An address: its row's number, by which those of a list are in their order, and the page and time of that list."""

    id: int
    url: str
    list_id: int | None
    found_at: datetime

    @property
    def list_name(self) -> str | None:
        """Return a name of the list as it was at that time; None: there is none."""
        return f"{self.list_id} {self.found_at}" if self.list_id is not None else None


class DayEstimate(Protocol):
    """Finds the days of undated addresses by those of dated ones."""

    def add(self, address: ListedUrl, day: date) -> None:
        """Add a dated address."""

    def place(self, addresses: Iterable[ListedUrl]) -> Mapping[int, FoundUrl]:
        """Return the addresses whose day is known, by number; called for some at a time, when all dated ones were added."""
        ...

    def choose(self, today: date) -> Mapping[int, FoundUrl]:
        """Return addresses without a day whose day would tell that of others."""
        ...


def restrict_days(connection: Connection, portal_id: int, since: date, until: date) -> None:
    """Skip waiting articles outside a range, and let those that were outside an earlier one wait."""
    mine = (FRONTIER.c.portal_id == portal_id) & FRONTIER.c.day.is_not(None) & _IS_ARTICLE
    within = FRONTIER.c.day.between(since, until)
    skipped = {"state": UrlState.SKIPPED, "reason": str(PageReason.OUT_OF_RANGE)}
    connection.execute(update(FRONTIER).where(mine & ~within & (FRONTIER.c.state == UrlState.WAITING)).values(skipped))
    again = within & (FRONTIER.c.state == UrlState.SKIPPED) & (FRONTIER.c.reason == PageReason.OUT_OF_RANGE)
    connection.execute(update(FRONTIER).where(mine & again).values(state=UrlState.WAITING, reason=None, detail=None))


def date_undated(connection: Connection, portal_id: int, estimate: DayEstimate) -> int:
    """Give undated articles that wait the days of their neighbours; return how many are to be requested."""
    mine = (FRONTIER.c.portal_id == portal_id) & _IS_ARTICLE
    wanted = mine & FRONTIER.c.day.is_(None) & (FRONTIER.c.state == UrlState.WAITING)
    address = FRONTIER.c.id, FRONTIER.c.url, FRONTIER.c.found_on_id, FRONTIER.c.found_at
    undated = select(*address).where(wanted)
    if connection.execute(undated.limit(1)).first() is None:
        return 0
    is_there = FRONTIER.c.fetched_at.is_(None) | FRONTIER.c.article_id.is_not(None)  # the number of a dead link says nothing
    dated = select(*address, FRONTIER.c.day).where(mine & FRONTIER.c.day.is_not(None) & (FRONTIER.c.day_percent > _SURE))
    for row in connection.execute(dated.where(is_there).execution_options(yield_per=1_000)):
        estimate.add(ListedUrl(*row[:4]), row.day)
    last, requested = 0, 0
    while rows := connection.execute(undated.where(FRONTIER.c.id > last).order_by(FRONTIER.c.id).limit(_AT_ONCE)).all():
        last = rows[-1].id
        requested += _set_days(connection, estimate.place(ListedUrl(*row) for row in rows))
    return requested + _set_days(connection, estimate.choose(datetime.now(UTC).date()))


def _set_days(connection: Connection, placed: Mapping[int, FoundUrl]) -> int:
    """Write the days of addresses by number; return how many are to be requested."""
    changes = []
    for number, found in placed.items():
        state = UrlState.SKIPPED if found.skipped else UrlState.WAITING
        why = reason_values(found.skipped)["reason"]
        sure = found.day_percent if found.day is not None else None
        changes.append({"row": number, "date": found.day, "sure": sure, "place": found.priority, "now": state, "why": why})
    if changes:
        connection.execute(_SET_DAY, changes)
    return sum(change["now"] is UrlState.WAITING for change in changes)


@dataclass(slots=True, kw_only=True)
class MonthProgress:
    """The articles of a month that a backfill knows."""

    #: The first day.
    month: date
    stored: int = 0
    waiting: int = 0
    #: They gave no article, by reason.
    refused: dict[str, int] = field(default_factory=dict)
    #: Stored articles by the lists that named them, names of `SOURCES`.
    by_sources: dict[frozenset[str], int] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """Return how many addresses are known."""
        return self.stored + self.waiting + sum(self.refused.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the figures, with the estimate of how many articles the month has, or why there is none."""
        found = estimate_month(self.by_sources, waiting=self.waiting)
        estimate: dict[str, Any] = {"estimated": None, "low": None, "high": None, "why_not": None}
        if isinstance(found, Completeness):
            estimate |= {"estimated": round(found.total), "low": floor(found.low), "high": ceil(found.high)}
        else:
            estimate["why_not"] = str(found)
        counts = {"known": self.known, "stored": self.stored, "waiting": self.waiting, "refused": dict(self.refused)}
        return {"month": f"{self.month:%Y-%m}", **counts, **estimate}


class Backfills(StorePart):
    """The queues of the past of all portals."""

    def portals(self) -> list[str]:
        """Return the portals that have such a queue, by name."""
        names = self._read_column(select(PORTAL.c.name).where(PORTAL.c.name.endswith(PAST)).order_by(PORTAL.c.name))
        return [name.removesuffix(PAST) for name in names]

    def months(self, portal: str, since: date = date.min, until: date = date.max) -> list[MonthProgress]:
        """Return how far the backfill of a portal is in each month of a range, the earliest first."""
        found: dict[date, MonthProgress] = {}
        for row in self._count(portal):
            if row.day is None or row.reason == PageReason.OUT_OF_RANGE or not since <= row.day <= until:
                continue
            month = row.day.replace(day=1)
            progress = found.setdefault(month, MonthProgress(month=month))
            _add(progress, row)
        return [found[month] for month in sorted(found)]

    def count_outside(self, portal: str) -> Mapping[str, int]:
        """Return how many addresses are outside the range, and how many that wait have no day."""
        outside: dict[str, int] = defaultdict(int)
        for row in self._count(portal):
            if row.reason == PageReason.OUT_OF_RANGE:
                outside["outside"] += row.number
            elif row.day is None and row.state == UrlState.WAITING:
                outside["undated"] += row.number
        return outside

    def _count(self, portal: str) -> Iterator[Any]:
        is_stored = FRONTIER.c.article_id.is_not(None).label("is_stored")
        columns: tuple[Any, ...] = (FRONTIER.c.day, FRONTIER.c.state, FRONTIER.c.reason, FRONTIER.c.sources, is_stored)
        query = select(*columns, func.count().label("number")).join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
        query = query.where((PORTAL.c.name == portal + PAST) & _IS_ARTICLE & (FRONTIER.c.outcome.is_distinct_from("redirect")))
        return self._stream(query.group_by(*columns))


def _add(progress: MonthProgress, row: Any) -> None:
    if row.is_stored:
        progress.stored += row.number
        names = frozenset(name for name, bit in SOURCES.items() if row.sources & bit)
        progress.by_sources[names] = progress.by_sources.get(names, 0) + row.number
    elif row.state in {UrlState.WAITING, UrlState.FETCHING}:
        progress.waiting += row.number
    else:
        why = row.reason or "no article"
        progress.refused[why] = progress.refused.get(why, 0) + row.number
