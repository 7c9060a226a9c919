"""Estimates how complete a round is, from its articles by source and the URLs left or failed."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Integer, case, func, select

from newscrawler.discovery import Overlap, RunArticles
from newscrawler.store.frontier.frontier_records import LOOK_PRIORITY
from newscrawler.store.frontier.intake import SOURCES
from newscrawler.store.tables import ARTICLE, FRONTIER, RUN
from newscrawler.store.vocabularies import FrontierKind, UrlOutcome, UrlState

#: If more articles disappear from a portal's sitemaps in a round, the sitemaps have changed.
MOST_VANISHED = 50
#: Articles published less than this before the last round are expected to be linked in the next.
STILL_LINKED = timedelta(days=2)


def run_articles(connection: Connection, portal_id: int, round_number: int) -> RunArticles:
    """Count the articles of a round; see `RunArticles`.

    Args:
        connection: to the database.
        portal_id: the portal.
        round_number: the round.
    """
    of_portal = FRONTIER.c.portal_id == portal_id
    fetched = (FRONTIER.c.round == round_number) & (FRONTIER.c.state == UrlState.DONE)
    fetched &= FRONTIER.c.priority != LOOK_PRIORITY  # revisits were fetched before
    by_sources = select(FRONTIER.c.sources, func.count()).where(of_portal & fetched & (FRONTIER.c.outcome == UrlOutcome.ARTICLE))
    left = FRONTIER.c.state.in_([UrlState.WAITING, UrlState.FETCHING]) & (FRONTIER.c.priority != LOOK_PRIORITY)
    failed = (FRONTIER.c.state == UrlState.FAILED) & (FRONTIER.c.round == round_number)
    failed &= (FRONTIER.c.kind == FrontierKind.ARTICLE) & FRONTIER.c.article_id.is_(None)
    return RunArticles(
        by_sources={
            frozenset(name for name, bit in SOURCES.items() if sources & bit): number
            for sources, number in connection.execute(by_sources.group_by(FRONTIER.c.sources))
        },
        left=connection.execute(select(func.count()).where(of_portal & left)).scalar_one(),
        failed=connection.execute(select(func.count()).where(of_portal & failed)).scalar_one(),
        seen_twice=_seen_twice(connection, portal_id, round_number),
    )


def vanished_articles(connection: Connection, portal_id: int, round_number: int) -> list[int]:
    """Return the URLs of articles that sitemaps named when they were last read, and no longer name in this round.

    If many are missing at once, the sitemap has changed and not the articles: none is returned.
    """
    listed = (FRONTIER.c.portal_id == portal_id) & (FRONTIER.c.sources.bitwise_and(SOURCES["sitemap"]) != 0)
    listed &= (FRONTIER.c.state == UrlState.DONE) & (FRONTIER.c.outcome == UrlOutcome.ARTICLE)
    before = select(func.max(FRONTIER.c.seen_round)).where(listed & (FRONTIER.c.seen_round < round_number)).scalar_subquery()
    missing = select(FRONTIER.c.id).where(listed & (FRONTIER.c.seen_round == before)).limit(MOST_VANISHED + 1)
    vanished = [row.id for row in connection.execute(missing)]
    seen = connection.execute(select(func.count()).where(listed & (FRONTIER.c.seen_round == round_number))).scalar_one()
    return vanished if len(vanished) <= min(MOST_VANISHED, seen) else []


def _seen_twice(connection: Connection, portal_id: int, round_number: int) -> Overlap | None:
    """Compare articles known from earlier rounds with those linked in this one; None: there was no earlier round."""
    began, last_began = (_began(connection, portal_id, each) for each in (round_number, round_number - 1))
    if began is None or last_began is None:
        return None
    known, linked = FRONTIER.c.found_at < began, FRONTIER.c.seen_round == round_number
    query = (
        select(_number(known), _number(linked), _number(known & linked))
        .join(ARTICLE, ARTICLE.c.id == FRONTIER.c.article_id)
        .where((FRONTIER.c.portal_id == portal_id) & (FRONTIER.c.outcome == UrlOutcome.ARTICLE))
        .where((ARTICLE.c.published_at < last_began) & (ARTICLE.c.published_at >= last_began - STILL_LINKED))
    )
    first, second, both = connection.execute(query).one()
    return Overlap(first=first or 0, second=second or 0, both=both or 0)


def _began(connection: Connection, portal_id: int, round_number: int) -> datetime | None:
    query = select(func.min(RUN.c.started_at)).where((RUN.c.portal_id == portal_id) & (RUN.c.round == round_number))
    began: datetime | None = connection.execute(query).scalar()
    return began


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0), type_=Integer)
