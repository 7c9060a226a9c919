"""Broken pages: whatever comes in, extraction answers in time, the same each time, with a record or a reason."""

from __future__ import annotations

import gzip
import json
import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawler import extract
from newscrawler.article import Article
from newscrawler.errors import PageError, PageReason

BENCH = Path(__file__).parents[1].parent / "shared/bench/data/aeb.jsonl.gz"
#: NEWSCRAWLER_FUZZ=10000 makes as many broken pages; the usual run makes fewer.
PAGES = int(os.environ.get("NEWSCRAWLER_FUZZ", "150"))
SCRAPS = (
    "<div>",
    "</div>",
    "<p",
    "</article>",
    "<table><tr><td>",
    "<!--",
    "-->",
    "<script>",
    '<a href="',
    "\x00",
    "&#xD800;",
    "<svg><p>",
    "￾",
)
TEXT = "The council approved the new bridge over the river on Tuesday evening after a long debate. "
PAGE = f"<html><head><title>New bridge</title></head><body><h1>New bridge</h1>{'<p>' + TEXT * 3 + '</p>'}</body></html>"


def outcome(html: str | bytes) -> Article | PageReason:
    try:
        return extract(html if isinstance(html, bytes) else f"{html}\n<", "https://n.example/a")  # not the name of a file
    except PageError as error:
        return error.reason


def mutated(html: str, rng: random.Random) -> str:
    """Cut, double, swap or spoil pieces of a page."""
    for _ in range(rng.randint(1, 6)):
        if len(html) < 50:
            break
        start = rng.randrange(len(html) - 20)
        end = min(len(html), start + rng.choice((1, 10, 200, 5000)))
        what = rng.randrange(5)
        if what == 0:
            html = html[:start] + html[end:]
        elif what == 1:
            html = html[:start] + rng.choice(SCRAPS) * rng.choice((1, 3, 400)) + html[start:]
        elif what == 2:
            html = html[:end] + html[start:end] + html[end:]
        elif what == 3:
            html = html[:start]
        else:
            html = html[:start] + "".join(rng.sample(html[start:end], end - start)) + html[end:]
    return html


@pytest.mark.skipif(not BENCH.is_file(), reason="../shared/bench is not here")
@pytest.mark.timeout(3600)
def test_mutated_and_truncated_pages_give_the_same_answer_twice_within_two_seconds():
    with gzip.open(BENCH, "rt", encoding="utf-8") as lines:
        pages = [html for line in lines if len(html := json.loads(line)["html"]) < 400_000]
    rng = random.Random(1)

    for number in range(PAGES):
        html = mutated(rng.choice(pages), rng)
        started = time.process_time()
        first = outcome(html)
        spent = time.process_time() - started
        assert spent < 2, f"page {number} took {spent:.1f} s"
        if number % 10 == 0:
            assert outcome(html) == first


@given(st.text(max_size=600))
@settings(deadline=None)
def test_any_text_gives_a_record_or_a_reason(text):
    assert isinstance(outcome(text), Article | PageReason)


@given(st.binary(max_size=600))
@settings(deadline=None)
def test_any_bytes_give_a_record_or_a_reason(data):
    assert isinstance(outcome(data), Article | PageReason)


@given(st.lists(st.sampled_from((*SCRAPS, TEXT, "<h1>New bridge</h1>", "<ul><li>", "<title>", "<br><br>")), max_size=60))
@settings(deadline=None)
def test_any_order_of_scraps_gives_a_record_or_a_reason(scraps):
    assert isinstance(outcome("".join(scraps)), Article | PageReason)


@pytest.mark.parametrize("tag", ["div", "span", "table><tr><td", "ul><li", "b", "blockquote", "a href=/x", "article", "font"])
def test_5000_nested_elements_are_read_in_time(tag):
    started = time.process_time()

    outcome(f"<html><head><title>New bridge</title></head><body><h1>New bridge</h1>{f'<{tag}>' * 5000}{TEXT * 20}</body></html>")

    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "unit",
    [
        "<time datetime='2026-03-01'>1 March</time>",
        "<p>Reply</p>",
        f"<h3>Comments</h3><p>{TEXT}</p>",
        f"<h2><a href=/a>Council approves the bridge</a></h2><p>{TEXT}</p>",
        f"{TEXT}<br><br>",
        f"<div><p>{TEXT}…<a href=/x>more</a></p></div>",
        f"<p>10:30</p><p>{TEXT}</p>",
    ],
)
def test_8000_siblings_alike_are_read_in_time(unit: str):
    html = PAGE.replace("</body>", unit * 8000)
    started = time.process_time()

    outcome(html)

    assert time.process_time() - started < 2


def test_threads_do_not_disturb_each_other():
    pages = [PAGE.replace("New bridge", f"New bridge number {n}") for n in range(40)]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(outcome, pages))

    assert together == [outcome(page) for page in pages]
    assert all(isinstance(article, Article) for article in together)
