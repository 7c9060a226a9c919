"""What happens to the frontier as a whole when a run begins: leases of the dead are given back, listings wait again."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, case, update

from newscrawler.store.tables import FRONTIER, UrlState

#: A URL that failed so often, over the nights, is not asked for again.
MOST_TRIES_EVER = 12


def release_leases(connection: Connection, run_ids: Sequence[int]) -> None:
    """Let everything wait again that these runs had in hand."""
    connection.execute(
        update(FRONTIER)
        .where(FRONTIER.c.run_id.in_(run_ids) & (FRONTIER.c.state == UrlState.FETCHING))
        .values(state=UrlState.WAITING, run_id=None)
    )


def begin_round(connection: Connection, portal_id: int, round_number: int) -> None:
    """Let the listings wait again that are worth another look this round, and what failed for a while.

    Start pages, feeds and sitemaps are looked at every round. A section is looked at the less often the longer it has
    brought nothing: every round, every second, fourth, up to every sixteenth; one that is far from the start begins at every
    fourth. Further pages of a listing follow only if the page before them brought something new.
    """
    barren = FRONTIER.c.barren_visits
    near = case((barren <= 1, 1), (barren == 2, 2), (barren == 3, 4), (barren == 4, 8), else_=16)
    far = case((barren == 0, 1), (barren == 1, 4), (barren == 2, 8), else_=16)
    interval = case((FRONTIER.c.depth <= 1, near), else_=far)
    lists = FRONTIER.c.kind.in_(["feed", "sitemap"]) & (FRONTIER.c.outcome == "listing")
    sections = (
        (FRONTIER.c.kind == "section")
        & (FRONTIER.c.outcome == "listing")
        & (FRONTIER.c.why != "pagination").is_not(False)
        & ((FRONTIER.c.id + round_number) % interval == 0)  # not all of them in the same night
    )
    failed = (FRONTIER.c.state == UrlState.FAILED) & (FRONTIER.c.tries < MOST_TRIES_EVER)
    connection.execute(
        update(FRONTIER)
        .where(
            (FRONTIER.c.portal_id == portal_id)
            & (FRONTIER.c.round < round_number)
            & FRONTIER.c.state.in_([UrlState.DONE, UrlState.FAILED])
            & ((FRONTIER.c.kind == "start") | lists | sections | failed)
        )
        .values(
            state=UrlState.WAITING,
            next_try_at=None,
            # those that brought something the last time come first
            priority=case(
                (FRONTIER.c.kind == "section", 20 + case((barren == 0, 0), (barren == 1, 4), (barren == 2, 8), else_=14)),
                else_=FRONTIER.c.priority,
            ),
        )
    )
