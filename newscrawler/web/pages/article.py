"""One article: its text and fields, its page and how that is read now, similar articles, its rights, and its earlier states."""

from __future__ import annotations

from enum import StrEnum

from starlette.responses import HTMLResponse, Response

from newscrawler.article import Article
from newscrawler.config import Configuration, find_settings
from newscrawler.corpus.formats import WordEdit, compare_paragraphs, compare_words
from newscrawler.errors import PageError
from newscrawler.extraction.explain import Explanation, explain_page, render_html, render_saved_page
from newscrawler.page import Document
from newscrawler.plugins import page_method_name
from newscrawler.store import Store
from newscrawler.store.archive import PageSelection, StoredPage, read_page
from newscrawler.store.articles import Revision, StoredArticle
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.headers import KEPT_PAGE_POLICY
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit


def read_document(configuration: Configuration, page: StoredPage) -> Document:
    """Return a kept page.

    Raises:
        PageError: the page is missing or damaged.
    """
    return read_page(configuration.pages_folder, page.kept).parse()


def explain_kept_page(store: Store, configuration: Configuration, page: StoredPage) -> Explanation:
    """Return how a kept page is read now, and why.

    Raises:
        PageError: the page is missing or damaged.
    """
    portal = find_settings(configuration, page.portal)
    used = store.templates.in_use(page.portal) if page_method_name(portal.method) == "default" else None
    return explain_page(
        read_document(configuration, page), method=page_method_name(portal.method), template=used.read() if used else None,
        language=portal.language, time_zone=portal.time_zone, ignore_authors=portal.ignore_authors,
        fetched_at=page.kept.fetched_at,
    )  # fmt: skip


class PageView(StrEnum):
    """A way to show a kept page."""

    #: In its own style, its parts in colour.
    MARKED = "marked"
    #: In its own style.
    PLAIN = "plain"
    #: Without its style, with the class, the probability and the reasons of each block.
    EXPLAINED = "explained"


def render_kept_page(store: Store, configuration: Configuration, page: StoredPage, view: PageView) -> str:
    """Return a kept page, which runs nothing and loads nothing.

    Raises:
        PageError: it is gone or damaged.
    """
    if view is PageView.PLAIN:
        return render_saved_page(read_document(configuration, page))
    explanation = explain_kept_page(store, configuration, page)
    return render_html(explanation) if view is PageView.EXPLAINED else render_saved_page(explanation.page, explanation)


def is_kept(configuration: Configuration, page: StoredPage | None) -> bool:
    """Return whether a page can still be read."""
    try:
        return page is not None and bool(read_page(configuration.pages_folder, page.kept))
    except PageError:
        return False


_MOST_VISITS = 50


def show_article(visit: Visit) -> Response:
    """Show an article."""
    stored = find_article(visit)
    page = visit.store.pages.of_article(stored.id)
    earlier = [stored.similar_to] if stored.similar_to else []
    return visit.page(
        "article.html", stored=stored, article=stored.article, revisions=visit.store.articles.revisions(stored.id),
        kept=page if not visit.context.is_static and is_kept(visit.context.configuration, page) else None,
        rights=visit.store.rights.of_article(stored.id), view=_find_view(visit, PageView.MARKED),
        similar=[*visit.store.article_lines.of(earlier), *visit.store.article_lines.similar_to(stored.id)],
        entities=visit.store.entities.of_articles([stored.id]).get(stored.id, []),
        visits=list(visit.store.pages.select(PageSelection(article_id=stored.id, limit=_MOST_VISITS))),
    )  # fmt: skip


def _find_view(visit: Visit, usual: PageView) -> PageView:
    view = visit.query.get("view", usual)
    if view not in set(PageView):
        raise report_missing(f"view {view[:40]} of a saved page")
    return PageView(view)


def show_kept_page(visit: Visit) -> Response:
    """Show a kept page of an article, for a sandboxed frame; by default the newest."""
    stored, kept = find_article(visit), visit.number("kept", 0)
    page = visit.store.pages.get(kept) if kept else visit.store.pages.of_article(stored.id)
    if page is None or (kept and page.article_id != stored.id):
        raise report_missing("saved page of this article")
    shown = render_kept_page(visit.store, visit.context.configuration, page, _find_view(visit, PageView.EXPLAINED))
    headers = {"Content-Security-Policy": KEPT_PAGE_POLICY, "Cache-Control": "private, max-age=300"}
    return HTMLResponse(shown.encode("utf-8", "replace"), headers=headers)


def find_article(visit: Visit) -> StoredArticle:
    """Return the article of a path."""
    return visit.context.find_article(parse_whole_number(visit.arguments["number"], "The number of an article"))


def show_revision(visit: Visit) -> Response:
    """Show a state with the changes since the previous one, or its plain text on request."""
    stored = find_article(visit)
    number = parse_whole_number(visit.arguments["revision"], "revision")
    revisions = visit.store.articles.revisions(stored.id)
    states: list[Revision | Article] = [*revisions, stored.article]
    if not 1 <= number <= len(states):
        raise report_missing(f"version {number} of this article")
    state, before = states[number - 1], states[number - 2] if number > 1 else None
    title: list[WordEdit] = []
    body: list[tuple[WordEdit, ...]] = []
    marks = before is not None and visit.query.get("marks") != "no"
    if before is not None and marks:
        title = list(compare_words(before.title, state.title))
        texts, later = [[paragraph.text for paragraph in each.paragraphs] for each in (before, state)]
        body = list(compare_paragraphs(texts, later))
    return visit.page(
        "revision.html", stored=stored, number=number, count=len(states), state=state, before=before, marks=marks, title=title,
        why=state.detail or str(state.reason) if isinstance(state, Revision) else "", body=body,
    )  # fmt: skip


PAGES = (
    Page(path="/articles/{number}", show=show_article),
    Page(path="/articles/{number}/page", show=show_kept_page),
    Page(path="/articles/{number}/revisions/{revision}", show=show_revision),
)
