"""Articles without a date get the one that is seen later; pages refused too early are looked at once more. Both databases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import event, text

from newscrawler.article import Article, DatePrecision, Paragraph
from newscrawler.errors import PageReason
from newscrawler.store import Store, open_store
from newscrawler.store.frontier import Committed, FoundUrl, Frontier, PageOutcome, SeenDate
from newscrawler.store.vocabularies import Reason

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SEEN_AT = datetime(2026, 11, 18, 8, 0, tzinfo=timezone(timedelta(hours=1)))
HINT = (("feed", SEEN_AT.isoformat()),)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def dating(hints: Iterable[Sequence[str]], _fetched_at: datetime) -> SeenDate | None:
    times = [(datetime.fromisoformat(text), source) for source, text in hints if source == "feed"]
    return SeenDate(published_at=times[0][0], precision="minute", source=times[0][1], offset_given=True) if times else None


def article(number: int = 1, published_at: datetime | None = None) -> Article:
    return Article(
        title=f"Most {number}", paragraphs=(Paragraph(text=f"Most číslo {number} se opraví."),), url=f"http://a/{number}",
        published_at=published_at, published_precision=DatePrecision.MINUTE if published_at else None, fetched_at=NOW,
        method="default", confidence=0.9,
    )  # fmt: skip


def found(url: str, kind: str = "article", **more: object) -> FoundUrl:
    return FoundUrl(url=url, kind=kind, priority=10, depth=1, **more)  # type: ignore[arg-type]


def settle(frontier: Frontier, values: dict[str, dict[str, object]]) -> list[Committed]:
    """Claim these URLs and commit what fetching them showed."""
    claimed = {item.url: item for item in frontier.lease(50, now=NOW)}
    outcomes = [
        PageOutcome(**({"url_id": claimed[url].id, "state": "done", "fetched_at": NOW, "hints": claimed[url].hints} | more))  # type: ignore[arg-type]
        for url, more in values.items()
    ]
    return frontier.commit(outcomes, dating=dating)


def shows(*items: FoundUrl) -> dict[str, object]:
    return {"outcome": "listing", "found": items}


def dates(store: Store) -> list[tuple[datetime | None, str | None, str | None]]:
    back = (store.articles.get(number) for number in range(1, 10))
    return [(b.article.published_at, b.article.published_precision, b.article.published_source) for b in back if b]


def begin(store: Store) -> Frontier:
    return store.runs.begin("portal", now=NOW, version="1")[1]


def test_what_a_feed_tells_later_dates_the_article_that_has_no_date(store: Store) -> None:
    frontier = begin(store)
    frontier.seed([found("http://a/1"), found("http://a/2")], now=NOW)
    settle(
        frontier,
        {
            "http://a/1": {"outcome": "article", "article": article(1)},
            "http://a/2": {"outcome": "article", "article": article(2, NOW)},
        },
    )
    frontier.seed([found("http://a/feed", "feed")], now=NOW)

    listed = tuple(found(f"http://a/{number}", source="feed", hints=HINT) for number in (1, 2, 3))
    (done,) = settle(frontier, {"http://a/feed": shows(*listed)})

    assert dates(store) == [(SEEN_AT, "minute", "feed"), (NOW, "minute", None)]
    assert dates(store)[0][0].utcoffset() == timedelta(hours=1)  # type: ignore[union-attr]
    assert done.dated == 1
    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM revision")).scalar() == 0


def test_a_listing_whose_link_was_known_without_a_date_dates_it_once_it_shows_one(store: Store) -> None:
    frontier = begin(store)
    frontier.seed([found("http://a/1"), found("http://a/2", "section"), found("http://a/3", "section")], now=NOW)
    dated = found("http://a/1", hints=(("section", "Sport"), *HINT))

    first, second, third = settle(
        frontier,
        {
            "http://a/1": {"outcome": "article", "article": article(1)},
            "http://a/2": shows(found("http://a/1"), found("http://a/1", hints=(("section", "Sport"),))),
            "http://a/3": shows(dated),
        },
    )

    assert (first.dated, second.dated, third.dated) == (0, 0, 1)
    assert dates(store) == [(SEEN_AT, "minute", "feed")]


def test_what_is_seen_while_the_page_is_in_hand_is_not_lost(store: Store) -> None:
    frontier = begin(store)
    frontier.seed([found("http://a/1"), found("http://a/2"), found("http://a/feed", "feed")], now=NOW)
    listed = [found(f"http://a/{number}", source="feed", hints=HINT) for number in (1, 2)]

    done = settle(
        frontier,
        {
            "http://a/feed": shows(*listed),
            "http://a/1": {"outcome": "article", "article": article(1)},
            "http://a/2": {"outcome": "nothing", "reason": Reason(PageReason.NO_DATE)},
        },
    )

    assert dates(store) == [(SEEN_AT, "minute", "feed")]
    assert [each.dated for each in done] == [0, 1, 0]
    assert [(item.url, item.hints) for item in frontier.lease(9, now=NOW)] == [("http://a/2", HINT)]


def test_a_page_refused_for_its_missing_date_is_read_again_once_when_a_date_is_seen(store: Store) -> None:
    frontier = begin(store)
    refused = {"outcome": "nothing", "reason": Reason(PageReason.NO_DATE), "etag": '"1"'}
    frontier.seed([found("http://a/1")], now=NOW)
    settle(frontier, {"http://a/1": refused})
    frontier.seed([found("http://a/feed", "feed"), found("http://a/2", "section"), found("http://a/3", "section")], now=NOW)
    settle(
        frontier,
        {
            "http://a/2": shows(found("http://a/1", hints=(("listing", "unreadable"),))),
            "http://a/feed": shows(found("http://a/1", source="feed", hints=HINT)),
        },
    )

    (again,) = frontier.lease(9, now=NOW)
    assert (again.url, again.etag, again.hints) == ("http://a/1", None, (("listing", "unreadable"), *HINT))

    values = refused | {"url_id": again.id, "state": "done", "fetched_at": NOW, "hints": again.hints}
    frontier.commit([PageOutcome(**values)], dating=dating)  # type: ignore[arg-type]
    frontier.seed([found("http://a/map", "sitemap")], now=NOW)
    more = found("http://a/1", source="sitemap", hints=(("news sitemap", "2026-11-01"),))
    settle(frontier, {"http://a/map": shows(more)})
    assert frontier.lease(9, now=NOW) == []


def test_dates_of_articles_that_have_one_cost_no_further_look_once_they_are_known(store: Store) -> None:
    frontier = begin(store)
    frontier.seed([found("http://a/1", hints=HINT), found("http://a/2", "section"), found("http://a/3", "section")], now=NOW)
    asked: list[str] = []

    settle(frontier, {"http://a/1": {"outcome": "article", "article": article(1, NOW)}})
    frontier.seed([found("http://a/4", "section"), found("http://a/5", "section")], now=NOW)
    event.listen(store.engine, "before_cursor_execute", lambda _c, _u, statement, *_: asked.append(statement))
    settle(frontier, {"http://a/4": shows(found("http://a/1", hints=HINT)), "http://a/5": shows(found("http://a/1"))})

    assert not [statement for statement in asked if "article.published_at IS NULL" in statement]
    assert not [statement for statement in asked if "frontier.url_hash IN" in statement]


def test_another_look_takes_a_date_that_was_missing_and_leaves_no_revision(store: Store) -> None:
    frontier = begin(store)
    frontier.seed([found("http://a/1")], now=NOW)
    settle(frontier, {"http://a/1": {"outcome": "article", "article": article(1)}})
    frontier.requeue([1])

    (done,) = settle(frontier, {"http://a/1": {"outcome": "article", "article": article(1, NOW)}})

    assert not done.corrected
    assert dates(store) == [(NOW, "minute", None)]
