"""The record's day is that of its time, and both are on the clock that the page shows its readers."""

from __future__ import annotations

import pytest

from newscrawler.extraction import read_record

PAGE = """<html lang="en"><head><title>A dog bites a mayor in the park</title><script type="application/ld+json">
{{"@type":"NewsArticle","datePublished":"{given}"}}</script></head><body><article><h1>A dog bites a mayor in the park</h1>
{shown}<p>{sentence}</p><p>{sentence}</p><p>{sentence}</p></article></body></html>"""
SENTENCE = "The mayor of the town was bitten by a dog in the park, where he had gone to open the playground, they said. " * 3


def record(given: str, shown: str = "", url: str = "https://example.org/news/a-dog.html") -> tuple[str, str]:
    found = read_record(PAGE.format(given=given, shown=shown, sentence=SENTENCE), url)
    return found["published_at"], found["date"]


@pytest.mark.parametrize("given", ["2026-02-04T02:25:54Z", "2026-02-04T02:25:54+09:00", "2026-02-04T02:25:54", "2026-02-04"])
@pytest.mark.parametrize("url", ["https://example.org/2026/02/03/a-dog.html", "https://example.org/2026/02/04/a-dog.html"])
def test_the_day_of_the_record_is_always_the_day_of_its_time(given: str, url: str) -> None:
    published_at, day = record(given, url=url)

    assert day == published_at[:10]
