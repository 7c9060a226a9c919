"""The outcome of a fetched URL: its state, reason and next retry, and the next visit of a listing; pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from newscrawler.crawl.policy.link_policy import PRIORITY
from newscrawler.crawl.run.items import MOST_TRIES, FetchedUrl
from newscrawler.discovery.revisit import (
    LONGEST_SECONDS,
    MOST_VISITS,
    PRIOR_SECONDS,
    PRIOR_SECONDS_FAR,
    Visit,
    articles_per_day,
    next_visit_seconds,
)
from newscrawler.errors import PageReason
from newscrawler.store import KeptPage, LeasedUrl, NextVisit, PageOutcome
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlOutcome, UrlState

#: Pause before a retry, doubled with each try up to the longest, unless the server asks for more.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
#: Tries over all runs; then a URL is given up.
MOST_TRIES_EVER = 12
#: Pause after a run's tries are used up, six times as long after each further failure: 10 minutes, an hour, 6 hours, ….
FIRST_REST = timedelta(minutes=10)
_REST_GROWS = 6
#: Larger lists count as heavy, and are visited less often.
HEAVY_BYTES = 1024 * 1024
LONGEST_REST = timedelta(days=16)


def outcome_of(item: FetchedUrl, *, delay_seconds: float, pages: tuple[tuple[KeptPage, str | None], ...] = ()) -> PageOutcome:
    """Return the outcome that is written of a URL.

    Args:
        item: what was fetched and read of it.
        delay_seconds: of the portal; the shortest pause before a retry.
        pages: the places of its archived pages.
    """
    tries, state, next_try_at = item.claimed.tries, item.state, None
    if state is UrlState.FAILED and item.retry.blameless:
        state, next_try_at = UrlState.WAITING, item.fetched_at + timedelta(seconds=item.pause.seconds) if item.pause else None
    elif state is UrlState.FAILED:
        tries += 1
        if item.retry.transient and tries < item.retry.most_tries:
            state = UrlState.WAITING
            next_try_at = item.fetched_at + timedelta(seconds=pause_seconds(item, delay_seconds=delay_seconds))
        elif tries < MOST_TRIES_EVER:
            next_try_at = item.fetched_at + _rest(tries)
        if state is UrlState.FAILED and item.claimed.kind == FrontierKind.START:  # each crawl tries them anew
            tries = 0
    return replace(
        item,
        url_id=item.claimed.id,
        state=state,
        found=item.found if state is UrlState.DONE else (),  # a page that is retried is read again
        next_try_at=next_try_at,
        tries=0 if state is UrlState.DONE else tries,
        heavy=item.size > HEAVY_BYTES,
        pages=pages,
        hints=item.claimed.hints,
        plan=plan_of(item),
    )


def pause_seconds(item: FetchedUrl, *, delay_seconds: float) -> float:
    """Return the pause before a retry in this run: as long as the server asks, or longer with each try."""
    first = max(delay_seconds, FIRST_PAUSE_SECONDS)
    doubled = min(1.5 * first * 2.0**item.claimed.tries, max(first, LONGEST_PAUSE_SECONDS))  # other URLs come before it
    return float(max(item.retry.after_seconds or 0.0, item.pause.seconds if item.pause else 0.0, doubled))


def _rest(tries: int) -> timedelta:
    """Return the pause of a URL whose tries in a run are used up; then it has one try a run."""
    runs_before = max(0, tries - MOST_TRIES)
    return min(FIRST_REST * float(_REST_GROWS**runs_before), LONGEST_REST)


_LISTINGS = frozenset({FrontierKind.START, FrontierKind.SECTION, FrontierKind.FEED, FrontierKind.SITEMAP})
#: Depth from which a section counts as far.
_FAR = 2
#: (new articles a day, added to the priority of a section); the first that is reached.
_PENALTIES = ((3.0, 0), (1.0, 3), (0.3, 6), (0.1, 10), (0.0, 14))


def plan_of(item: FetchedUrl) -> Callable[[int], NextVisit] | None:
    """Return the function from new articles to the next visit; None: no listing."""
    claimed, at = item.claimed, item.fetched_at
    if item.state is not UrlState.DONE or claimed.kind not in _LISTINGS or claimed.why == "pagination":
        return None
    if item.word is PageReason.UNPRODUCTIVE:  # it was not fetched
        postponed = NextVisit(at=at + timedelta(seconds=LONGEST_SECONDS), visits=claimed.visits)
        return lambda _: postponed

    def plan(fresh: int) -> NextVisit:
        visits = [*(Visit(at=earlier, fresh=each) for earlier, each in claimed.visits), Visit(at=at, fresh=fresh)][-MOST_VISITS:]
        prior = PRIOR_SECONDS_FAR if claimed.depth >= _FAR else PRIOR_SECONDS
        wait = next_visit_seconds(visits, at, prior_seconds=prior)
        if item.outcome is UrlOutcome.NOTHING:  # a usual URL without a feed, a list without articles
            wait = LONGEST_SECONDS
        rate = articles_per_day(visits, at, prior_seconds=prior)
        return NextVisit(
            at=at + timedelta(seconds=wait),
            visits=tuple((visit.at, visit.fresh) for visit in visits),
            priority=_priority(claimed, rate, fresh),
        )

    return plan


def _priority(claimed: LeasedUrl, rate: float, fresh: int) -> int | None:
    """Return the priority of a listing at its next visit; None: as before."""
    if claimed.kind == FrontierKind.SECTION:
        return PRIORITY["section"] + next(more for least, more in _PENALTIES if rate >= least)
    if claimed.kind == FrontierKind.SITEMAP and claimed.depth:  # of an index, new sitemaps come before old months
        return PRIORITY["sitemap" if fresh else "quiet sitemap"]
    return None
