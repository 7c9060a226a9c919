"""Join articles that extend over several pages into one record."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

from scrapy.crawler import Crawler
from scrapy.http import Response

from newscrawler.article import Body
from newscrawler.crawl.components.rights import said_of
from newscrawler.crawl.policy.link_policy import PRIORITY
from newscrawler.crawl.process.threads import in_reading_thread
from newscrawler.crawl.reading.answers import parsed, raw_page
from newscrawler.crawl.reading.subrequests import subrequest
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery.urls.canonical import canonical_or_none
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction.body.further_pages import first_page, further_pages, join_paragraphs
from newscrawler.extraction.pipeline import ExtractionState, detect_body
from newscrawler.store import FoundUrl
from newscrawler.store.vocabularies import FetchKind
from newscrawler.store.vocabularies.outcomes import FrontierKind, Reason

#: No article has more pages.
MOST_PARTS = 40


class ArticleParts:
    """Fetch the further pages of an article, under the same rules as any page, and add their text to the first."""

    def __init__(self, run: CrawlRun, crawler: Crawler) -> None:
        self._reading = run.reading
        self._link_policy = run.link_policy
        self._rights = run.rights
        self._crawler = crawler

    def first_of(self, item: FetchedUrl) -> str | None:
        """Return the URL of the article's first page; None: this is the first page."""
        if item.draft is None or not self._are_wanted(item):
            return None
        first = self._in_scope(first_page(item.draft.page))
        return first if first != item.claimed.url else None

    def of(self, item: FetchedUrl) -> list[str]:
        """Return the further pages of a first page."""
        return list(further_pages(item.draft.page)) if item.draft is not None and self._are_wanted(item) else []

    def _are_wanted(self, item: FetchedUrl) -> bool:
        return item.is_readable and item.decision.refusal is None and item.decision.follows_links

    async def joined(self, item: FetchedUrl, parts: list[str]) -> FetchedUrl:
        """Return a first page with the text of its further pages.

        Raises:
            SubrequestError: one of them cannot be fetched for now.
        """
        draft = item.draft
        assert draft is not None
        assert draft.body is not None
        bodies = [draft.body]
        seen = {item.claimed.url}
        while parts and len(seen) < MOST_PARTS:
            url = self._in_scope(parts.pop(0))
            if url is None or url in seen:
                continue
            seen.add(url)
            item, response = await subrequest(self._crawler, item, url, FetchKind.PART)
            if response is None:
                break
            item, body, more = await in_reading_thread(self._read, url, response, item)
            if body is None:
                break
            bodies.append(body)
            parts += [each for each in more if each not in parts]
        draft.body = replace(bodies[0], paragraphs=join_paragraphs([body.paragraphs for body in bodies]))
        return item

    def _in_scope(self, url: str | None) -> str | None:
        canonical = canonical_or_none(url) if url else None
        return canonical if canonical and self._link_policy.scope.allows(canonical) else None

    def _read(self, url: str, response: Response, item: FetchedUrl) -> tuple[FetchedUrl, Body | None, Sequence[str]]:
        """Return the body of a further page and what follows it; no body where it has none, or it is reserved."""
        page = parsed(response)
        decision = self._rights.decide(said_of(response, page, self._rights), item.fetched_at)
        if decision.refusal is not None:
            return _with_part(item, url, Reason(decision.refusal, decision.statement)), None, ()
        item = replace(item, raw=(*item.raw, raw_page(response, item.fetched_at)))
        draft = ExtractionState(page=page, fetched_at=item.fetched_at)
        with contextlib.suppress(PageError):
            detect_body(draft, self._reading)
        if draft.body is None:
            return item, None, ()
        return _with_part(item, url, Reason(PageReason.PART, item.claimed.url)), draft.body, further_pages(page)


def _with_part(item: FetchedUrl, url: str, skipped: Reason) -> FetchedUrl:
    """Return a first page's record with a further page that is not to be fetched by itself."""
    part = FoundUrl(url=url, kind=FrontierKind.ARTICLE, priority=PRIORITY["article"], depth=0, skipped=skipped)
    return replace(item, found=(*item.found, part))
