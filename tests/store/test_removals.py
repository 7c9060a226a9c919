"""Which addresses a request for removal is about, and what an origin said when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.article import Article, Paragraph, Reservation, Reserved
from newscrawler.errors import PageReason
from newscrawler.store import Store, open_store
from newscrawler.store.articles import RecordedReservations, Removal, Selection
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.hosts import OriginFile
from newscrawler.store.vocabularies import OriginFileKind, Reason

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
ORIGIN = "https://www.example.org"


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


@pytest.mark.parametrize(
    ("pattern", "url", "covered"),
    [
        ("https://www.example.org/a", "https://www.example.org/a", True),
        ("https://www.example.org/a", "http://WWW.example.org/a#part", True),
        ("https://www.example.org/a", "https://www.example.org/a/b", False),
        ("https://www.example.org/a", "https://www.example.org/a?b=c", False),
        ("https://www.example.org/a*", "https://www.example.org/a?b=c", True),
        ("https://www.example.org/*/jan-*", "https://www.example.org/people/jan-novak", True),
        ("https://www.example.org/*/jan-*", "https://www.example.org/jan-novak", False),
        ("https://*.example.org/*", "https://www.example.org/", True),
        ("https://*.example.org/*", "https://example.org/", False),
        ("https://www.example.org", "https://www.example.org/", True),
        ("https://www.example.org/a.c", "https://www.example.org/abc", False),
        ("https://www.example.org/a", None, False),
    ],
)
def test_a_pattern_covers_addresses(pattern: str, url: str | None, *, covered: bool) -> None:
    assert Removal(pattern=pattern, because="asked", asked_at=NOW).covers(url) is covered


def test_what_an_origin_says_is_kept_with_when(store: Store) -> None:
    first = [("robots.txt Content-Signal", "ai-train=no"), ("tdmrep.json", "/: 1")]

    assert store.rights.note_statements(ORIGIN, first, now=NOW)
    assert not store.rights.note_statements(ORIGIN, first, now=NOW + timedelta(days=1))
    assert store.rights.note_statements(ORIGIN, first[:1], now=NOW + timedelta(days=2))

    signal, file = store.rights.statements()
    assert (signal.said, signal.first_said_at, signal.last_said_at, signal.ended_at) == (
        "ai-train=no", NOW, NOW + timedelta(days=2), None,
    )  # fmt: skip
    assert (file.last_said_at, file.ended_at) == (NOW + timedelta(days=1), NOW + timedelta(days=2))
    assert store.rights.statements(current=True) == [signal]


def test_a_licence_is_kept_until_it_is_asked_for_again(store: Store) -> None:
    file = OriginFile(
        url=f"{ORIGIN}/l.xml", origin=ORIGIN, kind=OriginFileKind.RSL, status=200, body=b"<rsl/>", asked_at=NOW, expires_at=NOW
    )

    store.hosts.save_file(file)
    store.hosts.save_file(replace(file, because="gone", body=None))

    (kept,) = store.hosts.files(origin=ORIGIN)
    assert (kept.because, kept.body) == ("gone", None)


def test_an_origin_that_says_something_else_changes_the_records_of_its_stored_pages_alone(store: Store) -> None:
    _, frontier = store.runs.begin("p", now=NOW, version="1")
    frontier.seed([FoundUrl(url=f"{ORIGIN}/{number}", kind="article", priority=1, depth=0) for number in (1, 2)], now=NOW)
    tdm = Reservation(word=Reserved.TDM, said="0", place="meta tdm-reservation", granted=True)
    for number, claimed in enumerate(frontier.lease(2, now=NOW), 1):
        article = Article(
            title=f"Zpráva {number}", paragraphs=(Paragraph(text=f"Text {number}"),), url=claimed.url, method="default",
            confidence=1.0, fetched_at=NOW,
        )  # fmt: skip
        said = RecordedReservations(reservations=(tdm,) if number == 1 else ())
        frontier.commit([PageOutcome(
            url_id=claimed.id, state="done", outcome="article", http_status=200, said=said, fetched_at=NOW, article=article,
        )])  # fmt: skip

    def said_of(_: str) -> list[Reservation]:
        return [
            Reservation(word=Reserved.TDM, said="/: 1", place="tdmrep.json"),
            Reservation(word=Reserved.AI_TRAIN, said="ai-train=no", place="robots.txt Content-Signal"),
        ]

    places = {"tdmrep.json", "robots.txt Content-Signal"}
    assert store.rights.restate(ORIGIN, said_of, places, now=NOW) == 2
    assert store.rights.restate(ORIGIN, said_of, places, now=NOW) == 0

    assert [str(each.reservation.word) for each in store.rights.of_article(1)] == ["tdm", "ai-train"]
    assert store.rights.of_article(1)[0].reservation.granted  # the page stands above the file
    assert [stored.id for stored in store.articles.stream(Selection(reserved=frozenset({"tdm"})))] == [1]
    assert not list(store.articles.stream(Selection(reserved=frozenset({"ai-train"}))))
    spared = (("p", frozenset({"ai-train"})),)
    assert store.articles.count(Selection(reserved=frozenset({"ai-train"}), disregarded=spared)) == 2
    assert store.rights.restate(ORIGIN, lambda _: [], places, now=NOW + timedelta(days=1)) == 2
    assert store.articles.count(Selection(reserved=frozenset({"ai-train", "tdm"}))) == 2


def test_pages_that_were_forbidden_wait_again_once_robots_txt_says_something_else(store: Store) -> None:
    _, frontier = store.runs.begin("p", now=NOW, version="1")
    frontier.seed([FoundUrl(url=f"{ORIGIN}/1", kind="article", priority=1, depth=0)], now=NOW)
    (claimed,) = frontier.lease(1, now=NOW)
    forbidden = Reason(PageReason.ROBOTS)
    frontier.commit([PageOutcome(url_id=claimed.id, state="skipped", outcome="nothing", reason=forbidden, fetched_at=NOW)])

    for body, waiting in ((b"Disallow: /", 0), (b"Disallow: /", 0), (b"Allow: /", 1)):
        url = f"{ORIGIN}/robots.txt"
        store.hosts.save_file(OriginFile(url=url, origin=ORIGIN, kind=OriginFileKind.ROBOTS, status=200, body=body, asked_at=NOW))
        assert frontier.counts().waiting == waiting
