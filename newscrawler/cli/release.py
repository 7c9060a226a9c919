"""`newscrawler release`: make, verify, compare and reproduce corpora that can be cited."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from newscrawler import __version__
from newscrawler.cli.export import make_deduplication
from newscrawler.cli.group import LazyGroup
from newscrawler.cli.identity import fetch_public_keys
from newscrawler.cli.lines import encode
from newscrawler.cli.options import Whole, add_configuration_options, add_selection_options, json_option, open_known, purpose_option
from newscrawler.cli.screen import format_time, make_articles_progress, print_listing, sanitize
from newscrawler.config import Configuration
from newscrawler.corpus import DuplicateWindow, find_format, list_disregarded
from newscrawler.corpus.releases import (
    MANIFEST,
    TOMBSTONES,
    ReleasePlan,
    create_release,
    difference,
    find_increment,
    find_signature_fault,
    hydrate,
    make_again,
    read_documents,
    read_lines,
    sign_release,
    verify,
)
from newscrawler.errors import ConfigError, counted
from newscrawler.politeness.identity import load_keys
from newscrawler.politeness.rights import Purpose
from newscrawler.store import Store, open_store
from newscrawler.store.articles import ReleaseRecord, Selection

#: The rights statement "In copyright".
_LICENCE = "https://rightsstatements.org/vocab/InC/1.0/"
#: Number of articles that are named on the terminal.
_MOST_NAMED = 100
_FOLDER = click.Path(path_type=Path)


@click.group("release", cls=LazyGroup)
def release_group() -> None:
    """Make corpora that can be cited, with hashes and a datasheet.

    \b
    Example:
      newscrawler release create news-2026.1 --creator "Eva Malá" --since 2026-01-01 --until 2026-03-31
    """


@release_group.command("create")
@click.argument("name")
@add_selection_options
@purpose_option
@click.option("--creator", "creators", multiple=True, metavar="NAME", help="Creator; repeat for each person.")
@click.option("--title", metavar="TEXT", help="By default the name.")
@click.option("--licence", default=_LICENCE, show_default=True, metavar="TEXT", help="Licence of the compilation.")
@click.option("--format", "formats", multiple=True, metavar="FORMAT", help="As for `export`; may be repeated. By default jsonl.")
@click.option("--deduplicate", type=click.Choice(["exact", "near", "near-best"]), help="As for `export`.")
@click.option("--recurring", type=Whole(2), metavar="N", help="As for `export`.")
@click.option("--increment", "is_increment", is_flag=True, help="Only articles that no earlier increment of NAME has.")
@click.option(
    "--window", type=click.Choice([str(window) for window in DuplicateWindow]),
    help="Leave out duplicates only within the same day, month or year of publication.",
)  # fmt: skip
@click.option("--dehydrated", is_flag=True, help="Only addresses, hashes and offsets, no text.")
@click.option(
    "--with-reserved", is_flag=True, help="Give away also texts whose publishers reserve copies; by default only their hashes."
)
@click.option("--output", type=_FOLDER, metavar="FOLDER", help="By default the name of the release.")
@add_configuration_options
def create_command(
    *,
    name: str,
    selection: Selection,
    creators: tuple[str, ...],
    title: str | None,
    licence: str,
    formats: tuple[str, ...],
    deduplicate: str | None,
    recurring: int | None,
    dehydrated: bool,
    with_reserved: bool,
    is_increment: bool,
    window: str | None,
    purpose: str | None,
    output: Path | None,
    configuration: Configuration,
) -> None:
    """Write a release into a new folder.

    Articles that publishers withdrew or removed and, with --purpose, those they reserve for that use are left out and listed.
    Texts whose publishers reserve copies are not given away: of these articles the release has addresses, hashes and offsets.
    The folder appears only when it is complete.

    With --increment, NAME is a series: the release is named after it and the day, and has the articles stored since the increment
    before. Each article is in one increment; numbers never change.

    \b
    Example:
      newscrawler release create news-2026.1 --creator "Eva Malá" --portal example --format jsonl --format tei
      newscrawler release create monitor --creator "Eva Malá" --increment --deduplicate near --window month
      newscrawler release create training-1 --creator "Eva Malá" --purpose ai-train
    """
    now = datetime.now(UTC).replace(microsecond=0)
    if window and not deduplicate:
        raise click.UsageError("--window needs --deduplicate, as in --deduplicate near --window month")
    deduplication = replace(make_deduplication(deduplicate, recurring), window=DuplicateWindow(window) if window else None)
    with open_known(configuration, selection) as store:
        series, after_id = (name, 0) if is_increment else (None, 0)
        if series is not None:
            name, after_id = find_increment(store, series, now)
        recipe = ReleasePlan(
            name=name, title=title or name, creators=creators, licence=licence, created_at=now, until_id=store.articles.newest_id(),
            series=series, after_id=after_id,
            selection=selection, formats=formats or ("jsonl",), deduplication=deduplication,
            dehydrated=dehydrated, with_reserved=with_reserved, intent=configuration.intent,
            purpose=Purpose(purpose) if purpose else None,
        )  # fmt: skip
        folder = output or Path(name)
        record = create_release(
            store, recipe, folder, disregarded=partial(list_disregarded, configuration), now=now, progress=make_articles_progress()
        )
    is_signed = sign_release(folder, load_keys(configuration.identity_folder), now)
    click.echo(f"{counted(record.articles, 'article')} released as {name} in {folder}{', signed' if is_signed else ''}.")
    if not dehydrated and (without := sum(1 for each in read_documents(folder) if not each.get("has_text"))):
        click.echo(f"{counted(without, 'article')} without text: publishers reserve copies (--with-reserved).", err=True)
    if left := sum(1 for _ in read_lines(folder / TOMBSTONES)):
        click.echo(f"{counted(left, 'article')} left out: withdrawn, gone or reserved; {folder / TOMBSTONES} lists them.", err=True)


@release_group.command("again")
@click.argument("name")
@click.option("--output", type=_FOLDER, required=True, metavar="FOLDER", help="Folder to write.")
@add_configuration_options
@click.pass_context
def again_command(ctx: click.Context, /, *, name: str, output: Path, configuration: Configuration) -> None:
    """Make a release again, and check that it is the same. The exit code is 1 if a byte differs.

    Articles that have changed since are written as they were released. Articles that were withdrawn or removed since are left
    out and named. Another version of newscrawler may write a format differently.

    \b
    Example:
      newscrawler release again news-2026.1 --output news-2026.1-again
    """
    repeat_release(ctx, name, output, configuration)


def repeat_release(ctx: click.Context, name: str, output: Path, configuration: Configuration) -> None:
    """Make a release again, and print whether it is the same; exit with 1 if it is not."""
    with open_store(configuration.database_url, create=False) as store:
        before = _find_release(store, name)
        disregard, now = partial(list_disregarded, configuration), datetime.now(UTC)
        made = make_again(store, before, output, disregarded=disregard, now=now, progress=make_articles_progress())
    if made.is_same:
        click.echo(f"{output} is {name}, byte for byte.")
        return
    for each in made.missing[:_MOST_NAMED]:
        click.echo(f"{sanitize(each.because)}\t{sanitize(each.url)}")
    if made.missing:
        click.echo(
            f"{output} is not the same as {name}: {counted(len(made.missing), 'article')} withdrawn, gone or removed since; "
            f"{output / TOMBSTONES} lists them."
        )
    elif before.facts is None:
        click.echo(
            f"{output} is not the same as {name}, which an earlier newscrawler made without keeping its articles as they were; "
            f"compare them: newscrawler release diff {before.path} {output}"
        )
    else:
        click.echo(
            f"{output} is not the same as {name}, though it holds the same articles; newscrawler {before.version} made {name}, and "
            f"this is {__version__}. Compare the SHA-256 in both {MANIFEST}."
        )
    ctx.exit(1)


@release_group.command("list")
@json_option
@add_configuration_options
def list_command(*, as_json: bool, configuration: Configuration) -> None:
    """List the releases of the database, oldest first.

    \b
    Example:
      newscrawler release list
    """
    with open_store(configuration.database_url, create=False) as store:
        records = store.releases.all()
    print_listing(map(describe_release, records), map(make_row, records), HEADING, as_json=as_json)


HEADING = ("release", "made", "articles", "folder")


def make_row(record: ReleaseRecord) -> tuple[object, ...]:
    """Return a release as a row of a table."""
    return record.name, format_time(record.created_at), record.articles, record.path


def describe_release(record: ReleaseRecord) -> dict[str, Any]:
    """Return a release as JSON values."""
    return {
        "name": record.name, "created_at": record.created_at.isoformat(), "articles": record.articles, "path": record.path,
        "version": record.version, "manifest_sha256": record.manifest_sha256, "recipe": dict(record.recipe),
    }  # fmt: skip


@release_group.command("verify")
@click.argument("folder", type=_FOLDER)
@click.option("--signer", metavar="FILE|URL", help="Public key (JWK) or directory of keys by which its manifest must be signed.")
@click.pass_context
def verify_command(ctx: click.Context, /, *, folder: Path, signer: str | None) -> None:
    """Compare the files of a release with the SHA-256 of its manifest. The exit code is 1 if one has changed.

    With --signer, the manifest must be signed by a key of that file, or of the site that publishes the identity of its crawler.

    \b
    Example:
      newscrawler release verify news-2026.1
      newscrawler release verify news-2026.1 --signer https://www.their.domain
    """
    fault = find_signature_fault(folder, fetch_public_keys(signer)) if signer is not None else None
    found = verify(folder)
    for word, names in (("changed", found.changed), ("missing", found.missing), ("not of the release", found.strange)):
        for name in names:
            click.echo(f"{word}: {sanitize(name)}")
    if fault is not None:
        click.echo(f"not signed by {sanitize(signer or '')}: {sanitize(fault)}")
    if not found.is_whole or fault is not None:
        ctx.exit(1)
    click.echo(f"All {found.files} files are as they were released{', and signed' if signer else ''}.")


@release_group.command("diff")
@click.argument("before", metavar="A", type=_FOLDER)
@click.argument("after", metavar="B", type=_FOLDER)
@json_option
def diff_command(*, before: Path, after: Path, as_json: bool) -> None:
    """List the articles that differ between releases A and B.

    \b
    Example:
      newscrawler release diff news-2026.1 news-2026.2
    """
    counts: dict[str, int] = {}
    for each in difference(before, after):
        counts[each.what] = counts.get(each.what, 0) + 1
        click.echo(encode({"what": each.what, "url": each.url}) if as_json else f"{each.what}\t{sanitize(each.url)}\n", nl=False)
    click.echo(", ".join(f"{number} {what}" for what, number in sorted(counts.items())) or "No difference.", err=True)


@release_group.command("hydrate")
@click.argument("folder", type=_FOLDER)
@click.option("--output", type=_FOLDER, required=True, metavar="FILE", help="File to write; its suffix is the format.")
@add_configuration_options
def hydrate_command(*, folder: Path, output: Path, configuration: Configuration) -> None:
    """Rebuild the texts of a dehydrated release from your own crawl.

    An article is written if its text, or an earlier version of it, is identical. FILE.missing.jsonl lists the others.

    \b
    Example:
      newscrawler release hydrate news-2026.1 --output news.jsonl
    """
    form = find_format(output)
    with open_store(configuration.database_url, create=False) as store:
        done = hydrate(store, folder, output, reserved=configuration.reserved_for(), form=form.name)
    click.echo(
        f"{counted(done.written, 'article')} written to {output}; {done.absent} are not in the database, "
        f"{done.changed} have changed."
    )


def _find_release(store: Store, name: str) -> ReleaseRecord:
    record = store.releases.get(name)
    if record is None:
        known = ", ".join(each.name for each in store.releases.all()) or "none"
        raise ConfigError(f"the database has no release {name}; it has: {known}")
    return record
