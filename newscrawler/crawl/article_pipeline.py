"""From a page to an article, or to the reason why there is none: an item pipeline. A bad page never stops a crawl."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response

from newscrawler.article import Article
from newscrawler.crawl.article_parts import ArticleParts
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.link_policy import HARDLY_ARTICLES
from newscrawler.crawl.portal_pages import is_article_by_json_ld
from newscrawler.crawl.run import CrawlRun
from newscrawler.crawl.threads import in_reading_thread
from newscrawler.discovery.twins import sketch_of
from newscrawler.drift import noted
from newscrawler.errors import ABOUT_THE_PORTAL, MISSING_ATTRIBUTES, PageError, PageReason
from newscrawler.extract import Draft, Reading, detect_body, finish, read_dates, read_metadata
from newscrawler.extraction.anchored_articles import LEAST_ANCHORED, AnchoredArticle, anchored_articles
from newscrawler.extraction.declared_kind import declared_kind
from newscrawler.page import Document
from newscrawler.store.rights_records import Removal
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlOutcome
from newscrawler.urls.same_page import plausible_canonical

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class PageItem:
    """A response whose article is wanted, in a project of one's own: `yield PageItem(response)`."""

    response: Response = field(repr=False)
    #: What the pipeline found.
    article: Article | None = None


