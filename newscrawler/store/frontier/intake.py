"""Adds found URLs to the frontier, each once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Insert, bindparam, func, select, update

from newscrawler.discovery import PRIORITY
from newscrawler.errors import PageReason
from newscrawler.limits import WAITING_URLS as MOST_WAITING
from newscrawler.store.articles.article_rows import digest
from newscrawler.store.database import make_insert
from newscrawler.store.frontier.frontier_records import LISTED, LOOK_PRIORITY, SECTION_HINT, Dating, FoundUrl
from newscrawler.store.frontier.late_dates import date_articles, gives_dates, gives_more, requeue_pages
from newscrawler.store.frontier.leases import requeue
from newscrawler.store.tables import ARTICLE, FRONTIER
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome, UrlState, reason_values

#: Number of stored URLs to remember with their sources, so that menus are not looked up again for every page.
_MOST_REMEMBERED = 5_000
_CHUNK = 400
#: Sources of a URL, as bits.
SOURCES = {"links": 1, "feed": 2, "sitemap": 4, "archive": 8, "posts": 16, "copies": 32}
#: Hash of a URL, its sources, whether it is skipped, which section lists it, and whether a date was found.
_Remembered = int
#: Sections remembered per URL: with two, the article's own is unknown.
_MOST_SECTIONS = 2
# Statements that run for every page are built once: building them costs more than running them.
_KNOWN = select(
    FRONTIER.c.id,
    FRONTIER.c.url_hash,
    FRONTIER.c.sources,
    FRONTIER.c.hints,
    FRONTIER.c.article_id,
    FRONTIER.c.reason,
    FRONTIER.c.round,
    FRONTIER.c.seen_round,
    FRONTIER.c.kind,
    FRONTIER.c.priority,
    FRONTIER.c.fetched_at,
    FRONTIER.c.state,
    FRONTIER.c.retry_at,
    FRONTIER.c.empty_visits,
    FRONTIER.c.redirects,
    FRONTIER.c.outcome,
    FRONTIER.c.found_on_id,
    FRONTIER.c.day_percent,
).where((FRONTIER.c.portal_id == bindparam("portal")) & FRONTIER.c.url_hash.in_(bindparam("keys", expanding=True)))
_CONFIRM = (
    update(FRONTIER)
    .where(FRONTIER.c.id == bindparam("row"))
    .values(sources=bindparam("bits"), hints=bindparam("said"), found_on_id=bindparam("list"), kind=bindparam("now"))
)
_SEEN = update(FRONTIER).where(FRONTIER.c.id.in_(bindparam("rows", expanding=True))).values(seen_round=bindparam("number"))
#: States of URLs that were processed; those without an article may still give one.
ENDED = (UrlState.DONE, UrlState.FAILED, UrlState.SKIPPED)
_WAKE = (
    update(FRONTIER)
    .where((FRONTIER.c.id == bindparam("row")) & FRONTIER.c.state.in_(ENDED) & (FRONTIER.c.round < bindparam("number")))
    .values(state=UrlState.WAITING, retry_at=None, attempts=0, priority=bindparam("place"))
)
_FOLLOW = (
    update(FRONTIER)
    .where((FRONTIER.c.portal_id == bindparam("portal")) & (FRONTIER.c.url_hash == bindparam("key")))
    .where((FRONTIER.c.kind == FrontierKind.ARTICLE) & FRONTIER.c.article_id.is_(None) & (FRONTIER.c.redirects > 0))
    .where(FRONTIER.c.state.in_(ENDED) & (FRONTIER.c.round < bindparam("number")))
    .values(state=UrlState.WAITING, retry_at=None, attempts=0)
)
_REOPEN = update(FRONTIER).where(FRONTIER.c.id.in_(bindparam("rows", expanding=True))).values(retry_at=bindparam("at"))
#: If more than this share of a list's articles have changed, its timestamps are generated; for a few they may be true.
_MOST_CHANGED, _FEW_CHANGED = 0.5, 10
#: Priorities of articles without a date.
_UNDATED = (PRIORITY["article"], PRIORITY["related"], PRIORITY["undated"])
_STORED = select(ARTICLE.c.id, ARTICLE.c.url_hash).where(
    (ARTICLE.c.portal_id == bindparam("portal")) & ARTICLE.c.url_hash.in_(bindparam("keys", expanding=True))
)
_DATE = (
    update(FRONTIER)
    .where((FRONTIER.c.id == bindparam("row")) & ((FRONTIER.c.state == UrlState.WAITING) | (FRONTIER.c.state == UrlState.SKIPPED)))
    .values(
        day=bindparam("date"), day_percent=bindparam("sure"), priority=bindparam("place"), state=bindparam("now"),
        reason=bindparam("why"), detail=None,
    )
)  # fmt: skip
_HURRY = update(FRONTIER).where(FRONTIER.c.id == bindparam("row")).values(priority=bindparam("place"))
_WAITING = select(func.count()).where((FRONTIER.c.portal_id == bindparam("portal")) & (FRONTIER.c.state == UrlState.WAITING))
#: A page with fewer links is not checked against that limit. Also the number of rows inserted at once.
_MANY = 1_000


@lru_cache(maxsize=2)
def _make_insertion(dialect: str) -> Insert:
    """Return the statement that inserts URLs that do not exist."""
    insertion: Insert = make_insert(dialect, FRONTIER).on_conflict_do_nothing()
    return insertion


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeResult:
    """The effect of adding the URLs of one page."""

    #: New URLs to be fetched.
    fresh: int = 0
    #: Of these, likely articles.
    fresh_articles: int = 0
    #: Why other new URLs are not to be fetched.
    skipped: tuple[Reason, ...] = ()
    #: Articles of this round that got a missing date.
    dated: int = 0
    #: URLs left out because too many are waiting.
    left_out: int = 0


class Intake:
    """Adds the URLs that one run finds to the frontier of its portal."""

    def __init__(self, *, portal_id: int, round_number: int, articles_portal_id: int) -> None:
        """Add to the queue of a portal; `articles_portal_id`: of the portal itself, in the queue of its past."""
        self._portal_id = portal_id
        self._round = round_number
        self._articles_portal_id = articles_portal_id
        self._remembered: set[_Remembered] = set()

    def forget(self) -> None:
        """Clear the cache of stored URLs after a transaction was rolled back."""
        self._remembered.clear()

    def add(
        self,
        connection: Connection,
        found: Sequence[FoundUrl],
        *,
        found_on: int | None,
        now: datetime,
        dating: Dating | None = None,
    ) -> IntakeResult:
        """Insert new URLs; add further sources and dates to known ones."""
        if not found:
            return IntakeResult()
        dated = 0
        by_url = {item.url: item for item in found}
        unremembered = [item for item in by_url.values() if _make_key(item) not in self._remembered]
        unknown = {digest(item.url): item for item in unremembered}
        self._remember(key for item in unremembered for key in _list_keys(item))
        for start in range(0, len(keys := list(unknown)), _CHUNK):
            rows = connection.execute(_KNOWN, {"portal": self._portal_id, "keys": keys[start : start + _CHUNK]}).all()
            known = [(row, unknown.pop(bytes(row.url_hash))) for row in rows]
            self._confirm(connection, known, found_on)
            self._note_sightings(connection, known, now)
            self._wake_articles(connection, known)
            self._change_priority(connection, known)
            self._change_days(connection, known)
            if dating is not None:
                dated += self._set_dates(connection, known, dating, now)
        self._wake_changed(connection, [item for item in by_url.values() if item.changed_at and item.kind == FrontierKind.SITEMAP])
        left_out = self._leave_out(connection, unknown)
        fresh = iter(unknown.items())
        while values := [self._make_row(key, item, found_on=found_on, now=now) for key, item in islice(fresh, _MANY)]:
            self._adopt_stored(connection, values)
            connection.execute(_make_insertion(connection.dialect.name), values)
        likely = sum(item.kind == FrontierKind.ARTICLE and not item.skipped for item in unknown.values())
        # a listing that brings nothing new is not followed to its further pages
        if likely or any(item.anew for item in by_url.values()):
            self._requeue(connection, by_url)
        reasons = {digest(item.url): item.skipped for item in unremembered if item.skipped and item.day is None}
        self._set_aside(connection, {key: reason for key, reason in reasons.items() if key not in unknown})
        skipped = tuple(item.skipped for item in unknown.values() if item.skipped)
        return IntakeResult(
            fresh=len(unknown) - len(skipped), fresh_articles=likely, skipped=skipped, dated=dated, left_out=left_out
        )

    def _leave_out(self, connection: Connection, unknown: dict[bytes, FoundUrl]) -> int:
        """Drop the last URLs of a large list if too many are waiting; return how many."""
        if len(unknown) <= _MANY or self._articles_portal_id != self._portal_id:
            return 0
        capacity = MOST_WAITING - (connection.execute(_WAITING, {"portal": self._portal_id}).scalar() or 0)
        surplus = list(unknown)[max(0, capacity) :]
        for key in surplus:
            self._remembered.discard(_make_bare_key(unknown[key]))
            self._remembered.discard(_make_key(unknown.pop(key)))
        return len(surplus)

    def _wake_changed(self, connection: Connection, changed: Sequence[FoundUrl]) -> None:
        """Requeue sitemaps that have changed by their index and were not fetched in this round."""
        for item in changed:
            connection.execute(
                update(FRONTIER)
                .where((FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.url_hash == digest(item.url)))
                .where((FRONTIER.c.kind == item.kind) & FRONTIER.c.state.in_([UrlState.DONE, UrlState.WAITING]))
                .where((FRONTIER.c.round < self._round) & (FRONTIER.c.fetched_at < item.changed_at))
                .values(state=UrlState.WAITING, priority=item.priority)
            )

    def _change_priority(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]]) -> None:
        """Give unread articles the priority of the date that a list states, the earliest of several, or that of a better link."""
        changes = [
            {"row": row.id, "place": place}
            for row, item in known
            if row.kind == item.kind == FrontierKind.ARTICLE
            and row.round == 0
            and (place := _choose_priority(row.priority, item)) != row.priority
        ]
        if changes:
            connection.execute(_HURRY, changes)

    def _change_days(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]]) -> None:
        """Give addresses of a backfill a day that is more certain; one outside the range is skipped, one within it waits."""
        changes = [
            {
                "row": row.id, "date": item.day, "sure": item.day_percent, "place": item.priority,
                "now": UrlState.SKIPPED if item.skipped else UrlState.WAITING, "why": reason_values(item.skipped)["reason"],
            }
            for row, item in known
            if item.day is not None and item.day_percent > (row.day_percent or 0)
            and (row.state == UrlState.WAITING or row.reason == PageReason.OUT_OF_RANGE)
        ]  # fmt: skip
        if changes:
            connection.execute(_DATE, changes)

    def _adopt_stored(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        """Mark new addresses of articles as fetched that the portal's other queue has stored."""
        keys = [row["url_hash"] for row in rows if row["kind"] == FrontierKind.ARTICLE]
        stored: dict[bytes, int] = {}
        for start in range(0, len(keys), _CHUNK):
            found = connection.execute(_STORED, {"portal": self._articles_portal_id, "keys": keys[start : start + _CHUNK]})
            stored |= {bytes(row.url_hash): row.id for row in found}
        for row in rows:
            done = {"state": UrlState.DONE, "outcome": UrlOutcome.ARTICLE, "article_id": stored.get(row["url_hash"])}
            row.update(done if row["url_hash"] in stored else {"outcome": None, "article_id": None})

    def _set_aside(self, connection: Connection, reasons: dict[bytes, Reason]) -> None:
        """Skip waiting URLs that turned out to be unnecessary, such as further pages of an article."""
        for key, reason in reasons.items():
            connection.execute(
                update(FRONTIER)
                .where(
                    (FRONTIER.c.portal_id == self._portal_id)
                    & (FRONTIER.c.url_hash == key)
                    & (FRONTIER.c.state == UrlState.WAITING)
                )
                .values(state=UrlState.SKIPPED, round=self._round, **reason_values(reason))
            )

    def follow(self, connection: Connection, target: str) -> None:
        """Requeue the target of a redirect that has not given an article, and was not fetched in this round."""
        connection.execute(_FOLLOW, {"portal": self._portal_id, "key": digest(target), "number": self._round})

    def _confirm(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]], found_on: int | None) -> None:
        """Add a further source to known URLs; one that a feed or sitemap names belongs to that list from now on."""
        changes = [
            {
                "row": row.id, "bits": row.sources | SOURCES[item.source], "said": _join_hints(row.hints, item.hints),
                "list": found_on if SOURCES[item.source] > row.sources and not row.redirects else row.found_on_id,
                "now": item.kind if row.kind == FrontierKind.OTHER and item.source == "feed" else row.kind,
            }
            for row, item in known
            if not row.sources & SOURCES[item.source] or len(_join_hints(row.hints, item.hints) or ()) > len(row.hints or ())
        ]  # fmt: skip
        if changes:
            connection.execute(_CONFIRM, changes)

    def _note_sightings(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]], now: datetime) -> None:
        """Store once a round that articles are still linked or listed; those given up as no list named them wait again."""
        seen = [row for row, _ in known if row.kind == FrontierKind.ARTICLE and row.seen_round != self._round]
        if seen:
            connection.execute(_SEEN, {"rows": [row.id for row in seen], "number": self._round})
        dropped = [
            row.id
            for row, item in known
            if (row.kind == FrontierKind.ARTICLE and row.state in ENDED and not row.retry_at and not row.article_id
            and (row.empty_visits if row.seen_round != self._round else row.sources < SOURCES[item.source] == SOURCES["feed"]))
            or (row.reason == PageReason.OUT_OF_SCOPE and item.skipped is None)
        ]  # fmt: skip
        if dropped:
            connection.execute(_REOPEN, {"rows": dropped, "at": now})

    def _wake_articles(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]]) -> None:
        """Requeue articles changed since they were fetched, by a sitemap or feed that does not claim so of most.

        One that was never read has changed if it is dated later, too.
        """
        dated = [
            (row, item, changed_at)
            for row, item in known
            if row.fetched_at and not (row.article_id and row.outcome == UrlOutcome.REDIRECT)
            and (changed_at := item.changed_at if row.article_id else _find_latest(item)) is not None
        ]  # fmt: skip
        changed = [(row, item) for row, item, changed_at in dated if row.fetched_at < changed_at]
        if len(changed) > max(_FEW_CHANGED, len(dated) * _MOST_CHANGED):
            return
        for row, item in changed:
            if row.article_id or row.kind == FrontierKind.ARTICLE:
                place = LOOK_PRIORITY if row.article_id else item.priority
                connection.execute(_WAKE, {"row": row.id, "number": self._round, "place": place})

    def _set_dates(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]], dating: Dating, now: datetime) -> int:
        """Set dates found after their articles were read; return how many of the round's articles got one."""
        more = [
            (row, joined)
            for row, item in known
            if item.hints and (row.article_id or row.reason == PageReason.NO_DATE) and gives_dates(item.hints)
            and len(joined := _join_hints(row.hints, item.hints) or []) > len(row.hints or ())
        ]  # fmt: skip
        if not more:
            return 0
        requeue_pages(
            connection, [row.id for row, hints in more if not row.article_id and gives_more(dating, hints, row.hints or (), now)]
        )
        hints_of = {row.article_id: hints for row, hints in more if row.article_id}
        rounds = {row.article_id: row.round for row, _ in more}
        dated = date_articles(connection, self._articles_portal_id, hints_of, dating) if hints_of else set()
        return sum(rounds[each] == self._round for each in dated)

    def _requeue(self, connection: Connection, by_url: dict[str, FoundUrl]) -> None:
        """Requeue URLs that are due again and were not fetched in this round, or are open now."""
        again = [digest(url) for url, item in by_url.items() if item.again or item.anew]
        if again:
            is_earlier = FRONTIER.c.round < self._round + any(item.anew for item in by_url.values())
            ended = FRONTIER.c.state.in_([UrlState.DONE, UrlState.FAILED]) & is_earlier
            among = (FRONTIER.c.portal_id == self._portal_id) & FRONTIER.c.url_hash.in_(again)
            requeue(connection, among & ended, attempts=0)

    def _remember(self, urls: Iterable[_Remembered]) -> None:
        if len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.clear()
        self._remembered.update(urls)

    def _make_row(self, key: bytes, item: FoundUrl, *, found_on: int | None, now: datetime) -> dict[str, Any]:
        return {
            "portal_id": self._portal_id,
            "url": item.url,
            "url_hash": key,
            "kind": item.kind,
            "kind_reason": item.why,
            "priority": item.priority,
            "depth": item.depth,
            "redirects": item.hops,
            "state": UrlState.SKIPPED if item.skipped else UrlState.WAITING,
            **reason_values(item.skipped),
            "found_on_id": found_on,
            "sources": SOURCES[item.source],
            "hints": list(map(list, item.hints)) or None,
            "day": item.day,
            "day_percent": item.day_percent if item.day is not None else None,
            "found_at": now,
            "round": self._round if item.skipped else 0,
            "attempts": 0,
            "new_articles": 0,
            "empty_visits": 0,
            "seen_round": self._round,
        }


