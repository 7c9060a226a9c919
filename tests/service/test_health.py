"""Nights in words: what is usual, what is wrong, and what cannot be told."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from newscrawler.article import Article, DatePrecision, Paragraph, ParagraphKind, Suspicion, find_suspicions
from newscrawler.discovery import Coverage
from newscrawler.discovery.completeness import Basis, Completeness
from newscrawler.service import FINE, LEARNING, Assessment
from newscrawler.service.figures import CrawlFigures, group_crawls
from newscrawler.service.health import AlertKind, assess
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import FINISHED, KILLED, EndReason, RunEnd

#: A Monday evening.
BEGIN = datetime(2026, 9, 7, 20, 0, tzinfo=UTC)


def night(number: int, articles: int, **more: Any) -> CrawlFigures:
    values: dict[str, Any] = {
        "round": number + 1,
        "began_at": BEGIN + timedelta(days=number),
        "ended_at": BEGIN + timedelta(days=number, hours=1),
        "seconds": 3600.0,
        "because": FINISHED,
        "articles": articles,
        "requests": articles + 20,
        "pages": articles + 20,
        "readable": True,
        "denied": {},
        "unreachable": {},
    }
    return CrawlFigures(**(values | more))


def usual(count: int = 28, articles: int = 30) -> list[CrawlFigures]:
    """Nights as they should be, the first with everything that had gathered; weekends bring less."""
    dice = random.Random(articles)
    found = [night(0, articles * 50)]
    for number in range(1, count):
        weekend = (BEGIN + timedelta(days=number)).weekday() >= 5
        found.append(night(number, dice.randint(articles // 3, articles // 2) if weekend else articles + dice.randint(-5, 5)))
    return found


def last(*nights: CrawlFigures, before: int = 28, articles: int = 30) -> Assessment:
    return assess([*usual(before, articles), *nights])[-1]


def test_usual_nights_are_fine_and_the_first_ones_too_early_to_tell() -> None:
    verdicts = [assessment.verdict for assessment in assess(usual(60))]

    assert verdicts[:6] == [LEARNING] * 6
    assert set(verdicts[6:]) == {FINE}


def test_weekends_have_a_usual_of_their_own() -> None:
    saturday = next(number for number in range(28, 40) if (BEGIN + timedelta(days=number)).weekday() == 5)
    nights = usual(saturday)

    weekend, week = assess([*nights, night(saturday, 12)])[-1], assess([*nights, night(saturday + 2, 12)])[-1]

    assert weekend.verdict == FINE
    assert week.findings == {AlertKind.FEWER: "12 new articles, about 30 are usual"}


def test_fewer_articles_end_only_where_they_are_clearly_more_again() -> None:
    nights = [night(28, 8), night(29, 17), night(30, 27)]

    assert [assessment.verdict for assessment in assess([*usual(), *nights])[-3:]] == [AlertKind.FEWER, AlertKind.FEWER, FINE]


def test_what_lasts_for_a_fortnight_is_the_new_usual() -> None:
    verdicts = [assessment.verdict for assessment in assess([*usual(), *(night(28 + number, 9) for number in range(40))])[28:]]

    assert verdicts[0] == AlertKind.FEWER
    assert verdicts[-1] == FINE
    assert verdicts.count(AlertKind.FEWER) <= 16


def test_a_large_portal_is_silent_after_one_night_and_a_small_one_after_some() -> None:
    large = last(night(28, 0))
    nights = [night(number, 3 if number else 90) for number in range(30)]
    small = [assessment.verdict for assessment in assess([*nights, *(night(30 + number, 0) for number in range(4))])[30:]]

    assert large.findings == {AlertKind.SILENT: "no new article tonight, about 31 a night are usual"}
    assert small == [FINE, FINE, AlertKind.SILENT, AlertKind.SILENT]


@pytest.mark.parametrize(
    ("more", "problem", "words"),
    [
        (
            {"readable": False, "pages": 0, "denied": {"403": 30}},
            AlertKind.BLOCKED,
            "30 of 50 requests were answered with HTTP",
        ),
        ({"denied": {"429": 20}}, AlertKind.BLOCKED, "HTTP 429"),
        ({"readable": False, "captchas": 5}, AlertKind.BLOCKED, "a captcha"),
        ({"readable": False, "consents": 1}, AlertKind.BLOCKED, "a consent page"),
        ({"readable": False, "unreachable": {"timeout": 3}}, AlertKind.UNREACHABLE, "timeout"),
        ({"readable": False, "moved": 1}, AlertKind.MOVED, "another host"),
        ({"readable": False, "forbidden": 1}, AlertKind.FORBIDDEN, "robots.txt"),
        ({"unread": 40, "articles": 5}, AlertKind.LAYOUT, "of 40 of 45 article pages no text could be taken"),
        ({"drift": ("the headline is found on 3 % of the pages",)}, AlertKind.LAYOUT, "the headline"),
        ({"undated": 25}, AlertKind.UNDATED, "25 of 30 articles have no date"),
        (
            {"suspect": {Suspicion.CUT: 0.4, Suspicion.SITE: 0.1}},
            AlertKind.SUSPECT,
            "40% of the texts: ends in an ellipsis (usually 0%)",
        ),
        ({"failed": 30}, AlertKind.ERRORS, "30 of 50 requests failed"),
    ],
)
def test_each_problem_is_told_in_words(more: dict[str, Any], problem: AlertKind, words: str) -> None:
    found = last(night(28, **({"articles": 30, "requests": 50} | more)))

    assert list(found.findings) == [problem]
    assert words in found.sentence


def test_a_portal_that_always_refuses_some_pages_is_not_blocked() -> None:
    denied: Callable[[int], dict[str, Any]] = lambda number: {"denied": {"403": 12}}  # noqa: E731
    nights = [night(number, 30, **denied(number)) for number in range(20)]

    assert assess(nights)[-1].verdict == FINE


def test_what_cannot_be_told_is_not_told() -> None:
    nowhere = last(night(28, 0, readable=False, unreachable={"timeout": 3}))
    cut = last(night(28, 2, because=KILLED))

    assert AlertKind.SILENT not in nowhere.known
    assert {AlertKind.SILENT, AlertKind.FEWER}.isdisjoint(cut.known)
    assert cut.verdict == AlertKind.BROKEN
    assert cut.sentence == "killed after 22 pages and 2 new articles"


def test_nights_that_a_window_ended_are_compared_with_their_like() -> None:
    archive = [night(number, 500, because=RunEnd(EndReason.WINDOW, "closed at 06:00")) for number in range(14)]
    then = [night(14 + number, 30) for number in range(10)]

    assert {assessment.verdict for assessment in assess([*archive, *then])} == {FINE, LEARNING}
    assert assess([*archive, night(14, 20, because=RunEnd(EndReason.WINDOW, "closed at 06:00"))])[-1].verdict == AlertKind.FEWER


def test_nights_are_judged_the_same_by_what_was_judged_before() -> None:
    nights = [*usual(40), night(40, 3), night(41, 0)]

    before = assess(nights[:35])

    assert assess(nights, before) == assess(nights)
    assert assess(nights[5:], before) == assess(nights[5:])


def test_the_runs_of_a_round_are_one_night() -> None:
    def run(number: int, round_number: int, hour: int, because: RunEnd | None, **counts: Any) -> RunRecord:
        at = BEGIN + timedelta(hours=hour)
        return RunRecord(
            id=number, portal="p", round=round_number, started_at=at, ended_at=at + timedelta(minutes=30) if because else None,
            ended_because=because, host="h", pid=1, version="1", counts=counts,
        )  # fmt: skip

    estimated = Coverage(found=9, estimate=Completeness(basis=Basis.LISTS, found=9, total=10.0, low=9.0, high=14.0))
    nights = group_crawls(
        [
            run(3, 2, 24, None, new_articles=1),
            run(
                1,
                1,
                0,
                KILLED,
                new_articles=4,
                suspect={Suspicion.CUT: 2, Suspicion.SITE: 1},
                requests=9,
                pages=8,
                statuses={"200": 8, "403": 1},
                failed={"timeout": 1},
            ),
            run(
                2,
                1,
                1,
                FINISHED,
                new_articles=3,
                suspect={Suspicion.CUT: 5},
                requests=5,
                pages=5,
                undated=2,
                coverage=estimated.as_dict(),
            ),
        ]
    )

    (found,) = nights  # the second is under way
    assert found.suspect == {Suspicion.CUT: 1.0, Suspicion.SITE: 1 / 7}
    assert (found.articles, found.requests, found.undated, found.failed, found.seconds) == (7, 14, 2, 1, 3600.0)
    assert (found.because, found.completeness, dict(found.denied), dict(found.unreachable)) == (
        FINISHED,
        0.9,
        {"403": 1},
        {"timeout": 1},
    )


P, H = ParagraphKind.PARAGRAPH, ParagraphKind.HEADING
TEXT = (P, "Rada města rozhodla, že se most letos opraví.")


@pytest.mark.parametrize(
    ("paragraphs", "authors", "suspicions"),
    [
        ((TEXT, TEXT), ("Jana Nováková",), []),
        ((TEXT, (P, "Celý text je jen pro předplatitele…")), (), [Suspicion.CUT]),
        ((TEXT, (P, "“And so on...”")), (), [Suspicion.CUT]),
        (((P, "Jana Nováková, 7. 9. 2026"), TEXT), ("Jana Nováková",), [Suspicion.BYLINE]),
        (((P, "September 7, 2026"), TEXT), (), [Suspicion.BYLINE]),
        (((P, "2026年9月7日"), TEXT), (), [Suspicion.BYLINE]),
        (((P, "V roce 2026 přijelo 7 hostů."), TEXT), (), []),
        ((TEXT, (H, "Čtěte také")), (), [Suspicion.HEADING]),
        ((TEXT, (H, "Most"), (H, "Silnice"), TEXT), (), [Suspicion.HEADING]),
        ((TEXT, (H, "Most"), TEXT), ("DENÍK",), [Suspicion.SITE]),
    ],
)
def test_a_record_that_looks_wrong_is_counted(
    paragraphs: tuple[tuple[ParagraphKind, str], ...], authors: tuple[str, ...], suspicions: list[Suspicion]
) -> None:
    article = Article(
        title="Most", paragraphs=tuple(Paragraph(text=text, kind=kind) for kind, text in paragraphs), authors=authors,
        published_at=BEGIN, publisher="Deník", method="default", confidence=0.9,
    )  # fmt: skip

    assert find_suspicions(article) == suspicions


@pytest.mark.parametrize(
    ("zone", "said", "suspicions"),
    [
        (UTC, {"published_precision": DatePrecision.MINUTE}, [Suspicion.CLOCK]),
        (UTC, {"published_precision": DatePrecision.MINUTE, "offset_given": True}, []),
        (UTC, {"published_precision": DatePrecision.DAY}, []),
        (ZoneInfo("Europe/London"), {"published_precision": DatePrecision.MINUTE}, []),
    ],
)
def test_a_time_on_an_unknown_clock_is_counted(zone: tzinfo, said: dict[str, Any], suspicions: list[Suspicion]) -> None:
    article = Article(
        title="Most", paragraphs=(Paragraph(text="Text."),), published_at=datetime(2026, 1, 5, 8, 5, tzinfo=zone),
        method="default", confidence=0.9, **said,
    )  # fmt: skip

    assert find_suspicions(article) == suspicions


def test_a_portal_without_an_article_is_silent_from_its_first_night_until_one_comes() -> None:
    first = assess([night(1, 0, pages=14, requests=20)])[-1]
    third = assess([night(1, 0), night(2, 0), night(3, 0)])[-1]
    found = assess([night(1, 0), night(2, 3)])[-1]
    quiet = assess([night(1, 30), night(2, 0)])[-1]
    unasked = assess([night(1, 0, pages=0, requests=0, readable=False)])[-1]

    assert unasked.verdict == AlertKind.SILENT
    assert first.verdict == AlertKind.SILENT
    assert "no article yet in 1 crawl, 14 pages; `newscrawler pages list`" in first.findings[AlertKind.SILENT]
    assert "in 3 crawls" in third.findings[AlertKind.SILENT]
    assert AlertKind.SILENT in found.known - set(found.findings)
    assert AlertKind.SILENT not in quiet.known
