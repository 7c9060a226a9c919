"""Whatever strangers write, dates and names are read or not read, in bounded time, and nothing is raised.

NEWSCRAWLER_FUZZ=full tries 100,000 strings and 10,000 mutated pages instead of a few.
"""

from __future__ import annotations

import os
import random
import time
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawler.extraction.dates import DateContext, find_dates, find_link_dates
from newscrawler.extraction.dates.candidate import Clock
from newscrawler.extraction.dates.relative_dates import read_relative, read_worded
from newscrawler.extraction.dates.text_dates import find_moments, read_moment, tidy
from newscrawler.extraction.dates.visible_dates import find_role
from newscrawler.extraction.metadata import find_metadata
from newscrawler.extraction.metadata.names import find_names
from newscrawler.page import Document
from newscrawler.page.json_ld import load_leniently

FULL = os.environ.get("NEWSCRAWLER_FUZZ") == "full"
STRINGS, PAGES = (100_000, 10_000) if FULL else (4_000, 300)
#: No string takes longer, no page longer than that.
STRING_SECONDS, PAGE_SECONDS = 0.25, 1.0
CLOCK = Clock(
    zone=ZoneInfo("Europe/Prague"), fetched_at=datetime(2026, 3, 29, 1, 30, tzinfo=UTC), languages=("cs", "en"), month_first=True
)
PIECES = [
    "2024-05-03", "T15:47", "+02:00", "Z", "24:00", "99:99", "3 hours", "ago", "před", "včera", "dnes", "May", "31.",
    "2.2020", "29.02.2023", "0000",
    "9999", "1e309", "2024年", "5月", "下午", "令和元年", "كانون الثاني", "PM", "CEST", "GMT+25:99", "16094592000", "13/13/2013",
    "99999999999999",
    "½", "²", "१२", "\u202e", "\x00", "‘", "von", "By", ",", "&#x110000;",
]  # fmt: skip
FORMS = [line.split("\t")[3] for line in (Path(__file__).parent / "forms.tsv").read_text("utf-8").splitlines()]
NASTY = [
    "1 " * 2000, "a" * 4000, "2020 " * 800, "1.1." * 1000, "12 de " * 600, "1er mai " * 500, "1:1" * 1300, "-" * 4000,
    "von " * 1000, "(" * 4000,
    "před 1 " * 500, "é" * 4000, ", " * 2000, '{"a":"' * 600, "<" * 4000, "2020年" * 800, "24 نيسان / " * 400,
]  # fmt: skip
PAGE = """<html lang=cs><head><title>Titulek</title><meta property="article:published_time" content="2026-02-03T10:00:00+01:00">
<link rel=canonical href="https://example.org/2026/02/03/x/"><script
type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-02-03",
"author":[{"@type":"Person","name":"Jan Novák"}],"image":{"url":"/a.jpg"}}</script></head><body><nav class="breadcrumb"><a
href="/">Domů</a><a
href="/sport/">Sport</a></nav><article><h1>Titulek</h1><p class="byline" itemprop="author">Jan Novák</p><time
datetime="2026-02-03T10:00">před 3 hodinami
</time><p>Text 5. února 2026.</p></article><div class="comments"><time>2. 2.
2026</time></div><script>x={"published_at":"2026-02-03"}</script></body></html>"""


def read_all(text: str) -> None:
    for moment in (read_moment(text, CLOCK), read_relative(text, CLOCK), *find_moments(tidy(text), CLOCK)):
        assert moment is None or moment.value.tzinfo is not None
    find_role(text)
    find_names(text)
    load_leniently(text)


@given(st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_any_string_is_a_date_or_none(text: str) -> None:
    read_all(text)


def some_string(chance: random.Random) -> str:
    """Pieces of dates, a form that a site writes with some of its signs changed, or anything at all."""
    kind = chance.random()
    if kind < 0.5:
        return chance.choice(["", " ", "\xa0"]).join(chance.choice(PIECES) for _ in range(chance.randrange(1, 8)))
    if kind < 0.8:
        signs = list(chance.choice(FORMS))
        for _ in range(chance.randrange(1, 5)):
            signs[chance.randrange(len(signs))] = chance.choice([*"0123456789:/.-, ", "\u202e", "年", "й", "'", ""])
        return "".join(signs)
    return "".join(chr(chance.choice([chance.randrange(32, 0x250), chance.randrange(0xD7FF)])) for _ in range(chance.randrange(60)))


def test_strings_of_all_kinds_are_dates_or_none_in_bounded_time() -> None:
    chance = random.Random(1)
    slowest = 0.0

    for number in range(STRINGS):
        text = some_string(chance)
        began = time.process_time()
        read_all(text)
        slowest = max(slowest, time.process_time() - began)
        if number % 200 == 0:
            moment = read_worded(text, CLOCK)  # a foreign parser, loaded on first use
            assert moment is None or moment.value.tzinfo is not None

    assert slowest < STRING_SECONDS


@pytest.mark.parametrize("text", NASTY, ids=lambda text: repr(text[:8]))
def test_no_expression_runs_wild(text: str) -> None:
    started = time.process_time()

    read_all(text)

    assert time.process_time() - started < 1.0


def test_mutated_pages_give_a_date_or_none_in_bounded_time() -> None:
    chance = random.Random(2)
    insertions = ["<div>" * 300, '"', "<!--", "<time datetime=''>", '<meta name=date content="99999999999999">',
                  "<p itemprop=datePublished content=2020>",
                  ('<script type="application/ld+json">{"@type":"NewsArticle","datePublished":[{"@value":5},null],'
                  '"author":[[["x"]],{"name":{"a":1}}]}</script>')]  # fmt: skip

    slowest = 0.0

    for _ in range(PAGES):
        html = PAGE
        for _ in range(chance.randrange(1, 6)):
            start = chance.randrange(len(html) + 1)
            end = min(len(html), start + chance.randrange(1, 200))
            html = chance.choice(
                [
                    html[:start] + html[end:],
                    html[:start] + html[start:end] * 2 + html[end:],
                    html[:start] + chance.choice(insertions) + html[end:],
                    html[:start],
                ]
            )
        began = time.process_time()
        page = Document.parse(html, chance.choice([None, "http://e.org/2020/02/31/x", "http://[bad", "//"]))
        found = find_dates(
            page,
            DateContext(fetched_at=datetime(2026, 11, 20, tzinfo=UTC), time_zone="Europe/Prague", thorough=chance.random() < 0.3),
        )
        find_metadata(page, body_text=html[:300])
        find_link_dates(page, {"/", "/sport/"}, lambda href: href, DateContext(fetched_at=datetime(2026, 11, 20, tzinfo=UTC)))
        slowest = max(slowest, time.process_time() - began)
        assert all(c.value.tzinfo is not None for c in found.candidates)

    assert slowest < PAGE_SECONDS


def test_five_thousand_nested_elements_are_survived() -> None:
    page = Document.parse("<html><body><h1>Title</h1>" + "<div class='date'>" * 5000 + "3 February 2026")

    started = time.process_time()
    find_dates(page, DateContext())
    find_metadata(page)

    assert time.process_time() - started < 5.0
