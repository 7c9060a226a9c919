"""Collections in the database: what is filed, under which keywords, and what is known from news."""

from __future__ import annotations

from datetime import UTC, datetime

from newscrawler.article import Article, Paragraph
from newscrawler.crawl import find_keywords
from newscrawler.store import open_store
from newscrawler.store.articles import Selection

NOW = datetime(2026, 11, 23, 7, tzinfo=UTC)


def article(number: int, *keywords: str) -> Article:
    paragraphs = (Paragraph(text=f"Povodeň {number} zasáhla hráz, a hráz povolila. Hasiči evakuovali lidi."),)
    return Article(
        title=f"Povodeň {number}", paragraphs=paragraphs, url=f"https://a{number}.test/1", method="default", confidence=1.0,
        keywords=keywords, fetched_at=NOW, language="cs",
    )  # fmt: skip


def test_articles_are_filed_found_and_counted_by_collection_and_keyword(database_url: str) -> None:
    with open_store(database_url) as store:
        portal = store.articles.add("portal", article(1, "Hráz"))
        own = store.articles.add("floods", article(2))
        store.collections.add("floods", now=NOW)
        store.collections.add("floods", now=NOW)
        assert store.collections.unfiled("floods") == [own]
        assert store.collections.stored_elsewhere("floods", "https://a1.test/1") == portal

        for number, filed in ((portal, article(1, "Hráz")), (own, article(2))):
            assert number is not None
            store.collections.file("floods", number, find_keywords(filed, ["HRAZ povolila", "sucho"]), now=NOW)
            store.collections.file("floods", number, find_keywords(filed, ["hraz povolila"]), now=NOW)

        assert store.collections.unfiled("floods") == []
        assert [(line.name, line.articles) for line in store.collections.list()] == [("floods", 2)]
        assert portal is not None
        assert list(store.collections.of_article(portal)) == ["floods"]
        keywords = {(line.name, str(line.source)): line.articles for line in store.collections.keywords("floods")}
        assert keywords == {
            ("hraz povolila", "topic"): 2,
            ("Hráz", "declared"): 1,
            ("hráz", "frequent"): 1,
        }
        found = {
            (collection, keyword): store.articles.count(Selection(collection=collection, keyword=keyword))
            for collection in (None, "floods", "other")
            for keyword in (None, "hráz", "sucho")
        }
        assert found == {
            (None, None): 2, (None, "hráz"): 2, (None, "sucho"): 0, ("floods", None): 2, ("floods", "hráz"): 2,
            ("floods", "sucho"): 0, ("other", None): 0, ("other", "hráz"): 0, ("other", "sucho"): 0,
        }  # fmt: skip


def test_keywords_known_from_news_are_added_up_and_removed_by_language(database_url: str) -> None:
    with open_store(database_url) as store:
        store.collections.add_known_keywords({"cs": {"povodeň": 1, "hráz": 2}, "en": {"flood": 1}})
        store.collections.add_known_keywords({"cs": {"povodeň": 3}})

        assert store.collections.known_keywords() == {"cs": {"hráz": 2, "povodeň": 4}, "en": {"flood": 1}}
        assert store.collections.forget_known_keywords("cs") == 2
        assert store.collections.known_keywords() == {"en": {"flood": 1}}
        assert store.collections.forget_known_keywords() == 1
