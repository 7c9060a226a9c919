"""What a page may cost: its stages in units of lxml's parse of the same page, and large pages in seconds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from own_pages import layouts, pages_of
from stopwatch import cpu_seconds

from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, extract, read_dates, read_metadata
from newscrawler.page import Document
from newscrawler.page.tree import parse_tree

#: Ceilings of the stages, a third above what was measured; a stage that gets dearer needs a reason, and a cheaper one a
#: lower ceiling. The unit is the parse by `parse_tree`, which is lxml's on pages without faults.
CEILINGS: dict[str, float] = {"layout": 3.6, "body": 17.0, "metadata": 7.6, "dates": 5.6}
_SECONDS_OF_LARGE_PAGE, _CHARACTERS = 3.0, 5_000_000
_DICE = random.Random(36)
_WORDS = ["".join(_DICE.choices("abcdefghilmnoprstuv", k=_DICE.randint(2, 9))) for _ in range(4000)]


def measure_stages(page: str, url: str | None) -> Counter[str]:
    """Return the CPU seconds of each stage of one page."""
    reading = ExtractionOptions()
    state = ExtractionState(page=Document.parse(page, url))
    found = Counter({"lxml": cpu_seconds(lambda: parse_tree(page)), "layout": cpu_seconds(lambda: state.page.layout)})
    try:
        found["body"] = cpu_seconds(lambda: detect_body(state, reading))
    except PageError:
        return Counter()
    found["metadata"] = cpu_seconds(lambda: read_metadata(state, reading))
    found["dates"] = cpu_seconds(lambda: read_dates(state, reading))
    return found


def find_ratios() -> dict[str, float]:
    """Return the cost of each stage over all layouts, in units of the parse."""
    spent: Counter[str] = Counter()
    for layout in layouts():
        for page in pages_of(layout)[:3]:
            rounds = [measure_stages(page.html, page.given_url) for _ in range(4)]
            spent += Counter({stage: min(each[stage] for each in rounds) for stage in rounds[0]})
    return {stage: round(spent[stage] / spent["lxml"], 2) for stage in CEILINGS}


def test_no_stage_of_a_page_costs_more_than_its_budget() -> None:
    for _ in range(3):  # other tests beside this one take caches from the longer stages
        ratios = find_ratios()
        if all(ratio <= CEILINGS[stage] for stage, ratio in ratios.items()):
            return

    assert {stage: ratio for stage, ratio in ratios.items() if ratio > CEILINGS[stage]} == {}, ratios


def write_words(number: int) -> str:
    return " ".join(_DICE.choices(_WORDS, k=number)).capitalize()


@pytest.mark.parametrize(
    "write",
    [
        lambda number: f"<p>{write_words(30)}.</p>",
        lambda number: f"<div class='comment c{number}'><b>{write_words(2)}</b> <time>3 May</time><p>{write_words(9)}</p></div>",
        lambda number: f"<tr><td>{number}</td><td>{write_words(3)}</td></tr>",
        lambda number: f"<li><a href='/{number}'>{write_words(6)}</a></li>",
    ],
    ids=["paragraphs", "comments", "rows", "links"],
)  # fmt: skip
def test_a_page_of_five_megabytes_takes_seconds(write: Callable[[int], str]) -> None:
    piece = "".join(map(write, range(2_000)))
    page = f"<body><h1>{write_words(6)}</h1>{piece * (_CHARACTERS // len(piece))}</body>"

    def read() -> None:
        try:
            extract(page, "https://n.example/2026/03/bridge.html")
        except PageError:
            return

    assert cpu_seconds(read) < _SECONDS_OF_LARGE_PAGE
