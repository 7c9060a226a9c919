"""What happens to the frontier as a whole: listings wait again when their time has come, and what failed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, select, update

from newscrawler.store.tables import FRONTIER
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlOutcome, UrlState

#: Feeds and sitemaps that brought nothing so often are visited only when their time has come.
QUIET_LISTS = 3
#: Sections that brought nothing so often are not woken by news elsewhere.
_QUIET_SECTIONS = 4
#: Sections so near to a start page are woken by news.
_NEAR = 1


def begin_round(connection: Connection, portal_id: int, round_number: int, now: datetime) -> None:
    """Let the listings wait again that are worth another look by now, and what failed for a while.

    Every listing has its time (`revisit_at`), which whoever commits its visits reckons from their history. Whoever begins
    a crawl earlier wants to know what is new all the same: start pages are looked at in any case, and feeds and sitemaps
    unless they have been quiet for long (`_is_telling`). Where they bring something new, the sections near the start are woken too
    (`wake_listings`). A portal without feed and sitemap has nothing but its sections to tell: the near ones are looked at.
    Further pages of a listing follow only if the page before them brought something new.
    """
    due = FRONTIER.c.revisit_at <= now
    shows_links = FRONTIER.c.outcome == UrlOutcome.LISTING
    lists = _is_list() & (due | (shows_links & (FRONTIER.c.revisit_at.is_(None) | _is_telling())))
    sections = _is_section() & (due | FRONTIER.c.revisit_at.is_(None))
    if not _has_lists(connection, portal_id):
        sections |= _is_near_section()
    failed = (FRONTIER.c.state == UrlState.FAILED) & (FRONTIER.c.retry_at <= now)
    _let_wait(connection, portal_id, round_number, (FRONTIER.c.kind == FrontierKind.START) | lists | sections | failed)
    _try_the_start(connection, portal_id, round_number)


def _try_the_start(connection: Connection, portal_id: int, round_number: int) -> None:
    """Let start pages wait that robots.txt or a reservation forbade: whether that still holds shows only when they are tried."""
    passed_over = (
        (FRONTIER.c.kind == FrontierKind.START) & (FRONTIER.c.state == UrlState.SKIPPED) & (FRONTIER.c.round < round_number)
    )
    connection.execute(
        update(FRONTIER)
        .where((FRONTIER.c.portal_id == portal_id) & passed_over)
        .values(state=UrlState.WAITING, retry_at=None, attempts=0)
    )


def wake_listings(connection: Connection, portal_id: int, round_number: int) -> None:
    """Let the sections near the start, and feeds and sitemaps, wait before their time: something new has come out."""
    shows_links = FRONTIER.c.outcome == UrlOutcome.LISTING
    _let_wait(connection, portal_id, round_number, _is_near_section() | (_is_list() & shows_links & _is_telling()))


def credit_index(connection: Connection, kind: str, found_on_id: int | None) -> None:
    """Count what a sitemap brought for the index that names it: only that tells of the next month's."""
    if kind == FrontierKind.SITEMAP and found_on_id is not None:
        index = (FRONTIER.c.id == found_on_id) & (FRONTIER.c.kind == FrontierKind.SITEMAP)
        connection.execute(update(FRONTIER).where(index).values(empty_visits=0))


def _let_wait(connection: Connection, portal_id: int, round_number: int, which: ColumnElement[bool]) -> None:
    connection.execute(
        update(FRONTIER)
        .where(
            (FRONTIER.c.portal_id == portal_id)
            & FRONTIER.c.state.in_([UrlState.DONE, UrlState.FAILED])
            & (FRONTIER.c.round < round_number)
            & which
        )
        .values(state=UrlState.WAITING, retry_at=None)
    )


def _is_list() -> ColumnElement[bool]:
    return FRONTIER.c.kind.in_([FrontierKind.FEED, FrontierKind.SITEMAP])


def _is_telling() -> ColumnElement[bool]:
    """A feed or sitemap that is likely to tell what is new; of the many sitemaps of an index those that told the last time."""
    of_an_index = (FRONTIER.c.kind == FrontierKind.SITEMAP) & FRONTIER.c.found_on_id.is_not(None)
    return (FRONTIER.c.empty_visits == 0) | ((FRONTIER.c.empty_visits < QUIET_LISTS) & ~of_an_index)


def _is_section() -> ColumnElement[bool]:
    further = (FRONTIER.c.kind_reason == "pagination").is_(True)
    return (FRONTIER.c.kind == FrontierKind.SECTION) & (FRONTIER.c.outcome == UrlOutcome.LISTING) & ~further


def _is_near_section() -> ColumnElement[bool]:
    return _is_section() & (FRONTIER.c.depth <= _NEAR) & (FRONTIER.c.empty_visits < _QUIET_SECTIONS)


def _has_lists(connection: Connection, portal_id: int) -> bool:
    query = (
        select(FRONTIER.c.id)
        .where((FRONTIER.c.portal_id == portal_id) & _is_list() & (FRONTIER.c.outcome == UrlOutcome.LISTING))
        .limit(1)
    )
    return connection.execute(query).first() is not None
