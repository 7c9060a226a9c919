"""Extraction of an article from its kept pages, as a crawl would extract it now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from newscrawler.article import Article
from newscrawler.corpus.reextraction.change import Change, compare
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, finish, read_dates, read_metadata
from newscrawler.extraction.body.further_pages import further_pages, join_paragraphs
from newscrawler.extraction.dates import DateHint, DayOrders
from newscrawler.page import Document
from newscrawler.store import Store
from newscrawler.store.archive import PageLocation, PageSelection, PagesFolder, RawPage, StoredPage, read_page
from newscrawler.store.articles import FROM_LISTING, StoredArticle
from newscrawler.store.frontier import SECTION_HINT

#: Fields of the first page that stay when a later page corrects an article; a crawl keeps them, too.
_DATED = ("published_at", "published_precision", "published_source", "offset_given", "date_confidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayer:
    """Extracts the articles of one portal again."""

    store: Store
    folder: PagesFolder
    #: With the template, if one is used.
    reading: ExtractionOptions

    @classmethod
    def of(cls, store: Store, folder: PagesFolder, reading: ExtractionOptions) -> Replayer:
        """Create a replayer that knows the portal's order of day and month."""
        learned = store.patterns.learned_of(reading.portal or "")
        order = DayOrders(**learned.get("day_orders", {})).order
        return cls(store=store, folder=folder, reading=replace(reading, day_order=order))

    def changes(self, *, since: datetime | None = None) -> Iterator[Change]:
        """Yield the change of every article of the portal whose pages are kept, in the order in which they were stored.

        Args:
            since: only articles with a page fetched at that time or later.
        """
        for article_id in self.store.pages.articles_of(self.reading.portal or "", since=since):
            stored = self.store.articles.get(article_id)
            if stored is not None:
                yield self.change(stored)

    def change(self, stored: StoredArticle) -> Change:
        """Extract one article again and compare."""
        try:
            article = self.article(stored)
            if article.section is None and stored.article.section_source == FROM_LISTING:  # its own page has none
                article = replace(article, section=stored.article.section, section_source=FROM_LISTING)
            return compare(stored, article)
        except PageError as error:
            return Change(stored=stored, article=None, refusal=error)

    def article(self, stored: StoredArticle) -> Article:
        """Extract an article from its kept pages, the oldest first: a later one corrects it as in a crawl.

        Raises:
            PageError: the pages are gone or damaged, or the extractor finds no article on them.
        """
        pages = list(self.store.pages.select(PageSelection(article_id=stored.id, outcome="article", newest_first=False)))
        own = [page for page in pages if page.kept.url == stored.article.url] or pages
        found: Article | None = None
        for page in own:
            read = self.read(page)
            if found is None:
                found = read
            elif read.body != found.body and read.word_count * 2 >= found.word_count:
                found = replace(read, **{name: getattr(found, name) for name in _DATED}) if found.published_at else read
        if found is None:
            raise PageError(PageReason.NOT_KEPT, stored.article.url or "")
        return found

    def read(self, page: StoredPage) -> Article:
        """Extract the article of one page and of the further pages that continue it.

        Raises:
            PageError: the page is gone or damaged, or holds no article.
        """
        raw = read_page(self.folder, page.kept)
        hints = [DateHint(source=source, text=text) for source, text in self.store.pages.hints_of(page) if source != SECTION_HINT]
        modified = next((value for name, value in raw.headers if name.lower() == "last-modified"), None)
        hints += [DateHint(source="last-modified", text=modified)] if modified else []
        draft = ExtractionState(page=_document(raw), fetched_at=page.kept.fetched_at, hints=tuple(hints))
        detect_body(draft, self.reading)
        self._join(draft, self.store.pages.parts_of(page))
        read_dates(draft, self.reading)
        read_metadata(draft, self.reading)
        return finish(draft, self.reading)

    def _join(self, draft: ExtractionState, parts: dict[str, PageLocation]) -> None:
        """Append the text of the further pages that are kept, in the order of the links between them."""
        if draft.body is None or not parts:
            return
        bodies, waiting = [draft.body], list(further_pages(draft.page))
        while waiting:
            kept = parts.pop(waiting.pop(0), None)
            if kept is None:
                continue
            part = ExtractionState(page=_document(read_page(self.folder, kept)), fetched_at=draft.fetched_at)
            try:
                detect_body(part, self.reading)
            except PageError:
                break
            if part.body is None:
                break
            bodies.append(part.body)
            waiting += [url for url in further_pages(part.page) if url not in waiting]
        draft.body = replace(bodies[0], paragraphs=join_paragraphs([body.paragraphs for body in bodies]))


def _document(raw: RawPage) -> Document:
    return Document.parse(raw.body, raw.url, content_type=raw.content_type)
