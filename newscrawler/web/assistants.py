"""A server of the Model Context Protocol: read-only tools with which an assistant searches the corpus.

An assistant is a generative model. It gets texts, snippets and lines of a concordance only of portals with a known `licence`, and
not of articles that their publishers reserve from input or training of AI models: of these it gets metadata, counts and the link.
Withdrawn articles are left out. Each call is in the audit log, with client and purpose.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import wraps
from itertools import islice
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from newscrawler import __version__
from newscrawler.config import Configuration
from newscrawler.corpus import Analysis, Measure, Tool, analyse, find_lines, find_snippet, make_rights_reader
from newscrawler.corpus.formats import make_metadata
from newscrawler.errors import NewscrawlerError
from newscrawler.limits import SEARCH_OFFSET, STATISTIC_SECONDS
from newscrawler.politeness.rights import Purpose
from newscrawler.store import Store, limited_queries
from newscrawler.store.articles import Facet, Selection
from newscrawler.store.search import QUERY_GUIDE, Order, parse
from newscrawler.web.api.models import Filters
from newscrawler.web.requests.problems import RequestProblem

_INSTRUCTIONS = (
    "A corpus of news articles. Begin with describe_corpus; count before you search; cite the url of each article. Where `text` "
    "is null, its publisher does not allow it to AI models: name the article and link to it. Lists continue at the cursor `next`."
)
_MOST, _USUAL = 100, 20
Query = Annotated[str, Field(description="words to find, as explain_syntax describes; empty: all articles", max_length=1_000)]
Cursor = Annotated[int, Field(description="`next` of the previous answer", ge=0, le=SEARCH_OFFSET)]
Limit = Annotated[int, Field(ge=1, le=_MOST)]


_ALL = Filters()


def _explain_refusals(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool that keeps to the time of a request, and whose refusals are sentences for the client."""

    @wraps(tool)
    def answer(*given: Any, **named: Any) -> Any:
        try:
            with limited_queries(STATISTIC_SECONDS):
                return tool(*given, **named)
        except RequestProblem as problem:
            raise ToolError(problem.sentence) from problem
        except NewscrawlerError as error:
            raise ToolError(str(error)) from error

    return answer


