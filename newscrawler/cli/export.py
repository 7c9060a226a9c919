"""`newscrawler export`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import click

from newscrawler.cli.options import (
    FORMAT,
    config_option,
    configuration_of,
    database_option,
    for_purpose,
    known_selection,
    purpose_option,
    selection_options,
)
from newscrawler.config import CONFIGURATION_FILE, Configuration
from newscrawler.errors import ConfigError, ExportError

_TERMINATED = 143


@click.command("export")
@click.option(
    "--format", "name", type=FORMAT, metavar="csv|json|jsonl", help="By default what the name of the file ends in, or jsonl."
)
@click.option("--output", default="-", metavar="FILE", help="Where to; - or nothing: standard output.")
@click.option("--named", metavar="NAME", help="Write the [[export]] of this name, as `newscrawler run` does.")
@purpose_option
@selection_options
@database_option
@config_option
def export_command(
    *,
    name: str | None,
    output: str,
    named: str | None,
    purpose: str | None,
    portal: str | None,
    language: str | None,
    since: date | None,
    until: date | None,
    database: str | None,
    config: Path | None,
) -> None:
    """Write articles as CSV, JSON or JSON lines.

    A file appears under its name only when it is complete. The CSV is for spreadsheets: UTF-8 with a mark that makes
    them read it so, and an apostrophe before text that they would take for a formula. JSON holds the texts as they are.

    \b
    Example:
      newscrawler export --format jsonl --output articles.jsonl
      newscrawler export --format csv --portal example --since 2026-02-01 --output february.csv
      newscrawler export --language cs | head
      newscrawler export --purpose ai-train --output training.jsonl
      newscrawler export --named weekly
    """
    if named:
        _write_named(named, configuration_of(config, database))
        return
    from newscrawler.export import FORMATS, export_articles
    from newscrawler.store import Selection, open_store

    if not output:
        raise click.BadParameter("name a file, or - for standard output", param_hint="--output")
    path = None if output == "-" else Path(output)
    write = FORMATS[name or _format_of(path, tuple(FORMATS))]
    selection = Selection(portal=portal, language=language, since=since, until=until)
    settings = configuration_of(config, database)
    everything, selection = selection, for_purpose(selection, purpose, settings)
    with open_store(settings.database_url, create=False) as store, _terminable():
        _leave_alone(path, settings)
        count = export_articles(store.articles.stream(known_selection(store, selection)), write, path)
        left_out = store.articles.count(everything) - store.articles.count(selection) if purpose else 0
    if left_out:
        click.echo(f"{left_out} left out, as their publishers reserve them for {purpose}", err=True)
    if path:
        click.echo(f"{count} article{'' if count == 1 else 's'} written to {path}", err=True)


def _write_named(name: str, settings: Configuration) -> None:
    from newscrawler.service.exports import write_export
    from newscrawler.store import open_store

    export = next((each for each in settings.exports if each.name == name), None)
    if export is None:
        known = ", ".join(each.name for each in settings.exports) or "none"
        raise ConfigError(f"there is no export {name} in {settings.path or CONFIGURATION_FILE}; there are: {known}")
    with open_store(settings.database_url, create=False) as store, _terminable():
        _leave_alone(Path(export.path), settings)
        written = write_export(store, export, zone=settings.service.zone)
    told = f"{written.articles} article{'' if written.articles == 1 else 's'}"
    click.echo(f"{told} written to {written.path}" if written.path else "Nothing is new since the last time.", err=True)


def _format_of(path: Path | None, names: tuple[str, ...]) -> str:
    ending = path.suffix.lower().removeprefix(".") if path else ""
    return ending if ending in names else "jsonl"


def _leave_alone(path: Path | None, settings: Configuration) -> None:
    """Refuse to write the export over the database or the configuration that it comes from."""
    if path is None:
        return
    taken = {settings.path} if settings.path else set()
    if settings.database_url.startswith("sqlite"):
        file = settings.database_url.partition(":///")[2].partition("?")[0]
        taken |= {Path(f"{file}{ending}") for ending in ("", "-wal", "-shm")}
    if any(os.path.realpath(path) == os.path.realpath(other) for other in taken):
        raise ExportError(f"{path} is in use by newscrawler itself and would be lost; name another file")


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM unwind the stack, so that no half of a file stays."""

    def end(_number: int, _frame: object) -> None:
        raise SystemExit(_TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
