"""Facts learned about each portal: its URL patterns, its lists, and the account of the articles that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Insert, bindparam, case, exists, func, select, type_coerce, update

from newscrawler.discovery import Account, MissingArticles
from newscrawler.errors import PageReason
from newscrawler.store.database import StorePart, make_insert
from newscrawler.store.tables import ARTICLE, FRONTIER, PORTAL, URL_PATTERN
from newscrawler.store.vocabularies import FrontierKind, UrlOutcome, UrlState

#: The articles that are named and not stored: they wait for their first visit or for another one, or are on a host that is not the
#: portal's, as long as a feed names them. The target of a redirect is the same article as the address that was named.
_LIST = FRONTIER.alias()
_IS_ELSEWHERE = (FRONTIER.c.state == UrlState.SKIPPED) & (FRONTIER.c.reason == PageReason.OUT_OF_SCOPE)
_IS_ELSEWHERE &= exists().where((_LIST.c.id == FRONTIER.c.found_on_id) & (_LIST.c.round <= FRONTIER.c.seen_round))
_MISSING = (
    (FRONTIER.c.kind == FrontierKind.ARTICLE)
    & FRONTIER.c.article_id.is_(None)
    & (FRONTIER.c.redirects == 0)
    & (FRONTIER.c.state.in_([UrlState.WAITING, UrlState.FETCHING]) | FRONTIER.c.retry_at.is_not(None) | _IS_ELSEWHERE)
)
_LISTS = (FrontierKind.FEED, FrontierKind.SITEMAP)
_NOT_FETCHED = "not fetched yet"
FIELDS = ("pattern", "articles", "listings", "others", "new_articles", "unproductive", "skipped")
_LONGEST = 500
_MOST_ADDRESSES = 5_000


def format_moment(at: datetime | None) -> str | None:
    """Return a time to the minute, in ISO 8601."""
    return at.isoformat(timespec="minutes") if at is not None else None


def _find_last_success(visits: Sequence[tuple[str, int]], *, failed: bool) -> str | None:
    """Return the time of the last visit; where that failed, of the last one that brought something."""
    return next((at[:16] for at, fresh in reversed(visits) if fresh or not failed), None)


def save_patterns(connection: Connection, portal_id: int, changes: Sequence[Mapping[str, Any]]) -> None:
    """Store the counts of patterns, replacing earlier ones."""
    rows = [{"portal_id": portal_id, **change} for change in changes if len(change["pattern"]) <= _LONGEST]
    if not rows:
        return
    connection.execute(_make_upsert(connection.dialect.name), rows)


@lru_cache(maxsize=2)  # building it costs more than running it
def _make_upsert(dialect: str) -> Insert:
    statement = make_insert(dialect, URL_PATTERN)
    counts = {name: statement.excluded[name] for name in FIELDS[1:]}
    upsert: Insert = statement.on_conflict_do_update(index_elements=["portal_id", "pattern"], set_=counts)
    return upsert


_SAVE_LEARNED = update(PORTAL).where(PORTAL.c.id == bindparam("portal"))


def save_learned(connection: Connection, portal_id: int, learned: Mapping[str, Any] | None) -> None:
    """Store the learned facts about a portal, replacing earlier ones; None: nothing has changed."""
    if learned is not None:
        connection.execute(_SAVE_LEARNED, {"portal": portal_id, "learned": dict(learned)})


def read_account(connection: Connection, portal_id: int) -> Account:
    """Count the articles of a portal, and those that its lists name and that are not stored, by reason."""
    status = case((FRONTIER.c.reason == PageReason.HTTP_STATUS, FRONTIER.c.http_status))
    columns = (FRONTIER.c.reason, status.label("status"), FRONTIER.c.outcome)
    query = select(*columns, func.count(), type_coerce(func.min(FRONTIER.c.retry_at), FRONTIER.c.retry_at.type))
    rows = connection.execute(query.where((FRONTIER.c.portal_id == portal_id) & _MISSING).group_by(*columns))
    found: dict[str, MissingArticles] = {}
    for reason, status, outcome, count, at in rows:
        why = _name_reason(reason, status, outcome)
        before = found.get(why, MissingArticles(reason=why, count=0, next_try_at=at))
        tries = [each for each in (before.next_try_at, at) if each is not None]
        found[why] = MissingArticles(reason=why, count=before.count + count, next_try_at=min(tries, default=None))
    stored = connection.execute(select(func.count()).where(ARTICLE.c.portal_id == portal_id)).scalar_one()
    if not stored:  # in the queue of its past
        of_queue = select(func.count(FRONTIER.c.article_id.distinct())).where(FRONTIER.c.portal_id == portal_id)
        stored = connection.execute(of_queue).scalar_one()
    return Account(stored=stored, missing=sorted(found.values(), key=lambda each: (-each.count, each.reason)))


def _name_reason(reason: str | None, status: int | None, outcome: str | None) -> str:
    """Return why an article is not stored: a status with its number, a redirect without a reason, a request that was broken off."""
    if reason == PageReason.HTTP_STATUS:
        return f"HTTP {status}"
    return reason or (_NOT_FETCHED if outcome in {None, UrlOutcome.NOTHING} else str(outcome))


class Patterns(StorePart):
    """Learned facts about all portals."""

    def account_of(self, portal: str) -> Account:
        """Return the account of the articles that a portal names, as it is now."""
        with self._reading() as connection:
            portal_id = connection.execute(select(PORTAL.c.id).where(PORTAL.c.name == portal)).scalar()
            return read_account(connection, portal_id) if portal_id is not None else Account(stored=0)

    def missing_of(self, portal: str, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the articles that a portal names and that are not stored, with reason and next try, the next try first."""
        query = select(FRONTIER).join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id).where((PORTAL.c.name == portal) & _MISSING)
        tried = query.where(FRONTIER.c.retry_at.is_not(None)).order_by(FRONTIER.c.retry_at)
        others = query.where(FRONTIER.c.retry_at.is_(None)).order_by(FRONTIER.c.priority, FRONTIER.c.id)
        rows = self._read(tried.limit(limit))
        rows = [*rows, *self._read(others.limit(limit and limit - len(rows)))]
        return [
            {
                "url": row.url, "reason": _name_reason(row.reason, row.http_status, row.outcome),
                "detail": row.detail, "visits": row.empty_visits, "fetched_at": format_moment(row.fetched_at),
                "next_try_at": format_moment(row.retry_at) or ("never" if row.state == UrlState.SKIPPED else "at once"),
            }
            for row in rows
        ]  # fmt: skip

    def of(self, portal: str) -> list[dict[str, Any]]:
        """Return a portal's patterns with their counts, those with most articles first."""
        query = (
            select(*(URL_PATTERN.c[name] for name in FIELDS))
            .join(PORTAL, PORTAL.c.id == URL_PATTERN.c.portal_id)
            .where(PORTAL.c.name == portal)
            .order_by(URL_PATTERN.c.articles.desc(), URL_PATTERN.c.listings.desc(), URL_PATTERN.c.pattern)
        )
        return [dict(row._mapping) for row in self._read(query)]  # noqa: SLF001  SQLAlchemy's public name for it

    def addresses_of(self, portal: str) -> dict[str, int]:
        """Return the addresses of a portal's articles, the latest, with the numbers of the articles, the oldest first."""
        query = (
            select(FRONTIER.c.url, FRONTIER.c.article_id)
            .join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
            .where((PORTAL.c.name == portal) & FRONTIER.c.article_id.is_not(None))
            .order_by(FRONTIER.c.article_id.desc())
            .limit(_MOST_ADDRESSES)
        )
        return {row.url: row.article_id for row in reversed(self._read(query))}

    def learned_of(self, portal: str) -> dict[str, Any]:
        """Return the learned facts about a portal."""
        query = select(PORTAL.c.learned).where(PORTAL.c.name == portal)
        return self._read_value(query) or {}

    def sources_of(self, portal: str) -> list[dict[str, Any]]:
        """Return a portal's start pages, feeds, sitemaps and sections with their visits, the last success and error, best first."""
        has_failed = FRONTIER.c.kind.in_(_LISTS) & FRONTIER.c.reason.is_not(None) & (FRONTIER.c.http_status.is_distinct_from(404))
        query = (
            select(FRONTIER.c.kind, FRONTIER.c.url, FRONTIER.c.visits, FRONTIER.c.revisit_at, FRONTIER.c.reason, FRONTIER.c.detail)
            .join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
            .where((PORTAL.c.name == portal) & (FRONTIER.c.visits.is_not(None) | has_failed))
            .order_by(FRONTIER.c.depth, FRONTIER.c.id)
        )
        found = [
            {
                "kind": row.kind, "url": row.url, "visits": len(row.visits or ()),
                "fresh": sum(fresh for _, fresh in row.visits or ()),
                "next_visit_at": format_moment(row.revisit_at) or "at once",
                "last_success_at": _find_last_success(row.visits or (), failed=row.kind in _LISTS and row.reason is not None),
                "error": (f"{row.reason}: {row.detail}" if row.detail else row.reason) if row.kind in _LISTS else None,
            }
            for row in self._read(query)
        ]  # fmt: skip
        return sorted(found, key=lambda source: -source["fresh"])
