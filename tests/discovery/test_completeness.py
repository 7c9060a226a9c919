"""An estimate where its assumptions hold; a lower bound and its reason everywhere else."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from newscrawler.discovery import Coverage, Overlap, RunArticles, estimate_coverage
from newscrawler.discovery.completeness import Basis, NoEstimate, estimate_total

LINKS, FEED, SITEMAP = frozenset({"links"}), frozenset({"feed"}), frozenset({"sitemap"})


def overlap(first: Sequence[str], second: Sequence[str]) -> Overlap:
    """What two sources brought."""
    return Overlap(first=len(first), second=len(second), both=len(set(first) & set(second)))


def test_chapmans_estimate() -> None:
    # (20 + 1) (15 + 1) / (11 + 1) − 1 = 27
    found = estimate_total(overlap([str(n) for n in range(20)], [str(n) for n in range(9, 24)]), Basis.LISTS)

    assert (found.found, found.total) == (24, pytest.approx(27.0))
    assert found.found <= found.low < found.total < found.high


def test_the_interval_holds_the_truth_nineteen_times_in_twenty() -> None:
    chance = random.Random(7)
    articles = [str(n) for n in range(200)]
    held = 0
    for _ in range(300):
        first = [article for article in articles if chance.random() < 0.7]
        second = [article for article in articles if chance.random() < 0.5]
        estimate = estimate_total(overlap(first, second), Basis.LISTS)
        held += estimate.low <= 200 <= estimate.high

    assert 0.91 <= held / 300 <= 0.99


def test_feed_and_sitemap_count_as_one_source() -> None:
    coverage = estimate_coverage(RunArticles(by_sources={LINKS | FEED | SITEMAP: 20, LINKS: 4, SITEMAP: 3, FEED: 3}))

    assert coverage.estimate == estimate_total(Overlap(first=24, second=26, both=20), Basis.LISTS)
    assert coverage.sentence == "30 found of about 31 (95 %: 30 to 37; links against feeds and sitemaps)"


@pytest.mark.parametrize(
    ("articles", "why_not", "sentence"),
    [
        (RunArticles(by_sources={LINKS | FEED: 10}, left=160), NoEstimate.QUEUE, "at least 10: 160 URLs are left in the queue"),
        (RunArticles(by_sources={LINKS | FEED: 10, LINKS: 9, FEED: 9}, failed=2), NoEstimate.FAILED, "at least 28: 2 articles"),
        (RunArticles(by_sources={}), NoEstimate.NO_ARTICLE, "no new article"),
        (RunArticles(by_sources={LINKS: 30}), NoEstimate.ONE_SOURCE, "30 found; whether there are more is unknown"),
        (RunArticles(by_sources={FEED: 3, SITEMAP: 3}), NoEstimate.ONE_SOURCE, "6 found; whether"),
        (RunArticles(by_sources={LINKS | SITEMAP: 170}), NoEstimate.CONTAINED, "170 found; whether"),
        (RunArticles(by_sources={LINKS | SITEMAP: 10, LINKS: 160}), NoEstimate.CONTAINED, "170 found; whether"),
        (RunArticles(by_sources={LINKS: 4, FEED: 4, LINKS | FEED: 2}), NoEstimate.FEW_IN_COMMON, "10 found; whether"),
    ],
)
def test_without_its_assumptions_there_is_no_estimate(articles: RunArticles, why_not: NoEstimate, sentence: str) -> None:
    coverage = estimate_coverage(articles)

    assert (coverage.estimate, coverage.share, coverage.why_not) == (None, None, why_not)
    assert coverage.sentence.startswith(sentence)


def test_without_lists_earlier_crawls_are_held_against_this_one() -> None:
    seen_twice = Overlap(first=40, second=38, both=36)
    coverage = estimate_coverage(RunArticles(by_sources={LINKS: 10}, seen_twice=seen_twice))

    assert coverage.estimate == estimate_total(seen_twice, Basis.CRAWLS)
    assert coverage.sentence.startswith("10 found; of the days before, 42 found of about 42 (95 %: 42 to 46; earlier crawls")
    assert coverage.share == pytest.approx(42 / 42.216, abs=1e-3)


@pytest.mark.parametrize("articles", [RunArticles(by_sources={LINKS: 9, FEED: 9, LINKS | FEED: 9}), RunArticles(by_sources={})])
def test_the_record_of_a_run_is_read_back(articles: RunArticles) -> None:
    coverage = estimate_coverage(articles)

    assert Coverage.from_dict(coverage.as_dict()).sentence == coverage.sentence