class AssistantTools:
    """The tools: each public method is one."""

    def __init__(self, store: Store, configuration: Configuration) -> None:
        self._store = store
        self._withdrawn = configuration.reserved_for()
        reserved = [configuration.reserved_for(each) for each in (Purpose.AI_INPUT, Purpose.AI_TRAIN)]
        self._reserved = reserved[0] | {"reserved": reserved[0]["reserved"] | reserved[1]["reserved"]}
        self._licences = {portal.name: portal.licence for portal in configuration.portals if portal.licence}

    def _restrict(self, filters: Filters, query: str = "") -> Selection:
        """Return the articles of filters that were not withdrawn."""
        chosen = self._store.articles.restrict(filters.select(), self._withdrawn)
        if query:
            parse(query)
        return chosen.narrow(query)

    def _permit(self, selection: Selection) -> Selection:
        """Return those articles of a selection whose texts an AI model may get."""
        return replace(selection, portals=tuple(self._licences) or ("",), **self._reserved)

    def _find_permitted(self, numbers: tuple[int, ...]) -> set[int]:
        return set(self._store.articles.numbers(self._permit(Selection(ids=numbers)))) if numbers else set()

    def describe_corpus(self) -> dict[str, Any]:
        """Return portals, languages and years of the corpus with numbers of articles, and of how many texts may be given."""
        every, facets = self._restrict(_ALL), self._store.facets
        permitted = {each.name: each.articles for each in facets.counts(self._permit(every), Facet.PORTAL, limit=_MOST)}
        portals = [
            {"portal": each.name, "articles": each.articles, "with_text": permitted.get(each.name, 0),
             "licence": self._licences.get(each.name)}
            for each in facets.counts(every, Facet.PORTAL, limit=_MOST)
        ]  # fmt: skip
        languages = {each.name: each.articles for each in facets.counts(every, Facet.LANGUAGE, limit=_MOST)}
        years = {
            year: {"articles": articles, "words": words} for year, (articles, words) in facets.sizes(every, Facet.YEAR).items()
        }
        return {"portals": portals, "languages": languages, "years": years}

    def explain_syntax(self) -> str:
        """Return the syntax of queries."""
        return QUERY_GUIDE

    def count_articles(self, query: Query = "", filters: Filters = _ALL) -> dict[str, int]:
        """Return the number of articles of a query, and the number of those whose texts may be given. Count before you search."""
        chosen = self._restrict(filters, query)
        return {"articles": self._store.articles.count(chosen), "with_text": self._store.articles.count(self._permit(chosen))}

    def search(
        self, query: Query, filters: Filters = _ALL, order: Order = Order.RELEVANCE,
        cursor: Cursor = 0, limit: Limit = _USUAL,
    ) -> dict[str, Any]:  # fmt: skip
        """Return the articles that a query finds, each with its link, and with a snippet where its publisher allows that."""
        words, chosen = parse(query), self._restrict(filters)
        hits = self._store.search.find(words, chosen, order=order, limit=limit + 1, offset=cursor)
        found = {hit.stored.id: hit.stored.article for hit in hits[:limit]}
        permitted = self._find_permitted(tuple(found))
        articles = [
            asdict(line) | {"text": "".join(p.text for p in find_snippet(found[line.id], words)) if line.id in permitted else None}
            for line in self._store.article_lines.of(list(found))
        ]
        total = self._store.search.count(words, chosen)
        return {"total": total, "articles": articles, "next": cursor + limit if len(hits) > limit else None}

    def concordance(
        self, query: Query, filters: Filters = _ALL,
        width: Annotated[int, Field(description="words on each side", ge=1, le=25)] = 8, cursor: Cursor = 0, limit: Limit = _USUAL,
    ) -> dict[str, Any]:  # fmt: skip
        """Return each occurrence of a query with the words around it; `left_out`: articles whose publishers do not allow that."""
        chosen = self._restrict(filters, query)
        permitted = self._permit(chosen)
        lines = find_lines(self._store.articles.stream(permitted), parse(query), width=width)
        found = [asdict(line) for line in islice(lines, cursor, cursor + limit + 1)]
        left_out = self._store.articles.count(chosen) - self._store.articles.count(permitted)
        return {"lines": found[:limit], "left_out": left_out, "next": cursor + limit if len(found) > limit else None}

    def trends(
        self, queries: Annotated[list[Query], Field(min_length=1, max_length=3)],
        filters: Filters = _ALL, period: Literal["year", "month", "day"] = "month",
    ) -> dict[str, Any]:  # fmt: skip
        """Return the occurrences of each query in each period, and their number per million words."""
        wanted = Analysis(
            tool=Tool.TRENDS, selection=self._restrict(filters), queries=tuple(queries), by=Facet(period),
            measure=Measure.OCCURRENCES, most=_MOST,
        )  # fmt: skip
        found = analyse(self._store, wanted)
        return {"columns": found.heading, "rows": found.rows}

    def get_article(self, number: int, cursor: Cursor = 0) -> dict[str, Any]:
        """Return an article: its metadata and link, and its paragraphs where its publisher allows that, 100 at a time."""
        stored = self._store.articles.get(number)
        if stored is None or not self._store.articles.count(Selection(ids=(number,), **self._withdrawn)):
            raise ToolError(f"There is no article {number}.")
        said = make_rights_reader(self._store)(number)
        record = make_metadata(stored) | {"licence": self._licences.get(stored.article.portal or ""), "rights": said, "text": None}
        if not self._find_permitted((number,)):
            return record
        paragraphs = [paragraph.text for paragraph in stored.article.paragraphs]
        following = cursor + _MOST if len(paragraphs) > cursor + _MOST else None
        return record | {"text": paragraphs[cursor : cursor + _MOST], "next": following}


def make_assistant_server(store: Store, configuration: Configuration, purpose: str) -> MCPServer[Any]:
    """Return a server with the tools, which keeps each call in the audit log; `purpose`: that of the assistant."""

    async def note_call(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method == "tools/call":
            said, call = ctx.session.client_params, ctx.params or {}
            client = f"{said.client_info.name} {said.client_info.version}" if said else "unknown client"
            given = json.dumps(call.get("arguments") or {}, ensure_ascii=False)
            store.audit.note(who=client, action=str(call.get("name")), subject=given, detail=purpose, now=datetime.now(UTC))
        return await call_next(ctx)

    server: MCPServer[Any] = MCPServer(
        "newscrawler", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING", middleware=[note_call]
    )
    tools = AssistantTools(store, configuration)
    for name in (name for name in vars(AssistantTools) if not name.startswith("_")):
        tool = _explain_refusals(getattr(tools, name))
        server.add_tool(tool, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    return server
