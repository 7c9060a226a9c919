"""Sets dates found elsewhere for articles whose own pages have none, in the transaction that finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, select, update

from newscrawler.errors import PageReason
from newscrawler.store.articles.article_rows import keep_released, offset_minutes
from newscrawler.store.frontier.frontier_records import SECTION_HINT, Dating, PageOutcome
from newscrawler.store.tables import ARTICLE, FRONTIER
from newscrawler.store.vocabularies import UrlState

#: Runs only for articles with new hints; nearly all have a date.
_UNDATED = select(ARTICLE.c.id, ARTICLE.c.fetched_at).where(
    (ARTICLE.c.portal_id == bindparam("portal"))
    & ARTICLE.c.published_at.is_(None)
    & ARTICLE.c.id.in_(bindparam("ids", expanding=True))
)
_DATE = update(ARTICLE).where(ARTICLE.c.id == bindparam("which"))
_HINTS = select(FRONTIER.c.hints).where(FRONTIER.c.id == bindparam("which"))
#: New values of a URL whose unchanged page must be read again.
READ_AGAIN = {"state": UrlState.WAITING, "retry_at": None, "attempts": 0, "etag": None, "last_modified": None}
_READ_AGAIN = (
    update(FRONTIER)
    .where(FRONTIER.c.id.in_(bindparam("ids", expanding=True)) & (FRONTIER.c.state == UrlState.DONE))
    .values(READ_AGAIN)
)
_Hints = Sequence[Sequence[str]]


def gives_dates(hints: _Hints | None) -> bool:
    """Return whether hints include a date."""
    return any(hint[0] != SECTION_HINT for hint in hints or ())


def date_articles(connection: Connection, portal_id: int, hints: Mapping[int, _Hints], dating: Dating) -> set[int]:
    """Set the dates of articles without one, by their hints; the text stays the same, so no revision is stored.

    Returns:
        The articles that got a date.
    """
    dated = []
    for row in connection.execute(_UNDATED, {"portal": portal_id, "ids": list(hints)}).all():
        seen = dating(hints[row.id], row.fetched_at)
        if seen is not None:
            dated.append(
                {
                    "which": row.id,
                    "published_at": seen.published_at,
                    "published_offset_minutes": offset_minutes(seen.published_at),
                    "published_precision": seen.precision,
                    "published_source": seen.source,
                    "offset_given": seen.offset_given,
                }
            )
    if dated:
        keep_released(connection, [values["which"] for values in dated])
        connection.execute(_DATE, dated)
    return {values["which"] for values in dated}


def requeue_pages(connection: Connection, url_ids: Sequence[int]) -> None:
    """Requeue pages refused only for a missing date that is now known."""
    if url_ids:
        connection.execute(_READ_AGAIN, {"ids": list(url_ids)})


@dataclass(frozen=True, slots=True, kw_only=True)
class LateDate:
    """The effect of date hints found while a page was being fetched."""

    #: Articles that got a date: one or none.
    dated: int = 0
    #: The page was refused for a missing date and must be read again.
    is_requeued: bool = False


def set_late_date(
    connection: Connection, portal_id: int, outcome: PageOutcome, article_id: int | None, dating: Dating | None
) -> LateDate:
    """Set the missing date of an outcome's article from hints found since the page was requested."""
    refused = outcome.reason is not None and outcome.reason.word is PageReason.NO_DATE
    undated = article_id is not None and outcome.article is not None and outcome.article.published_at is None
    if dating is None or not (refused or undated):
        return LateDate()
    hints: _Hints = connection.execute(_HINTS, {"which": outcome.url_id}).scalar() or ()
    if refused:
        return LateDate(is_requeued=gives_more(dating, hints, outcome.hints, outcome.fetched_at))
    assert article_id is not None
    return LateDate(dated=len(date_articles(connection, portal_id, {article_id: hints}, dating)))


def gives_more(dating: Dating, now_known: _Hints, known_before: _Hints, fetched_at: datetime) -> bool:
    """Return whether the hints now include a date and did not before; so a page is read again at most once."""
    return dating(now_known, fetched_at) is not None and dating(known_before, fetched_at) is None
