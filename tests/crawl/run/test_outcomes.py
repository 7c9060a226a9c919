"""What is written of a URL that failed: its reason, and when it is tried again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from scrapy.exceptions import IgnoreRequest

from newscrawler.article import Reservation, Reserved
from newscrawler.crawl.hosts.failures import ForbiddenByRobotsError, RemovedError, ReservedError, find_failure
from newscrawler.crawl.reading.responses import read_failure
from newscrawler.crawl.run.commits import RESTS, make_outcome
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


@pytest.mark.parametrize(
    ("word", "state", "first"),
    [(PageReason.TIMEOUT, UrlState.FAILED, 0), (PageReason.EMPTY, UrlState.DONE, 3), (PageReason.ROBOTS, UrlState.SKIPPED, 3)],
)
def test_what_brought_no_article_has_a_next_try_that_is_further_off_each_time(
    word: PageReason, state: UrlState, first: int
) -> None:
    rests = []
    for visits in range(12):
        lease = LeasedUrl(id=1, url="http://a/1", kind=FrontierKind.ARTICLE, tries=MOST_TRIES - 1, empty_visits=visits)
        item = FetchedUrl(lease=lease, fetched_at=NOW, state=state, reason=Reason(word))
        outcome = make_outcome(item, delay_seconds=0)
        assert (outcome.state, outcome.tries) == (state, 0)
        assert outcome.next_try_at is not None
        rests.append(outcome.next_try_at - NOW)

    assert rests == [RESTS[min(first + visits, len(RESTS) - 1)] for visits in range(12)]
    assert list(RESTS) == sorted(RESTS)


@pytest.mark.parametrize(("is_listed", "is_stored"), [(False, False), (True, True)])
def test_a_page_that_is_no_article_is_not_tried_again_unless_a_feed_names_it(*, is_listed: bool, is_stored: bool) -> None:
    lease = LeasedUrl(id=1, url="http://a/1", kind=FrontierKind.ARTICLE, is_listed=is_listed, is_stored=is_stored)
    item = FetchedUrl(lease=lease, fetched_at=NOW, reason=Reason(PageReason.NO_BODY))
    listed = FetchedUrl(lease=replace(lease, is_listed=True, is_stored=False), fetched_at=NOW, reason=item.reason)

    assert make_outcome(item, delay_seconds=0).next_try_at is None
    assert make_outcome(listed, delay_seconds=0).next_try_at == NOW + RESTS[4]
    assert make_outcome(replace(item, reason=Reason(PageReason.TWIN)), delay_seconds=0).next_try_at is None


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
    assert (make_outcome(item, delay_seconds=0).next_try_at is None) == isinstance(error, RemovedError)
    assert (item.said is not None) == isinstance(error, ReservedError)
