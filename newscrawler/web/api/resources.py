"""Operations of the API that read: portals, crawls, articles, searches, facets, revisions, reviews, releases, jobs."""

from __future__ import annotations

from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.responses import FileResponse, StreamingResponse
from pydantic import BeforeValidator, Field

from newscrawler.config import as_table, get_portal_keys
from newscrawler.corpus import ExportPlan, make_export_recipe
from newscrawler.corpus.formats import encode_record, make_revision_records
from newscrawler.corpus.releases import manifest_of
from newscrawler.corpus.reviews import PortalResult, compute_mean_accuracy, summarise_reviews
from newscrawler.errors import ConfigError
from newscrawler.service import PortalState
from newscrawler.store import limited_queries
from newscrawler.store.articles import ArticleLine, Facet, ReleaseRecord, Review
from newscrawler.store.search import Order, parse
from newscrawler.store.service import AlertRecord, Job, RunRecord
from newscrawler.web.api.call import Reading, make_router
from newscrawler.web.api.models import (
    MOST_OFFSET,
    USUAL,
    Cursor,
    Filters,
    Limit,
    Moment,
    PortalName,
    SearchFilters,
    Share,
    Text,
    Whole,
    list_of,
    make_model,
)
from newscrawler.web.requests.problems import RequestProblem, require
from newscrawler.web.requests.visit import find_job_file

#: The same number as on the page of articles.
_AMONG, _NAMES = 5_000, 50
_RELEASE = "name created_at articles version manifest_sha256"
_LINE = "id portal url title authors published_at fetched_at section language genre word_count confidence similar_to"

ALERT = make_model("Alert", AlertRecord, "problem sentence")
PORTAL = make_model(
    "Portal", PortalState, "name is_collection next_at", state=str, is_being_crawled=bool, last_articles=int | None,
    alerts=list_of(ALERT), keys=dict[str, Any] | None,
)  # fmt: skip
RUN = make_model(
    "Run", RunRecord, "id portal round started_at ended_at counts",
    ended_because=Annotated[str | None, BeforeValidator(lambda reason: reason and str(reason))],
)  # fmt: skip
LINE = make_model("Line", ArticleLine, _LINE)
HIT = make_model("Hit", ArticleLine, _LINE, score=Share)
REVIEW = make_model("Review", Review, "portal faults note reviewed_at", article=int, is_corrected=bool)
RESULT = make_model("Result", PortalResult, "portal judged right errors", accuracy=Share, interval=tuple[Share, Share])
RELEASE = make_model("Release", ReleaseRecord, _RELEASE)
WHOLE_RELEASE = make_model("WholeRelease", ReleaseRecord, f"{_RELEASE} recipe", files=Any)
_ASKED_AT = Annotated[Moment, Field(validation_alias="planned_at")]
JOB = make_model("Job", Job, "id kind target state asked_by ended_at message", asked_at=_ASKED_AT)
router = make_router()


@router.get("/portals", response_model=make_model("Portals", portals=list_of(PORTAL)))
def list_portals(call: Reading) -> Any:
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
                "next_at": portal.next_at,
                "alerts": portal.alerts,
                "last_articles": portal.assessments[-1].figures.articles if portal.assessments else None,
                "keys": tables.get(portal.name),
            }
            for portal in overview.portals
        ]
    }


@router.get("/runs", response_model=make_model("Runs", runs=list_of(RUN)))
def list_runs(call: Reading, portal: PortalName = "", limit: Limit = USUAL) -> Any:
    """Return the newest crawls."""
    return {"runs": call.store.runs.latest(portal or None, limit=limit)}


@router.get("/runs/{number}", response_model=RUN)
def get_run(call: Reading, number: Whole) -> Any:
    """Return one crawl."""
    return require(call.store.runs.get(number), f"crawl {number}")


@router.get("/articles", response_model=make_model("Lines", articles=list_of(LINE), next=str | None))
def list_articles(call: Reading, filters: Annotated[Filters, Query()], cursor: Cursor = 0, limit: Limit = USUAL) -> Any:
    """Return articles without their texts, in the order of storing."""
    with limited_queries():
        lines = call.store.article_lines.oldest(call.context.restrict(filters.select()), after_id=cursor, limit=limit + 1)
    return {"articles": lines[:limit], "next": str(lines[limit - 1].id) if len(lines) > limit else None}


@router.get("/articles/{number}", response_model=dict[str, Any])
def get_article(call: Reading, number: Whole) -> Response:
    """Return one complete article, with the entities that recognisers found in it."""
    (stored,) = call.store.entities.attach([call.context.find_article(number)])
    return Response(encode_record(stored), media_type="application/json")


@router.get("/articles/{number}/revisions", response_model=make_model("Revisions", revisions=list[dict[str, Any]]))
def list_revisions(call: Reading, number: Whole) -> Any:
    """Return the earlier texts of an article, oldest first."""
    stored = call.context.find_article(number)
    return {"revisions": list(make_revision_records(stored, call.store.articles.revisions(number)))}