def _choose_priority(known: int, item: FoundUrl) -> int:
    if item.changed_at is not None or any(source != SECTION_HINT for source, _ in item.hints):
        return item.priority if known in _UNDATED else max(known, item.priority)
    return min(known, item.priority) if known in _UNDATED and item.source != "sitemap" else known


def _find_latest(item: FoundUrl) -> datetime | None:
    """Return the latest time that a feed or sitemap states of an article."""
    stated = [datetime.fromisoformat(text).astimezone(UTC) for source, text in item.hints if source in LISTED]
    return max([*stated, *([item.changed_at] if item.changed_at else [])], default=None)


def _make_key(item: FoundUrl) -> _Remembered:
    if not item.hints and item.day is None:
        return _make_bare_key(item)
    section = next((text for source, text in item.hints if source == SECTION_HINT), "")
    return hash((item.url, item.source, item.skipped is not None, section, gives_dates(item.hints), item.day_percent))


def _make_bare_key(item: FoundUrl) -> _Remembered:
    return hash((item.url, item.source, item.skipped is not None, "", False, 0))


def _list_keys(item: FoundUrl) -> tuple[_Remembered, ...]:
    """Return the cache entries that this one covers: the same link with fewer hints adds nothing."""
    return (_make_key(item), _make_bare_key(item)) if item.hints or item.day else (_make_bare_key(item),)


def _join_hints(known: list[list[str]] | None, more: tuple[tuple[str, str], ...]) -> list[list[str]] | None:
    """Return the first date of each kind of source and the first sections that list the article; None: no hints."""
    there = known or []
    dates = {source for source, _ in there if source != SECTION_HINT}
    sections = [text for source, text in there if source == SECTION_HINT]
    fresh = [
        [source, text]
        for source, text in more
        if (text not in sections and len(sections) < _MOST_SECTIONS if source == SECTION_HINT else source not in dates)
    ]
    return [*there, *fresh] or None
