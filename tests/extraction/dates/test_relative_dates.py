"""Relative dates count from the time of the fetch, in the portal's zone."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.candidate import Clock
from newscrawler.extraction.dates.relative_dates import read_relative, read_worded

PRAGUE = ZoneInfo("Europe/Prague")
FETCHED = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def clock(language: str) -> Clock:
    return Clock(zone=PRAGUE, fetched_at=FETCHED, languages=(language,))


TODAY = {
    "cs": "Dnes 19:25",
    "sk": "dnes o 19:25",
    "pl": "dziś, 19:25",
    "de": "Heute, 19:25 Uhr",
    "en": "Today at 7:25 pm",
    "fr": "Aujourd'hui à 19h25",
    "es": "hoy a las 19:25",
    "it": "oggi alle 19:25",
    "pt": "hoje às 19h25",
    "uk": "сьогодні, 19:25",
    "ru": "сегодня в 19:25",
    "hu": "ma 19:25",
    "he": "היום, 19:25",
    "tr": "bugün 19:25",
    "ar": "اليوم 19:25",
    "zh": "今天 19:25",
    "ja": "今日 19:25",
}
YESTERDAY = {
    "cs": "včera",
    "sk": "včera",
    "pl": "wczoraj",
    "de": "gestern",
    "en": "yesterday",
    "fr": "hier",
    "es": "ayer",
    "it": "ieri",
    "pt": "ontem",
    "uk": "вчора",
    "ru": "вчера",
    "hu": "tegnap",
    "he": "אתמול",
    "tr": "dün",
    "ar": "أمس",
    "zh": "昨天",
    "ja": "昨日",
}
THREE_HOURS = {
    "cs": "před 3 hodinami",
    "sk": "pred 3 hodinami",
    "pl": "przed 3 godzinami",
    "de": "vor 3 Stunden",
    "en": "3 hours ago",
    "fr": "il y a 3 heures",
    "es": "hace 3 horas",
    "it": "3 ore fa",
    "pt": "há 3 horas",
    "uk": "3 години тому",
    "ru": "3 часа назад",
    "hu": "3 órája",
    "he": "לפני 3 שעות",
    "tr": "3 saat önce",
    "ar": "منذ 3 ساعات",
    "zh": "3小时前",
    "ja": "3時間前",
    "ko": "3시간 전",
}


@pytest.mark.parametrize("language", TODAY)
def test_today_with_a_time_is_exact(language: str) -> None:
    moment = read_relative(TODAY[language], clock(language))

    assert moment is not None
    assert (moment.value, moment.precision) == (datetime(2026, 11, 20, 19, 25, tzinfo=PRAGUE), DatePrecision.MINUTE)


@pytest.mark.parametrize("language", YESTERDAY)
def test_yesterday_is_the_day_before_the_fetch(language: str) -> None:
    moment = read_relative(YESTERDAY[language], clock(language))

    assert moment is not None
    assert (moment.value.date().isoformat(), moment.precision) == ("2026-11-19", DatePrecision.DAY)


@pytest.mark.parametrize("language", THREE_HOURS)
def test_hours_ago_tell_the_day_and_roughly_the_time(language: str) -> None:
    moment = read_relative(THREE_HOURS[language], clock(language))

    assert moment is not None
    assert (moment.value.astimezone(UTC).hour, moment.precision) == (9, DatePrecision.DAY)


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("3 дні тому", "uk", 17),
        ("before an hour", "en", None),
        ("an hour ago", "en", 20),
        ("vor zwei Tagen", "de", 18),
        ("pred dvoma dňami", "sk", 18),
        ("לפני יומיים", "he", 18),
        ("منذ يومين", "ar", 18),
        ("przedwczoraj", "pl", 18),
        ("2d ago", "en", 18),
        ("2 years ago", "en", None),
        ("1 year, 2 days ago", "en", None),
        ("1 week, 3 days ago", "en", 10),
        ("Posted by Ann 3 days, 20 hours ago", "en", 16),
        ("il y a 1 semaine et 3 jours", "fr", 10),
        ("vor 1 Woche, 3 Tagen", "de", 10),
        ("5 minutes, 2 days ago", "en", 18),
        ("3 comments, 2 days ago", "en", 18),
        ("vor Ort", "de", None),
        ("The party is for 3 people", "en", None),
        ("3 min read", "en", None),
        ("ma ieri", "fr", 19),
        ("Dnes je pátek 20. 11., svátek má Nikola, zítra Albert", "cs", None),
    ],
)
def test_words_count_back_and_other_sentences_are_left_alone(text: str, language: str, day: int | None) -> None:
    moment = read_relative(text, clock(language))

    assert (moment.value.day if moment else None) == day


def test_nothing_relative_is_read_without_the_time_of_the_fetch() -> None:
    assert read_relative("včera", Clock(languages=("cs",))) is None
    assert read_worded("pondělí 19:25", Clock(languages=("cs",))) is None


def test_yesterday_just_after_midnight_is_counted_on_the_portals_clock() -> None:
    late = Clock(zone=PRAGUE, fetched_at=datetime(2026, 11, 20, 23, 30, tzinfo=UTC), languages=("cs",))

    moment = read_relative("včera 8:00", late)

    assert moment is not None
    assert moment.value == datetime(2026, 11, 20, 8, 0, tzinfo=PRAGUE)


def test_dateparser_reads_days_of_the_week_in_any_of_its_languages() -> None:
    read = [
        read_worded(text, clock(language))
        for language, text in (("cs", "pondělí 19:25"), ("el", "Πέμπτη 19:25"), ("xx", "pondělí"))
    ]

    assert [m.value.strftime("%d %H:%M") if m else None for m in read] == ["16 19:25", "19 19:25", None]
