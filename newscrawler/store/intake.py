"""What goes into the frontier: each URL once, however often it is found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Insert, bindparam, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from newscrawler.errors import PageReason
from newscrawler.store.frontier_records import LOOK_PRIORITY, SECTION_HINT, Dating, FoundUrl
from newscrawler.store.late_dates import date_articles, gives_dates, gives_more, read_again
from newscrawler.store.tables import FRONTIER
from newscrawler.store.vocabularies.outcomes import FrontierKind, Reason, UrlState, reason_values

#: URLs that are known to be stored, each with who led to it: a page's menu need not be looked up again for every page.
_MOST_REMEMBERED = 5_000
_CHUNK = 400
#: Who led to a URL, as bits.
SOURCES = {"links": 1, "feed": 2, "sitemap": 4}
#: Hash of a URL, who led to it, whether it is set aside, which section lists it, and whether a date was seen.
_Remembered = int
#: Sections that are remembered of one URL: from two on it is not known which of them is the article's.
_MOST_SECTIONS = 2
# What every page asks for is built once: that costs SQLAlchemy more than running it does.
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
).where((FRONTIER.c.portal_id == bindparam("portal")) & FRONTIER.c.url_hash.in_(bindparam("keys", expanding=True)))
_CONFIRM = update(FRONTIER).where(FRONTIER.c.id == bindparam("row")).values(sources=bindparam("bits"), hints=bindparam("said"))
_SEEN = update(FRONTIER).where(FRONTIER.c.id.in_(bindparam("rows", expanding=True))).values(seen_round=bindparam("number"))
_WAKE_ARTICLE = (
    update(FRONTIER)
    .where((FRONTIER.c.id == bindparam("row")) & (FRONTIER.c.state == UrlState.DONE) & (FRONTIER.c.round < bindparam("number")))
    .values(state=UrlState.WAITING, retry_at=None, attempts=0, priority=LOOK_PRIORITY)
)
#: A list that says of more than this share of its articles that they have changed stamps them by itself; of a few it may be true.
_MOST_CHANGED, _FEW_CHANGED = 0.5, 10
_HURRY = update(FRONTIER).where(FRONTIER.c.id == bindparam("row")).values(priority=bindparam("place"))
_WAITING = select(func.count()).where((FRONTIER.c.portal_id == bindparam("portal")) & (FRONTIER.c.state == UrlState.WAITING))
#: Of a portal; at 5 seconds a page they take a fortnight. What a sitemap names beyond that is left for a later visit to it.
MOST_WAITING = 250_000
#: No page has so many links: what one brings is not counted against that. So many rows are made at once.
_MANY = 1_000


@lru_cache(maxsize=2)
def _insertion(dialect: str) -> Insert:
    """The statement that inserts what is not there."""
    insertion: Insert = (postgresql if dialect == "postgresql" else sqlite).insert(FRONTIER).on_conflict_do_nothing()
    return insertion


def url_hash(url: str) -> bytes:
    """BLAKE2b, 16 bytes: what a URL is looked up by."""
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What adding the URLs of one page did."""

    #: URLs that nobody had found before and that are to be fetched.
    fresh: int = 0
    #: Of these, likely articles.
    fresh_articles: int = 0
    #: Why others that were found for the first time are not to be fetched.
    skipped: tuple[Reason, ...] = ()
    #: Articles of this round that had no date until now.
    dated: int = 0
    #: URLs that were not taken, because too many wait already.
    left_out: int = 0


