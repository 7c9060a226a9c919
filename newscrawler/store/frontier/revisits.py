"""Requeues known URLs: listings that are due, failed URLs, and pages that their server may have failed to show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus
from itertools import islice

from sqlalchemy import ColumnElement, Connection, bindparam, case, exists, select, update

from newscrawler.errors import MISSING_ATTRIBUTES, PageReason
from newscrawler.limits import REDIRECTS
from newscrawler.store.articles.article_rows import digest
from newscrawler.store.frontier.frontier_records import GONE
from newscrawler.store.frontier.intake import ENDED
from newscrawler.store.frontier.leases import requeue
from newscrawler.store.tables import FRONTIER
from newscrawler.store.vocabularies import FrontierKind, UrlOutcome, UrlState

#: After so many visits without news, feeds and sitemaps are visited only when due.
QUIET_LISTS = 3
#: After so many visits without news, sections are not requeued because of news elsewhere.
QUIET_SECTIONS = 4
#: Largest depth of sections that are requeued because of news elsewhere.
_NEAR = 1
_LISTS = (FrontierKind.START, FrontierKind.SECTION, FrontierKind.FEED, FrontierKind.SITEMAP)
#: Visits to a URL that no list names any more, until it is given up.
_TRIES_UNNAMED = 3
#: Number of pages without an article that are tried again at a time.
MOST_LIKELY = 200
#: Pages without an article whose URLs suggest one are tried again after this.
_NEXT_LOOK = timedelta(hours=36)
_JUDGED = select(FRONTIER.c.id, FRONTIER.c.url).where(
    (FRONTIER.c.portal_id == bindparam("portal"))
    & (FRONTIER.c.state == UrlState.DONE)
    & FRONTIER.c.reason.in_(
        {PageReason.LISTING, PageReason.NO_BODY, PageReason.NO_HEADLINE, PageReason.NOT_HTML, *MISSING_ATTRIBUTES}
    )
    & (FRONTIER.c.kind == FrontierKind.ARTICLE)
    & FRONTIER.c.article_id.is_(None)
    & (FRONTIER.c.empty_visits == 0)
)


def requeue_due_urls(connection: Connection, portal_id: int, round_number: int, now: datetime, *, once: bool = False) -> None:
    """Requeue listings that are due, and temporary failures.

    Each listing has a due time (`revisit_at`), computed from the history of its visits. A crawl that begins earlier still
    visits start pages, and feeds and sitemaps unless they had no news for long (`_is_productive`). If these have news, the
    sections near the start are requeued too (`wake_listings`). For a portal without feed and sitemap, they are always requeued.
    Further pages of a listing are fetched only if the previous page had new articles. With `once`, for the past of a portal, only
    start pages are visited again.
    """
    due = FRONTIER.c.revisit_at <= now
    shows_links = FRONTIER.c.outcome == UrlOutcome.LISTING
    lists = _is_list() & (due | (shows_links & (FRONTIER.c.revisit_at.is_(None) | _is_productive())))
    sections = _is_section() & (due | FRONTIER.c.revisit_at.is_(None))
    if not _has_lists(connection, portal_id):
        sections |= _is_near_section()
    update_named(connection, portal_id)
    retried = (FRONTIER.c.kind == FrontierKind.START) | (FRONTIER.c.retry_at <= now)
    _requeue(connection, portal_id, round_number, retried if once else retried | lists | sections)
    _requeue_start_pages(connection, portal_id, round_number)


def update_named(connection: Connection, portal_id: int) -> None:
    """Take redirects to stored articles for these, and give up URLs that brought no article and that no list names any more.

    A list that was last read as a whole, and did not name a URL then, names it no more; an address that only pages of articles link
    to is not named by a list. Such a URL has some tries nevertheless, as a list may have moved on before the next crawl, unless its
    server says that the page does not exist.
    """
    waits = (FRONTIER.c.portal_id == portal_id) & FRONTIER.c.retry_at.is_not(None) & FRONTIER.c.article_id.is_(None)
    waits &= (FRONTIER.c.kind == FrontierKind.ARTICLE) & FRONTIER.c.state.in_(ENDED)
    redirects = waits & (FRONTIER.c.outcome == UrlOutcome.REDIRECT) & FRONTIER.c.detail.is_not(None)
    for row in connection.execute(select(FRONTIER.c.id, FRONTIER.c.detail).where(redirects)).all():
        article_id = _find_end(connection, portal_id, row.detail)
        if article_id is not None:
            connection.execute(update(FRONTIER).where(FRONTIER.c.id == row.id).values(article_id=article_id, retry_at=None))
    lists = FRONTIER.alias()
    is_list = lists.c.kind.in_(_LISTS) | (lists.c.outcome == UrlOutcome.LISTING)
    is_unread = lists.c.outcome.is_distinct_from(UrlOutcome.LISTING) | lists.c.http_status.is_distinct_from(HTTPStatus.OK)
    names = (lists.c.id == FRONTIER.c.found_on_id) & is_list & (is_unread | (lists.c.round <= FRONTIER.c.seen_round))
    named = FRONTIER.c.found_on_id.is_(None) | exists().where(names)
    patience = case((FRONTIER.c.http_status.in_(GONE), 1), else_=_TRIES_UNNAMED)
    given_up = waits & ~named & (FRONTIER.c.empty_visits >= patience)
    connection.execute(update(FRONTIER).where(given_up).values(retry_at=None))


def _find_end(connection: Connection, portal_id: int, url: str) -> int | None:
    """Return the article at the end of a chain of redirects; None: it ends at none."""
    for _ in range(REDIRECTS):
        here = (FRONTIER.c.portal_id == portal_id) & (FRONTIER.c.url_hash == digest(url))
        row = connection.execute(select(FRONTIER.c.article_id, FRONTIER.c.outcome, FRONTIER.c.detail).where(here)).first()
        if row is None or row.article_id is not None or row.outcome != UrlOutcome.REDIRECT or row.detail is None:
            return row and row.article_id
        url = row.detail
    return None


def _requeue_start_pages(connection: Connection, portal_id: int, round_number: int) -> None:
    """Requeue start pages forbidden by robots.txt or a reservation; only a fetch shows whether they still are."""
    skipped = (FRONTIER.c.kind == FrontierKind.START) & (FRONTIER.c.state == UrlState.SKIPPED) & (FRONTIER.c.round < round_number)
    requeue(connection, (FRONTIER.c.portal_id == portal_id) & skipped, attempts=0)


def wake_listings(connection: Connection, portal_id: int, round_number: int) -> None:
    """Requeue the sections near the start, feeds and sitemaps before they are due, because there is news."""
    shows_links = FRONTIER.c.outcome == UrlOutcome.LISTING
    _requeue(connection, portal_id, round_number, _is_near_section() | (_is_list() & shows_links & _is_productive()))


def credit_index(connection: Connection, kind: str, found_on_id: int | None) -> None:
    """Credit the news of a sitemap to its index, which will name the next month's sitemap."""
    if kind == FrontierKind.SITEMAP and found_on_id is not None:
        index = (FRONTIER.c.id == found_on_id) & (FRONTIER.c.kind == FrontierKind.SITEMAP)
        connection.execute(update(FRONTIER).where(index).values(empty_visits=0))


