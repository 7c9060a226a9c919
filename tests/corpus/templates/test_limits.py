"""What is out of the usual, by the portal's own nights."""

from __future__ import annotations

import random

import pytest

from newscrawler.corpus.templates import DriftFigure, figures_of, find_violations

Night = dict[str, DriftFigure]


def notes(count: int, rng: random.Random, **changes: object) -> list[dict[str, object]]:
    """Pages of a portal on which most is well."""
    return [
        {
            "article": rng.random() < 0.95,
            "explained": rng.random() < 0.97,
            "agreement": min(1.0, rng.gauss(0.98, 0.03)),
            "boilerplate": max(0.0, rng.gauss(0.01, 0.02)),
            "words": int(2 ** rng.gauss(8.5, 0.9)),
            "lead": rng.random() < 0.8,
            "date": rng.random() < 0.98,
            "authors": rng.random() < 0.6,
            "section": True,
            **changes,
        }
        for _ in range(count)
    ]


def history(rng: random.Random, nights: int = 10, pages: int = 12) -> list[Night]:
    return [figures_of(notes(rng.randint(3, 2 * pages), rng)) for _ in range(nights)]


def test_usual_nights_break_nothing() -> None:
    rng = random.Random(7)
    alarms = 0
    for _ in range(300):
        past = history(rng, nights=rng.randint(1, 20), pages=rng.randint(3, 40))
        alarms += bool(find_violations(figures_of(notes(rng.randint(1, 60), rng)), past))

    assert alarms <= 3


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"explained": False}, "layout the template knows"),
        ({"agreement": 0.5}, "agreement"),
        ({"boilerplate": 0.4}, "boilerplate"),
        ({"words": 20}, "length of the texts"),
        ({"words": 9000}, "length of the texts"),
        ({"date": False}, "with a date"),
        ({"lead": False}, "with a lead"),
        ({"authors": False}, "with authors"),
        ({"article": False}, "give an article"),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_a_change_is_noticed(changes: dict[str, object], told: str, seed: int) -> None:
    rng = random.Random(seed)
    sentences = find_violations(figures_of(notes(20, rng, **changes)), history(rng))

    assert any(told in sentence for sentence in sentences)


def test_three_pages_of_a_new_layout_are_enough() -> None:
    rng = random.Random(1)
    assert find_violations(figures_of(notes(3, rng, explained=False, article=True)), history(rng))


def test_without_a_past_nothing_is_unusual() -> None:
    rng = random.Random(1)
    assert find_violations(figures_of(notes(30, rng, explained=False, date=False)), []) == []


def test_a_portal_whose_nights_differ_has_wider_limits() -> None:
    steady = [{"lead": DriftFigure(40, 0.8, 0.4)} for _ in range(10)]
    moody = [{"lead": DriftFigure(40, 1.0 if night % 2 else 0.6, 0.4)} for night in range(10)]
    tonight = {"lead": DriftFigure(40, 0.45, 0.5)}

    assert find_violations(tonight, steady)
    assert find_violations(tonight, moody) == []


def test_an_override_that_finds_nothing_any_more_is_told() -> None:
    rng = random.Random(1)
    past = [figures_of([note | {"override lead": True} for note in notes(10, rng)]) for _ in range(3)]
    tonight = figures_of([note | {"override lead": False} for note in notes(10, rng, article=True)])

    assert any("whose lead is at the place set by hand" in sentence for sentence in find_violations(tonight, past))


@pytest.mark.parametrize(("unsigned", "alarms"), [(4, 0), (6, 1)])
def test_a_few_articles_without_authors_are_no_change_of_layout(unsigned: int, alarms: int) -> None:
    signed = [{"article": True, "authors": True}] * 30
    tonight = [{"article": True, "authors": number >= unsigned} for number in range(6)]

    assert len(find_violations(figures_of(tonight), [figures_of(signed)])) == alarms