class ArticlePipeline:
    """Response in, article out; an item without an article is dropped with its reason, or keeps it (`FetchedUrl`)."""

    def __init__(self, reading: Reading, crawler: Crawler) -> None:
        self._reading = reading
        self._crawler = crawler
        self._steps: PortalSteps | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take ARTICLE_METHOD, ARTICLE_LANGUAGE, ARTICLE_REQUIRED and HOST_TIME_ZONE from the settings."""
        settings = crawler.settings
        reading = Reading(
            method=settings.get("ARTICLE_METHOD", "default"),
            language=settings.get("ARTICLE_LANGUAGE"),
            time_zone=settings.get("HOST_TIME_ZONE", "UTC"),
            required=frozenset(settings.getlist("ARTICLE_REQUIRED", ["title", "body"])),
        )
        return cls(reading, crawler)

    async def process_item(self, item: Any) -> Any:
        """Read a page; other items pass.

        Raises:
            DropItem: the page of a `PageItem` holds no article.
        """
        if isinstance(item, FetchedUrl):
            if self._steps is None:
                self._steps = PortalSteps(self._crawler.spider.run, self._crawler)  # type: ignore[union-attr]
            return await self._steps.read(item)
        if isinstance(item, PageItem):
            item.article = await in_reading_thread(self._article, item.response)
        return item

    def _article(self, response: Response) -> Article:
        content_type = response.headers.get("Content-Type")
        page = Document.parse(response.body, response.url, content_type=content_type.decode("latin-1") if content_type else None)
        draft = Draft(page=page, fetched_at=datetime.now(UTC))
        try:
            detect_body(draft, self._reading)
            read_metadata(draft, self._reading)
            read_dates(draft, self._reading)
            return finish(draft, self._reading)
        except PageError as error:
            raise DropItem(f"{response.url}: {error}") from error


class PortalSteps:
    """What is done with a page of a portal, with all that its run knows."""

    def __init__(self, run: CrawlRun, crawler: Crawler) -> None:
        self._reading = run.reading
        self._link_policy = run.link_policy
        self._knowledge = run.link_policy.profile
        self._portal_pages = run.link_policy.portal_pages
        self._parts = ArticleParts(run, crawler)
        self._run = run

    async def read(self, item: FetchedUrl) -> FetchedUrl:
        """Fill in the article, or why there is none."""
        parts = await in_reading_thread(self._begin, item)
        if parts:
            await self._parts.join(item, parts)
            await in_reading_thread(self._end, item)
        return item

    def _begin(self, item: FetchedUrl) -> list[str]:
        """Read the page; return the further pages of its article, with which it is only half read."""
        if item.readable and urlsplit(item.claimed.url).path in {"", "/"} and not urlsplit(item.claimed.url).query:
            item.refuse(PageError(PageReason.LISTING, "front page"))  # a host's front page is never an article
        if self._read_anchored(item):
            self._close(item)
            _reserve(item, self._run.removals)
            return []
        if self._run.news_filter is not None:
            self._do(item, self._run.news_filter.check)
        self._do(item, detect_body)
        parts = self._parts.wanted(item)
        if not parts:
            self._end(item)
        return parts

    def _read_anchored(self, item: FetchedUrl) -> bool:
        """Read a page of several articles one by one; False: it is no such page."""
        if item.draft is None or item.decision.refusal is not None or self._reading.method != "default":
            return False
        if self._run.news_filter is not None:  # which decides about whole pages
            return False
        linked = self._link_policy.anchors.get(item.claimed.url, ())
        found = anchored_articles(item.draft.page, frozenset(linked))
        read = [article for each in found if (article := self._anchored_article(item, each)) is not None]
        if len(read) < LEAST_ANCHORED:
            return False
        item.anchored = tuple((article, sketch_of(article.text)) for article in read)
        item.refuse(PageError(PageReason.LISTING, f"{len(read)} articles with anchors"))
        return True

    def _anchored_article(self, item: FetchedUrl, found: AnchoredArticle) -> Article | None:
        draft = Draft(page=found.page, fetched_at=item.fetched_at)
        reading = replace(self._reading, wrapper=None, required=self._reading.required | {"date"})
        try:
            detect_body(draft, reading)
            self._read_metadata(draft, reading)
            self._read_dates(draft, reading)
            article = finish(draft, reading)
        except PageError:
            return None
        return replace(article, headline=found.headline, canonical_url=None)

    def _end(self, item: FetchedUrl) -> None:
        self._do(item, self._read_metadata)  # tells the language, in which dates are read
        self._do(item, self._read_dates)
        self._do(item, lambda draft, _: self._finish(item, draft))
        self._close(item)
        _reserve(item, self._run.removals)

    def _do(self, item: FetchedUrl, step: Callable[[Draft, Reading], object]) -> None:
        """Do a step, or note why it cannot be done."""
        if not item.readable:
            return
        assert item.draft is not None
        try:
            step(item.draft, self._reading)
        except PageError as error:
            item.refuse(error)
        except Exception as error:
            logger.exception("fault while reading %s", item.claimed.url)
            item.refuse(PageError(PageReason.FAULT, f"{type(error).__name__}: {error}"))

    def _read_metadata(self, draft: Draft, reading: Reading) -> None:
        """What a page calls its address counts only within the portal."""
        read_metadata(draft, reading)
        if draft.metadata is not None:
            stated = plausible_canonical(draft.page.url or "", draft.metadata.canonical_url, self._link_policy.scope)
            draft.metadata = replace(draft.metadata, canonical_url=stated)

    def _read_dates(self, draft: Draft, reading: Reading) -> None:
        """Learn from each page how the portal writes dates."""
        read_dates(draft, replace(reading, day_order=self._knowledge.day_order))
        if draft.dates is not None:
            self._knowledge.saw_dates(draft.dates)

    def _finish(self, item: FetchedUrl, draft: Draft) -> None:
        """Hold the draft against the attributes that an article must have, and the page against what led to it."""
        claimed = item.claimed
        if (why := self._portal_pages.reason_against(claimed.url, draft)) is not None:
            raise PageError(PageReason.OTHER_KIND, f"{ABOUT_THE_PORTAL}, {why}")
        unlikely = claimed.kind == FrontierKind.SECTION or (claimed.kind == FrontierKind.OTHER and claimed.why in HARDLY_ARTICLES)
        strictly = claimed.kind == FrontierKind.OTHER
        if unlikely and not (_declared_article(draft.page, strictly=strictly) or self._knowledge.expects_article(claimed.url)):
            raise PageError(PageReason.OTHER_KIND, claimed.why or claimed.kind)
        item.article = finish(draft, self._reading)
        item.sketch = sketch_of(item.article.text)
        self._portal_pages.saw_article(dated=item.article.published_at is not None)

    def _close(self, item: FetchedUrl) -> None:
        """Note what the page turned out to be, and let go of its tree, which is large."""
        if item.draft is not None:
            overrides = self._reading.wrapper.overrides if self._reading.wrapper else {}
            expected = item.claimed.kind == FrontierKind.ARTICLE
            item.reading = noted(item.draft.explained, item.article, expected=expected, overrides=overrides)
        if item.article is not None:
            item.outcome = UrlOutcome.ARTICLE
        elif item.draft is not None and item.is_done:
            is_listing = (item.found or item.anchored) and item.reason not in MISSING_ATTRIBUTES
            item.outcome = UrlOutcome.LISTING if is_listing else UrlOutcome.NOTHING
        item.draft, item.links, item.head = None, (), None


def _declared_article(page: Document, *, strictly: bool) -> bool:
    """The page says that it is an article: in JSON-LD, or (not strictly) in meta elements or the body's class, which may err."""
    return is_article_by_json_ld(page) or (not strictly and declared_kind(page).article)


def _reserve(item: FetchedUrl, removals: Sequence[Removal]) -> None:
    """Let go of what the publisher reserves, the text and copies of the page: behind this nothing knows them."""
    if item.article is not None and any(each.covers(item.article.canonical_url) for each in removals):
        item.reason, item.detail = PageReason.REMOVED, item.article.canonical_url or ""
        item.article, item.sketch, item.outcome, item.raw = None, None, UrlOutcome.NOTHING, ()
    if item.article is not None and item.decision.refusal is not None:
        item.reason, item.detail = item.decision.refusal, item.decision.told
        item.article, item.sketch, item.outcome = None, None, UrlOutcome.NOTHING
    item.anchored = tuple(pair for pair in item.anchored if not any(each.covers(pair[0].url) for each in removals))
    if not item.decision.keeps_copies:
        item.raw = ()
