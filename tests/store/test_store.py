"""Articles, frontier and runs, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from newscrawler.article import Article, DatePrecision, Paragraph, ParagraphKind
from newscrawler.discovery import Overlap, make_sketch
from newscrawler.errors import ConfigError, LeaseLostError, StoreError
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Selection
from newscrawler.store.articles.article_intake import correct_article
from newscrawler.store.frontier import FoundUrl, Frontier, PageOutcome
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import FINISHED, KILLED

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def begin(store: Store, portal: str = "portal", now: datetime = NOW) -> tuple[RunRecord, Frontier]:
    return store.runs.begin(portal, now=now, version="1")


def article(number: int = 1, **changes: object) -> Article:
    values: dict[str, object] = {
        "title": f"Žluťoučký kůň číslo {number}",
        "paragraphs": (Paragraph(text=f"První odstavec {number}."), Paragraph(text="„Citát“", kind=ParagraphKind.QUOTE)),
        "url": f"http://127.0.0.1/clanek-{number}",
        "published_at": datetime(2026, 11, 19, 23, 30, tzinfo=timezone(timedelta(hours=1))),
        "published_precision": DatePrecision.MINUTE,
        "authors": ("Jana Nováková",),
        "language": "cs",
        "fetched_at": NOW,
        "portal": "portal",
        "method": "default",
        "confidence": 0.9,
    }
    return Article(**(values | changes))  # type: ignore[arg-type]


def found(url: str, kind: str = "article", priority: int = 10, **more: object) -> FoundUrl:
    return FoundUrl(url=url, kind=kind, priority=priority, depth=1, **more)  # type: ignore[arg-type]


def outcome(url_id: int, **values: object) -> PageOutcome:
    return PageOutcome(**({"url_id": url_id, "state": "done", "fetched_at": NOW} | values))  # type: ignore[arg-type]


def stored(store: Store, *articles: Article) -> list[int | None]:
    run, frontier = begin(store)
    frontier.seed([found(each.url or "") for each in articles], now=NOW)
    claimed = {item.url: item.id for item in frontier.lease(100, now=NOW)}
    done = frontier.commit([outcome(claimed[each.url or ""], outcome="article", article=each) for each in articles])
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})
    return [item.article_id for item in done]


def test_an_article_comes_back_as_it_went_in(store: Store) -> None:
    (number,) = stored(store, article())

    assert number is not None
    back = store.articles.get(number)
    assert back is not None
    assert back.article == article()
    assert back.article.date == date(2026, 11, 19)


def test_the_posts_of_a_live_blog_come_back_as_they_went_in(store: Store) -> None:
    body = (Paragraph(text="Úvod."), Paragraph(text="První zpráva.", post=1), Paragraph(text="Druhá zpráva.", post=2))

    (number,) = stored(store, article(paragraphs=body))

    assert number is not None
    back = store.articles.get(number)
    assert back is not None
    assert back.article.paragraphs == body


def test_an_article_is_stored_once_whatever_its_address(store: Store) -> None:
    canonical = "http://127.0.0.1/clanek-1"

    numbers = stored(
        store, article(), article(url="http://127.0.0.1/print/1", canonical_url=canonical), article(url="http://127.0.0.1/kopie")
    )

    assert [number is not None for number in numbers] == [True, False, False]
    assert store.articles.count(Selection()) == 1


def test_an_article_that_moved_is_followed_to_its_new_address(store: Store) -> None:
    (number,) = stored(store, article())
    _, frontier = begin(store)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE frontier SET state = 'waiting'"))
    (old,) = frontier.lease(1, now=NOW)
    moved = found("http://127.0.0.1/novy-clanek-1", hops=1)
    frontier.commit([outcome(old.id, outcome="redirect", found=(moved,))])
    (new,) = frontier.lease(1, now=NOW)
    longer = (*article().paragraphs, Paragraph(text="Doplněný odstavec."))

    (done,) = frontier.commit([outcome(new.id, outcome="article", article=article(url=moved.url, paragraphs=longer))])

    assert (done.article_id, done.twin_of, done.corrected) == (None, number, True)
    assert number is not None
    back = store.articles.get(number)
    assert back is not None
    assert (back.article.url, back.article.paragraphs) == (moved.url, longer)


def test_a_redirect_from_an_article_to_another_one_changes_nothing(store: Store) -> None:
    (number,) = stored(store, article())
    _, frontier = begin(store)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE frontier SET state = 'waiting'"))
    (old,) = frontier.lease(1, now=NOW)
    frontier.commit([outcome(old.id, outcome="redirect", found=(found("http://127.0.0.1/clanek-2", hops=1),))])
    (new,) = frontier.lease(1, now=NOW)

    (done,) = frontier.commit([outcome(new.id, outcome="article", article=article(2))])

    assert done.article_id not in {None, number}
    assert number is not None
    assert store.articles.get(number).article == article()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("changes", "corrected"),
    [
        ({}, 1),
        ({"title": "Jiný titulek"}, 0),
        ({"published_at": datetime(2026, 11, 18, 9, 0, tzinfo=UTC)}, 0),
        ({"published_at": None}, 0),
    ],
)
def test_a_changed_article_at_another_address_corrects_the_one_that_is_there(
    store: Store, changes: dict[str, object], corrected: int
) -> None:
    said = "mluví o mostě a o řece, která pod ním teče"
    paragraphs = tuple(Paragraph(text=f"Odstavec {n} {said} už {n * 7} let.") for n in range(9))
    one = article(paragraphs=paragraphs)
    url = "http://127.0.0.1/clanek-1?rubrika=2"
    two = article(**({"url": url, "paragraphs": (*paragraphs, Paragraph(text="A nic víc."))} | changes))
    _, frontier = begin(store)
    frontier.seed([found(one.url or ""), found(two.url or "")], now=NOW)
    claimed = {item.url: item.id for item in frontier.lease(2, now=NOW)}

    first, second = (
        frontier.commit([outcome(claimed[each.url or ""], outcome="article", article=each, sketch=make_sketch(each.body))])[0]
        for each in (one, two)
    )

    assert second.corrected == corrected
    assert (second.twin_of or second.similar_to) == first.article_id


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_beginning_of_an_article_that_a_list_shows_replaces_nothing(store: Store, order: tuple[int, int]) -> None:
    paragraphs = tuple(Paragraph(text=f"Odstavec {n} mluví o mostě a o řece, která pod ním teče už {n * 7} let.") for n in range(9))
    whole = article(paragraphs=paragraphs)
    excerpt = article(url="http://127.0.0.1/stitky/most", paragraphs=paragraphs[:7])
    _, frontier = begin(store)
    frontier.seed([found(whole.url or ""), found(excerpt.url or "")], now=NOW)
    claimed = {item.url: item.id for item in frontier.lease(2, now=NOW)}

    for each in ((whole, excerpt)[number] for number in order):
        frontier.commit([outcome(claimed[each.url or ""], outcome="article", article=each, sketch=make_sketch(each.body))])

    (kept,) = store.articles.stream(Selection())
    assert (kept.article.url, kept.article.paragraphs) == (whole.url, paragraphs)
    with store.engine.begin() as connection:
        assert not correct_article(connection, kept.id, excerpt)


def test_a_canonical_address_that_all_pages_name_is_not_believed(store: Store) -> None:
    stored(store, *(article(number, canonical_url="http://127.0.0.1/") for number in range(5)))

    assert store.articles.count(Selection()) == 5


def test_selections_narrow_by_portal_language_day_and_title(store: Store) -> None:
    stored(store, article(1), article(2, language="pl", published_at=datetime(2026, 11, 18, 9, 0, tzinfo=UTC)), article(3))

    def numbers(**values: object) -> list[str]:
        return [item.article.title[-1] for item in store.articles.stream(Selection(**values))]  # type: ignore[arg-type]

    assert numbers() == ["1", "2", "3"]
    assert numbers(language="pl") == ["2"]
    assert numbers(portal="another") == []
    assert numbers(since=date(2026, 11, 19)) == ["1", "3"]
    assert numbers(until=date(2026, 11, 18)) == ["2"]
    assert numbers(title="ČÍSLO 3") == ["3"]
    assert numbers(newest_first=True, limit=1) == ["3"]


def test_the_day_of_an_article_is_that_of_its_own_clock(store: Store) -> None:
    midnight = datetime(2026, 11, 15, 0, 0, tzinfo=timezone(timedelta(hours=1)))
    stored(store, article(1, published_at=midnight), article(2, published_at=midnight - timedelta(minutes=1)))

    def numbers(**values: object) -> list[str]:
        return [item.article.title[-1] for item in store.articles.stream(Selection(**values))]  # type: ignore[arg-type]

    assert numbers(since=date(2026, 11, 15)) == ["1"]
    assert numbers(until=date(2026, 11, 14)) == ["2"]
    assert numbers(since=date.min, until=date.max) == ["1", "2"]


@pytest.mark.parametrize("url", ["postgresql://host:port/x", "postgresql://[::1/x", "postgresql+nothing://host/x", "mysql://x"])
def test_a_url_of_no_database_is_told(url: str) -> None:
    with pytest.raises(ConfigError, match="is not a database URL"):
        open_store(url)


def test_a_percent_sign_in_a_search_is_a_percent_sign(store: Store) -> None:
    stored(store, article(1, title="Sleva 50 % na vše"), article(2))

    assert store.articles.count(Selection(title="%")) == 1


def test_urls_are_claimed_by_priority_and_only_once(store: Store) -> None:
    _, frontier = begin(store)
    frontier.seed([found("http://a/last", priority=60), found("http://a/first", priority=1), found("http://a/2")], now=NOW)

    first, second = frontier.lease(2, now=NOW), frontier.lease(5, now=NOW)

    assert [item.url for item in first] == ["http://a/first", "http://a/2"]
    assert [item.url for item in second] == ["http://a/last"]


def test_a_url_is_never_put_in_twice(store: Store) -> None:
    _, frontier = begin(store)
    frontier.seed([found("http://a/")], now=NOW)
    (claimed,) = frontier.lease(1, now=NOW)

    (done,) = frontier.commit([outcome(claimed.id, found=(found("http://a/"), found("http://a/b"), found("http://a/b")))])

    assert (done.fresh, done.fresh_articles) == (1, 1)
    assert frontier.counts().by_state == {"done": 1, "waiting": 1}


def test_an_outcome_is_written_whole_or_not_at_all(store: Store, database_url: str) -> None:
    _, frontier = begin(store)
    frontier.seed([found("http://a/")], now=NOW)
    (claimed,) = frontier.lease(1, now=NOW)
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE article RENAME TO elsewhere"))

    with pytest.raises(StoreError):
        frontier.commit([outcome(claimed.id, article=article(), found=(found("http://a/b"),))])

    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE elsewhere RENAME TO article"))
    engine.dispose()
    assert frontier.counts().by_state == {"fetching": 1}
    (done,) = frontier.commit([outcome(claimed.id, article=article(), found=(found("http://a/b"),))])
    assert done.article_id
    assert done.fresh == 1


def test_a_failure_waits_until_its_time(store: Store) -> None:
    _, frontier = begin(store)
    frontier.seed([found("http://a/")], now=NOW)
    (claimed,) = frontier.lease(1, now=NOW)

    frontier.commit([outcome(claimed.id, state="waiting", next_try_at=NOW + timedelta(minutes=5), tries=1)])

    assert frontier.lease(1, now=NOW) == []
    waits = frontier.find_next_try()
    assert waits is not None
    assert waits[0] == NOW + timedelta(minutes=5)
    assert [item.tries for item in frontier.lease(1, now=NOW + timedelta(minutes=6))] == [1]


def test_a_portal_is_crawled_by_one_process_at_a_time(store: Store) -> None:
    begin(store)

    with pytest.raises(StoreError, match="is being crawled by process"):
        begin(store, now=NOW + timedelta(seconds=10))
    begin(store, "another portal")


def test_what_a_dead_run_had_in_hand_is_taken_up(store: Store, database_url: str) -> None:
    dead = (
        "import sys; from datetime import *; from newscrawler.store import *; from newscrawler.store.frontier import *\n"
        "store = open_store(sys.argv[1]); now = datetime.fromisoformat(sys.argv[2])\n"
        "run, frontier = store.runs.begin('portal', now=now, version='1')\n"
        "frontier.seed([FoundUrl(url='http://a/', kind='start', priority=0, depth=0)], now=now)\n"
        "assert frontier.lease(5, now=now)\n"
        "import os; os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", dead, database_url, NOW.isoformat()], check=False)

    run, frontier = begin(store, now=NOW + timedelta(seconds=5))

    assert run.resumed
    assert [item.url for item in frontier.lease(5, now=NOW)] == ["http://a/"]
    assert [record.ended_because for record in store.runs.latest()] == [None, KILLED]


def test_a_run_that_is_killed_keeps_its_figures(store: Store, database_url: str) -> None:
    dead = (
        "import sys; from datetime import *; from newscrawler.store import *; from newscrawler.store.frontier import *\n"
        "store = open_store(sys.argv[1]); now = datetime.fromisoformat(sys.argv[2])\n"
        "run, frontier = store.runs.begin('portal', now=now, version='1')\n"
        "frontier.seed([FoundUrl(url=f'http://a/{number}', kind='article', priority=0, depth=0) for number in range(3)], now=now)\n"
        "for claimed in frontier.lease(3, now=now):\n"
        "    outcome = PageOutcome(url_id=claimed.id, state='done', http_status=200, fetched_at=now)\n"
        "    frontier.commit([outcome], counts={'requests': 3, 'pages': 0, 'new_articles': 0})\n"
        "import os; os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", dead, database_url, NOW.isoformat()], check=False)

    begin(store, now=NOW + timedelta(seconds=5))

    killed = store.runs.latest()[-1]
    assert killed.ended_because == KILLED
    assert dict(killed.counts) == {"requests": 3, "pages": 3, "new_articles": 0}


def test_a_run_that_lost_its_lease_writes_nothing(store: Store) -> None:
    old_run, old = begin(store)
    old.seed([found("http://a/")], now=NOW)
    (claimed,) = old.lease(1, now=NOW)
    _, new = begin(store, now=NOW + timedelta(minutes=10))  # the old one gave no sign of life for ten minutes
    new.lease(1, now=NOW)

    with pytest.raises(LeaseLostError):
        old.commit([outcome(claimed.id, article=article())])

    assert store.articles.count(Selection()) == 0
    assert old_run.id


def test_a_new_round_looks_again_at_listings_but_not_at_articles(store: Store) -> None:
    run, frontier = begin(store)
    frontier.seed([found("http://a/", "start", 0), found("http://a/sport", "section"), found("http://a/1")], now=NOW)
    for item in frontier.lease(9, now=NOW):
        frontier.commit([outcome(item.id, outcome="article" if item.kind == "article" else "listing")])
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})

    second, frontier = begin(store, now=NOW + timedelta(hours=24))

    assert second.round == run.round + 1
    assert {item.url for item in frontier.lease(9, now=NOW)} == {"http://a/", "http://a/sport"}


def test_further_pages_of_a_listing_are_seen_again_only_if_it_brought_something_new(store: Store) -> None:
    run, frontier = begin(store)
    frontier.seed([found("http://a/", "start", 0), found("http://a/page/2", "section", why="pagination")], now=NOW)
    for item in frontier.lease(9, now=NOW):
        frontier.commit([outcome(item.id, outcome="listing")])
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})
    _, frontier = begin(store, now=NOW + timedelta(hours=24))
    (start,) = frontier.lease(9, now=NOW)
    further = found("http://a/page/2", "section", why="pagination", again=True)

    frontier.commit([outcome(start.id, outcome="listing", found=(further, found("http://a/new")))])

    assert {item.url for item in frontier.lease(9, now=NOW)} == {"http://a/new", "http://a/page/2"}


def test_a_database_of_a_newer_version_is_left_alone(database_url: str) -> None:
    open_store(database_url).close()
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.execute(text("UPDATE schema_writers SET oldest = '9999'"))
    engine.dispose()

    with pytest.raises(StoreError, match="newer newscrawler"):
        open_store(database_url)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_opening_without_creating_needs_a_database(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:///{tmp_path / 'none.sqlite'}" if kind == "sqlite" else request.getfixturevalue("empty_postgresql_database")
    with pytest.raises(StoreError, match="newscrawler crawl"):
        open_store(url, create=False)


def test_the_schema_is_the_one_that_the_tables_describe(store: Store, database_url: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from newscrawler.store.search import INDEX
    from newscrawler.store.tables import METADATA

    assert store
    engine = create_engine(database_url)
    with engine.connect() as connection:
        # the index has another form on each store, and PostgreSQL has a table for each month of the log of requests
        options = {"include_name": lambda name, *_: not re.match(rf"{INDEX}|request_(default|\d)", name or "")}
        differences = compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)
    engine.dispose()
    assert differences == []


def test_a_url_that_a_feed_names_too_is_known_to_both(store: Store) -> None:
    _, frontier = begin(store)
    feed = found("http://a/1", source="feed", hints=(("feed", "2026-11-20T08:00:00+00:00"),))
    frontier.seed([found("http://a/1")], now=NOW)
    frontier.seed([feed], now=NOW)

    (claimed,) = frontier.lease(9, now=NOW)
    frontier.commit([outcome(claimed.id, outcome="article", article=article())])

    assert claimed.hints == (("feed", "2026-11-20T08:00:00+00:00"),)
    assert frontier.run_articles().by_sources == {frozenset({"links", "feed"}): 1}


def test_articles_of_earlier_crawls_are_held_against_those_that_are_linked_in_this_one(store: Store) -> None:
    """Of five that both could have seen the first crawl found four, the second saw three of them again, and the fifth."""
    numbers = stored(store, *(article(number, published_at=NOW - timedelta(hours=5)) for number in range(4)))
    later = NOW + timedelta(days=1)
    run, frontier = begin(store, now=later)
    late, new = article(4, published_at=NOW - timedelta(hours=5)), article(5, published_at=NOW + timedelta(hours=5))
    frontier.seed([found(article(number).url or "") for number in range(1, 6)], now=later)
    claimed = {item.url: item.id for item in frontier.lease(100, now=later)}
    frontier.commit([outcome(claimed[each.url or ""], outcome="article", article=each, fetched_at=later) for each in (late, new)])

    counted = frontier.run_articles()

    assert None not in numbers
    assert counted.seen_twice == Overlap(first=4, second=4, both=3)
    assert (counted.by_sources, counted.left, counted.failed) == ({frozenset({"links"}): 2}, 0, 0)
    store.runs.end(run.id, now=later, because=FINISHED, counts={})


def test_the_declared_title_and_the_confidence_of_the_date_come_back(store: Store) -> None:
    numbers = stored(store, article(1, title_declared="Jinak nazvaný", date_confidence=0.75), article(2))

    back = [store.articles.get(number or 0) for number in numbers]

    assert [(each.article.title_declared, each.article.date_confidence) for each in back if each] == [
        ("Jinak nazvaný", 0.75), (None, None),
    ]  # fmt: skip


def test_articles_that_name_no_section_get_the_one_whose_listing_leads_to_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newscrawler.store.articles.articles._SECTIONS_AT_ONCE", 2)
    sections = {1: ("Sport",), 2: ("Sport", "Kultura"), 3: (), 4: ("Sport",)}
    numbers = stored(store, *(article(n) for n in (1, 2, 3)), article(4, section="Domácí", section_source="meta"))
    _, frontier = begin(store)
    for name in ("Sport", "Kultura"):
        listed = [f"http://127.0.0.1/clanek-{number}" for number, names in sections.items() if name in names]
        frontier.seed([found(url, hints=(("section", name),)) for url in listed], now=NOW)

    filled = store.articles.fill_sections("portal")

    back = [store.articles.get(number or 0) for number in numbers]
    assert filled == 1
    assert [(each.article.section, each.article.section_source) for each in back if each] == [
        ("Sport", "listing"), (None, None), (None, None), ("Domácí", "meta"),
    ]  # fmt: skip
    assert store.articles.fill_sections("portal") == store.articles.fill_sections("other") == 0
