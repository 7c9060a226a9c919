"""From a parsed page to an article, or to the reason why there is none. A bad page never stops a crawl."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Self
from urllib.parse import urlsplit

from scrapy.crawler import Crawler

from newscrawler.crawl.following import HARDLY_ARTICLES
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.knowledge import Knowledge
from newscrawler.crawl.portal_pages import PortalPages, is_article_by_json_ld
from newscrawler.discovery.twins import sketch_of
from newscrawler.drift import noted
from newscrawler.errors import ABOUT_THE_PORTAL, PageError, PageReason
from newscrawler.extract import Draft, Reading, detect_body, finish, read_dates, read_metadata
from newscrawler.extraction.declared_kind import declared_kind
from newscrawler.page import Document
from newscrawler.urls import Scope
from newscrawler.urls.same_page import plausible_canonical

logger = logging.getLogger(__name__)


class ReadingStep:
    """A step that works on the draft of a readable page."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take the reading from the portal that the spider crawls."""
        return cls(crawler.spider.reading)  # type: ignore[union-attr]

    def run(self, item: FetchedUrl, step: Callable[[Draft, Reading], object]) -> FetchedUrl:
        """Do the step, or note why it cannot be done."""
        if not item.readable:
            return item
        assert item.draft is not None
        try:
            step(item.draft, self.reading)
        except PageError as error:
            item.refuse(error)
        except Exception as error:
            logger.exception("fault while reading %s", item.claimed.url)
            item.refuse(PageError(PageReason.FAULT, f"{type(error).__name__}: {error}"))
        return item


class BlockDetection(ReadingStep):
    """Finds headline, lead and body."""

    def process_item(self, item: FetchedUrl) -> FetchedUrl:
        """A host's front page is never an article, whatever stands on it."""
        if item.readable and urlsplit(item.claimed.url).path in {"", "/"} and not urlsplit(item.claimed.url).query:
            item.refuse(PageError(PageReason.LISTING, "front page"))
        return self.run(item, detect_body)


class KnowingStep(ReadingStep):
    """A step that uses what is known of the portal."""

    def __init__(self, reading: Reading, knowledge: Knowledge) -> None:
        super().__init__(reading)
        self._knowledge = knowledge

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take the reading, and what is known of the portal, from the spider."""
        spider = crawler.spider
        return cls(spider.reading, spider.following.knowledge)  # type: ignore[union-attr]


class DateReading(KnowingStep):
    """Finds when the article was published; learns from each page how the portal writes dates."""

    def process_item(self, item: FetchedUrl) -> FetchedUrl:
        """Fill in the dates."""

        def step(draft: Draft, reading: Reading) -> None:
            read_dates(draft, replace(reading, day_order=self._knowledge.day_order))
            if draft.dates is not None:
                self._knowledge.saw_dates(draft.dates)

        return self.run(item, step)


class MetadataReading(ReadingStep):
    """Finds everything else about the article; what it calls its address counts only within the portal."""

    def __init__(self, reading: Reading, scope: Scope) -> None:
        super().__init__(reading)
        self._scope = scope

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take reading and scope from the spider."""
        spider = crawler.spider
        return cls(spider.reading, spider.following.scope)  # type: ignore[union-attr]

    def process_item(self, item: FetchedUrl) -> FetchedUrl:
        """Fill in the metadata."""

        def step(draft: Draft, reading: Reading) -> None:
            read_metadata(draft, reading)
            if draft.metadata is not None:
                stated = plausible_canonical(draft.page.url or item.claimed.url, draft.metadata.canonical_url, self._scope)
                draft.metadata = replace(draft.metadata, canonical_url=stated)

        return self.run(item, step)


class Validation(KnowingStep):
    """Holds the draft against the attributes that an article must have, and the page against what led to it."""

    def __init__(self, reading: Reading, knowledge: Knowledge, portal_pages: PortalPages) -> None:
        super().__init__(reading, knowledge)
        self._portal_pages = portal_pages

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take the reading, and what is known of the portal, from the spider."""
        spider = crawler.spider
        return cls(spider.reading, spider.following.knowledge, spider.following.portal_pages)  # type: ignore[union-attr]

    def process_item(self, item: FetchedUrl) -> FetchedUrl:
        """Make the article, or say what is missing."""

        def step(draft: Draft, reading: Reading) -> None:
            claimed = item.claimed
            if (told := self._portal_pages.told(claimed.url, draft)) is not None:
                raise PageError(PageReason.OTHER_KIND, f"{ABOUT_THE_PORTAL}, {told}")
            unlikely = claimed.kind == "section" or (claimed.kind == "other" and claimed.why in HARDLY_ARTICLES)
            strictly = claimed.kind == "other"
            if unlikely and not (_declared_article(draft.page, strictly=strictly) or self._knowledge.expects_article(claimed.url)):
                raise PageError(PageReason.OTHER_KIND, claimed.why or claimed.kind)
            item.article = finish(draft, reading)
            item.sketch = sketch_of(item.article.text)
            self._portal_pages.saw_article(dated=item.article.published_at is not None)

        self.run(item, step)
        if item.draft is not None:
            overrides = self.reading.wrapper.overrides if self.reading.wrapper else {}
            expected = item.claimed.kind == "article"
            item.reading = noted(item.draft.explained, item.article, expected=expected, overrides=overrides)
        if item.article is not None:
            item.outcome = "article"
        elif item.draft is not None and item.state == "done":
            item.outcome = "listing" if item.found else "nothing"
        item.draft, item.links, item.head = None, (), None  # the tree is large
        return item


def _declared_article(page: Document, *, strictly: bool) -> bool:
    """The page says that it is an article: in JSON-LD, or (not strictly) in meta elements or the body's class, which may err."""
    return is_article_by_json_ld(page) or (not strictly and declared_kind(page).article)
