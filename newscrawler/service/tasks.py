"""Long tasks, each in a separate process: count, export, make a release, extract kept pages again."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from newscrawler.config import Configuration
from newscrawler.corpus import (
    Analysis,
    ExportPlan,
    analyse,
    combine,
    find_saved,
    list_disregarded,
    make_recipe,
    open_target,
    read_parameters,
    read_saved,
    refuse_empty_export,
    write_export_plan,
    write_figure,
)
from newscrawler.corpus.formats import FORMATS, write_table
from newscrawler.corpus.releases import ReleasePlan, create_release, difference, sign_release, verify
from newscrawler.errors import ConfigError, ExportError, NewscrawlerError, counted
from newscrawler.politeness.identity import load_keys
from newscrawler.store import Store
from newscrawler.store.archive import PageSelection
from newscrawler.store.articles import Selection
from newscrawler.store.service import Job, JobKind, JobState

#: Interval of progress updates.
_NOTED_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The result of a task."""

    message: str
    #: The file or folder written.
    path: Path | None = None
    #: Of an export: the newest article at that time.
    last_article_id: int | None = None


def carry_out_job(store: Store, job: Job, configuration: Configuration, *, now: datetime | None = None) -> Job:
    """Run a job, and store its progress and result; return it as it ended.

    Raises:
        NewscrawlerError: it failed, which is stored too.
    """
    job, progress = replace(job, began_at=now or datetime.now(UTC)), _Progress(store, job.id)
    try:
        done = TASKS[job.kind](store, job, configuration, progress)
    except NewscrawlerError as error:
        store.jobs.put(replace(job, state=JobState.FAILED, ended_at=datetime.now(UTC), message=str(error)))
        raise
    path = str(done.path) if done.path else None
    return store.jobs.put(
        replace(
            job, state=JobState.DONE, ended_at=datetime.now(UTC), message=done.message, path=path, progress=progress.done,
            total=progress.total, last_article_id=done.last_article_id,
        )
    )  # fmt: skip


def write_export(store: Store, name: str, configuration: Configuration, *, now: datetime | None = None) -> Job:
    """Write a configured export at once; return the job that the database remembers.

    Raises:
        NewscrawlerError: it cannot be written, which is stored too.
    """
    job = Job(kind=JobKind.EXPORT, target=name, state=JobState.RUNNING, planned_at=now or datetime.now(UTC))
    return carry_out_job(store, job, configuration, now=now)


class _Progress:
    """Stores the progress now and then."""

    def __init__(self, store: Store, job_id: int) -> None:
        self._store = store
        self._job_id = job_id
        self._noted_at = 0.0
        self.done: int | None = None
        self.total: int | None = None

    def note(self, done: int) -> None:
        """Store the progress unless it was just stored."""
        self.done = done
        if time.monotonic() - self._noted_at >= _NOTED_SECONDS:
            self._noted_at = time.monotonic()
            self._store.jobs.advance(self._job_id, done, self.total)


def _run_count(store: Store, job: Job, configuration: Configuration, progress: _Progress) -> Done:
    """Run an analysis on all articles of its selection."""
    path = _make_result_path(configuration, f"{job.target}-{job.id}.csv")
    analysis = read_parameters(Analysis, job.parameters).restrict(store, configuration.reserved_for())
    result = analyse(store, analysis, progress=progress.note)
    write_figure(analysis, result, make_recipe(store, analysis, result), path)
    return Done(message=f"{len(result.rows)} rows from {result.of} articles", path=path)


def _write_selection(store: Store, job: Job, configuration: Configuration, progress: _Progress) -> Done:
    """Write the articles of a selection into one file."""
    selection = store.articles.restrict(read_parameters(Selection, job.parameters["selection"]), configuration.reserved_for())
    plan = ExportPlan(format=job.target, selection=selection)
    progress.total = store.articles.count(plan.selection)
    refuse_empty_export(progress.total)
    path = _make_result_path(configuration, f"articles-{job.id}.{FORMATS[job.target].ending}")
    written, _ = write_export_plan(store, plan, path, progress=progress.note)
    progress.done = written.articles
    return Done(message=f"{counted(written.articles, 'article')} written", path=path)


def _write_export(store: Store, job: Job, configuration: Configuration, progress: _Progress) -> Done:
    """Write a configured export.

    Articles stored meanwhile are left for the next time. An export of new articles writes no file if there are none, and never
    overwrites one.
    """
    export = next((each for each in configuration.exports if each.name == job.target), None)
    if export is None:
        raise ConfigError("the configuration has no such export")
    if export.collection and export.collection not in store.collections.names():
        raise ExportError(
            f"The export {export.name} is of the collection {export.collection}, which the database does not have yet."
        )
    moment = (job.began_at or job.planned_at).astimezone(configuration.service.zone)
    newest = store.articles.newest_id()
    earlier = store.jobs.last_export(export.name) if export.only_new else None
    saved = read_saved(find_saved(store, export.saved)) if export.saved else Selection()
    selection = Selection(
        portals=export.portals,
        language=export.language,
        collection=export.collection,
        # an article of a portal may be filed long after it is stored
        filed_after=earlier.began_at if earlier and export.collection else None,
        keyword=export.keyword,
        since=moment.date() - timedelta(days=export.days - 1) if export.days else None,
        after_id=earlier.last_article_id if earlier and not export.collection else None,
        **configuration.reserved_for(export.purpose),
    )
    selection = combine(saved, selection).end_at(newest)
    path = Path(export.path.format(date=moment.date().isoformat(), time=f"{moment:%H%M%S}", name=export.name))
    _make_folder(path.parent)
    if export.only_new:
        if not store.articles.count(selection):
            return Done(message="no article is new")
        path = _find_free_path(path)
    plan = ExportPlan(format=export.format, selection=selection)
    written, _ = write_export_plan(store, plan, path, pages=configuration.pages_folder, progress=progress.note)
    progress.done = written.articles
    return Done(message=f"{written.articles} articles were written to {path}", path=path, last_article_id=newest)


