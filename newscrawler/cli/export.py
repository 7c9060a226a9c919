"""`newscrawler export`, and its options that leave out duplicates."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from newscrawler.cli.options import (
    FORMAT,
    Whole,
    add_configuration_options,
    add_selection_options,
    purpose_option,
    restrict_selection,
)
from newscrawler.cli.screen import make_articles_progress
from newscrawler.config import CONFIGURATION_FILE, Configuration
from newscrawler.corpus import (
    Deduplication,
    ExportPlan,
    Keep,
    LeftOut,
    find_format,
    open_target,
    refuse_empty_export,
    write_export_plan,
)
from newscrawler.corpus.formats import Format, Written
from newscrawler.errors import ConfigError, ExportError, counted
from newscrawler.service import write_export
from newscrawler.store import open_store
from newscrawler.store.articles import Selection


def make_deduplication(articles: str | None, recurring: int | None) -> Deduplication:
    """Return the deduplication that these options ask for."""
    near = {"near": Keep.EARLIEST, "near-best": Keep.BEST}.get(articles or "")
    return Deduplication(exact=articles == "exact", near=near, paragraphs=recurring)


@contextmanager
def _report_duplicates(path: Path | None) -> Iterator[tuple[Callable[[LeftOut], None], Counter[str]]]:
    """Yield what notes an omission in a file, which appears only when complete, and the numbers of omissions by kind."""
    counts: Counter[str] = Counter()
    with open_target(path) if path is not None else nullcontext() as stream:

        def note(left: LeftOut) -> None:
            counts[str(left.kind)] += 1
            if stream is not None:
                stream.write(json.dumps(asdict(left), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")

        yield note, counts


_TERMINATED = 143


@click.command("export")
@click.option("--format", "name", type=FORMAT, help="By default what the name of the file ends in; jsonl without one.")
@click.option("--output", default="-", metavar="FILE|FOLDER/", help="File or folder to write; - or nothing: standard output.")
@click.option("--revisions", is_flag=True, help="Add the earlier texts of each article, and what changed: json, jsonl.")
@click.option("--entities", is_flag=True, help="Add what recognisers found: json, jsonl, csv, xlsx, parquet, vertical.")
@click.option("--named", metavar="NAME", help="Write the [[export]] of this name, as `newscrawler run` does.")
@purpose_option
@add_selection_options
@click.option(
    "--deduplicate", type=click.Choice(["exact", "near", "near-best"]),
    help="Leave out duplicate or near-duplicate articles; the earliest stays, or the best (longest).",
)  # fmt: skip
@click.option("--recurring", type=Whole(2), metavar="N", help="Leave out paragraphs that occur in N articles, except in the first.")
@click.option("--duplicates", type=click.Path(path_type=Path), metavar="FILE", help="List what is left out, as JSON lines.")
@click.option("--delimiter", metavar="SIGN", help="Of csv; a comma by default, \\t is a tab.")
@click.option("--excel", metavar="LOCALE", help="CSV as the Excel of this locale reads it, such as cs or de-AT.")
@click.option("--no-header", is_flag=True, help="txt and markdown: no metadata before the text.")
@click.option("--annotate", metavar="TAGGER", help="vertical, conllu: lemma and part of speech, as for `frequencies`.")
@click.option("--title", default="Articles", show_default=True, metavar="TEXT", help="Of tei, html and vertical.")
@click.option("--resume", is_flag=True, help="Write into a folder that already has files.")
@add_configuration_options
def export_command(
    *,
    name: str | None,
    output: str,
    revisions: bool,
    named: str | None,
    purpose: str | None,
    selection: Selection,
    resume: bool,
    configuration: Configuration,
    **chosen: Any,
) -> None:
    """Write articles to files, in one of twelve formats.

    Formats: jsonl, json, csv, xlsx, txt, markdown, html, tei, vertical, conllu, parquet, warc.
    A file appears under its name only when it is complete, with its recipe next to it, FILE.recipe.json (`newscrawler again`).
    txt and markdown write one file per article; html and tei do so too
    if you name a folder, with a slash at its end. csv is for spreadsheets: UTF-8 with a byte order mark, and an apostrophe before
    text that would be read as a formula. warc contains the kept pages of the articles. parquet needs newscrawler[parquet].

    \b
    Example:
      newscrawler export --format jsonl --output articles.jsonl
      newscrawler export --portal example --since 2026-02-01 --output february.xlsx
      newscrawler export --format txt --output texts/ --deduplicate near
      newscrawler export --language cs | head
      newscrawler export --purpose ai-train --output training.jsonl
      newscrawler export --named weekly
    """
    if named:
        _refuse_other_options()
        _write_named(named, configuration)
        return

    if not output:
        raise click.BadParameter("name a file, or - for standard output", param_hint="--output")
    path = None if output == "-" else Path(output)
    _keep_unchanged(path, configuration)
    form = find_format(path, name)
    delimiter = chosen["delimiter"] and chosen["delimiter"].replace("\\t", "\t")
    wanted = make_deduplication(chosen.pop("deduplicate"), chosen.pop("recurring"))
    report_to = chosen.pop("duplicates")
    _refuse_foreign_options(form.name, chosen)
    if revisions and form.name not in {"json", "jsonl"}:
        raise click.UsageError(f"{form.name} cannot hold earlier texts; use --format jsonl with --revisions")
    in_folder = path is not None and (output.endswith("/") or (form.document is not None and path.is_dir()))
    plan = ExportPlan(
        format=form.name, deduplication=wanted, with_revisions=revisions, with_entities=chosen["entities"], excel=chosen["excel"],
        delimiter=delimiter, header=not chosen["no_header"], title=chosen["title"],
        annotate=chosen["annotate"],
    )  # fmt: skip
    with (
        open_store(configuration.database_url, create=False) as store,
        _unwind_on_sigterm(),
        _report_duplicates(report_to) as (note, left_out),
    ):
        plan = replace(plan, selection=restrict_selection(store, selection, configuration, purpose=purpose))
        refuse_empty_export(store.articles.count(plan.selection))
        written, _ = write_export_plan(
            store, plan, path, pages=configuration.pages_folder, in_folder=in_folder, resume=resume, report=note,
            progress=make_articles_progress() if path else None,
        )  # fmt: skip
    if wanted != Deduplication():
        sentences = [f"Left out: {number} of {kind}." for kind, number in sorted(left_out.items())]
        for sentence in sentences or ["Nothing was left out as a duplicate."]:
            click.echo(sentence, err=True)
    _print_report(written, form, path)


#: Options that only some formats have.
_FORMATS_OF = {
    "entities": ("json", "jsonl", "csv", "xlsx", "parquet", "vertical"),
    "delimiter": ("csv",), "excel": ("csv",), "no_header": ("txt", "markdown"), "annotate": ("vertical", "conllu"),
}  # fmt: skip


def _refuse_foreign_options(name: str, chosen: dict[str, Any]) -> None:
    """Refuse an option that the format lacks, which would be ignored."""
    for option, formats in _FORMATS_OF.items():
        if chosen[option] and name not in formats:
            raise click.UsageError(f"--{option.replace('_', '-')} goes with {', '.join(formats)}; {name} has no use for it")


def _print_report(written: Written, form: Format, path: Path | None) -> None:
    if written.long_cells:
        cut = "they are truncated" if form.name == "xlsx" else "Excel truncates them, jsonl and parquet do not"
        click.echo(f"{written.long_cells} cells have more than 32,767 characters: {cut}.", err=True)
    if written.missing:
        click.echo(f"{written.missing} articles are missing: their pages are not kept.", err=True)
    if path:
        click.echo(f"{counted(written.articles, 'article')} written to {path}", err=True)


def _refuse_other_options() -> None:
    """Refuse options beside --named, which would be ignored."""
    context = click.get_current_context()
    for option in context.command.params:
        is_given = option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
        if is_given and option.name not in {"named", "database", "config"}:
            raise click.UsageError(f"{option.opts[0]} does not go with --named, which reads its [[export]] only")


def _write_named(named: str, settings: Configuration) -> None:
    export = next((each for each in settings.exports if each.name == named), None)
    if export is None:
        known = ", ".join(each.name for each in settings.exports) or "none"
        raise ConfigError(f"there is no export {named} in {settings.path or CONFIGURATION_FILE}; there are: {known}")
    with open_store(settings.database_url, create=False) as store, _unwind_on_sigterm():
        _keep_unchanged(Path(export.path), settings)
        written = write_export(store, export.name, settings)
    sentence = f"{counted(written.progress or 0, 'article')} written to {written.path}"
    click.echo(sentence if written.path else "Nothing is new since the last time.", err=True)


def _keep_unchanged(path: Path | None, settings: Configuration) -> None:
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
def _unwind_on_sigterm() -> Iterator[None]:
    """Let SIGTERM unwind the stack, so that no half of a file stays."""

    def end(_number: int, _frame: object) -> None:
        raise SystemExit(_TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
