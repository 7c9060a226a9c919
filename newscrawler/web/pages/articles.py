"""Articles: the list with its facets, full-text search, saved searches, and the export of a selection."""

from __future__ import annotations

import calendar
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from urllib.parse import parse_qsl

from starlette.responses import Response

from newscrawler.corpus import SnippetPart, find_snippet, write_parameters
from newscrawler.corpus.formats import FORMATS
from newscrawler.errors import ConfigError
from newscrawler.limits import SEARCH_OFFSET
from newscrawler.store.articles import ArticleLine, FacetCounts, Selection
from newscrawler.store.search import Order, parse
from newscrawler.store.service import JobKind
from newscrawler.web.requests.context import format_query
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import RequestProblem, report_missing
from newscrawler.web.requests.selection import CHOICES, FILTERS, read_selection
from newscrawler.web.requests.visit import Visit

#: Articles of a page.
SHOWN = 13
#: Fields of the form.
FIELDS = ("q", *FILTERS, "order")
#: Facets are counted among this many latest articles, and each shows this many names.
_AMONG, _NAMES = 5_000, 8
_LONGEST = 300
#: Formats of a selection that are one file, and need no kept pages.
FORMS = tuple(form.name for form in FORMATS.values() if form.write is not None and not form.needs_pages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A page of a list."""

    lines: Sequence[ArticleLine]
    #: By the numbers of the articles: where the words of a search occur, or the leads of a list.
    snippets: Mapping[int, tuple[SnippetPart, ...]] = field(default_factory=dict)
    leads: Mapping[int, str] = field(default_factory=dict)
    #: Query of the next page; empty if there is none.
    following: Mapping[str, int] = field(default_factory=dict)
    #: Number of articles of the selection.
    total: int = 0
    beside: FacetCounts | None = None


def list_articles(visit: Visit) -> Response:
    """Show the list, or the hits of a search."""
    filters = {name: visit.query.get(name, "").strip()[:_LONGEST] for name in FIELDS}
    selection = visit.context.restrict(read_selection(filters))
    mistake, found = "", Found(lines=())
    try:
        found = _search(visit, filters, selection) if filters["q"] else _list_newest(visit, selection)
        beside = visit.store.facets.beside(selection.narrow(filters["q"]), latest=_AMONG, most=_NAMES)
        found = replace(found, beside=beside)
    except ConfigError as error:  # the query cannot be read
        mistake = str(error)
    portals = sorted({portal.name for portal in visit.context.configuration.portals} | set(visit.context.overviews.assess_all()))
    return visit.page(
        "articles.html", filters=filters, found=found, portals=portals, genres=CHOICES["genre"], mistake=mistake, forms=FORMS,
        is_narrowed=any(value for name, value in filters.items() if name != "q"), month_days=_filter_by_month, among=_AMONG,
        saved=visit.store.saved_searches.of(visit.user.name),
    )  # fmt: skip


def change_searches(visit: Visit) -> Response:
    """Save or remove a search, or ask the service to export the selection."""
    action = visit.form.text("action")
    if action == "forget":
        number = visit.form.number("search")
        if not visit.store.saved_searches.remove(visit.user.name, number):
            raise report_missing(f"saved search {number} of yours")
        return visit.go("/articles")
    said = dict(parse_qsl(visit.form.text("query")))
    filters = {name: said.get(name, "")[:_LONGEST] for name in FIELDS}
    if action == "save":
        name = visit.form.text("name")[:100]
        if not name:
            raise RequestProblem(422, "Give the search a name.")
        read_selection(filters, filters["q"])
        if visit.form.text("fixed") and not filters["until_id"]:
            filters["until_id"] = str(visit.store.articles.newest_id())
        visit.store.saved_searches.save(visit.user.name, name, format_query(filters), now=visit.now)
        return visit.go(f"/articles?{format_query(filters)}")
    form = visit.form.text("format")
    if action != "export" or form not in FORMS:
        raise RequestProblem(422, f"The format must be one of: {', '.join(FORMS)}.")
    return visit.request_job(JobKind.SELECTION, form, {"selection": write_parameters(read_selection(filters, filters["q"]))})


def _filter_by_month(month: str) -> dict[str, str]:
    """Return the filters for the first and last day of a month (YYYY-MM)."""
    first = date.fromisoformat(f"{month}-01")
    last = calendar.monthrange(first.year, first.month)[1]
    return {"since": first.isoformat(), "until": first.replace(day=last).isoformat()}


def _list_newest(visit: Visit, selection: Selection) -> Found:
    before = visit.number("before", 0) or None
    lines = visit.store.article_lines.latest(selection, before_id=before, limit=SHOWN + 1)
    following = {"before": lines[SHOWN - 1].id} if len(lines) > SHOWN else {}
    leads = visit.store.article_lines.leads([line.id for line in lines[:SHOWN]])
    total = visit.store.articles.count(selection)
    return Found(lines=lines[:SHOWN], leads=leads, following=following, total=total)


def _search(visit: Visit, filters: dict[str, str], selection: Selection) -> Found:
    """Return a page of hits.

    Raises:
        ConfigError: the query cannot be read.
    """
    words = parse(filters["q"])
    order = Order.DATE if filters["order"] == "date" else Order.RELEVANCE
    offset = min(visit.number("offset", 0), SEARCH_OFFSET)
    hits = visit.store.search.find(words, selection, order=order, limit=SHOWN, offset=offset)
    total = visit.store.search.count(words, selection)
    more = offset + SHOWN < min(total, SEARCH_OFFSET)
    return Found(
        lines=visit.store.article_lines.of([hit.stored.id for hit in hits]),
        snippets={hit.stored.id: find_snippet(hit.stored.article, words) for hit in hits},
        following={"offset": offset + SHOWN} if more else {},
        total=total,
    )


PAGES = (Page(path="/articles", show=list_articles, change=change_searches, is_query=True),)
