import random

import pytest

from newscrawler.discovery.completeness import completeness, completeness_of


def of(first, second):
    """What two sources brought."""
    return completeness(len(first), len(second), len(set(first) & set(second)))


def test_full_overlap_means_nothing_is_missed():
    found = of(["a", "b", "c"], ["a", "b", "c"])

    assert (found.found, found.total, found.low, found.high, found.missed) == (3, 3, 3, 3, 0)
    assert found.share == 1


def test_chapmans_estimate():
    # (10 + 1) (15 + 1) / (6 + 1) − 1 = 24.14…
    found = of([str(n) for n in range(10)], [str(n) for n in range(4, 19)])

    assert found.both == 6
    assert found.total == pytest.approx(24.142857)
    assert found.found == 19
    assert found.found <= found.low < found.total < found.high


def test_the_interval_holds_the_truth_nineteen_times_in_twenty():
    chance = random.Random(7)
    articles = [str(n) for n in range(200)]
    held = 0
    for _ in range(300):
        first = [article for article in articles if chance.random() < 0.7]
        second = [article for article in articles if chance.random() < 0.5]
        estimate = of(first, second)
        held += estimate.low <= 200 <= estimate.high

    assert 0.91 <= held / 300 <= 0.99


def test_one_source_says_nothing():
    assert of(["a"], []) is None
    assert completeness_of({frozenset({"feed"}): 1, frozenset({"sitemap"}): 1}) is None
    assert completeness_of({}) is None


def test_feed_and_sitemap_count_as_one_source():
    sources = [{"links", "feed", "sitemap"}, {"links"}, {"sitemap"}]
    found = completeness_of({frozenset(each): 1 for each in sources})

    assert (found.first, found.second, found.both, found.found) == (2, 2, 1, 3)


def test_no_overlap_is_an_estimate_with_a_wide_interval():
    found = of(["a", "b"], ["c", "d"])

    assert found.total == 8
    assert found.high > 16