def _find_free_path(path: Path) -> Path:
    """Return a path that does not exist: a second file of a day gets a number."""
    found, number = path, 1
    while found.exists():
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found


def _make_release(store: Store, job: Job, configuration: Configuration, progress: _Progress) -> Done:
    """Make a release of a selection."""
    wanted, now = job.parameters, datetime.now(UTC).replace(microsecond=0)
    recipe = ReleasePlan(
        name=job.target, title=wanted["title"] or job.target, creators=tuple(wanted["creators"]), licence=wanted["licence"],
        created_at=now, until_id=store.articles.newest_id(), selection=read_parameters(Selection, wanted["selection"]),
        formats=tuple(wanted["formats"]), dehydrated=wanted["dehydrated"], intent=configuration.intent,
    )  # fmt: skip
    progress.total = store.articles.count(recipe.selection)
    folder = configuration.data_folder / "releases" / recipe.name
    left_out = partial(list_disregarded, configuration)
    record = create_release(store, recipe, folder, disregarded=left_out, now=now, progress=progress.note)
    sign_release(folder, load_keys(configuration.identity_folder), now)
    return Done(message=f"{counted(record.articles, 'article')} released", path=folder.resolve())


def _verify_release(store: Store, job: Job, _configuration: Configuration, _progress: _Progress) -> Done:
    """Check the files of a release against its manifest."""
    found = verify(_find_release_folder(store, job.target))
    if found.is_whole:
        return Done(message=f"all {found.files} files are as they were released")
    counts = ((len(found.changed), "changed"), (len(found.missing), "missing"), (len(found.strange), "not of the release"))
    names = ", ".join((*found.changed, *found.missing, *found.strange))
    raise ExportError(f"{', '.join(f'{number} {word}' for number, word in counts if number)}: {names}")


def _compare_releases(store: Store, job: Job, configuration: Configuration, _progress: _Progress) -> Done:
    """List the articles by which another release differs from this one."""
    path, counts = _make_result_path(configuration, f"diff-{job.id}.csv"), Counter[str]()
    before, after = _find_release_folder(store, job.target), _find_release_folder(store, job.parameters["other"])

    def list_rows() -> Iterator[tuple[str, str]]:
        for each in difference(before, after):
            counts[each.what] += 1
            yield each.what, each.url

    with open_target(path) as stream:
        write_table(("what", "url"), list_rows(), stream)
    return Done(message=", ".join(f"{number} {what}" for what, number in sorted(counts.items())) or "no difference", path=path)


def _find_release_folder(store: Store, name: str) -> Path:
    release = store.releases.get(name)
    if release is None:
        raise ConfigError(f"there is no release {name}")
    return Path(release.path)


def _reextract_portal(store: Store, job: Job, configuration: Configuration, progress: _Progress) -> Done:
    """Extract the kept pages of a portal again, list the changes, and store them if requested."""
    from newscrawler.corpus import Replayer, Totals
    from newscrawler.crawl import make_extraction_options

    portal = next((each for each in configuration.portals if each.name == job.target), None)
    if portal is None:
        raise ConfigError("the configuration has no such portal")
    is_applied, totals = bool(job.parameters["apply"]), Totals()
    reserved, reading = configuration.reserved_for(), make_extraction_options(portal, store)
    progress.total = len(store.pages.articles_of(PageSelection(portal=portal.name, reserved=reserved)))
    if not progress.total:
        raise ConfigError(f"no page of an article of {portal.name} is kept")
    path = _make_result_path(configuration, f"reextract-{job.id}.jsonl")
    replayer = Replayer.of(store, configuration.pages_folder, reading, reserved=reserved)
    with open_target(path) as stream:
        for count, change in enumerate(replayer.changes(why="read anew" if is_applied else None), 1):
            totals.add(change)
            progress.note(count)
            if change.kind != "same":
                stream.write(json.dumps(change.as_dict(), ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n")
    return Done(message=totals.sentence(applied=is_applied), path=path)


def _make_result_path(configuration: Configuration, name: str) -> Path:
    """Return the path of a downloadable file and create its folder."""
    folder = configuration.data_folder / "results"
    _make_folder(folder)
    return folder.resolve() / name


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"the folder {folder} cannot be made: {error.strerror}") from error


TASKS: Mapping[JobKind, Callable[[Store, Job, Configuration, _Progress], Done]] = {
    JobKind.COUNT: _run_count, JobKind.EXPORT: _write_export, JobKind.SELECTION: _write_selection,
    JobKind.RELEASE: _make_release, JobKind.VERIFY: _verify_release, JobKind.DIFF: _compare_releases,
    JobKind.REEXTRACT: _reextract_portal,
}  # fmt: skip
