"""When a listing that was fetched is visited again, and which place it takes then."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.link_policy import PRIORITY
from newscrawler.discovery.revisit import (
    LONGEST_SECONDS,
    MOST_VISITS,
    PRIOR_SECONDS,
    PRIOR_SECONDS_FAR,
    Visit,
    articles_per_day,
    next_visit_seconds,
)
from newscrawler.store import ClaimedUrl, NextVisit
from newscrawler.store.outcomes import FrontierKind, UrlOutcome, UrlState

_LISTINGS = frozenset({FrontierKind.START, FrontierKind.SECTION, FrontierKind.FEED, FrontierKind.SITEMAP})
#: Links away from a start page from which on a section is far.
_FAR = 2
#: New articles a day → added to the priority of a section; the first that is reached.
_PENALTIES = ((3.0, 0), (1.0, 3), (0.3, 6), (0.1, 10), (0.0, 14))


def plan_of(item: FetchedUrl) -> Callable[[int], NextVisit] | None:
    """Give what reckons the next visit from the new articles of this one; None for what is no listing."""
    claimed = item.claimed
    if item.state is not UrlState.DONE or claimed.kind not in _LISTINGS or claimed.why == "pagination":
        return None

    def plan(fresh: int) -> NextVisit:
        visits = [*(Visit(at=at, fresh=each) for at, each in claimed.visits), Visit(at=item.fetched_at, fresh=fresh)]
        visits = visits[-MOST_VISITS:]
        prior = PRIOR_SECONDS_FAR if claimed.depth >= _FAR else PRIOR_SECONDS
        wait = next_visit_seconds(visits, item.fetched_at, prior_seconds=prior)
        if item.outcome is UrlOutcome.NOTHING:  # a usual address without a feed, a list without articles
            wait = LONGEST_SECONDS
        rate = articles_per_day(visits, item.fetched_at, prior_seconds=prior)
        return NextVisit(
            at=item.fetched_at + timedelta(seconds=wait),
            visits=tuple((visit.at, visit.fresh) for visit in visits),
            priority=_place(claimed, rate, fresh),
        )

    return plan


def _place(claimed: ClaimedUrl, rate: float, fresh: int) -> int | None:
    """The place of a listing at its next visit; None: as before."""
    if claimed.kind == FrontierKind.SECTION:
        return PRIORITY["section"] + next(more for least, more in _PENALTIES if rate >= least)
    if (
        claimed.kind == FrontierKind.SITEMAP and claimed.depth
    ):  # of those that an index names, what may be new comes before old months
        return PRIORITY["sitemap" if fresh else "quiet sitemap"]
    return None


def postponed_visit(claimed: ClaimedUrl, now: datetime) -> Callable[[int], NextVisit]:
    """Give what puts a listing off that is not asked for, because others like it brought nothing."""
    visit = NextVisit(at=now + timedelta(seconds=LONGEST_SECONDS), visits=claimed.visits)
    return lambda _: visit
