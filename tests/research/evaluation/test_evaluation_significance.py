from __future__ import annotations

import random

import pytest

from newscrawler.research.evaluation.summary import holm, resample


def mean(sums: list[float]) -> float | None:
    return sums[0] / sums[1] if sums[1] else None


def test_the_interval_holds_the_mean_and_narrows_with_more_pages() -> None:
    dice = random.Random(1)
    values = [dice.random() for _ in range(400)]
    few, many = resample([str(number) for number in range(40)]), resample([str(number) for number in range(400)])

    narrow = many.interval([values, [1.0] * 400], mean)
    wide = few.interval([values[:40], [1.0] * 40], mean)

    assert narrow is not None
    assert wide is not None
    assert narrow[0] < sum(values) / 400 < narrow[1]
    assert narrow[1] - narrow[0] < (wide[1] - wide[0]) / 2


def test_portals_are_drawn_whole_where_there_are_enough() -> None:
    portals = [f"portal {number // 5}" for number in range(60)]
    values: list[float | None] = [float(number // 5 % 2) for number in range(60)]
    ones: list[float | None] = [1.0] * 60

    whole, single = resample(portals), resample([str(number) for number in range(60)])

    of_portals, of_pages = whole.interval([values, ones], mean), single.interval([values, ones], mean)
    assert whole.of_portals
    assert not single.of_portals
    assert of_portals is not None
    assert of_pages is not None
    assert of_portals[1] - of_portals[0] > (of_pages[1] - of_pages[0]) * 1.5


def test_a_steady_difference_is_significant_and_a_balanced_one_is_not() -> None:
    resamples = resample([str(number) for number in range(50)])

    assert resamples.p_value([0.1 + number % 3 / 100 for number in range(50)]) < 0.001
    assert resamples.p_value([0.1 if number % 2 else -0.1 for number in range(50)]) > 0.5
    assert resamples.p_value([0.0] * 50) == 1.0


def test_pages_that_were_not_measured_do_not_count() -> None:
    resamples = resample([str(number) for number in range(20)])
    half: list[float | None] = [0.5 if number < 10 else None for number in range(20)]

    assert resamples.interval([half, [None if value is None else 1.0 for value in half]], mean) == (0.5, 0.5)


def test_the_same_seed_draws_the_same() -> None:
    assert resample(["a", "b", "c"], seed=4) == resample(["a", "b", "c"], seed=4)
    assert resample(["a", "b", "c"], seed=4) != resample(["a", "b", "c"], seed=5)


def test_several_questions_are_corrected_for() -> None:
    # an example worked by hand: .01*3, max(.03*2, .03), max(.04*1, .06)
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
