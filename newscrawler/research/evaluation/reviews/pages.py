"""Kept pages of a portal in the database, as test pages for `newscrawler evaluate`: reviewed ones with gold, all without."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from newscrawler.article import Article, DatePrecision
from newscrawler.errors import PageError
from newscrawler.page.encoding import decode
from newscrawler.research.evaluation.data import Gold, Problem, TestPage, page_of
from newscrawler.research.evaluation.reviews.results import worst_of
from newscrawler.store import Store
from newscrawler.store.archive import PageSelection, PagesFolder, StoredPage, read_page
from newscrawler.store.articles import Fault

#: Faults that do not concern headline and text, and their fields.
_OTHER_FIELDS: Mapping[str, str] = {Fault.DATE: "date", Fault.AUTHORS: "authors"}
#: Prefix of a data source that is a portal of the database.
PORTAL = "portal:"
#: Further ones are left out, the oldest first.
_MOST_KEPT = 2_000


def gold_of(article: Article) -> dict[str, Any]:
    """Return the gold of a page whose article was judged right."""
    day_only = article.published_precision is DatePrecision.DAY
    date = article.date if day_only else article.published_at
    return {
        "title": article.title,
        "lead": article.lead,
        "body": article.body,
        "date": date.isoformat() if date else None,
        "authors": list(article.authors),
    }


def _gold_of_faulty(article: Article, faults: Sequence[str]) -> dict[str, Any]:
    """Return the gold of a verdict without a correction: the fields that are right, or the text known as faulty."""
    wrong = worst_of([fault for fault in faults if fault not in _OTHER_FIELDS])
    if wrong is not None:
        return {"faulty": {"title": article.title, "text": article.body, "verdict": str(wrong)}}
    dropped = {_OTHER_FIELDS[fault] for fault in faults}
    return {name: value for name, value in gold_of(article).items() if name not in dropped}


def reviewed_pages(store: Store, folder: PagesFolder, portal: str) -> Iterator[TestPage | Problem]:
    """Yield the reviewed pages of a portal, or a problem for each that cannot be used."""
    for review in store.reviews.of(portal):
        where = _where(portal, review.article_id)
        stored = store.articles.get(review.article_id)
        gold = review.gold if review.gold is not None or stored is None else _gold_of_faulty(stored.article, review.faults)
        page = store.pages.get(review.page_id)
        try:
            raw = read_page(folder, page.kept) if page is not None else None
        except PageError as error:
            yield Problem(where=where, what=str(error))
            continue
        if page is None or raw is None:
            yield Problem(where=where, what="its page is not kept")
            continue
        line = {
            "id": f"{portal}:{review.article_id}",
            "url": page.kept.url,
            "html": decode(raw.body, raw.content_type),
            "gold": dict(gold or {}),
            "portal": portal,
            "section": review.section,
            "when": page.kept.fetched_at.isoformat(),
        }
        yield page_of(line, f"{PORTAL}{portal}", where, str(review.article_id))


def article_pages(store: Store, folder: PagesFolder, portal: str) -> Iterator[TestPage | Problem]:
    """Yield the newest kept page of each article of a portal, without gold, or a problem for each that cannot be read."""
    newest: dict[int | None, StoredPage] = {}
    for page in store.pages.select(PageSelection(portal=portal, outcome="article", limit=_MOST_KEPT)):
        newest.setdefault(page.article_id, page)
    for page in newest.values():
        try:
            raw = read_page(folder, page.kept)
        except PageError as error:
            yield Problem(where=_where(portal, page.article_id), what=str(error))
            continue
        yield TestPage(
            id=f"{portal}:{page.article_id}",
            url=page.kept.url,
            given_url=page.kept.url,
            html=decode(raw.body, raw.content_type),
            gold=Gold(),
            dataset=f"{PORTAL}{portal}",
            portal=portal,
            section=page.section,
            when=page.published_at or page.kept.fetched_at,
        )


def _where(portal: str, article_id: int | None) -> str:
    return f"{PORTAL}{portal}, article {article_id}"