@router.get("/search", response_model=make_model("Hits", total=int, articles=list_of(HIT), next=str | None))
def search_articles(
    call: Reading,
    search: Annotated[SearchFilters, Query()],
    order: Order = Order.RELEVANCE,
    cursor: Annotated[Cursor, Query(json_schema_extra={"maximum": MOST_OFFSET})] = 0,
    limit: Limit = USUAL,
) -> Any:
    """Return the articles that a query finds."""
    query = parse(search.q)
    if cursor > MOST_OFFSET:
        raise RequestProblem(422, f"A search shows its first {MOST_OFFSET} hits. Narrow it, or export what it finds.")
    selection = call.context.restrict(Filters.select(search))
    with limited_queries():
        hits = call.store.search.find(query, selection, order=order, limit=limit + 1, offset=cursor)
        total = call.store.search.count(query, selection)
    scores = {hit.stored.id: hit.score for hit in hits[:limit]}
    return {
        "total": total,
        "articles": [asdict(line) | {"score": scores[line.id]} for line in call.store.article_lines.of(list(scores))],
        "next": str(cursor + limit) if len(hits) > limit else None,
    }


@router.get("/export", response_class=StreamingResponse, responses={200: {"content": {"application/x-ndjson": {}}}})
def export_articles(call: Reading, search: Annotated[SearchFilters, Query()]) -> Response:
    """Stream complete articles as JSON lines, in constant memory. An aborted connection means an incomplete result."""
    found = call.store.articles.stream(call.context.restrict(search.select()))
    first = next(found, None)  # errors must be reported before the first byte
    lines = (encode_record(stored) + b"\n" for stored in chain([first] if first else [], found))
    headers = {"Content-Disposition": 'attachment; filename="articles.jsonl"'}
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


@router.get("/export/recipe", response_model=dict[str, Any])
def get_export_recipe(call: Reading, search: Annotated[SearchFilters, Query()]) -> Response:
    """Return the recipe of an export, for `newscrawler again`."""
    plan = ExportPlan(selection=search.select())
    with limited_queries():
        recipe = make_export_recipe(call.store, plan, now=call.now)
    return Response(recipe.encode(), media_type="application/json")


@router.get("/facets", response_model=make_model("Facets", among=int, facets=dict[Facet, dict[str, int]]))
def count_facets(call: Reading, search: Annotated[SearchFilters, Query()]) -> Any:
    """Return the most frequent names of portals, sections, authors … among the articles stored last."""
    with limited_queries():
        chosen = call.context.restrict(search.select())
        found = call.store.facets.beside(chosen, latest=_AMONG, most=_NAMES)
    counts = {facet: {each.name: each.articles for each in counts} for facet, counts in found.counts.items()}
    return {"among": found.among, "facets": counts}


@router.get(
    "/reviews",
    response_model=make_model(
        "Reviews", reviews=list_of(REVIEW), results=list_of(RESULT), mean_accuracy=tuple[float, float | None] | None
    ),
)
def list_reviews(call: Reading, portal: PortalName = "") -> Any:
    """Return the verdict on each reviewed article, and the results."""
    found = call.store.reviews.of(portal or None)
    results = summarise_reviews(found, call.store.articles.counts())
    reviews = [
        {"article": each.article_id, "portal": each.portal, "faults": each.faults, "note": each.note,
         "is_corrected": each.is_corrected, "reviewed_at": each.reviewed_at}
        for each in found
    ]  # fmt: skip
    return {"reviews": reviews, "results": results, "mean_accuracy": compute_mean_accuracy(results)}


@router.get("/releases", response_model=make_model("Releases", releases=list_of(RELEASE)))
def list_releases(call: Reading) -> Any:
    """Return all releases, oldest first."""
    return {"releases": call.store.releases.all()}


@router.get("/releases/{name}", response_model=WHOLE_RELEASE)
def get_release(call: Reading, name: Text) -> Any:
    """Return one release with its recipe and its files."""
    found = require(call.store.releases.get(name), f"release {name[:80]}")
    try:
        files = manifest_of(Path(found.path))["files"]
    except ConfigError:  # the folder is gone
        files = None
    return asdict(found) | {"files": files}


@router.get("/jobs", response_model=make_model("Jobs", jobs=list_of(JOB)))
def list_jobs(call: Reading, limit: Limit = USUAL) -> Any:
    """Return the jobs of the service, newest first."""
    return {"jobs": call.store.jobs.latest(limit)}


@router.get("/jobs/{number}/file", response_class=FileResponse, responses={200: {"content": {"application/octet-stream": {}}}})
def get_job_file(call: Reading, number: Whole, *, recipe: bool = False) -> Response:
    """Return the file that a job wrote, or the recipe of an analysis or export."""
    file = find_job_file(call.context, number, recipe=recipe)
    return FileResponse(file, media_type="application/octet-stream", filename=file.name)


@router.get("/openapi.json", response_model=dict[str, Any])
def describe_api(request: Request, _call: Reading) -> Any:
    """Return this document."""
    return request.app.openapi()
