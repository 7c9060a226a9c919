"""Configured exports: finds those that are due, and writes one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from newscrawler.config import Configuration, Export
from newscrawler.corpus import export_articles
from newscrawler.corpus.formats import FORMATS
from newscrawler.errors import ExportError
from newscrawler.store import Store
from newscrawler.store.articles import Selection
from newscrawler.store.service import ExportRecord


def find_due_exports(exports: Iterable[Export], *, completed: Collection[str], busy: Collection[str]) -> list[Export]:
    """Return the exports due: a crawl of one of their portals, or of their collection, has ended, and none is running."""
    found = []
    for export in exports:
        wanted = (*export.portals, export.collection) if export.collection else export.portals
        ended = {portal for portal in completed if not wanted or portal in wanted}
        waiting = {portal for portal in busy if not wanted or portal in wanted}
        if ended and not waiting:
            found.append(export)
    return found


def write_export(store: Store, export: Export, configuration: Configuration, *, now: datetime | None = None) -> ExportRecord:
    """Write one export and store how far it went.

    Articles stored meanwhile are left for the next time. An export of new articles writes no file if there are none, and never
    overwrites one.

    Raises:
        ExportError: the file cannot be written.
    """
    moment = (now or datetime.now(UTC)).astimezone(configuration.service.zone)
    if export.collection and export.collection not in store.collections.names():
        raise ExportError(
            f"The export {export.name} is of the collection {export.collection}, which the database does not have yet."
        )
    before = store.service.last_export(export.name)
    newest = store.articles.newest_id()
    earlier = before if export.only_new else None
    selection = Selection(
        portals=export.portals,
        language=export.language,
        collection=export.collection,
        # an article of a portal may be filed long after it is stored
        filed_after=earlier.written_at if earlier and export.collection else None,
        keyword=export.keyword,
        since=moment.date() - timedelta(days=export.days - 1) if export.days else None,
        after_id=earlier.last_article_id if earlier and not export.collection else None,
        until_id=newest,
        **(configuration.reserved_for(export.purpose) if export.purpose else {}),
    )
    path = Path(export.path.format(date=moment.date().isoformat(), time=f"{moment:%H%M%S}", name=export.name))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"the folder {path.parent} of the export {export.name} cannot be made: {error.strerror}") from error
    if export.only_new:
        if not store.articles.count(selection):
            return ExportRecord(name=export.name, path="", written_at=moment.astimezone(UTC), articles=0, last_article_id=newest)
        path = _free(path)
    count = export_articles(store.articles.stream(selection), FORMATS[export.format], path).articles
    record = ExportRecord(
        name=export.name, path=str(path), written_at=moment.astimezone(UTC), articles=count, last_article_id=newest
    )
    store.service.put_export(record)
    return record


def _free(path: Path) -> Path:
    """Return a path that does not exist: a second file of a day gets a number."""
    found, number = path, 1
    while found.exists():
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found
