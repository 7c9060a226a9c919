"""What is written of a URL that failed: its reason, and when it is tried again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from scrapy.exceptions import IgnoreRequest

from newscrawler.article import Reservation, Reserved
from newscrawler.crawl.hosts.failures import ForbiddenByRobotsError, RemovedError, ReservedError, find_failure
from newscrawler.crawl.reading.responses import read_failure
from newscrawler.crawl.run.commits import LONGEST_REST, MOST_TRIES_EVER, make_outcome
from newscrawler.crawl.run.items import MOST_TRIES, FetchedUrl, Retry
from newscrawler.errors import PageReason
from newscrawler.store.frontier import FoundUrl, LeasedUrl, PageOutcome
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlState

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def claimed(tries: int = 0) -> LeasedUrl:
    return LeasedUrl(id=1, url="http://a/1", kind=FrontierKind.ARTICLE, depth=1, tries=tries)


def failed(
    tries: int = 0, *, transient: bool = True, after_seconds: float | None = None, found: tuple[FoundUrl, ...] = ()
) -> PageOutcome:
    reason, retry = Reason(PageReason.TIMEOUT), Retry(transient=transient, after_seconds=after_seconds)
    item = FetchedUrl(lease=claimed(tries), fetched_at=NOW, state=UrlState.FAILED, reason=reason, retry=retry, found=found)
    return make_outcome(item, delay_seconds=0)


def test_a_failure_that_may_pass_waits_longer_with_each_try() -> None:
    pauses = [failed(tries).next_try_at for tries in range(MOST_TRIES - 1)]

    assert all(failed(tries).state == "waiting" for tries in range(MOST_TRIES - 1))
    assert all(NOW < earlier < later for earlier, later in pairwise(pauses) if earlier and later)
    assert len(pauses) > 1


def test_a_server_that_names_a_time_is_not_asked_before_it() -> None:
    assert failed(after_seconds=90.0).next_try_at == NOW + timedelta(seconds=90)


@pytest.mark.parametrize("transient", [True, False])
def test_what_failed_for_this_run_has_a_reason_and_a_next_try_until_it_is_given_up(*, transient: bool) -> None:
    outcomes = [failed(tries, transient=transient) for tries in range(MOST_TRIES - 1 if transient else 0, MOST_TRIES_EVER)]
    *resting, last = outcomes
    rests = [outcome.next_try_at - NOW for outcome in resting if outcome.next_try_at]

    assert {(outcome.state, outcome.reason) for outcome in outcomes} == {(UrlState.FAILED, Reason(PageReason.TIMEOUT))}
    assert len(rests) == len(resting)
    assert rests == sorted(rests)
    assert (rests[0], rests[-1]) == (timedelta(minutes=10), LONGEST_REST)
    assert last.next_try_at is None


def test_the_links_of_a_page_that_is_tried_again_are_left_to_that_try() -> None:
    link = FoundUrl(url="http://a/2", kind="article", priority=1, depth=2)

    assert failed(found=(link,)).found == ()
    assert make_outcome(FetchedUrl(lease=claimed(2), fetched_at=NOW, found=(link,)), delay_seconds=0).found == (link,)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ForbiddenByRobotsError("http://a/1"), Reason(PageReason.ROBOTS)),
        (RemovedError("asked on 2026-11-01: privacy"), Reason(PageReason.REMOVED, "asked on 2026-11-01: privacy")),
        (
            ReservedError(Reservation(word=Reserved.TDM, said="reserved", place="tdmrep.json"), PageReason.TDM_RESERVED),
            Reason(PageReason.TDM_RESERVED, "tdmrep.json reserved"),
        ),
    ],
)
def test_a_request_that_is_refused_is_skipped_with_the_reason(error: IgnoreRequest, reason: Reason) -> None:
    item = read_failure(claimed(), error)

    assert (find_failure(error).reason, item.reason, item.state) == (reason, reason, UrlState.SKIPPED)
    assert make_outcome(item, delay_seconds=0).next_try_at is None
    assert (item.said is not None) == isinstance(error, ReservedError)