class Intake:
    """Puts found URLs into the frontier of one portal, as one run finds them."""

    def __init__(self, *, portal_id: int, round_number: int) -> None:
        self._portal_id = portal_id
        self._round = round_number
        self._remembered: set[_Remembered] = set()

    def forget(self) -> None:
        """Look everything up again; after a transaction that was rolled back, nothing of it is stored."""
        self._remembered.clear()

    def add(
        self,
        connection: Connection,
        found: Sequence[FoundUrl],
        *,
        found_on: int | None,
        now: datetime,
        dating: Dating | None = None,
    ) -> Added:
        """Insert what is not there yet, and note of the rest who else led to it, and when it was published."""
        if not found:
            return Added()
        dated = 0
        by_url = {item.url: item for item in found}
        unremembered = [item for item in by_url.values() if _remembered_as(item) not in self._remembered]
        unknown = {url_hash(item.url): item for item in unremembered}
        self._remember(key for item in unremembered for key in _stand_for(item))
        for start in range(0, len(keys := list(unknown)), _CHUNK):
            rows = connection.execute(_KNOWN, {"portal": self._portal_id, "keys": keys[start : start + _CHUNK]}).all()
            known = [(row, unknown.pop(bytes(row.url_hash))) for row in rows]
            self._confirm(connection, known)
            self._note_sightings(connection, known)
            self._wake_articles(connection, known)
            self._hurry(connection, known)
            if dating is not None:
                dated += self._date(connection, known, dating, now)
        self._wake_changed(connection, [item for item in by_url.values() if item.changed_at and item.kind == FrontierKind.SITEMAP])
        left_out = self._leave_out(connection, unknown)
        fresh = iter(unknown.items())
        while values := [self._row(key, item, found_on=found_on, now=now) for key, item in islice(fresh, _MANY)]:
            connection.execute(_insertion(connection.dialect.name), values)
        likely = sum(item.kind == FrontierKind.ARTICLE and not item.skipped for item in unknown.values())
        if likely:  # a listing that brings nothing new is not followed to its further pages
            self._requeue(connection, by_url)
        reasons = {url_hash(item.url): item.skipped for item in unremembered if item.skipped}
        self._set_aside(connection, {key: reason for key, reason in reasons.items() if key not in unknown})
        skipped = tuple(item.skipped for item in unknown.values() if item.skipped)
        return Added(fresh=len(unknown) - len(skipped), fresh_articles=likely, skipped=skipped, dated=dated, left_out=left_out)

    def _leave_out(self, connection: Connection, unknown: dict[bytes, FoundUrl]) -> int:
        """Let go of the last of what a large list has brought, where too many wait already; answers how many those are."""
        if len(unknown) <= _MANY:
            return 0
        capacity = MOST_WAITING - (connection.execute(_WAITING, {"portal": self._portal_id}).scalar() or 0)
        surplus = list(unknown)[max(0, capacity) :]
        for key in surplus:
            self._remembered.discard(_bare(unknown[key]))
            self._remembered.discard(_remembered_as(unknown.pop(key)))
        return len(surplus)

    def _wake_changed(self, connection: Connection, changed: Sequence[FoundUrl]) -> None:
        """Let sitemaps wait that have something new by their index, and were not dealt with in this round."""
        for item in changed:
            connection.execute(
                update(FRONTIER)
                .where((FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.url_hash == url_hash(item.url)))
                .where((FRONTIER.c.kind == item.kind) & FRONTIER.c.state.in_([UrlState.DONE, UrlState.WAITING]))
                .where((FRONTIER.c.round < self._round) & (FRONTIER.c.fetched_at < item.changed_at))
                .values(state=UrlState.WAITING, priority=item.priority)
            )

    def _hurry(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]]) -> None:
        """Let articles of the archive that a page or a feed leads to have their turn among the others."""
        earlier = [
            {"row": row.id, "place": item.priority}
            for row, item in known
            if row.kind == item.kind == FrontierKind.ARTICLE
            and item.source != "sitemap"
            and row.round == 0
            and item.priority < row.priority
        ]
        if earlier:
            connection.execute(_HURRY, earlier)

    def _set_aside(self, connection: Connection, reasons: dict[bytes, Reason]) -> None:
        """Let go of URLs that were waiting and turned out to be not worth it, such as further pages of an article."""
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

    def _confirm(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]]) -> None:
        """Note that URLs which are there already were found in another way as well."""
        changes = [
            {"row": row.id, "bits": row.sources | SOURCES[item.source], "said": _joined(row.hints, item.hints)}
            for row, item in known
            if not row.sources & SOURCES[item.source] or len(_joined(row.hints, item.hints) or ()) > len(row.hints or ())
        ]
        if changes:
            connection.execute(_CONFIRM, changes)

    def _note_sightings(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]]) -> None:
        """Note once a round that articles are still linked or listed."""
        rows = [row.id for row, _ in known if row.kind == FrontierKind.ARTICLE and row.seen_round != self._round]
        if rows:
            connection.execute(_SEEN, {"rows": rows, "number": self._round})

    def _wake_articles(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]]) -> None:
        """Let articles wait that have changed since they were fetched, by a sitemap or feed that does not say so of most."""
        claimed = [(row, item.changed_at) for row, item in known if row.article_id and row.fetched_at and item.changed_at]
        changed = [row.id for row, changed_at in claimed if row.fetched_at < changed_at]
        if len(changed) > max(_FEW_CHANGED, len(claimed) * _MOST_CHANGED):
            return
        for row_id in changed:
            connection.execute(_WAKE_ARTICLE, {"row": row_id, "number": self._round})

    def _date(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]], dating: Dating, now: datetime) -> int:
        """Date what was read before its date was seen; answers how many of the round's articles that were."""
        more = [
            (row, joined)
            for row, item in known
            if item.hints and (row.article_id or row.reason == PageReason.NO_DATE) and gives_dates(item.hints)
            and len(joined := _joined(row.hints, item.hints) or []) > len(row.hints or ())
        ]  # fmt: skip
        if not more:
            return 0
        read_again(
            connection, [row.id for row, hints in more if not row.article_id and gives_more(dating, hints, row.hints or (), now)]
        )
        hints_of = {row.article_id: hints for row, hints in more if row.article_id}
        rounds = {row.article_id: row.round for row, _ in more}
        dated = date_articles(connection, self._portal_id, hints_of, dating) if hints_of else set()
        return sum(rounds[each] == self._round for each in dated)

    def _requeue(self, connection: Connection, by_url: dict[str, FoundUrl]) -> None:
        """Put those back into the queue that are to be seen again and were not dealt with in this round."""
        again = [url_hash(url) for url, item in by_url.items() if item.again]
        if again:
            connection.execute(
                update(FRONTIER)
                .where(
                    (FRONTIER.c.portal_id == self._portal_id)
                    & FRONTIER.c.url_hash.in_(again)
                    & (FRONTIER.c.round < self._round)
                    & FRONTIER.c.state.in_([UrlState.DONE, UrlState.FAILED])
                )
                .values(state=UrlState.WAITING, retry_at=None, attempts=0)
            )

    def _remember(self, urls: Iterable[_Remembered]) -> None:
        if len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.clear()
        self._remembered.update(urls)

    def _row(self, key: bytes, item: FoundUrl, *, found_on: int | None, now: datetime) -> dict[str, Any]:
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
            "hints": _listed(item.hints),
            "found_at": now,
            "round": self._round if item.skipped else 0,
            "attempts": 0,
            "new_articles": 0,
            "empty_visits": 0,
            "seen_round": self._round,
        }


