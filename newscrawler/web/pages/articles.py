"""Articles: the list with its filters, and the search in all texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from newscrawler.corpus import Piece, snippet
from newscrawler.errors import ConfigError
from newscrawler.store import ArticleLine, Order, Selection
from newscrawler.text import parse
from newscrawler.web.requests.analyses import CHOICES
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.selection import selection_of
from newscrawler.web.requests.visit import Visit

SHOWN = 50
HITS = 20
#: Nobody leafs farther; the newest matches are the ones that are ranked.
_MOST_OFFSET = 1_000
FILTERS = ("q", "portal", "section", "author", "language", "genre", "since", "until", "order")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A page of a list."""

    lines: Sequence[ArticleLine]
    #: By the numbers of the articles; only of a search.
    snippets: dict[int, tuple[Piece, ...]]
    #: What leads to the next page; empty: there is none.
    following: dict[str, int]
    #: How many a search found; None: they are not counted.
    total: int | None = None


def show(visit: Visit) -> Response:
    """Show the list, or what a search found.

    Raises:
        Problem: a filter is wrong.
    """
    filters = {name: visit.query.get(name, "").strip()[:300] for name in FILTERS}
    selection = selection_of(filters)
    mistake, found = "", Found(lines=(), snippets={}, following={})
    try:
        found = _search(visit, filters, selection) if filters["q"] else _newest(visit, selection)
    except ConfigError as error:  # the query cannot be read
        mistake = str(error)
    portals = sorted({portal.name for portal in visit.context.configuration.portals} | set(visit.context.overviews.nights()))
    return visit.page(
        "articles.html", filters=filters, found=found, portals=portals, genres=CHOICES["genre"], mistake=mistake,
        is_narrowed=any(value for name, value in filters.items() if name != "q"),
    )  # fmt: skip


def _newest(visit: Visit, selection: Selection) -> Found:
    before = visit.number("before", 0) or None
    lines = visit.store.article_lines.newest(selection, before_id=before, limit=SHOWN + 1)
    following = {"before": lines[SHOWN - 1].id} if len(lines) > SHOWN else {}
    return Found(lines=lines[:SHOWN], snippets={}, following=following)


def _search(visit: Visit, filters: dict[str, str], selection: Selection) -> Found:
    """Return a page of hits.

    Raises:
        ConfigError: the query cannot be read.
    """
    query = parse(filters["q"])
    order = Order.DATE if filters["order"] == "date" else Order.RELEVANCE
    offset = min(visit.number("offset", 0), _MOST_OFFSET)
    hits = visit.store.search.find(query, selection, order=order, limit=HITS, offset=offset)
    total = visit.store.search.count(query, selection)
    more = offset + HITS < min(total, _MOST_OFFSET)
    return Found(
        lines=visit.store.article_lines.of([hit.stored.id for hit in hits]),
        snippets={hit.stored.id: snippet(hit.stored.article, query) for hit in hits},
        following={"offset": offset + HITS} if more else {},
        total=total,
    )


PAGES = (Page(path="/articles", show=show),)
