"""Extraction of an article from its kept pages, as a crawl would extract it now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any

from newscrawler.article import FROM_FEED, Article, is_teaser
from newscrawler.discovery.urls import CLASSIFIERS, PageLink, compute_prior
from newscrawler.errors import PageError, PageReason, counted
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, finish, read_dates, read_metadata
from newscrawler.extraction.body import Origin, further_pages, join_paragraphs, load_page_classifier
from newscrawler.extraction.dates import DateHint, PortalCalendar
from newscrawler.store import Store
from newscrawler.store.archive import PageSelection, PagesFolder, StoredPage, read_page
from newscrawler.store.articles import FROM_LISTING, StoredArticle
from newscrawler.store.frontier import LISTED, SECTION_HINT

#: Fields that do not belong to the article, or follow from others.
_NOT_COMPARED = frozenset({
    "url", "portal", "fetched_at", "method", "confidence", "word_count", "date", "published_source", "section_source",
    "language_detected", "date_confidence",
})  # fmt: skip
#: Which of these two read an article follows from its page.
_OWN_METHODS = frozenset({"default", "template"})
#: Number of equal paragraphs shown before and after a difference.
_CONTEXT = 1
#: The page cannot be read, which says nothing about the extractor.
_UNREADABLE = frozenset({PageReason.NOT_KEPT, PageReason.DAMAGED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleChange:
    """One article, as stored and as extracted again."""

    stored: StoredArticle
    #: None: the current extractor finds no article, or the page cannot be read.
    article: Article | None
    refusal: PageError | None = None
    #: Stored and new value of the fields that differ.
    fields: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Return same, changed, refused (no article any more) or unreadable (its page is gone or damaged)."""
        if self.refusal is not None:
            return "unreadable" if self.refusal.reason in _UNREADABLE else "refused"
        return "changed" if self.fields else "same"

    def lines(self) -> Iterator[str]:
        """Yield the differences as text, without a heading."""
        if self.refusal is not None:
            yield f"  {'page cannot be read' if self.kind == 'unreadable' else 'no article any more'}: {self.refusal}"
        for name, (before, after) in self.fields.items():
            if name in {"body", "paragraphs"}:
                yield f"  {name}:"
                yield from _difference(_paragraphs(before), _paragraphs(after))
            else:
                yield f"  {name}:"
                yield f"    - {_shown(before)}"
                yield f"    + {_shown(after)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the record for `--json`."""
        return {
            "id": self.stored.id,
            "url": self.stored.article.url,
            "kind": self.kind,
            "reason": str(self.refusal) if self.refusal else None,
            "fields": {name: {"before": before, "after": after} for name, (before, after) in self.fields.items()},
        }


@dataclass(slots=True, kw_only=True)
class Totals:
    """Counts of articles by kind of change, and of changed fields."""

    kinds: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)

    def add(self, change: ArticleChange) -> None:
        """Count an article."""
        self.kinds[change.kind] += 1
        self.fields.update(change.fields.keys())

    def sentence(self, *, applied: bool = False) -> str:
        """Return the totals as a sentence."""
        fields = ", ".join(f"{name} {count}" for name, count in self.fields.most_common())
        number, total = self.kinds["changed"], self.kinds.total()
        verb = ("was changed" if number == 1 else "were changed") if applied else "would change"
        changed = f"{number} {verb} ({fields})" if fields else f"{number} {verb}"
        same, refused, unreadable = (self.kinds[kind] for kind in ("same", "refused", "unreadable"))
        parts = [f"{counted(total, 'article')} read again", changed, f"{same} unchanged"]
        if refused:
            parts.append(f"{refused} no longer recognised as {'an article' if refused == 1 else 'articles'}, and left as stored")
        if unreadable:
            parts.append(f"{unreadable} with a missing or damaged page")
        return "; ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return the record for `--json`."""
        return {"articles": self.kinds.total(), "kinds": dict(self.kinds), "fields": dict(self.fields)}


def compare(stored: StoredArticle, article: Article) -> ArticleChange:
    """Compare a new extraction with the stored article."""
    before, after = stored.article.as_dict(), article.as_dict()
    differs = {name: (before[name], after[name]) for name in before if name not in _NOT_COMPARED and before[name] != after[name]}
    if "body" in differs:  # the paragraphs repeat it
        differs.pop("paragraphs", None)
    methods = (before["method"], after["method"])
    if len({*methods}) > 1 and not _OWN_METHODS.issuperset(methods):
        differs["method"] = methods
    return ArticleChange(stored=stored, article=article, fields=differs)


def _paragraphs(value: Any) -> list[str]:
    if isinstance(value, str):
        return value.split("\n")
    return [f"[{item['kind']}] {item['text']}" for item in value or ()]