def _remembered_as(item: FoundUrl) -> _Remembered:
    if not item.hints:
        return _bare(item)
    section = next((text for source, text in item.hints if source == SECTION_HINT), "")
    return hash((item.url, item.source, item.skipped is not None, section, gives_dates(item.hints)))


def _bare(item: FoundUrl) -> _Remembered:
    return hash((item.url, item.source, item.skipped is not None, "", False))


def _stand_for(item: FoundUrl) -> tuple[_Remembered, ...]:
    """What need not be looked up any more once this was: the same link with less beside it says nothing new."""
    return (_remembered_as(item), _bare(item)) if item.hints else (_bare(item),)


def _listed(hints: tuple[tuple[str, str], ...]) -> list[list[str]] | None:
    return [list(hint) for hint in hints] or None


def _joined(known: list[list[str]] | None, more: tuple[tuple[str, str], ...]) -> list[list[str]] | None:
    """Keep the first date of each kind of source, and the first sections that list the article."""
    there = known or []
    dates = {source for source, _ in there if source != SECTION_HINT}
    sections = [text for source, text in there if source == SECTION_HINT]
    fresh = [
        [source, text]
        for source, text in more
        if (text not in sections and len(sections) < _MOST_SECTIONS if source == SECTION_HINT else source not in dates)
    ]
    return [*there, *fresh] or None
