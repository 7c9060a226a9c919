"""What is written of a fetched URL: its state, why it failed, and when it is tried again. Pure."""

from __future__ import annotations

from datetime import timedelta

from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.revisit_policy import plan_of
from newscrawler.store import PageOutcome
from newscrawler.store.outcomes import FrontierKind, UrlState

#: Tries within one run.
MOST_TRIES = 3
#: A failure that may pass is tried again after this, doubled with each try up to the longest, unless the server asks for more.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
#: Tries over all runs; then a URL is not asked for again.
MOST_TRIES_EVER = 12
#: What failed in a run is left alone for so long, then for six times as long, and so on: 10 minutes, an hour, 6 hours, ….
FIRST_REST = timedelta(minutes=10)
_REST_GROWS = 6
#: Larger lists cost the portal and us something each time.
HEAVY_BYTES = 1024 * 1024
LONGEST_REST = timedelta(days=16)


def outcome_of(item: FetchedUrl, *, delay_seconds: float) -> PageOutcome:
    """Work out what is written of a URL.

    Args:
        item: what was fetched and read of it.
        delay_seconds: between two requests to the portal; no pause before another try is shorter.
    """
    tries, state, next_try_at = item.claimed.tries, item.state, None
    if state is UrlState.FAILED and item.blameless:
        state, next_try_at = UrlState.WAITING, item.fetched_at + timedelta(seconds=item.pause.seconds) if item.pause else None
    elif state is UrlState.FAILED:
        tries += 1
        if item.transient and tries < item.most_tries:
            state = UrlState.WAITING
            next_try_at = item.fetched_at + timedelta(seconds=pause_seconds(item, delay_seconds=delay_seconds))
        elif tries < MOST_TRIES_EVER:
            next_try_at = item.fetched_at + _rest(tries)
        if state is UrlState.FAILED and item.claimed.kind == FrontierKind.START:  # each night begins there, with all its tries
            tries = 0
    return PageOutcome(
        url_id=item.claimed.id,
        state=state,
        outcome=item.outcome,
        http_status=item.http_status,
        reason=item.full_reason,
        article=item.article,
        sketch=item.sketch,
        found=item.found if state is UrlState.DONE else (),  # a page that is tried again is read again
        fetched_at=item.fetched_at,
        next_try_at=next_try_at,
        tries=0 if state is UrlState.DONE else tries,
        etag=item.etag,
        last_modified=item.last_modified,
        heavy=item.size > HEAVY_BYTES,
        said=item.said,
        reading=item.reading,
        hints=item.claimed.hints,
        plan=plan_of(item),
    )


def pause_seconds(item: FetchedUrl, *, delay_seconds: float) -> float:
    """How long to wait before another try in this run: as long as the server asks, or longer with each try."""
    first = max(delay_seconds, FIRST_PAUSE_SECONDS)
    doubled = min(1.5 * first * 2.0**item.claimed.tries, max(first, LONGEST_PAUSE_SECONDS))  # others have their turn before it
    return float(max(item.retry_after_seconds or 0.0, item.pause.seconds if item.pause else 0.0, doubled))


def _rest(tries: int) -> timedelta:
    """How long a URL is left alone whose tries in a run are used up; one try a run is left to it then."""
    runs_before = max(0, tries - MOST_TRIES)
    return min(FIRST_REST * float(_REST_GROWS**runs_before), LONGEST_REST)
