"""One article: its text and fields, the page that it was read from, similar articles, and its rights."""

from __future__ import annotations

from starlette.responses import HTMLResponse, Response

from newscrawler.store.archive import PageSelection
from newscrawler.store.articles import StoredArticle
from newscrawler.web.pages.explained import is_kept, mark_page
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.headers import KEPT_PAGE_POLICY
from newscrawler.web.requests.problems import RequestProblem, report_missing
from newscrawler.web.requests.visit import Visit

_MOST_VISITS = 50


def show_article(visit: Visit) -> Response:
    """Show an article.

    Raises:
        RequestProblem: there is none of this number.
    """
    stored = find_article(visit)
    page = visit.store.pages.of_article(stored.id)
    earlier = [stored.similar_to] if stored.similar_to else []
    return visit.page(
        "article.html",
        stored=stored,
        article=stored.article,
        kept=page if is_kept(visit.context.configuration, page) else None,
        revisions=visit.store.articles.revisions(stored.id),
        similar=[*visit.store.article_lines.of(earlier), *visit.store.article_lines.similar_to(stored.id)],
        rights=visit.store.rights.of_article(stored.id),
        visits=list(visit.store.pages.select(PageSelection(article_id=stored.id, limit=_MOST_VISITS))),
    )


def show_marked_page(visit: Visit) -> Response:
    """Show a kept page of an article with its blocks marked, for a sandboxed frame; by default the newest.

    Raises:
        RequestProblem: there is no such article, or its page is not kept.
    """
    stored, kept = find_article(visit), visit.number("kept", 0)
    page = visit.store.pages.get(kept) if kept else visit.store.pages.of_article(stored.id)
    if page is None or (kept and page.article_id != stored.id):
        raise report_missing("kept page of this article")
    shown = mark_page(visit.store, visit.context.configuration, page)
    headers = {"Content-Security-Policy": KEPT_PAGE_POLICY, "Cache-Control": "private, max-age=300"}
    return HTMLResponse(shown.encode("utf-8", "replace"), headers=headers)


def find_article(visit: Visit) -> StoredArticle:
    """Return the article of a path.

    Raises:
        RequestProblem: there is none of this number.
    """
    number = parse_whole_number(visit.arguments["number"], "The number of an article")
    stored = visit.store.articles.get(number)
    if stored is None:
        raise RequestProblem(404, f"There is no article {number}.")
    return stored


PAGES = (
    Page(path="/articles/{number}", show=show_article),
    Page(path="/articles/{number}/page", show=show_marked_page),
)
