"""Requeues refused pages whose URL pattern has since turned out to be that of articles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from sqlalchemy import Connection, bindparam, case, func, select, update

from newscrawler.errors import ABOUT_THE_PORTAL, PageReason
from newscrawler.store.frontier.late_dates import READ_AGAIN
from newscrawler.store.tables import FRONTIER
from newscrawler.store.vocabularies import FrontierKind, UrlState

#: Number of such pages queued at a time.
MOST = 200
#: The reason stored with such a URL; a URL that has it is not chosen again.
SECOND_LOOK = "address of articles"
#: Each of them had a text: pages without text are refused for another reason. Further pages of listings are never articles.
_REFUSED = select(FRONTIER.c.id, FRONTIER.c.url).where(
    (FRONTIER.c.portal_id == bindparam("portal"))
    & (FRONTIER.c.state == UrlState.DONE)
    & (FRONTIER.c.reason == PageReason.OTHER_KIND)
    & ~func.coalesce(FRONTIER.c.detail, "").startswith(ABOUT_THE_PORTAL)
    & FRONTIER.c.article_id.is_(None)
    & func.coalesce(FRONTIER.c.kind_reason, "").not_in([SECOND_LOOK, "pagination"])
)
_LET_WAIT = (
    update(FRONTIER)
    .where(FRONTIER.c.id.in_(bindparam("ids", expanding=True)) & (FRONTIER.c.state == UrlState.DONE))
    # if it turns out to be a section, it is still revisited as one
    .values(
        **READ_AGAIN,
        kind_reason=SECOND_LOOK,
        kind=case((FRONTIER.c.kind == FrontierKind.OTHER, FrontierKind.ARTICLE), else_=FRONTIER.c.kind),
    )
)


def better_known(connection: Connection, portal_id: int, expected: Callable[[str], bool]) -> list[int]:
    """Return up to `MOST` refused pages whose URLs are now expected to be articles."""
    rows = connection.execute(_REFUSED, {"portal": portal_id})
    return list(islice((row.id for row in rows if expected(row.url)), MOST))


def let_wait(connection: Connection, url_ids: Sequence[int]) -> int:
    """Requeue the pages, once each; return how many."""
    return connection.execute(_LET_WAIT, {"ids": list(url_ids)}).rowcount
