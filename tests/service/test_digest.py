"""The morning's page: complete, readable as text, and safe as HTML whatever portals are called."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from zoneinfo import ZoneInfo

from newscrawler.article import Article, Paragraph
from newscrawler.config import load_configuration
from newscrawler.discovery import Coverage
from newscrawler.discovery.completeness import Basis, Completeness
from newscrawler.service import PortalState, describe_digest, format_digest_html, format_digest_text, make_digest
from newscrawler.service.digest import Digest, draw_letters
from newscrawler.service.figures import CrawlFigures
from newscrawler.service.health import assess
from newscrawler.service.notifications import News, compare_problems, find_undelivered_news, write_message
from newscrawler.store import open_store
from newscrawler.store.service import AlertRecord
from newscrawler.store.vocabularies import FINISHED

NOW = datetime(2026, 11, 20, 6, 30, tzinfo=UTC)
COVERAGE = Coverage(found=97, estimate=Completeness(basis=Basis.LISTS, found=97, total=100.0, low=98.0, high=104.0))
ALERT = AlertRecord(id=1, portal="<b>deník", problem="blocked", sentence="40 of 40 & more", began_at=NOW - timedelta(hours=6))


def nights(count: int) -> list[CrawlFigures]:
    return [
        CrawlFigures(
            round=number,
            began_at=NOW - timedelta(days=count - number, hours=-20),
            ended_at=NOW - timedelta(days=count - number, hours=-21),
            because=FINISHED, articles=30, requests=50, pages=50, readable=True, denied={}, unreachable={}, coverage=COVERAGE,
            seconds=1800,
        )
        for number in range(count)
    ]  # fmt: skip


def digest() -> Digest:
    return Digest(
        day=NOW.date(),
        now=NOW,
        zone=ZoneInfo("Europe/Prague"),
        portals=[
            PortalState(name="steady", assessments=assess(nights(30)), next_at=NOW + timedelta(hours=14)),
            PortalState(name="<b>deník", assessments=assess(nights(3)), alerts=[ALERT]),
            PortalState(name="new", assessments=[]),
        ],
        over=[AlertRecord(id=2, portal="steady", problem="many errors", sentence="", began_at=NOW, over_at=NOW)],
        problem="the configuration is refused",
        exports=["weekly: 3 articles in weekly.jsonl"],
    )


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.draw_bars = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.draw_bars += tag == "rect"
        if tag not in {"meta", "rect", "line"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in {"rect", "line"}:
            assert self.open.pop() == tag


def test_the_text_tells_first_what_needs_a_look() -> None:
    text = format_digest_text(digest())

    assert text.splitlines()[0] == "the service: the configuration is refused."
    assert text.splitlines()[1].endswith(": 3 portals, 60 new articles, 1 needs a look, 1 not crawled last night.")
    assert text.index("NEEDS A LOOK") < text.index("OVER") < text.index("portal ")
    assert "<b>deník: blocked since 20 Nov 01:30 CET: 40 of 40 & more" in text
    assert "The service: the configuration is refused" in text
    assert "97%" in text
    assert "weekly: 3 articles" in text


def test_the_first_line_is_the_worst_news_and_all_is_well_only_where_it_is() -> None:
    """A night whose every request timed out needs a look, though nobody was alerted."""
    timed_out = replace(nights(1)[0], articles=0, pages=0, readable=False, coverage=None, unreachable={"timeout": 6}, requests=6)
    silent = AlertRecord(id=4, portal="steady", problem="fewer articles than usual", sentence="3", began_at=NOW)
    bad = PortalState(name="deník", assessments=assess([timed_out]))
    steady = PortalState(name="steady", assessments=assess(nights(30)))
    well = Digest(day=NOW.date(), now=NOW, portals=[steady])
    worse = replace(well, portals=[replace(steady, alerts=[silent]), bad])

    assert format_digest_text(well).splitlines()[0] == "1 portal, 30 new articles, all is well."
    assert (
        format_digest_text(worse)
        .splitlines()[0]
        .startswith("deník: no longer reachable: no page was fetched: 6 of 6 requests failed")
    )
    assert "2 need a look" in worse.message().subject
    assert bad.state(NOW) == "no longer reachable"
    unseen = replace(well, portals=[PortalState(name="new", assessments=[])])
    assert unseen.summary() == "1 portal, 0 new articles, 1 not crawled last night"
    barren = replace(well, portals=[PortalState(name="barren", assessments=assess([replace(nights(1)[0], articles=0)]))])
    assert format_digest_text(barren).startswith("barren: silent: no article yet in 1 crawl, 50 pages;")
    assert barren.summary() == "1 portal, 0 new articles, 1 needs a look"


def test_the_page_is_well_formed_and_no_name_is_markup() -> None:
    html, tags = format_digest_html(digest()), Tags()

    tags.feed(html)

    assert tags.open == []
    assert tags.draw_bars == 3 * 30
    assert "<b>deník" not in html
    assert "&lt;b&gt;deník" in html
    assert "src=" not in html


def test_programs_are_told_the_same() -> None:
    record = describe_digest(digest())

    assert record["articles"] == 60
    assert record["portals"][1]["problems"] == {"blocked": "40 of 40 & more"}
    assert record["portals"][2]["state"] == "no crawl yet"


def test_a_first_night_of_thousands_does_not_flatten_the_chart() -> None:
    assert draw_letters([5000, 10, 10, 10, 5, None, 10, 10, 10, 10, 10, 10]) == "█▇▇▇▄.▇▇▇▇▇▇"


def test_a_problem_is_news_once_and_what_cannot_be_told_leaves_it() -> None:
    same = compare_problems([ALERT], {"blocked": "still"}, {"blocked"})
    unknown = compare_problems([ALERT], {}, {"silent"})
    over = compare_problems([ALERT], {"silent": "0"}, {"blocked", "silent"})

    assert (same, unknown[1]) == (({}, []), [])
    assert over == ({"silent": "0"}, [ALERT])


def test_several_news_are_one_message_and_what_was_told_or_is_old_is_left_out() -> None:
    ended = AlertRecord(
        id=3,
        portal="p",
        problem="silent",
        sentence="0",
        began_at=NOW,
        over_at=NOW + timedelta(days=1),
        delivered=frozenset(["mail"]),
    )

    old = replace(ALERT, id=4, began_at=ALERT.began_at - timedelta(days=3))
    news = find_undelivered_news([ALERT, ended, old], "mail", since=ALERT.began_at)

    assert [(each.alert.id, each.over) for each in news] == [(1, False), (3, True)]
    assert write_message(news).subject == "newscrawler: 2 news of portals"
    assert write_message([News(alert=ended, over=True)]).text == "p: over: silent (since 2026-11-20 06:30 UTC)"


def test_collections_have_a_table_of_their_own_without_what_only_portals_have() -> None:
    """A list of URLs that brings nothing new is neither silent nor short of articles."""
    collected = [replace(night, is_collection=True, coverage=None) for night in nights(30)]
    empty = [replace(night, articles=0, drift=["no headline any more"]) for night in collected]
    floods = PortalState(name="floods", is_collection=True, assessments=assess([*collected[:20], *empty[20:]]))
    steady = PortalState(name="steady", assessments=assess(nights(30)))
    found = Digest(day=NOW.date(), now=NOW, portals=[floods, steady])

    text = format_digest_text(found).splitlines()

    assert text[0] == "1 portal, 1 collection, 30 new articles, all is well."
    of_portals, of_collections = (next(line for line in text if line.startswith(word)) for word in ("portal ", "collection "))
    assert {"usual", "found"} <= set(of_portals.split())
    assert not {"usual", "found"} & set(of_collections.split())
    assert "<h2>Collections</h2>" in format_digest_html(found)
    (record,) = describe_digest(found)["collections"]
    assert (record["collection"], record["state"], record["articles"]) == ("floods", "fine", 0)
    assert not {"portal", "usual", "completeness", "coverage"} & set(record)


def test_a_collection_none_of_whose_requests_was_answered_is_no_longer_reachable() -> None:
    night = replace(
        nights(1)[0],
        is_collection=True,
        articles=0,
        pages=0,
        readable=False,
        coverage=None,
        unreachable={"dns": 3},
        requests=3,
    )

    (assessed,) = assess([night])
    (answered,) = assess([replace(night, requests=4)])

    assert assessed.sentence == "no page was fetched: all 3 requests failed"
    assert answered.verdict == "fine"


def test_new_hits_of_saved_searches_are_listed(tmp_path: Path) -> None:
    (tmp_path / "newscrawler.toml").write_text('[[portal]]\nname = "one"\nstart_urls = ["https://one.example/"]\n')
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        for number, (days, hours) in enumerate([(0, 1), (0, 2), (0, 30), (5, 1), (0, 3)]):
            made = Article(
                title=f"<Flood> {number}" if number != 4 else "Snow",
                paragraphs=(Paragraph(text="A flood." if number != 4 else "Ice."),),
                language="en", url=f"https://one.example/{number}?a=1&b=2", method="default",
                fetched_at=NOW - timedelta(hours=hours),
                published_at=NOW - timedelta(days=days, hours=hours), confidence=0.9,
            )  # fmt: skip
            store.articles.add("one", made, now=NOW)
        for owner, name, query in (
            ("local", "floods", "q=flood&language=en&order=date"), ("anna", "<old>", "q=flood&until=2020-01-01"),
            ("bert", "broken", "q=(flood"), ("bert", "day", "since=yesterday"), ("anna", "<all>", ""),
        ):  # fmt: skip
            store.saved_searches.save(owner, name, query, now=NOW)
        found = make_digest(store, load_configuration(tmp_path / "newscrawler.toml"), now=NOW)

    assert [(each.name, len(each.articles)) for each in found.searches] == [("<all> (anna)", 3), ("floods", 2)]
    text, html = format_digest_text(found), format_digest_html(found)
    assert "SAVED SEARCHES\n  <all> (anna): 3 new articles\n    <Flood> 0\n    https://one.example/0?a=1&b=2\n" in text
    assert '<a href="https://one.example/0?a=1&amp;b=2">&lt;Flood&gt; 0</a>' in html
    assert "A flood." not in text + html
    assert describe_digest(found)["searches"][1]["urls"] == ["https://one.example/0?a=1&b=2", "https://one.example/1?a=1&b=2"]