def _requeue(connection: Connection, portal_id: int, round_number: int, which: ColumnElement[bool]) -> None:
    ended = (FRONTIER.c.state != UrlState.SKIPPED) | FRONTIER.c.retry_at.is_not(None)
    ended &= FRONTIER.c.state.in_(ENDED) & (FRONTIER.c.round < round_number)
    requeue(connection, (FRONTIER.c.portal_id == portal_id) & ended & which)


def _is_list() -> ColumnElement[bool]:
    return FRONTIER.c.kind.in_([FrontierKind.FEED, FrontierKind.SITEMAP])


def _is_productive() -> ColumnElement[bool]:
    """Return the condition that a feed or sitemap probably has news; of an index's sitemaps, those that had some last time."""
    of_an_index = (FRONTIER.c.kind == FrontierKind.SITEMAP) & FRONTIER.c.found_on_id.is_not(None)
    return (FRONTIER.c.empty_visits == 0) | ((FRONTIER.c.empty_visits < QUIET_LISTS) & ~of_an_index)


def _is_section() -> ColumnElement[bool]:
    further = (FRONTIER.c.kind_reason == "pagination").is_(True)
    return (FRONTIER.c.kind == FrontierKind.SECTION) & (FRONTIER.c.outcome == UrlOutcome.LISTING) & ~further


def _is_near_section() -> ColumnElement[bool]:
    return _is_section() & (FRONTIER.c.depth <= _NEAR) & (FRONTIER.c.empty_visits < QUIET_SECTIONS)


def _has_lists(connection: Connection, portal_id: int) -> bool:
    query = (
        select(FRONTIER.c.id)
        .where((FRONTIER.c.portal_id == portal_id) & _is_list() & (FRONTIER.c.outcome == UrlOutcome.LISTING))
        .limit(1)
    )
    return connection.execute(query).first() is not None


def plan_likely_articles(connection: Connection, portal_id: int, suggested: Callable[[str], bool], now: datetime) -> None:
    """Plan another visit to pages that were not articles, but whose URLs suggest articles: their server may have erred."""
    rows = connection.execute(_JUDGED, {"portal": portal_id})
    chosen = list(islice((row.id for row in rows if suggested(row.url)), MOST_LIKELY))
    again = FRONTIER.c.id.in_(chosen)
    connection.execute(update(FRONTIER).where(again).values(retry_at=now + _NEXT_LOOK, empty_visits=1))
