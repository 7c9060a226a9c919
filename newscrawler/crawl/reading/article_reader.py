"""From the page of a portal to its article, or to the reason why there is none. A bad page never stops a crawl.

The spider classifies the page, and each item pipeline takes a step; other forms of a page take all of them.
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter, itemgetter
from time import thread_time

from scrapy.crawler import Crawler
from scrapy.http import Response

from newscrawler.article import LONGEST_TEASER, Article, Body, is_cut
from newscrawler.corpus.templates import noted
from newscrawler.crawl.process.threads import run_in_reading_thread
from newscrawler.crawl.reading.fallbacks import Fallbacks
from newscrawler.crawl.reading.responses import find_reservations, make_raw_page, parse_page, retry_first
from newscrawler.crawl.reading.subrequests import SubrequestError, fail_for_now, send_subrequest
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import WHOLE, FetchedUrl
from newscrawler.discovery import PRIORITY, Sketch, find_twins, make_sketch
from newscrawler.discovery.urls import accept_canonical, canonicalize_or_none
from newscrawler.errors import MISSING_ATTRIBUTES, PageError, PageReason
from newscrawler.extraction import (
    ExtractionOptions,
    ExtractionState,
    classify_page,
    detect_body,
    finish,
    read_article,
    read_dates,
    read_metadata,
)
from newscrawler.extraction.body import (
    LEAST_ANCHORED,
    AnchoredArticle,
    find_anchored_articles,
    first_page,
    further_pages,
    is_whole,
    join_paragraphs,
    list_other_pages,
)
from newscrawler.extraction.metadata import list_signs_of_teaser
from newscrawler.languages import pattern
from newscrawler.limits import ARTICLE_PAGES
from newscrawler.page import Document, begins_alike, extract_visible_text, short_text
from newscrawler.store.articles import Removal
from newscrawler.store.frontier import FoundUrl, LeasedUrl
from newscrawler.store.vocabularies import FetchKind, FrontierKind, Reason, UrlOutcome, UrlState

logger = logging.getLogger(__name__)


class ArticleReader:
    """Read the articles of a portal's pages step by step, with the state of its run."""

    def __init__(self, run: CrawlRun, crawler: Crawler) -> None:
        self._link_policy = run.link_policy
        self._profile = run.link_policy.profile
        self._portal_pages = run.link_policy.portal_pages
        self._parts = ArticleParts(run, crawler)
        self._teasers = Teasers()
        self._ways = Fallbacks(run, crawler)
        self._run = run

    def classify(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record of a page that may be an article; of another, with the reason: a listing, an error, a wall, ….

        A portal's template takes the place of the models where the page fits it. To be called in the reading thread. Each switch of
        threads costs, so the next steps are taken in the same call, as far as they need no request.
        """
        return item if self._ways.needs_browser(item) else self._detect_own_blocks(self._classify(item))

    async def detect_blocks(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record with the blocks of the article: those of the page, and of its further pages, which are requested."""
        if not self._is_open(item):
            return item
        try:
            return await self._detect_blocks(item)
        except SubrequestError as error:
            return fail_for_now(error.item, error.__cause__, str(error))

    async def read_metadata(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record with the metadata, such as the language in which dates are read."""
        is_open = self._is_open(item) and item.draft is not None and item.draft.metadata is None
        return await run_in_reading_thread(self._try, item, self._read_metadata) if is_open else item

    async def read_dates(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record with the dates."""
        is_open = self._is_open(item) and item.draft is not None and item.draft.dates is None
        return await run_in_reading_thread(self._try, item, self._read_dates) if is_open else item

    async def finish(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record with the article: of the page, or of another form of it, if it shows none; or with the reason."""
        try:
            first = item if self._ways.needs_browser(item) else await run_in_reading_thread(self._end, item)
            if first.article is not None and not first.sources:
                self._profile.twins.note_whole(first.lease.url, first.whole_url)
            read = await self._ways.read(item, first, self._read)
        except SubrequestError as error:
            read = await run_in_reading_thread(self._close, fail_for_now(error.item, error.__cause__, str(error)))
        if item.answer is not None and item.answer.meta.get(WHOLE) and read.article is None and read.state is UrlState.DONE:
            read = retry_first(read, self._link_policy)
        return replace(read, answer=None)

    def _is_open(self, item: FetchedUrl) -> bool:
        """Return whether the next step applies to a page."""
        return item.is_readable and not self._ways.needs_browser(item)

    async def _read(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record of another form of a page, by all steps."""
        item = await run_in_reading_thread(self._classify, item)
        return await run_in_reading_thread(self._read_fields, await self._detect_blocks(item))

    def _read_fields(self, item: FetchedUrl) -> FetchedUrl:
        return self._end(self._try(self._try(item, self._read_metadata), self._read_dates))

    def _classify(self, item: FetchedUrl) -> FetchedUrl:
        if anchored := self._read_anchored(item):
            return replace(item, anchored=anchored).refuse(PageReason.LISTING, f"{len(anchored)} articles with anchors")
        if self._run.news_filter is not None:
            item = self._try(item, self._run.news_filter.check)
        return self._try(item, classify_page)

    async def _detect_blocks(self, item: FetchedUrl) -> FetchedUrl:
        if item.further is None:
            item = await run_in_reading_thread(self._detect_own_blocks, item)
        parts, longer = item.further or ((), None)
        if longer is not None:
            return await self._parts.yield_to(item, longer)
        if not parts or item.draft is None or item.draft.body is None:
            return item
        length = len(item.draft.body.paragraphs)
        joined = await self._parts.join_pages(item, list(parts))
        is_longer = len(item.draft.body.paragraphs) > length
        return replace(joined, whole_url=parts[0]) if is_longer and is_whole(parts[0]) else joined

    def _detect_own_blocks(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record with the blocks of the page itself, and all fields, if its article has no further pages."""
        item = self._try(item, detect_body)
        item = self._try(item, self._refuse_page_of_article)
        if (first := self._parts.find_first(item)) is not None:
            item = _refuse_part(item, first)
        if parts := self._parts.list_further(item):
            item = self._parts.skip_others(item)
        if item.sources and item.answer is not None and item.answer.meta.get(WHOLE):
            parts = []
        longer = self._parts.find_longer(item) if not parts and not item.sources else None
        if not parts and longer is None:
            item = self._try(self._try(item, self._read_metadata), self._read_dates)
        return replace(item, further=(tuple(parts), longer))

    def _read_anchored(self, item: FetchedUrl) -> tuple[tuple[Article, Sketch | None], ...]:
        """Read the articles of a page with several; none: it has one or none."""
        if item.draft is None or item.decision.refusal is not None or self._run.reading.method is not None:
            return ()
        if self._run.news_filter is not None:  # it judges whole pages
            return ()
        linked = self._portal_pages.anchors.get(item.lease.url, ())
        found = find_anchored_articles(item.draft.page, frozenset(linked))
        read = [article for each in found if (article := self._read_anchored_article(item, each)) is not None]
        return tuple((article, make_sketch(article.body)) for article in read) if len(read) >= LEAST_ANCHORED else ()

    def _read_anchored_article(self, item: FetchedUrl, found: AnchoredArticle) -> Article | None:
        draft = ExtractionState(page=found.page, fetched_at=item.fetched_at)
        required = self._run.reading.required | {"date"}
        try:
            article = read_article(
                draft, replace(self._run.reading, template=None, required=required, calendar=self._profile.calendar)
            )
        except PageError:
            return None
        finally:
            self._learn_dates(draft)
        return replace(article, title=found.headline, canonical_url=None)

    def _end(self, item: FetchedUrl) -> FetchedUrl:
        item = self._try(item, lambda draft, _: self._refuse_other_kind(item.lease, draft))
        return self._close(self._try(item, finish))

    def _try(self, item: FetchedUrl, step: Callable[[ExtractionState, ExtractionOptions], Article | None]) -> FetchedUrl:
        """Return the record after a step, or with the reason for its failure."""
        if item.draft is None or not item.is_readable:
            return item
        began = thread_time()
        try:
            article = step(item.draft, self._get_options(item))
        except PageError as error:
            return item.refuse(error.reason, error.detail)
        except Exception as error:
            logger.exception("fault while reading %s", item.lease.url)
            return item.refuse(PageReason.FAULT, f"{type(error).__name__}: {error}")
        finally:
            self._run.counts.reading["extraction" if step is finish else "detection"] += thread_time() - began
        return replace(item, article=article, sketch=make_sketch(article.body)) if article is not None else item

    def _get_options(self, item: FetchedUrl) -> ExtractionOptions:
        """Return the options for a page; those learned of the portal's layout do not apply to another host."""
        reading = self._run.reading
        return reading.remove_template() if self._link_policy.is_external(item.lease.url) else reading

    def _read_metadata(self, draft: ExtractionState, reading: ExtractionOptions) -> None:
        """Read the metadata, unless they are read; a canonical URL counts only within the portal."""
        is_read = draft.metadata is not None
        if is_read:
            return
        read_metadata(draft, reading)
        if draft.metadata is not None:
            stated = accept_canonical(draft.page.url or "", draft.metadata.canonical_url, self._link_policy.scope)
            draft.metadata = replace(draft.metadata, canonical_url=stated)

    def _read_dates(self, draft: ExtractionState, reading: ExtractionOptions) -> None:
        """Read the dates, unless they are read, and learn how the portal writes them."""
        if draft.dates is not None:
            return
        read_dates(draft, replace(reading, calendar=self._profile.calendar))
        self._learn_dates(draft)

    def _learn_dates(self, draft: ExtractionState) -> None:
        if draft.dates is not None:
            self._profile.note_dates(draft.dates)

    def _refuse_page_of_article(self, draft: ExtractionState, reading: ExtractionOptions) -> None:
        """Refuse a page of pictures or comments of an article, which are not joined with it.

        Raises:
            PageError: it is one.
        """
        url = draft.page.url or ""
        if self._portal_pages.find_article_of(url, draft) is None:
            return
        self._read_metadata(draft, reading)
        self._read_dates(draft, reading)  # pages of other days are other articles
        if (article := self._portal_pages.find_article_of(url, draft)) is not None:
            raise PageError(PageReason.PART, article)

    def _refuse_other_kind(self, lease: LeasedUrl, draft: ExtractionState) -> None:
        """Refuse a page about the portal, a picture, or one that a server gave in place of another.

        Raises:
            PageError: it is one.
        """
        if _is_caption(draft):
            raise PageError(PageReason.OTHER_KIND, "a picture")
        if self._portal_pages.is_another_page(lease.url, draft):
            raise PageError(PageReason.ERROR_PAGE, "it says nothing of what its address and lists name")
        if (why := self._portal_pages.find_reason_against(lease.url, draft)) is not None:
            raise PageError(PageReason.OTHER_KIND, why)

    def _close(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record with its outcome, without the page's tree, which is large."""
        draft, article, outcome = item.draft, item.article, item.outcome
        drift_note = item.drift_note
        if draft is not None:
            overrides = self._run.reading.template.overrides if self._run.reading.template else {}
            expected = item.lease.kind == FrontierKind.ARTICLE
            drift_note = noted(draft.explained, article, expected=expected, overrides=overrides)
        if draft is not None and (article is not None or "?" in item.lease.url or item.lease.kind != FrontierKind.ARTICLE):
            text = f"{article.title} {article.body}" if article is not None else extract_visible_text(draft.page.body)
            self._profile.note_text(item.lease.url, text)
        if article is not None and draft is not None:
            article = self._teasers.judge(item.lease.url, article, draft.page)
            item = replace(item, article=article, twins=find_twins(draft.page), teasers=self._teasers.take_earlier())
        if article is not None:
            outcome = UrlOutcome.ARTICLE
            self._portal_pages.note_article(item.lease.url, article)
        elif draft is not None and item.state is UrlState.DONE:
            is_listing = (item.found or item.anchored) and item.word not in MISSING_ATTRIBUTES | {PageReason.PART}
            outcome = UrlOutcome.LISTING if is_listing else UrlOutcome.NOTHING
        raw = () if self._link_policy.is_external(item.lease.url) else item.raw  # nothing is learned from another host's pages
        return _remove_forbidden(replace(item, draft=None, outcome=outcome, drift_note=drift_note, raw=raw), self._run.removals)


#: Share of lines with a picture from which on a page shows pictures alone.
_CAPTIONS = 0.8


def _is_caption(draft: ExtractionState) -> bool:
    """Return whether all text of a page is the caption of one picture, or nearly all lines are captions without a sentence."""
    taken = draft.examined.taken if draft.examined is not None else ()
    pictured = sum(next(block.element.iter("img"), None) is not None for block in taken)
    if pictured and pictured >= _CAPTIONS * len(taken) and not any(block.is_sentence for block in taken):
        return True
    elements = draft.body.elements if draft.body is not None else ()
    captions = {element if element.tag == "figcaption" else next(element.iterancestors("figcaption"), None) for element in elements}
    return len(captions) == 1 and None not in captions


def _remove_forbidden(item: FetchedUrl, removals: Sequence[Removal]) -> FetchedUrl:
    """Return the record without the text and the copies of the page that the publisher reserves."""
    if item.article is not None:
        removed = next(
            (url for url in (item.lease.url, item.article.canonical_url) if any(each.covers(url) for each in removals)), None
        )
        if removed is not None:
            item = replace(item.remove_article(PageReason.REMOVED, removed), raw=(), sources=())
    if item.article is not None and item.decision.refusal is not None:
        item = item.remove_article(item.decision.refusal, item.decision.statement)
    anchored = tuple(pair for pair in item.anchored if not any(each.covers(pair[0].url) for each in removals))
    if not item.decision.keeps_copies:
        item = replace(item, raw=(), sources=())
    return replace(item, anchored=anchored)


#: Articles that are remembered, and longer ones among them without which the length of a text says nothing.
_MOST_LENGTHS, _FEWEST_LONGER = 200, 5


class Teasers:
    """Recognises teasers by the portal's other articles: they are at most half as long, and end as these do not."""

    def __init__(self) -> None:
        #: Characters of articles, and their signs of a teaser.
        self._lengths: deque[tuple[int, tuple[bool, ...]]] = deque(maxlen=_MOST_LENGTHS)
        #: Of these, the first that have a sign, by URL: the articles that tell may come later.
        self._earlier: dict[str, tuple[int, tuple[bool, ...]]] = {}

    def judge(self, url: str, article: Article, page: Document) -> Article:
        """Return the article as not free, if its text is a teaser."""
        if article.free is not None or "layout" not in page.__dict__:  # a page that is read by its template is as long as others
            return article
        size, signs = len(article.body), list_signs_of_teaser(page, article.body)
        if self._is_teaser(size, signs):
            return replace(article, free=False)
        if size <= LONGEST_TEASER and any(signs) and len(self._lengths) < _FIRST:
            self._earlier[url] = (size, signs)
        self._lengths.append((size, signs))
        return article

    def take_earlier(self) -> tuple[str, ...]:
        """Return the URLs of earlier articles that are teasers by those read since."""
        found = tuple(url for url, known in self._earlier.items() if self._is_teaser(*known))
        is_known = len(self._lengths) > _MOST_COMPARED
        self._earlier = {} if is_known else {url: known for url, known in self._earlier.items() if url not in found}
        return found

    def _is_teaser(self, size: int, signs: tuple[bool, ...]) -> bool:
        for place, _ in filter(itemgetter(1), enumerate(signs if size <= LONGEST_TEASER else ())):
            longer = [each[place] for length, each in self._lengths if length >= 2 * size]
            others = sum(not each[place] for _, each in self._lengths)  # earlier teasers may be among those that have it
            if len(longer) >= max(_FEWEST_LONGER, _SHARE_OF_LONGER * others) and sum(longer) <= _MOST_ALIKE * len(longer):
                return True
        return False


#: Articles at the beginning of a run that are judged again, until so many are known.
_FIRST, _MOST_COMPARED = 20, 60
#: Share of the articles that must be twice as long, for where lengths differ a short one is whole; and of these may end alike.
_SHARE_OF_LONGER, _MOST_ALIKE = 0.75, 0.1
#: Pages with the whole text that are compared with the page before the next ones are believed, and pages without it, after which
#: no more are looked for.
_SURE_WHOLE, _MOST_OTHERS = 2, 3
#: Characters of a link to the whole text.
_LONGEST_LABEL = 60


def _refuse_part(item: FetchedUrl, whole: str) -> FetchedUrl:
    """Return the record of a page whose article is at another URL, which is to be fetched."""
    found = FoundUrl(
        url=whole, kind=FrontierKind.ARTICLE, priority=PRIORITY["article"], depth=item.lease.depth, hints=item.lease.hints
    )
    return replace(item, found=(*item.found, found)).refuse(PageReason.PART, whole)


class ArticleParts:
    """Fetch the further pages of an article, under the same rules as any page, and add their text to the first."""

    def __init__(self, run: CrawlRun, crawler: Crawler) -> None:
        self._run = run
        self._link_policy = run.link_policy
        self._rights = run.rights
        self._crawler = crawler
        #: Pages with the whole text of another, and pages that seemed to have it.
        self._whole, self._others = 0, 0

    def find_longer(self, item: FetchedUrl) -> str | None:
        """Return the URL of the only page to which a short text says that it goes on; None: there is none, or several."""
        body = item.draft.body if item.draft is not None and self._are_wanted(item) else None
        if item.draft is None or body is None or len(body.text) > LONGEST_TEASER or self._others >= _MOST_OTHERS:
            return None
        topics = ("read_on", "read_also") if is_cut(body.text) else ("read_on",)
        says_more = pattern(*topics).search
        links = [link for link in item.draft.page.tagged("a") if says_more((short_text(link, _LONGEST_LABEL) or "").lower())]
        urls = {self._find_in_scope(item.draft.page.resolve(link.get("href") or "")) for link in links} - {None, item.lease.url}
        return urls.pop() if len(urls) == 1 else None

    async def yield_to(self, item: FetchedUrl, longer: str) -> FetchedUrl:
        """Return a page that is only the beginning of another as a part of it; the first ones are compared.

        Raises:
            SubrequestError: the other page cannot be fetched for now.
        """
        if self._whole >= _SURE_WHOLE and not self._others:
            return _refuse_part(item, longer)
        body = item.draft.body if item.draft is not None else None
        item, response = await send_subrequest(self._crawler, item, longer, FetchKind.PART)
        read = await run_in_reading_thread(self._read, longer, response, item) if response is not None else None
        other = read[1] if read is not None else None
        paragraphs, size = (body.paragraphs, len(body.text)) if body is not None else ((), 0)
        if other is not None and len(other.text) > size and begins_alike(map(attrgetter("text"), paragraphs), other.text):
            self._whole += 1
            return _refuse_part(item, longer)
        self._others += 1
        return item

    def find_first(self, item: FetchedUrl) -> str | None:
        """Return the URL of the article's first page; None: this is the first page."""
        if item.draft is None or not self._are_wanted(item):
            return None
        first = self._find_in_scope(first_page(item.draft.page))
        return first if first != item.lease.url else None

    def list_further(self, item: FetchedUrl) -> list[str]:
        """Return the further pages of a first page."""
        return list(further_pages(item.draft.page)) if item.draft is not None and self._are_wanted(item) else []

    def skip_others(self, item: FetchedUrl) -> FetchedUrl:
        """Return the record of a first page with its further pages, which are not to be fetched by themselves."""
        assert item.draft is not None
        for url in filter(None, map(self._find_in_scope, list_other_pages(item.draft.page))):
            item = _add_part(item, url, Reason(PageReason.PART, item.lease.url))
        return item

    def _are_wanted(self, item: FetchedUrl) -> bool:
        return item.is_readable and item.decision.refusal is None and item.decision.follows_links

    async def join_pages(self, item: FetchedUrl, parts: list[str]) -> FetchedUrl:
        """Return a first page with the text of its further pages.

        Raises:
            SubrequestError: one of them cannot be fetched for now.
        """
        draft = item.draft
        assert draft is not None
        assert draft.body is not None
        bodies = [draft.body]
        seen = {item.lease.url}
        while parts and len(seen) < ARTICLE_PAGES:
            url = self._find_in_scope(parts.pop(0))
            if url is None or url in seen:
                continue
            seen.add(url)
            item, response = await send_subrequest(self._crawler, item, url, FetchKind.PART)
            if response is None:
                break
            item, body, more = await run_in_reading_thread(self._read, url, response, item)
            if body is None:
                break
            bodies.append(body)
            parts += [each for each in more if each not in parts]
        draft.body = replace(bodies[0], paragraphs=join_paragraphs([body.paragraphs for body in bodies]))
        draft.metadata = draft.dates = None
        return item

    def _find_in_scope(self, url: str | None) -> str | None:
        canonical = canonicalize_or_none(url) if url else None
        return canonical if canonical and self._link_policy.scope.allows(canonical) else None

    def _read(self, url: str, response: Response, item: FetchedUrl) -> tuple[FetchedUrl, Body | None, Sequence[str]]:
        """Return the body of a further page and the URLs of those after it; no body where it has none, or is reserved."""
        page = parse_page(response)
        decision = self._rights.decide(find_reservations(response, page, self._rights), item.fetched_at)
        if decision.refusal is not None:
            return _add_part(item, url, Reason(decision.refusal, decision.statement)), None, ()
        item = replace(item, raw=(*item.raw, make_raw_page(response, item.fetched_at)))
        draft = ExtractionState(page=page, fetched_at=item.fetched_at)
        with contextlib.suppress(PageError):
            detect_body(draft, self._run.reading)
        if draft.body is None:
            return item, None, ()
        return _add_part(item, url, Reason(PageReason.PART, item.lease.url)), draft.body, further_pages(page)


def _add_part(item: FetchedUrl, url: str, skipped: Reason) -> FetchedUrl:
    """Return a first page's record with a further page that is not to be fetched by itself."""
    part = FoundUrl(url=url, kind=FrontierKind.ARTICLE, priority=PRIORITY["article"], depth=0, skipped=skipped)
    return replace(item, found=(*item.found, part))
