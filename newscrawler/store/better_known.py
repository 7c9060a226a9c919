"""Pages that were refused for what led to them, before it was known that nearly all pages at such addresses are articles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from sqlalchemy import Connection, bindparam, case, func, select, update

from newscrawler.errors import ABOUT_THE_PORTAL, PageReason
from newscrawler.store.late_dates import READ_AGAIN
from newscrawler.store.tables import FRONTIER
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlState

#: So many wait at a time.
MOST = 200
#: Why such a URL waits; one that bears it is not chosen again.
SECOND_LOOK = "address of articles"
#: Each of them held a text: pages without one were refused for that. A further page of a listing is none at any address.
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
    # a section is visited like one all the same, should it turn out to be none of the articles
    .values(
        **READ_AGAIN,
        kind_reason=SECOND_LOOK,
        kind=case((FRONTIER.c.kind == FrontierKind.OTHER, FrontierKind.ARTICLE), else_=FRONTIER.c.kind),
    )
)


def better_known(connection: Connection, portal_id: int, expected: Callable[[str], bool]) -> list[int]:
    """Choose the pages whose addresses are expected to be those of articles by now, up to `MOST`."""
    rows = connection.execute(_REFUSED, {"portal": portal_id})
    return list(islice((row.id for row in rows if expected(row.url)), MOST))


def let_wait(connection: Connection, url_ids: Sequence[int]) -> int:
    """Let them wait for another look, once each; answers how many do."""
    return connection.execute(_LET_WAIT, {"ids": list(url_ids)}).rowcount
