"""An article whose page told no date has that which the crawl sees afterwards, as if it had been known when the page was read."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawler.extraction.dates import DateContext, DateHint, choose_seen_date, find_dates
from newscrawler.page import Document

FETCHED = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
UNDATED = Document.parse("<html lang=cs><body><h1>Most se letos dočká opravy</h1><p>Rada města rozhodla.</p></body></html>")


@pytest.mark.parametrize(
    "hints",
    [
        (),
        (("listing", "2026-11-18"),),
        (("feed", "2026-11-18T23:30:00+00:00"),),
        (("listing", "2026-11-18"), ("feed", "2026-11-18T06:30:00+00:00")),
        (("listing", "2026-11-12"), ("news sitemap", "2026-11-18T06:30:00+01:00")),
        (("listing", "2026-11-25"),),
        (("feed", "no date"),),
        (("last-modified", "Fri, 20 Nov 2026 11:59:00 GMT"),),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Europe/Prague"])
def test_hints_alone_tell_what_they_tell_on_a_page_without_dates(hints: tuple[tuple[str, str], ...], zone: str) -> None:
    said = tuple(DateHint(source=source, text=text) for source, text in hints)
    context = DateContext(fetched_at=FETCHED, time_zone=zone, hints=said)

    chosen, known = choose_seen_date(context), find_dates(UNDATED, context).published

    assert (chosen is None) == (known is None)
    if chosen is not None and known is not None:
        assert (chosen.value, chosen.value.utcoffset(), chosen.precision, chosen.source, chosen.offset_given) == (
            known.value, known.value.utcoffset(), known.precision, known.source, known.offset_given,
        )  # fmt: skip


def test_a_date_behind_the_fetch_is_none_and_the_better_source_counts() -> None:
    both = DateContext(
        fetched_at=FETCHED,
        hints=(DateHint(source="listing", text="2026-11-12"), DateHint(source="feed", text="2026-11-18T06:30:00+00:00")),
    )

    assert choose_seen_date(DateContext(fetched_at=FETCHED, hints=(DateHint(source="listing", text="2026-11-25"),))) is None
    assert getattr(choose_seen_date(both), "source", None) == "feed"
