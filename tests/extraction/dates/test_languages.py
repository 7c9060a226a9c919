"""Dates as news sites write them, in seventeen languages: forms.tsv holds kind, language, what is meant, and the text.

Counted from Friday, 20 November 2026, 13:30 in Prague. Of relative forms without a time of day only the day counts; "-": none.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.candidate import Clock, Moment
from newscrawler.extraction.dates.relative_dates import read_relative
from newscrawler.extraction.dates.text_dates import read_moment

PRAGUE = ZoneInfo("Europe/Prague")
FETCHED = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
FORMS = [line.split("\t") for line in (Path(__file__).parent / "forms.tsv").read_text("utf-8").splitlines()]
LANGUAGES = sorted({language for _, language, _, _ in FORMS})


def shown(moment: Moment | None, expected: str) -> str:
    if moment is None or moment.precision == DatePrecision.MONTH:
        return "-"
    value = moment.value.astimezone(PRAGUE)
    return f"{value:%Y-%m-%d %H:%M}" if moment.precision == DatePrecision.MINUTE and len(expected) > 10 else f"{value:%Y-%m-%d}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["written", "relative"])
def test_dates_are_read_as_the_language_writes_them(kind: str, language: str) -> None:
    forms = [(text, expected) for each, spoken, expected, text in FORMS if (each, spoken) == (kind, language)]
    read = read_moment if kind == "written" else read_relative
    clock = Clock(zone=PRAGUE, fetched_at=FETCHED, languages=(language,))

    found = {text: shown(read(text, clock), expected) for text, expected in forms}

    assert found == dict(forms)
    assert len(forms) >= 8


def test_the_languages_are_those_of_the_news_that_we_promise() -> None:
    assert set(LANGUAGES) == set("cs sk pl de en fr es it pt uk ru hu he tr ar zh ja".split())  # noqa: SIM905


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("cs", "před bytem"), ("pl", "przed domem"), ("de", "vor Gericht"), ("fr", "il y a du monde"), ("es", "hace calor"),
        ("it", "due squadre"), ("en", "long ago"), ("pt", "há muito"), ("ru", "назад в будущее"), ("uk", "тому що"),
        ("tr", "daha önce"), ("he", "לפני הבחירות"), ("ar", "منذ البداية"), ("zh", "前门"), ("ja", "名前"),
        ("de", "vor 3 Spielern"), ("en", "3 men ago"), ("cs", "dnešní zápas"), ("en", "USA Today: how to live well"),
        ("en", "By Jane Doe, USA TODAY"),
    ],
)  # fmt: skip
def test_other_words_are_no_dates(language: str, text: str) -> None:
    assert read_relative(text, Clock(zone=PRAGUE, fetched_at=FETCHED, languages=(language,))) is None
