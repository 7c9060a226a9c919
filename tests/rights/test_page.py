"""Header fields, meta elements and the origin's file together, and what becomes of articles that were stored before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.article import Reservation, Reserved
from newscrawler.rights import PageRights, TdmRule, TdmRules, withdrawal

URL = "https://www.example.org/a"
ORIGIN = "https://www.example.org"
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
RIGHTS = PageRights(token="newscrawler")
RESERVED, FREE = (TdmRules((TdmRule(location="/", reserved=reserved),)) for reserved in (True, False))


def test_everything_that_is_said_of_a_page_is_heard() -> None:
    headers = {"x-robots-tag": ["noarchive", "newscrawler: nofollow"]}
    meta = {"robots": ["noindex"], "newscrawler": ["none"], "googlebot": ["noarchive"]}

    found = RIGHTS.said(URL, rules=RESERVED, headers=headers, meta=meta)

    assert {(str(item.word), item.place) for item in found} == {
        ("noarchive", "X-Robots-Tag"),
        ("nofollow", "X-Robots-Tag"),
        ("noindex", "meta robots"),
        ("noindex", "meta newscrawler"),
        ("nofollow", "meta newscrawler"),
        ("tdm", "tdmrep.json"),
    }


def said(word: str, place: str = "meta robots", *, granted: bool = False, hours: float | None = None) -> Reservation:
    moment = None if hours is None else NOW + timedelta(hours=hours)
    return Reservation(word=Reserved(word), said=word, place=place, granted=granted, from_at=moment)


@pytest.mark.parametrize(
    ("reservations", "files", "withdrawn"),
    [
        ([], {}, False),
        ([said("noindex")], {}, True),
        ([said("noarchive"), said("nofollow")], {}, False),
        ([said("unavailable_after", hours=-1)], {}, True),
        ([said("unavailable_after", hours=1)], {}, False),
        ([], {ORIGIN: RESERVED}, True),
        ([], {ORIGIN: FREE}, False),
        ([], {"http://www.example.org": RESERVED}, False),
        ([said("tdm", "meta tdm-reservation", granted=True)], {ORIGIN: RESERVED}, False),
        ([said("tdm", "meta tdm-reservation")], {ORIGIN: FREE}, True),
        ([said("tdm", "tdmrep.json")], {ORIGIN: FREE}, False),
        ([said("tdm", "tdmrep.json")], {ORIGIN: TdmRules()}, False),
        ([said("tdm", "tdmrep.json", granted=True)], {ORIGIN: RESERVED}, True),
        ([said("tdm", "tdmrep.json")], {}, True),
    ],
)
def test_an_article_is_withdrawn_by_what_holds_now(
    reservations: list[Reservation], files: dict[str, TdmRules], *, withdrawn: bool
) -> None:
    found = withdrawal(URL, reservations, origin=ORIGIN, files=files, disregard=frozenset(), now=NOW)

    assert (found is not None) is withdrawn


def test_what_is_disregarded_withdraws_nothing() -> None:
    found = withdrawal(URL, [said("noindex")], origin=ORIGIN, files={ORIGIN: RESERVED}, disregard={"noindex", "tdm"}, now=NOW)

    assert found is None
