"""Operations of the API that read: portals, crawls, articles, searches, revisions, reviews, jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from starlette.responses import Response, StreamingResponse

from newscrawler.config import as_table, get_portal_keys
from newscrawler.corpus.formats import encode_record, make_record, make_revision_records
from newscrawler.corpus.reviews import compute_mean_accuracy, summarise_reviews
from newscrawler.store.articles import ArticleLine, StoredArticle
from newscrawler.store.search import Order, parse
from newscrawler.store.service import RunRecord
from newscrawler.web.api.operation import Call, Operation, Parameter
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import RequestProblem, report_missing
from newscrawler.web.requests.selection import read_selection

MOST = 500
_USUAL = 100
_MOST_OFFSET = 1_000
LIMIT = Parameter(name="limit", about=f"how many, at most {MOST}", kind="integer")
CURSOR = Parameter(name="cursor", about="`next` of the previous page")
FILTERS = (
    Parameter(name="portal", about="the name of a portal"),
    Parameter(name="section", about="a section, as articles name it"),
    Parameter(name="author", about="an author, as articles name them"),
    Parameter(name="language", about="a language code such as cs"),
    Parameter(name="genre", about="news, opinion, interview, live, gallery or sponsored"),
    Parameter(name="collection", about="a collection in which articles are filed"),
    Parameter(name="keyword", about="a keyword that articles declare or are filed under, in any case"),
    Parameter(name="since", about="the first day of publication", kind="date"),
    Parameter(name="until", about="the last day of publication", kind="date"),
)
NUMBER = Parameter(name="number", about="the number", kind="integer")


def portals(call: Call) -> Any:
    """Return all portals with their state and configuration."""
    configuration = call.context.configuration
    secret = {key.name for key in get_portal_keys() if key.is_secret}
    tables = {
        portal.name: {name: value for name, value in as_table(portal).items() if name not in secret}
        for portal in configuration.portals
    }
    overview = call.context.overviews.read(configuration, now=call.now)
    return {
        "portals": [
            {
                "name": portal.name,
                "is_collection": portal.is_collection,
                "state": portal.state(call.now),
                "is_being_crawled": portal.running,
                "next_at": portal.next_at.isoformat() if portal.next_at else None,
                "alerts": [{"problem": alert.problem, "sentence": alert.sentence} for alert in portal.alerts],
                "last_articles": portal.assessments[-1].figures.articles if portal.assessments else None,
                "keys": tables.get(portal.name),
            }
            for portal in overview.portals
        ]
    }


def runs(call: Call) -> Any:
    """Return the newest crawls."""
    return {"runs": [_run(run) for run in call.store.runs.latest(call.query.get("portal") or None, limit=_limit(call))]}


def run(call: Call) -> Any:
    """Return one crawl."""
    found = call.store.runs.get(_number(call))
    if found is None:
        raise report_missing(f"crawl {_number(call)}")
    return _run(found)


def articles(call: Call) -> Any:
    """Return articles without their texts, in the order of storing."""
    limit = _limit(call)
    after = parse_whole_number(call.query.get("cursor") or "0", "cursor")
    lines = call.store.article_lines.oldest(read_selection(call.query), after_id=after, limit=limit + 1)
    return {"articles": [_line(line) for line in lines[:limit]], "next": str(lines[limit - 1].id) if len(lines) > limit else None}


def article(call: Call) -> Any:
    """Return one complete article."""
    return make_record(_article(call))


def revisions(call: Call) -> Any:
    """Return the earlier texts of an article, oldest first."""
    stored = _article(call)
    return {"revisions": list(make_revision_records(stored, call.store.articles.revisions(stored.id)))}


def search(call: Call) -> Any:
    """Return the articles that a query finds."""
    query = parse(call.query.get("q", ""))
    order = Order.DATE if call.query.get("order") == "date" else Order.RELEVANCE
    limit, offset = _limit(call), parse_whole_number(call.query.get("cursor") or "0", "cursor")
    if offset > _MOST_OFFSET:
        raise RequestProblem(422, f"A search shows its first {_MOST_OFFSET} hits. Narrow it, or export what it finds.")
    selection = read_selection(call.query)
    hits = call.store.search.find(query, selection, order=order, limit=limit + 1, offset=offset)
    scores = {hit.stored.id: round(hit.score, 4) for hit in hits[:limit]}
    return {
        "total": call.store.search.count(query, selection),
        "articles": [_line(line) | {"score": scores[line.id]} for line in call.store.article_lines.of(list(scores))],
        "next": str(offset + limit) if len(hits) > limit else None,
    }


def export(call: Call) -> Response:
    """Stream complete articles as JSON lines, in constant memory. An aborted connection means an incomplete result."""
    selection = read_selection(call.query)
    found: Iterator[StoredArticle] = call.store.articles.stream(selection)
    if call.query.get("q"):
        found = call.store.search.stream(parse(call.query["q"]), selection)
    first = next(found, None)  # errors must be reported before the first byte
    everything = chain([first] if first else [], found)
    lines = (encode_record(stored) + b"\n" for stored in everything)
    headers = {"Content-Disposition": 'attachment; filename="articles.jsonl"'}
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


def reviews(call: Call) -> Any:
    """Return the verdict on each reviewed article, and the results."""
    found = call.store.reviews.of(call.query.get("portal") or None)
    results = summarise_reviews(found, call.store.articles.counts())
    return {
        "reviews": [
            {"article": each.article_id, "portal": each.portal, "faults": list(each.faults), "note": each.note,
             "is_corrected": each.gold is not None and bool(each.faults), "reviewed_at": each.reviewed_at.isoformat()}
            for each in found
        ],
        "results": [
            {"portal": each.portal, "judged": each.judged, "right": each.right, "accuracy": round(each.accuracy, 4),
             "interval": [round(bound, 4) for bound in each.interval],
             "errors": {str(error): number for error, number in each.errors.items()}}
            for each in results
        ],
        "mean_accuracy": compute_mean_accuracy(results),
    }  # fmt: skip


def jobs(call: Call) -> Any:
    """Return the jobs of the service, newest first."""
    return {
        "jobs": [
            {"id": job.id, "kind": job.kind, "target": job.target, "state": job.state, "asked_by": job.asked_by,
             "asked_at": job.asked_at.isoformat(), "ended_at": job.ended_at.isoformat() if job.ended_at else None,
             "message": job.message}
            for job in call.store.jobs.latest(_limit(call))
        ]
    }  # fmt: skip


def _limit(call: Call) -> int:
    return max(1, min(MOST, parse_whole_number(call.query.get("limit") or str(_USUAL), "limit")))


def _number(call: Call) -> int:
    return parse_whole_number(call.arguments["number"], "number")


def _article(call: Call) -> StoredArticle:
    stored = call.store.articles.get(_number(call))
    if stored is None:
        raise report_missing(f"article {_number(call)}")
    return stored


def _run(found: RunRecord) -> dict[str, Any]:
    return {
        "id": found.id,
        "portal": found.portal,
        "round": found.round,
        "started_at": found.started_at.isoformat(),
        "ended_at": found.ended_at.isoformat() if found.ended_at else None,
        "ended_because": str(found.ended_because) if found.ended_because else None,
        "counts": dict(found.counts),
    }


def _line(line: ArticleLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "portal": line.portal,
        "url": line.url,
        "title": line.title,
        "authors": list(line.authors),
        "published_at": line.published_at.isoformat() if line.published_at else None,
        "fetched_at": line.fetched_at.isoformat(),
        "section": line.section,
        "language": line.language,
        "genre": line.genre,
        "word_count": line.word_count,
        "confidence": round(line.confidence, 4),
        "similar_to": line.similar_to,
    }


QUERY = Parameter(name="q", about="words, as `newscrawler search` takes them")
_PORTAL = Parameter(name="portal", about="the name of a portal")
OPERATIONS: Sequence[Operation] = (
    Operation(path="/portals", summary="All portals with their state and configuration", answer=portals),
    Operation(path="/runs", summary="The newest crawls", answer=runs, parameters=(_PORTAL, LIMIT)),
    Operation(path="/runs/{number}", summary="One crawl", answer=run, parameters=(NUMBER,)),
    Operation(
        path="/articles", summary="Articles without their texts, in the order of storing", answer=articles,
        parameters=(*FILTERS, CURSOR, LIMIT),
    ),
    Operation(path="/articles/{number}", summary="One complete article", answer=article, parameters=(NUMBER,)),
    Operation(
        path="/articles/{number}/revisions", summary="The earlier texts of an article", answer=revisions, parameters=(NUMBER,)
    ),
    Operation(
        path="/search", summary="Articles by their words", answer=search,
        parameters=(QUERY, Parameter(name="order", about="relevance or date"), *FILTERS, CURSOR, LIMIT),
    ),
    Operation(
        path="/export", summary="Complete articles as JSON lines, streamed", answer=export, parameters=(QUERY, *FILTERS),
        media_type="application/x-ndjson",
    ),
    Operation(
        path="/reviews", summary="The verdict on each reviewed article, and the results", answer=reviews, parameters=(_PORTAL,)
    ),
    Operation(path="/jobs", summary="The jobs of the service", answer=jobs, parameters=(LIMIT,)),
)  # fmt: skip
