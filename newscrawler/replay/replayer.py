"""Reads the kept pages of an article as a crawl would read them today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from newscrawler.article import Article
from newscrawler.dates import DateHint, DayOrders
from newscrawler.errors import PageError, PageReason
from newscrawler.extract import Draft, Reading, detect_body, finish, read_dates, read_metadata
from newscrawler.page import Document
from newscrawler.page.parts import further_pages, join_paragraphs
from newscrawler.pages import RawPage, read_page
from newscrawler.replay.change import Change, compare
from newscrawler.store import KeptPage, PageSelection, Store, StoredArticle, StoredPage
from newscrawler.store.articles import FROM_LISTING
from newscrawler.store.frontier_records import SECTION_HINT

#: What stays of the first reading when a later page corrects an article: the crawl does not move it in time either.
_DATED = ("published_at", "published_precision", "published_source", "offset_given")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayer:
    """Reads the articles of one portal anew."""

    store: Store
    folder: Path
    #: With the wrapper, if one is to be used.
    reading: Reading

    @classmethod
    def of(cls, store: Store, folder: Path, reading: Reading) -> Replayer:
        """Make it, with what is known of the portal's dates."""
        learned = store.patterns.learned_of(reading.portal or "")
        order = DayOrders(**learned.get("day_orders", {})).order
        return cls(store=store, folder=folder, reading=replace(reading, day_order=order))

    def changes(self, *, since: datetime | None = None) -> Iterator[Change]:
        """Read every article of the portal whose pages are kept, and compare; in the order in which they were stored.

        Args:
            since: only articles of which a page was fetched at that time or later.
        """
        for article_id in self.store.pages.articles_of(self.reading.portal or "", since=since):
            stored = self.store.articles.get(article_id)
            if stored is not None:
                yield self.change(stored)

    def change(self, stored: StoredArticle) -> Change:
        """Read one article anew."""
        try:
            article = self.article(stored)
            if article.section is None and stored.article.section_source == FROM_LISTING:  # no page of its own says it
                article = replace(article, section=stored.article.section, section_source=FROM_LISTING)
            return compare(stored, article)
        except PageError as error:
            return Change(stored=stored, article=None, refusal=error)

    def article(self, stored: StoredArticle) -> Article:
        """Read an article from its kept pages, the oldest first: a later one corrects it as it does in a crawl.

        Raises:
            PageError: the pages are gone or damaged, or hold no article for today's extractor.
        """
        pages = list(self.store.pages.select(PageSelection(article_id=stored.id, outcome="article", newest_first=False)))
        own = [page for page in pages if page.kept.url == stored.article.url] or pages
        found: Article | None = None
        for page in own:
            read = self.read(page)
            if found is None:
                found = read
            elif read.text != found.text and read.word_count * 2 >= found.word_count:
                found = replace(read, **{name: getattr(found, name) for name in _DATED}) if found.published_at else read
        if found is None:
            raise PageError(PageReason.NOT_KEPT, stored.article.url or "")
        return found

    def read(self, page: StoredPage) -> Article:
        """Read one page, with the further pages of its article.

        Raises:
            PageError: it is gone or damaged, or holds no article.
        """
        raw = read_page(self.folder, page.kept)
        hints = [DateHint(source=source, text=text) for source, text in self.store.pages.hints_of(page) if source != SECTION_HINT]
        modified = next((value for name, value in raw.headers if name.lower() == "last-modified"), None)
        hints += [DateHint(source="last-modified", text=modified)] if modified else []
        draft = Draft(page=_document(raw), fetched_at=page.kept.fetched_at, hints=tuple(hints))
        detect_body(draft, self.reading)
        self._join(draft, self.store.pages.parts_of(page))
        read_dates(draft, self.reading)
        read_metadata(draft, self.reading)
        return finish(draft, self.reading)

    def _join(self, draft: Draft, parts: dict[str, KeptPage]) -> None:
        """Add the text of the further pages, as far as they are kept, in the order in which pages lead to each other."""
        if draft.body is None or not parts:
            return
        bodies, waiting = [draft.body], list(further_pages(draft.page))
        while waiting:
            kept = parts.pop(waiting.pop(0), None)
            if kept is None:
                continue
            part = Draft(page=_document(read_page(self.folder, kept)), fetched_at=draft.fetched_at)
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
