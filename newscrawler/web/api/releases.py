"""Releases and facets over the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from newscrawler.corpus.releases import manifest_of
from newscrawler.errors import ConfigError
from newscrawler.store.articles import ReleaseRecord
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role
from newscrawler.web.api.operation import Call, HttpMethod, Operation, Parameter
from newscrawler.web.api.resources import FILTERS, QUERY
from newscrawler.web.requests.asking import add_job
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.selection import check_release_parameters, read_selection

#: The same number as on the page of articles.
_AMONG, _NAMES = 5_000, 50


def facets(call: Call) -> Any:
    """Return the most frequent names among the latest stored articles."""
    selection = replace(read_selection(call.query), words=call.query.get("q") or None)
    found = call.store.facets.beside(selection, latest=_AMONG, most=_NAMES)
    counts = {str(facet): {each.name: each.articles for each in counts} for facet, counts in found.counts.items()}
    return {"among": found.among, "facets": counts}


def releases(call: Call) -> Any:
    """Return all releases, oldest first."""
    return {"releases": [_record(each) for each in call.store.releases.all()]}


def release(call: Call) -> Any:
    """Return one release with its recipe and its files."""
    name = str(call.arguments["name"])
    found = call.store.releases.get(name)
    if found is None:
        raise report_missing(f"release {name[:80]}")
    try:
        files = manifest_of(Path(found.path))["files"]
    except ConfigError:  # the folder is gone
        files = None
    return _record(found) | {"recipe": dict(found.recipe), "files": files}


def make(call: Call) -> Any:
    """Ask the service for a release of a selection."""
    name = str(call.body.get("name", ""))
    selection = call.body.get("selection") or {}
    said = {key: str(value) for key, value in selection.items()} if isinstance(selection, dict) else {}
    parameters = check_release_parameters(
        call.store, name, said, title=str(call.body.get("title", "")), creators=_texts(call.body.get("creators")),
        licence=str(call.body.get("licence", "")), formats=_texts(call.body.get("formats")),
        dehydrated=call.body.get("dehydrated") is True,
    )  # fmt: skip
    job = add_job(call.store, JobKind.RELEASE, name, who=call.caller.name, now=call.now, parameters=parameters)
    return {"id": job.id, "state": job.state}


def _texts(said: Any) -> list[str]:
    return [str(each) for each in said] if isinstance(said, list) else []


def _record(found: ReleaseRecord) -> dict[str, Any]:
    return {
        "name": found.name,
        "created_at": found.created_at.isoformat(),
        "articles": found.articles,
        "version": found.version,
        "manifest_sha256": found.manifest_sha256,
    }


_NAME = Parameter(name="name", about="the name of the release")
OPERATIONS: Sequence[Operation] = (
    Operation(
        path="/facets", summary=f"Names of portals, sections, authors … of the {_AMONG} articles stored last", answer=facets,
        parameters=(QUERY, *FILTERS),
    ),
    Operation(path="/releases", summary="All releases", answer=releases),
    Operation(path="/releases/{name}", summary="One release with its recipe and files", answer=release, parameters=(_NAME,)),
    Operation(
        path="/releases", summary="Ask the service for a release", answer=make, method=HttpMethod.POST, role=Role.OPERATOR,
        body={"name": "its name", "title": "text", "creators": "a list of names", "licence": "text", "formats": "a list",
              "dehydrated": "true: no texts", "selection": "an object with the filters of /search, and q"},
    ),
)  # fmt: skip
