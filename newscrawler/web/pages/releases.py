"""Releases: list them, show one with its files, and ask the service to make, verify or compare them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import FileResponse, Response

from newscrawler.corpus import write_parameters
from newscrawler.corpus.releases import MANIFEST, manifest_of
from newscrawler.errors import ConfigError
from newscrawler.store.articles import ReleaseRecord
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role
from newscrawler.web.pages.articles import FIELDS
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import RequestProblem, report_missing, require
from newscrawler.web.requests.selection import FORMS, LICENCE, check_release_parameters, read_selection
from newscrawler.web.requests.visit import Visit

#: Files that a page lists; a release with one file per article has very many.
_SHOWN = 200
_LONGEST = 300


def list_releases(visit: Visit) -> Response:
    """List the releases, newest first, with a form that makes one from a selection."""
    filters = {name: visit.query.get(name, "").strip()[:_LONGEST] for name in FIELDS}
    return visit.page(
        "releases.html", releases=list(reversed(visit.store.releases.all())), filters=filters, forms=FORMS, licence=LICENCE,
        selected=write_parameters(read_selection(filters, filters.get("q", ""))),
    )  # fmt: skip


def make_release(visit: Visit) -> Response:
    """Ask the service for a release."""
    name, said = visit.form.text("name"), dict(parse_qsl(visit.form.text("query")))
    parameters = check_release_parameters(
        visit.store, name, {each: said.get(each, "")[:_LONGEST] for each in FIELDS}, title=visit.form.text("title"),
        creators=[line.strip() for line in visit.form.text("creators").splitlines() if line.strip()],
        licence=visit.form.text("licence"), formats=visit.form.all("format"), dehydrated=visit.form.text("dehydrated") == "yes",
    )  # fmt: skip
    return visit.request_job(JobKind.RELEASE, name, parameters)


def show_release(visit: Visit) -> Response:
    """Show one release."""
    release = _find_release(visit)
    others = [each.name for each in visit.store.releases.all() if each.name != release.name]
    files, problem = _list_files(release)
    return visit.page(
        "release.html", release=release, files=files[:_SHOWN], more=len(files) - _SHOWN, problem=problem, others=others,
        recipe=[(name, _describe_value(value)) for name, value in release.recipe.items() if value not in (None, {}, [])],
    )  # fmt: skip


def check_release(visit: Visit) -> Response:
    """Ask the service to verify a release, or to compare it with another."""
    release = _find_release(visit)
    if visit.form.text("action") == "verify":
        return visit.request_job(JobKind.VERIFY, release.name)
    other = visit.form.text("other")
    require(visit.store.releases.get(other), f"release {other[:80]}")
    return visit.request_job(JobKind.DIFF, release.name, {"other": other})


def download_release_file(visit: Visit) -> Response:
    """Return a file of a release."""
    release = _find_release(visit)
    name = str(visit.arguments["path"])
    if not visit.store.releases.is_permitted(release, visit.context.reserved):
        again = f"`newscrawler release again {release.name} --output FOLDER` writes it without them."
        raise RequestProblem(451, f"Articles of {release.name} were withdrawn or removed since it was made. {again}")
    files, _ = _list_files(release)
    folder = Path(release.path)
    if name not in {each["path"] for each in files} | {MANIFEST} or not (folder / name).is_file():
        raise report_missing(f"file {name[:80]} in release {release.name}")
    return FileResponse(folder / name, media_type="application/octet-stream", filename=Path(name).name)


def _find_release(visit: Visit) -> ReleaseRecord:
    name = str(visit.arguments["name"])
    return require(visit.store.releases.get(name), f"release {name[:80]}")


def _describe_value(value: object) -> str:
    """Return a value of a recipe in words, without the empty values of a mapping."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return (
                "; ".join(f"{name}: {_describe_value(each)}" for name, each in value.items() if each not in (None, False)) or "none"
            )
        case list() | tuple():
            return ", ".join(map(_describe_value, value))
    return str(value)


def _list_files(release: ReleaseRecord) -> tuple[Sequence[Mapping[str, Any]], str]:
    """Return the files of a release, and the reason where they cannot be read."""
    try:
        return manifest_of(Path(release.path))["files"], ""
    except ConfigError as error:
        return (), str(error)


PAGES = (
    Page(path="/releases", show=list_releases, change=make_release, change_role=Role.OPERATOR),
    Page(path="/releases/{name}", show=show_release, change=check_release, change_role=Role.OPERATOR),
    Page(path="/releases/{name}/files/{path:path}", show=download_release_file),
)
