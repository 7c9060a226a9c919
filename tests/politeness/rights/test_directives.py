"""Robots meta elements and X-Robots-Tag, as a table of what is written and what it means for us."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.article import Reserved
from newscrawler.politeness.rights import from_header, from_meta

TOKEN = "newscrawler"


def words(*fields: str) -> set[str]:
    return {str(item.word) for item in from_header(fields, TOKEN)}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((), set()),
        (("",), set()),
        (("all",), set()),
        (("index, follow",), set()),
        (("noindex",), {"noindex"}),
        (("NoIndex , NOFOLLOW",), {"noindex", "nofollow"}),
        (("none",), {"noindex", "nofollow"}),
        (("nocache",), {"noarchive"}),
        (("noindex nofollow",), {"noindex", "nofollow"}),
        (("noindex; noarchive",), {"noindex", "noarchive"}),
        (("max-snippet:-1, max-image-preview:large, noarchive",), {"noarchive"}),
        (("max-snippet: 20",), set()),
        (("noindexed, nofollowing",), set()),
        (("googlebot: noindex",), set()),
        (("googlebot: noindex, nofollow",), set()),
        (("newscrawler: noindex",), {"noindex"}),
        (("NewsCrawler/1.0: noindex",), {"noindex"}),
        (("newscrawlers: noindex",), set()),
        (("*: noindex",), {"noindex"}),
        (("googlebot: nofollow, newscrawler: noindex",), {"noindex"}),
        (("newscrawler: noindex, otherbot: noarchive",), {"noindex"}),
        (("googlebot: noindex", "noarchive"), {"noarchive"}),
        (("noindex", "newscrawler: all"), {"noindex"}),
        (("unavailable_after: 25 Jun 2010 15:00:00 GMT",), {"unavailable_after"}),
        (("unavailable_after: Sunday, 31-Dec-23 23:59:59 GMT, noarchive",), {"unavailable_after", "noarchive"}),
        (("otherbot: unavailable_after: 25 Jun 2010 15:00:00 GMT",), set()),
        (("newscrawler: unavailable_after: 25 Jun 2010 15:00:00 GMT, nofollow",), {"unavailable_after", "nofollow"}),
    ],
)
def test_a_header_says(fields: tuple[str, ...], expected: set[str]) -> None:
    assert words(*fields) == expected


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("robots", "noindex,follow", ["noindex"]),
        ("ROBOTS", "NONE", ["noindex", "nofollow"]),
        ("newscrawler", "noarchive", ["noarchive"]),
        ("googlebot", "noindex", []),
        ("description", "noindex", []),
        ("robots", "googlebot: noindex", []),
        ("robots", "unavailable_after: 2026-03-01", ["unavailable_after"]),
    ],
)
def test_a_meta_element_says(name: str, content: str, expected: list[str]) -> None:
    assert [str(item.word) for item in from_meta(name, [content], TOKEN)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("25 Jun 2010 15:00:00 PST", datetime(2010, 6, 25, 23, tzinfo=UTC)),
        ("Fri, 25 Jun 2010 15:00:00 GMT", datetime(2010, 6, 25, 15, tzinfo=UTC)),
        ("Friday, 25-Jun-10 15:00:00 GMT", datetime(2010, 6, 25, 15, tzinfo=UTC)),
        ("2010-06-25T15:00:00+02:00", datetime(2010, 6, 25, 13, tzinfo=UTC)),
        ("2010-06-25T15:00:00Z", datetime(2010, 6, 25, 15, tzinfo=UTC)),
        ("2010-06-25", datetime(2010, 6, 24, 22, tzinfo=UTC)),
        ("some day", None),
        ("", None),
    ],
)
def test_the_date_of_unavailable_after(text: str, expected: datetime | None) -> None:
    (found,) = from_header([f"unavailable_after: {text}"], TOKEN, zone=ZoneInfo("Europe/Prague"))

    assert found.word is Reserved.UNAVAILABLE_AFTER
    assert found.from_at == expected


def test_what_was_said_and_where_is_kept() -> None:
    header, meta = from_header(["newscrawler: none"], TOKEN), from_meta("robots", ["  NoIndex "], TOKEN)

    assert [(item.said, item.place) for item in header] == [("none", "X-Robots-Tag")] * 2
    assert [(item.said, item.place) for item in meta] == [("NoIndex", "meta robots")]


@given(st.lists(st.text(st.sampled_from("noindex,fw:*; unavailable_after2026-01TZ+09\x00é")), max_size=5))
def test_nothing_that_a_server_writes_raises(fields: list[str]) -> None:
    from_header(fields, TOKEN)
    from_meta("robots", fields, TOKEN)
