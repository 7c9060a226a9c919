"""The frontier: every URL of a portal with its state, and the one transaction in which a page's outcome is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from newscrawler.store.articles import correct_article, mark_similar, store_article
from newscrawler.store.database import translated
from newscrawler.store.frontier_records import ClaimedUrl, Committed, FoundUrl, FrontierCounts, PageOutcome, RecentArticle
from newscrawler.store.patterns import save_patterns
from newscrawler.store.rounds import release_leases
from newscrawler.store.tables import ARTICLE, FRONTIER, REVISION, UrlState

#: Hashes of URLs that are known to be stored: a page's menu need not be looked up again for every page.
_MOST_REMEMBERED = 60_000
_CHUNK = 400
#: Who led to a URL, as bits.
SOURCES = {"links": 1, "feed": 2, "sitemap": 4}


def url_hash(url: str) -> bytes:
    """BLAKE2b, 16 bytes: what a URL is looked up by."""
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Frontier:
    """The URLs of one portal, as one run sees them."""

    def __init__(self, engine: Engine, *, portal_id: int, run_id: int, round_number: int) -> None:
        self._engine = engine
        self._portal_id = portal_id
        self._run_id = run_id
        self._round = round_number
        self._remembered: set[tuple[bytes, str]] = set()

    def seed(self, found: Iterable[FoundUrl], *, now: datetime) -> None:
        """Put in the start URLs, and whatever else is to be looked at in this round."""
        with translated(self._engine), self._engine.begin() as connection:
            self._add(connection, tuple(found), found_on=None, now=now)

    def claim(self, most: int, *, now: datetime) -> list[ClaimedUrl]:
        """Take up to `most` URLs in hand, most promising first; they are this run's until their outcome is committed."""
        ready = (FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.state == UrlState.WAITING)
        due = FRONTIER.c.next_try_at.is_(None) | (FRONTIER.c.next_try_at <= now)
        query = (
            select(
                FRONTIER.c.id, FRONTIER.c.url, FRONTIER.c.kind, FRONTIER.c.why, FRONTIER.c.depth, FRONTIER.c.hops, FRONTIER.c.tries,
                FRONTIER.c.etag, FRONTIER.c.last_modified, FRONTIER.c.outcome, FRONTIER.c.hints,
            )
            .where(ready & due)
            .order_by(FRONTIER.c.priority, FRONTIER.c.id)
            .limit(most)
            .with_for_update(skip_locked=True)
        )  # fmt: skip
        with translated(self._engine), self._engine.begin() as connection:
            claimed = [_claimed(row) for row in connection.execute(query)]
            if claimed:
                ids = [item.id for item in claimed]
                connection.execute(
                    update(FRONTIER).where(FRONTIER.c.id.in_(ids)).values(state=UrlState.FETCHING, run_id=self._run_id)
                )
        return claimed

    def commit(self, outcomes: Sequence[PageOutcome], patterns: Sequence[Mapping[str, Any]] = ()) -> list[Committed]:
        """Write outcomes, articles and found URLs in one transaction; an outcome whose lease was lost is left out.

        Args:
            outcomes: of URLs that this run has in hand.
            patterns: what has been learned of patterns of URLs.
        """
        try:
            with translated(self._engine), self._engine.begin() as connection:
                save_patterns(connection, self._portal_id, patterns)
                return [self._commit_one(connection, outcome) for outcome in outcomes]
        except BaseException:
            self._remembered.clear()  # what was rolled back is not stored
            raise

    def release(self) -> None:
        """Give back what is still in hand, so that the next run takes it up."""
        with translated(self._engine), self._engine.begin() as connection:
            release_leases(connection, [self._run_id])

    def next_try_at(self) -> datetime | None:
        """When the earliest of the waiting URLs may be tried again."""
        query = select(func.min(FRONTIER.c.next_try_at)).where(
            (FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.state == UrlState.WAITING)
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return connection.execute(query).scalar()

    def counts(self) -> FrontierCounts:
        """Count the portal's URLs by state."""
        query = select(FRONTIER.c.state, func.count()).where(FRONTIER.c.portal_id == self._portal_id).group_by(FRONTIER.c.state)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return FrontierCounts(by_state={state: number for state, number in connection.execute(query)})  # noqa: C416

    def articles_by_source(self) -> dict[str, set[str]]:
        """URLs of the articles that this round brought, by who led to them."""
        query = select(FRONTIER.c.id, FRONTIER.c.sources).where(
            (FRONTIER.c.portal_id == self._portal_id)
            & (FRONTIER.c.round == self._round)
            & (FRONTIER.c.outcome == "article")
            & (FRONTIER.c.state == UrlState.DONE)
        )
        found: dict[str, set[str]] = {name: set() for name in SOURCES}
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            for row in connection.execute(query):
                for name, bit in SOURCES.items():
                    if row.sources & bit:
                        found[name].add(str(row.id))
        return found

    def recent_articles(self, since: datetime) -> list[RecentArticle]:
        """Articles first seen since then, with what decides when they are looked at again."""
        changes = select(func.count()).where(REVISION.c.article_id == ARTICLE.c.id).correlate(ARTICLE).scalar_subquery()
        query = (
            select(
                FRONTIER.c.id.label("url_id"),
                FRONTIER.c.found_at.label("first_seen_at"),
                FRONTIER.c.fetched_at.label("looked_at"),
                ARTICLE.c.published_at,
                changes.label("changes"),
            )
            .join(ARTICLE, ARTICLE.c.id == FRONTIER.c.article_id)
            .where(
                (FRONTIER.c.portal_id == self._portal_id)
                & (FRONTIER.c.state == UrlState.DONE)
                & (FRONTIER.c.outcome == "article")
                & (FRONTIER.c.found_at >= since)
                & (FRONTIER.c.url == ARTICLE.c.url)  # not its twins
            )
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [RecentArticle(**row._mapping) for row in connection.execute(query)]  # noqa: SLF001

    def look_again(self, url_ids: Sequence[int], *, priority: int) -> None:
        """Let articles wait for another look."""
        with translated(self._engine), self._engine.begin() as connection:
            for start in range(0, len(url_ids), _CHUNK):
                connection.execute(
                    update(FRONTIER)
                    .where(FRONTIER.c.id.in_(url_ids[start : start + _CHUNK]) & (FRONTIER.c.state == UrlState.DONE))
                    .values(state=UrlState.WAITING, next_try_at=None, priority=priority)
                )

    def _commit_one(self, connection: Connection, outcome: PageOutcome) -> Committed:
        mine = (FRONTIER.c.id == outcome.url_id) & (FRONTIER.c.run_id == self._run_id) & (FRONTIER.c.state == UrlState.FETCHING)
        held = connection.execute(select(FRONTIER.c.id, FRONTIER.c.article_id).where(mine).with_for_update()).first()
        if held is None:
            return Committed(url_id=outcome.url_id, written=False)
        article_id = twin_of = None
        corrected = False
        if outcome.article is not None and held.article_id is not None:
            corrected = correct_article(connection, held.article_id, outcome.article)
        elif outcome.article is not None:
            article_id, twin_of = store_article(connection, self._portal_id, outcome.article)
        similar_to = mark_similar(connection, article_id, outcome.sketch) if article_id and outcome.sketch else None
        fresh, fresh_articles, skipped = self._add(connection, outcome.found, found_on=outcome.url_id, now=outcome.fetched_at)
        values: dict[str, Any] = {
            "state": outcome.state,
            "outcome": outcome.outcome,
            "http_status": outcome.http_status,
            "reason": outcome.reason[:300] if outcome.reason else None,
            "tries": outcome.tries,
            "fetched_at": outcome.fetched_at,
            "next_try_at": outcome.next_try_at,
            "fresh_links": fresh_articles,
            "round": self._round,
            "run_id": None,
        }
        if outcome.state == UrlState.DONE and outcome.outcome != "unchanged":
            values |= {"etag": _bounded(outcome.etag, 300), "last_modified": _bounded(outcome.last_modified, 60)}
        if outcome.outcome in {"listing", "unchanged"}:
            values["barren_visits"] = 0 if fresh_articles else FRONTIER.c.barren_visits + 1
        if outcome.outcome == "unchanged":  # keeps what it showed
            del values["outcome"]
        if article_id or twin_of:
            values["article_id"] = article_id or twin_of
        connection.execute(update(FRONTIER).where(FRONTIER.c.id == outcome.url_id).values(values))
        return Committed(
            url_id=outcome.url_id,
            article_id=article_id,
            twin_of=twin_of,
            fresh=fresh,
            fresh_articles=fresh_articles,
            skipped=skipped,
            corrected=corrected,
            similar_to=similar_to,
        )

    def _add(
        self, connection: Connection, found: Sequence[FoundUrl], *, found_on: int | None, now: datetime
    ) -> tuple[int, int, tuple[str, ...]]:
        """Insert what is not there yet; answers how many were new, how many of these are likely articles, and what is skipped."""
        by_hash = {url_hash(item.url): item for item in found}
        unknown = {key: item for key, item in by_hash.items() if (key, item.source) not in self._remembered}
        self._remember((key, item.source) for key, item in unknown.items())
        for start in range(0, len(keys := list(unknown)), _CHUNK):
            query = select(FRONTIER.c.id, FRONTIER.c.url_hash, FRONTIER.c.sources, FRONTIER.c.hints).where(
                (FRONTIER.c.portal_id == self._portal_id) & FRONTIER.c.url_hash.in_(keys[start : start + _CHUNK])
            )
            self._confirm(connection, [(row, unknown.pop(bytes(row.url_hash))) for row in connection.execute(query).all()])
        if unknown:
            dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
            rows = [self._row(key, item, found_on=found_on, now=now) for key, item in unknown.items()]
            connection.execute(dialect.insert(FRONTIER).on_conflict_do_nothing(), rows)
        likely = sum(item.kind == "article" and not item.skipped for item in unknown.values())
        if likely:  # a listing that brings nothing new is not followed to its further pages
            self._look_again(connection, by_hash)
        self._set_aside(connection, {key: item.skipped for key, item in by_hash.items() if item.skipped and key not in unknown})
        skipped = tuple(item.skipped for item in unknown.values() if item.skipped)
        return len(unknown) - len(skipped), likely, skipped

    def _set_aside(self, connection: Connection, reasons: dict[bytes, str]) -> None:
        """Let go of URLs that were waiting and turned out to be not worth it, such as further pages of an article."""
        for key, reason in reasons.items():
            connection.execute(
                update(FRONTIER)
                .where(
                    (FRONTIER.c.portal_id == self._portal_id)
                    & (FRONTIER.c.url_hash == key)
                    & (FRONTIER.c.state == UrlState.WAITING)
                )
                .values(state=UrlState.SKIPPED, reason=reason[:300], round=self._round)
            )

    def _confirm(self, connection: Connection, known: Sequence[tuple[Any, FoundUrl]]) -> None:
        """Note that URLs which are there already were found in another way as well."""
        changes = [
            {"row": row.id, "bits": row.sources | SOURCES[item.source], "said": row.hints or _listed(item.hints)}
            for row, item in known
            if not row.sources & SOURCES[item.source] or (item.hints and not row.hints)
        ]
        if changes:
            connection.execute(
                update(FRONTIER)
                .where(FRONTIER.c.id == bindparam("row"))
                .values(sources=bindparam("bits"), hints=bindparam("said")),
                changes,
            )

    def _look_again(self, connection: Connection, by_hash: dict[bytes, FoundUrl]) -> None:
        """Put those back into the queue that are to be seen again and were not dealt with in this round."""
        again = [key for key, item in by_hash.items() if item.again]
        if again:
            connection.execute(
                update(FRONTIER)
                .where(
                    (FRONTIER.c.portal_id == self._portal_id)
                    & FRONTIER.c.url_hash.in_(again)
                    & (FRONTIER.c.round < self._round)
                    & FRONTIER.c.state.in_([UrlState.DONE, UrlState.FAILED])
                )
                .values(state=UrlState.WAITING, next_try_at=None, tries=0)
            )

    def _remember(self, hashes: Iterable[tuple[bytes, str]]) -> None:
        if len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.clear()
        self._remembered.update(hashes)

    def _row(self, key: bytes, item: FoundUrl, *, found_on: int | None, now: datetime) -> dict[str, Any]:
        return {
            "portal_id": self._portal_id,
            "url": item.url,
            "url_hash": key,
            "kind": item.kind,
            "why": item.why,
            "priority": item.priority,
            "depth": item.depth,
            "hops": item.hops,
            "state": UrlState.SKIPPED if item.skipped else UrlState.WAITING,
            "reason": item.skipped,
            "found_on_id": found_on,
            "sources": SOURCES[item.source],
            "hints": _listed(item.hints),
            "found_at": now,
            "round": self._round if item.skipped else 0,
            "tries": 0,
            "fresh_links": 0,
            "barren_visits": 0,
        }


def _bounded(text: str | None, most: int) -> str | None:
    return text if text is not None and len(text) <= most else None


def _listed(hints: tuple[tuple[str, str], ...]) -> list[list[str]] | None:
    return [list(hint) for hint in hints] or None


def _claimed(row: Any) -> ClaimedUrl:
    values = dict(row._mapping)  # noqa: SLF001  SQLAlchemy's public name for it
    values["hints"] = tuple((source, text) for source, text in values["hints"] or ())
    return ClaimedUrl(**values)
