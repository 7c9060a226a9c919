"""A theme that shows date and time below the text: the time of the day that was chosen stands where the day stands."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawler.extraction.dates import DateContext, find_dates
from newscrawler.page import Document

_TEXT = "".join(
    f"<p>The ferry number {number} came back on Monday, and hundreds of people waited for it at the pier.</p>"
    for number in range(18)
)


def test_the_time_beside_the_chosen_day_is_taken_below_the_text() -> None:
    own = '<time class="entry-date" datetime="2026-10-15T06:29:40+01:00">October 15, 2026</time>'
    shown = f'<div class="posted-by">Published {own}</div>'
    comment = '<ol><li><p>Well said.</p><time datetime="2026-10-15T09:11:00+01:00">October 15, 2026 at 9:11</time></li></ol>'
    page = Document.parse(f"<html lang=en><h1>The ferry returns</h1>{_TEXT}{shown}<h2>1 comment</h2>{comment}")
    found = find_dates(
        page, DateContext(fetched_at=datetime(2026, 11, 20, tzinfo=UTC)), body_elements=list(page.root.iter("p"))[:18]
    )
    assert found.published is not None
    assert found.published.value.isoformat() == "2026-10-15T06:29:40+01:00"


@pytest.mark.parametrize(("lines", "hour"), [(0, 6), (1, 6), (6, 0)])
def test_the_time_of_a_day_in_the_address_is_taken_from_the_line_of_the_author_below_the_text(lines: int, hour: int) -> None:
    own = '<p><a href="/ann" rel="author">Ann Lee</a>, <time datetime="2026-10-15T06:29:40+01:00">October 15, 2026 06:29</time></p>'
    between = "".join(f"<div><a href=/{number}>Share</a></div>" for number in range(lines))
    page = Document.parse(f"<html lang=en><h1>The ferry returns</h1>{_TEXT}{between}{own}", "https://e.org/2026/10/15/ferry/")
    found = find_dates(
        page, DateContext(fetched_at=datetime(2026, 11, 20, tzinfo=UTC)), headline_element=next(page.root.iter("h1")),
        body_elements=list(page.root.iter("p"))[:18],
    )  # fmt: skip

    assert found.published is not None
    assert found.published.value.isoformat()[:13] == f"2026-10-15T{hour:02}"


@pytest.mark.parametrize(("place", "is_change"), [("comment-body", False), ("entry-footer", True)])
def test_the_time_of_a_comment_is_no_change_of_the_article(place: str, *, is_change: bool) -> None:
    own = '<div>Published <time datetime="2026-10-15T06:29:40+01:00">October 15, 2026</time></div>'
    later = f'<div class="{place}">Updated <time datetime="2026-10-16T01:41:00+01:00">October 16, 2026 at 1:41</time></div>'
    page = Document.parse(f"<html lang=en><h1>The ferry returns</h1>{own}{_TEXT}{later}")
    found = find_dates(
        page, DateContext(fetched_at=datetime(2026, 11, 20, tzinfo=UTC)), body_elements=list(page.root.iter("p"))[:18]
    )

    assert found.published is not None
    assert found.published.value.day == 15
    assert (found.modified.value.day if found.modified is not None else None) == (16 if is_change else None)
