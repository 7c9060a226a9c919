"""Header fields, meta elements and what the origin says, together."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.article import Reserved
from newscrawler.politeness.rights import OriginPolicies, PageRights, TdmRules
from newscrawler.politeness.rights.page import read_robots_header, read_robots_meta
from newscrawler.politeness.rights.tdm import TdmRule

URL = "https://www.example.org/a"
RIGHTS = PageRights(token="newscrawler")
RESERVED = TdmRules((TdmRule(location="/", reserved=True),))
TOKEN = "newscrawler"


def test_everything_that_is_said_of_a_page_is_heard() -> None:
    headers = {"x-robots-tag": ["noarchive", "newscrawler: nofollow"]}
    meta = {"robots": ["noindex"], "newscrawler": ["none"], "googlebot": ["noarchive"]}

    found = RIGHTS.list_reservations(URL, origin=OriginPolicies(tdm=RESERVED), headers=headers, meta=meta)

    assert {(str(item.word), item.place) for item in found} == {
        ("noarchive", "X-Robots-Tag"),
        ("nofollow", "X-Robots-Tag"),
        ("noindex", "meta robots"),
        ("noindex", "meta newscrawler"),
        ("nofollow", "meta newscrawler"),
        ("tdm", "tdmrep.json"),
    }


def words(*fields: str) -> set[str]:
    return {str(item.word) for item in read_robots_header(fields, TOKEN)}


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
    assert [str(item.word) for item in read_robots_meta(name, [content], TOKEN)] == expected


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
    (found,) = read_robots_header([f"unavailable_after: {text}"], TOKEN, zone=ZoneInfo("Europe/Prague"))

    assert found.word is Reserved.UNAVAILABLE_AFTER
    assert found.from_at == expected


def test_what_was_said_and_where_is_kept() -> None:
    header, meta = read_robots_header(["newscrawler: none"], TOKEN), read_robots_meta("robots", ["  NoIndex "], TOKEN)

    assert [(item.said, item.place) for item in header] == [("none", "X-Robots-Tag")] * 2
    assert [(item.said, item.place) for item in meta] == [("NoIndex", "meta robots")]


@given(st.lists(st.text(st.sampled_from("noindex,fw:*; unavailable_after2026-01TZ+09\x00é")), max_size=5))
def test_nothing_that_a_server_writes_raises(fields: list[str]) -> None:
    read_robots_header(fields, TOKEN)
    read_robots_meta("robots", fields, TOKEN)