def _difference(before: list[str], after: list[str]) -> Iterator[str]:
    """Yield removed and added paragraphs with their context; other equal paragraphs are only counted."""
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for number, (kind, start, end, new_start, new_end) in enumerate(steps):
        if kind != "equal":
            yield from (f"    - {line}" for line in before[start:end])
            yield from (f"    + {line}" for line in after[new_start:new_end])
            continue
        same = before[start:end]
        head = same[:_CONTEXT] if number else []
        tail = same[max(len(head), len(same) - _CONTEXT) :] if number < len(steps) - 1 else []
        yield from (f"      {line}" for line in head)
        left_out = len(same) - len(head) - len(tail)
        if left_out:
            yield f"      … {counted(left_out, 'paragraph')} the same …"
        yield from (f"      {line}" for line in tail)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value in {None, ""} else str(value)


#: Fields of the first page that stay when a later page corrects an article; a crawl keeps them, too.
_DATED = ("published_at", "published_precision", "published_source", "offset_given", "date_confidence")


def _find_prior(draft: ExtractionState) -> float:
    """Return the log-odds of an article by what led to a page, as in the crawl: a feed or sitemap, or else its address."""
    if any(hint.source in LISTED for hint in draft.hints):
        return load_page_classifier().get_prior(Origin.FEED)
    url, title = draft.page.url or "", draft.page.title
    return compute_prior(CLASSIFIERS["default"](PageLink(href=url, page_url=url, anchor=title, where="main")).article_score)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayer:
    """Extracts the articles of one portal again."""

    store: Store
    folder: PagesFolder
    #: With the template, if one is used.
    reading: ExtractionOptions
    #: Leave out articles: fields of `Selection`, as of `Configuration.reserved_for`.
    reserved: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, store: Store, folder: PagesFolder, reading: ExtractionOptions, *, reserved: Mapping[str, Any] | None = None
    ) -> Replayer:
        """Create a replayer that knows how the portal writes dates."""
        learned = store.patterns.learned_of(reading.portal or "")
        calendar = PortalCalendar(**learned.get("calendar", {}))
        return cls(store=store, folder=folder, reading=replace(reading, calendar=calendar), reserved=reserved or {})

    def changes(
        self, *, since: datetime | None = None, before: datetime | None = None, why: str | None = None
    ) -> Iterator[ArticleChange]:
        """Yield the change of every article of the portal whose pages are kept, in the order in which they were stored.

        Only articles with a page fetched at `since` or later, or before `before`; with `why`, changes are stored as revisions.
        """
        chosen = PageSelection(portal=self.reading.portal, since=since, before=before, reserved=self.reserved)
        for article_id in self.store.pages.articles_of(chosen):
            stored = self.store.articles.get(article_id)
            if stored is not None:
                change = self.change(stored)
                if why is not None and change.kind == "changed" and change.article is not None:
                    self.store.articles.revise(stored, change.article, why=why)
                yield change

    def change(self, stored: StoredArticle) -> ArticleChange:
        """Extract one article again and compare; the text of a feed stays, as its page has less."""
        if stored.article.method == FROM_FEED:
            return ArticleChange(stored=stored, article=stored.article)
        try:
            article = self.article(stored)
            if article.section is None and stored.article.section_source == FROM_LISTING:  # its own page has none
                article = replace(article, section=stored.article.section, section_source=FROM_LISTING)
            if article.free is None and is_teaser(stored.article):  # by other articles of the portal
                article = replace(article, free=False)
            return compare(stored, article)
        except PageError as error:
            return ArticleChange(stored=stored, article=None, refusal=error)

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
        draft = ExtractionState(page=raw.parse(), fetched_at=page.kept.fetched_at, hints=tuple(hints))
        draft.prior = _find_prior(draft)
        detect_body(draft, self.reading)
        self._join(draft, page)
        read_dates(draft, self.reading)
        read_metadata(draft, self.reading)
        return finish(draft, self.reading)

    def _join(self, draft: ExtractionState, page: StoredPage) -> None:
        """Append the text of the further pages that are kept, in the order of the links between them."""
        waiting = list(further_pages(draft.page))
        if draft.body is None or not waiting:
            return
        bodies, parts = [draft.body], self.store.pages.parts_of(page)
        while waiting:
            kept = parts.pop(waiting.pop(0), None)
            if kept is None:
                continue
            part = ExtractionState(page=read_page(self.folder, kept).parse(), fetched_at=draft.fetched_at)
            try:
                detect_body(part, self.reading)
            except PageError:
                break
            if part.body is None:
                break
            bodies.append(part.body)
            waiting += [url for url in further_pages(part.page) if url not in waiting]
        draft.body = replace(bodies[0], paragraphs=join_paragraphs([body.paragraphs for body in bodies]))
