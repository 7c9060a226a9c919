"""The mark with which agencies end their reports is no text."""

from __future__ import annotations

import pytest

from newscrawler.blocks.default import DefaultDetector
from newscrawler.page import Document

TEXT = [
    f"The harbour board said on day {n} that the old ferry carries passengers again, and that all tickets are sold."
    for n in range(5)
]


def body(last: str) -> list[str]:
    paragraphs = "".join(f"<p>{text}</p>" for text in (*TEXT, last))
    found = DefaultDetector()(Document.parse(f"<title>The ferry is back</title><h1>The ferry is back</h1><div>{paragraphs}</div>"))
    assert found is not None
    return found.text.split("\n")


@pytest.mark.parametrize(
    "mark", ["انتهای پیام/", "انتهای پیام/ ۲۱", "-30-", "ENDS", "(END)", "/Ende/", "KONIEC.", "（完）", "（了）"]
)
def test_the_mark_that_a_report_ends_here_is_left_out(mark: str) -> None:
    assert body(mark) == TEXT


def test_a_last_line_that_says_more_stays() -> None:
    assert body("The end of the ferry came in May, the board said.")[-1] == "The end of the ferry came in May, the board said."
