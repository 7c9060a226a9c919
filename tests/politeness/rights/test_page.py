"""Header fields, meta elements and what the origin says, together."""

from __future__ import annotations

from newscrawler.politeness.rights import OriginStatements, PageRights, TdmRule, TdmRules

URL = "https://www.example.org/a"
RIGHTS = PageRights(token="newscrawler")
RESERVED = TdmRules((TdmRule(location="/", reserved=True),))


def test_everything_that_is_said_of_a_page_is_heard() -> None:
    headers = {"x-robots-tag": ["noarchive", "newscrawler: nofollow"]}
    meta = {"robots": ["noindex"], "newscrawler": ["none"], "googlebot": ["noarchive"]}

    found = RIGHTS.said(URL, origin=OriginStatements(tdm=RESERVED), headers=headers, meta=meta)

    assert {(str(item.word), item.place) for item in found} == {
        ("noarchive", "X-Robots-Tag"),
        ("nofollow", "X-Robots-Tag"),
        ("noindex", "meta robots"),
        ("noindex", "meta newscrawler"),
        ("nofollow", "meta newscrawler"),
        ("tdm", "tdmrep.json"),
    }
