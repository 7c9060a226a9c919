"""Rights records: said, said again, said no more; the origin's file; and the purge, after which nothing of the text is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawler.article import Article, Paragraph, Reservation, Reserved
from newscrawler.config import Configuration, Portal
from newscrawler.errors import PageReason
from newscrawler.store import Store, open_store
from newscrawler.store.articles import RecordedReservations, Selection
from newscrawler.store.frontier import FoundUrl, Frontier, LeasedUrl, PageOutcome
from newscrawler.store.service import sum_budget_use
from newscrawler.store.vocabularies import FINISHED, Reason

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
ORIGIN = "https://www.example.org"
SECRET = "Vltavský most se opraví"


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def article(number: int, body: str = SECRET) -> Article:
    return Article(
        title=f"Zpráva {number}", paragraphs=(Paragraph(text=f"{body} {number}"),), url=f"{ORIGIN}/{number}", method="default",
        confidence=1.0, fetched_at=NOW,
    )  # fmt: skip


def noindex(said: str = "noindex", place: str = "meta robots") -> Reservation:
    return Reservation(word=Reserved.NOINDEX, said=said, place=place)


def claims(store: Store, *numbers: int) -> tuple[Frontier, list[LeasedUrl]]:
    _, frontier = store.runs.begin("p", now=NOW, version="1")
    frontier.seed([FoundUrl(url=f"{ORIGIN}/{number}", kind="article", priority=1, depth=0) for number in numbers], now=NOW)
    return frontier, frontier.lease(len(numbers), now=NOW)


def visit(
    frontier: Frontier, url: LeasedUrl, number: int, said: RecordedReservations | None, *, hours: float = 0, **more: object
) -> None:
    outcome = PageOutcome(
        url_id=url.id, state="done", outcome="article", http_status=200, said=said, fetched_at=NOW + timedelta(hours=hours),
        article=article(number),
    )  # fmt: skip
    assert frontier.commit([replace(outcome, **more)])[0].written  # type: ignore[arg-type]


def again(frontier: Frontier, url: LeasedUrl) -> None:
    frontier.requeue([url.id])
    assert frontier.lease(1, now=NOW + timedelta(days=1))


def test_what_is_said_is_kept_with_where_and_when(store: Store) -> None:
    frontier, (url,) = claims(store, 1)
    later = Reservation(
        word=Reserved.UNAVAILABLE_AFTER,
        said="unavailable_after: 2026-06-01",
        place="X-Robots-Tag",
        from_at=NOW + timedelta(days=31),
    )

    visit(frontier, url, 1, RecordedReservations(reservations=(noindex(), later)))
    again(frontier, url)
    visit(frontier, url, 1, RecordedReservations(reservations=(later,)), hours=24)

    first, second = store.rights.of_article(1)
    assert (first.reservation, first.first_said_at, first.last_said_at, first.ended_at) == (
        noindex(),
        NOW,
        NOW,
        NOW + timedelta(hours=24),
    )
    assert (second.reservation, second.first_said_at, second.ended_at) == (later, NOW, None)
    assert second.last_said_at == NOW + timedelta(hours=24)
    assert [(each.word, each.pages, each.articles) for each in store.rights.counts("p")] == [("unavailable_after", 1, 1)]


def test_a_304_adds_to_what_the_page_said_and_ends_nothing(store: Store) -> None:
    frontier, (url,) = claims(store, 1)
    visit(frontier, url, 1, RecordedReservations(reservations=(noindex(),)))
    again(frontier, url)

    visit(
        frontier,
        url,
        1,
        RecordedReservations(reservations=(noindex(place="X-Robots-Tag"),), complete=False),
        outcome="unchanged",
        article=None,
    )

    assert [(each.reservation.place, each.ended_at) for each in store.rights.of_article(1)] == [
        ("meta robots", None),
        ("X-Robots-Tag", None),
    ]


def test_a_text_whose_copies_are_reserved_leaves_no_earlier_one(store: Store) -> None:
    frontier, urls = claims(store, 1, 2)
    for keeps, url, number in ((True, urls[0], 1), (False, urls[1], 2)):
        visit(frontier, url, number, RecordedReservations(keeps_copies=keeps))
        again(frontier, url)
        visit(
            frontier,
            url,
            number,
            RecordedReservations(keeps_copies=keeps),
            hours=24,
            article=replace(article(number, "Nový text"), title="Oprava"),
        )

    assert [len(store.articles.revisions(number)) for number in (1, 2)] == [1, 0]


def test_a_purged_article_leaves_its_rights_record_and_nothing_else(store: Store, tmp_path: Path) -> None:
    frontier, urls = claims(store, 1, 2)
    for number, url in enumerate(urls, 1):
        visit(frontier, url, number, RecordedReservations())
    tdm = Reservation(word=Reserved.TDM, said="/: 1", place="tdmrep.json")

    removed = store.rights.purge({1: tdm, 7: None}, now=NOW)

    assert removed == 1
    assert [found.id for found in store.articles.stream(Selection())] == [2]
    assert [each.word for each in store.rights.counts("p")] == ["tdm"]
    assert [page.article_id for page in store.rights.stored("p")] == [2]
    database = tmp_path / "store.sqlite"
    if database.exists():
        files = [database, Path(f"{database}-wal")]
        left = b"".join(path.read_bytes() for path in files if path.exists())
        assert f"{SECRET} 2".encode() in left
        assert f"{SECRET} 1".encode() not in left


def test_pages_that_were_passed_over_wait_again_when_their_origin_says_otherwise(store: Store) -> None:
    frontier, (url,) = claims(store, 1)
    store.rights.note_statements(ORIGIN, [("tdmrep.json", "/: 1 policy")], now=NOW)
    said = RecordedReservations(reservations=(Reservation(word=Reserved.TDM, said="/: 1", place="tdmrep.json"),), complete=False)
    reason = Reason(PageReason.TDM_RESERVED, "tdmrep.json /: 1")
    visit(frontier, url, 1, said, state="skipped", outcome=None, article=None, reason=reason)

    store.rights.note_statements(ORIGIN, [("tdmrep.json", "/: 1 policy")], now=NOW)
    assert frontier.counts().waiting == 0

    store.rights.note_statements(ORIGIN, [("tdmrep.json", "/: 0")], now=NOW)
    assert frontier.counts().waiting == 1


def test_a_night_is_added_up_over_its_runs(store: Store) -> None:
    run, _ = store.runs.begin("p", now=NOW, version="1")
    store.runs.end(run.id, now=NOW + timedelta(minutes=5), because=FINISHED, counts={"new_articles": 3})

    spent = sum_budget_use(store.engine, "p", NOW)

    assert (spent.seconds, spent.articles, spent.pages) == (300, 3, 0)
    assert sum_budget_use(store.engine, "p", NOW + timedelta(seconds=1)).articles == 0
    assert sum_budget_use(store.engine, "p", NOW, but_run=run.id).articles == 0


@pytest.mark.parametrize(
    ("purposes", "disregard", "left"),
    [
        (("text-analysis",), (), {1, 4}),  # 2 is reserved from it, 3 from every use, 4 only from training
        (("ai-train",), (), {1, 2}),
        (("text-analysis", "ai-train"), (), {1, 2, 4}),  # withdrawn is what is reserved from both
        (("text-analysis",), ("tdm",), {1, 3, 4}),
    ],
)
def test_withdrawn_is_what_is_reserved_from_every_purpose(
    store: Store, purposes: tuple[str, ...], disregard: tuple[str, ...], left: set[int]
) -> None:
    frontier, urls = claims(store, 1, 2, 3, 4)
    words = {2: Reserved.TEXT_ANALYSIS, 3: Reserved.TDM, 4: Reserved.AI_TRAIN}
    for number, url in enumerate(urls, 1):
        said = (Reservation(word=words[number], said="n", place="a header"),) if number in words else ()
        visit(frontier, url, number, RecordedReservations(reservations=said))
    portal = Portal(name="p", start_urls=(f"{ORIGIN}/",), disregard=frozenset(disregard))
    reserved = Configuration(purpose=list(purposes), portals=(portal,)).reserved_for()

    ids = tuple(stored.id for stored in store.articles.stream(Selection()))
    restricted = store.articles.restrict(Selection(), reserved)
    assert {int(str(stored.article.url)[-1]) for stored in store.articles.stream(restricted)} == left
    assert store.articles.count(replace(restricted, ids=ids)) == len(left)
    assert store.articles.restrict(Selection(language="cs"), Configuration().reserved_for()).language == "cs"
    assert store.articles.are_reserved_since(NOW - timedelta(days=1), reserved)
    assert not store.articles.are_reserved_since(NOW + timedelta(days=1), reserved)
