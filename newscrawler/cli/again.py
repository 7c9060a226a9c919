"""`newscrawler again`: repeat an analysis, an export or a release from its recipe, and report the changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from newscrawler import __version__
from newscrawler.cli.lines import encode
from newscrawler.cli.options import add_configuration_options, json_option
from newscrawler.cli.release import repeat_release
from newscrawler.cli.screen import format_time, make_articles_progress, sanitize
from newscrawler.config import Configuration
from newscrawler.corpus import (
    EXPORT,
    RELEASE,
    Analysis,
    Recipe,
    Repetition,
    cite,
    read_parameters,
    read_recipe,
    repeat_analysis,
    repeat_export,
    write_figure,
    write_parameters,
)
from newscrawler.errors import ConfigError, counted
from newscrawler.store import open_store

#: Rows that are printed.
_MOST_SHOWN = 20


@click.command("again")
@click.argument("recipe", type=click.Path(path_type=Path), metavar="RECIPE")
@click.option("--output", metavar="FILE|FOLDER/", help="Write the table, chart, export or release again.")
@click.option("--annotate", metavar="TAGGER", help="Confirm the tagger that the recipe names: it runs code of your machine.")
@json_option
@add_configuration_options
@click.pass_context
def again_command(
    ctx: click.Context, /, *, recipe: Path, output: str | None, annotate: str | None, as_json: bool, configuration: Configuration
) -> None:
    """Repeat an analysis or an export from its recipe.

    The changes since are printed: articles added and removed, other texts, other numbers, another version of the program.
    RECIPE is FILE.recipe.json, the file that it is of, a chart with its recipe within (SVG, PNG), or the folder of a release.
    Articles are compared by ids within this database, and by the hash of their texts with others. The exit code is 1 if
    articles, texts or numbers differ.

    \b
    Example:
      newscrawler again trend.svg
      newscrawler again articles.jsonl --output articles-today.jsonl
    """
    before = read_recipe(recipe)
    if before.kind == RELEASE:
        if output is None:
            raise click.UsageError("a release is made again into a folder: --output FOLDER")
        repeat_release(ctx, str(before.parameters["name"]), Path(output), configuration)
        return
    if before.parameters.get("annotate") != annotate:
        named = before.parameters.get("annotate") or "no tagger"
        raise ConfigError(f"the recipe names {named}; if you trust it, repeat the name: --annotate {named}")
    made = _repeat(before, output, configuration)
    for line in [_encode(made)] if as_json else _list_lines(made):
        click.echo(sanitize(line))
    if not made.is_same:
        ctx.exit(1)


def _repeat(before: Recipe, output: str | None, configuration: Configuration) -> Repetition:
    path, reserved = Path(output) if output else None, configuration.reserved_for()
    with open_store(configuration.database_url, create=False) as store:
        if before.kind == EXPORT:
            return repeat_export(
                store, before, path, reserved=reserved, pages=configuration.pages_folder, in_folder=(output or "").endswith("/"),
                progress=make_articles_progress(),
            )  # fmt: skip
        made = repeat_analysis(store, before, reserved=reserved, progress=make_articles_progress())
        if path is not None and made.table is not None:
            write_figure(read_parameters(Analysis, before.parameters), made.table, made.now, path)
        return made


def _encode(made: Repetition) -> str:
    """Return the changes as JSON."""
    return encode({"is_same": made.is_same} | write_parameters(replace(made, table=None))).decode().strip()


def _list_lines(made: Repetition) -> list[str]:
    """Return the changes in sentences."""
    then, now = made.before, made.now
    lines = [cite(then)[0], f"Made at {format_time(then.made_at)} with newscrawler {then.newscrawler}, tables {then.tables}."]
    if (then.newscrawler, then.tables) != (now.newscrawler, now.tables):
        lines.append(f"This is newscrawler {__version__}, tables {now.tables}.")
    articles = counted(now.articles.count, "article")
    if then.articles.sha256 == now.articles.sha256:
        lines.append(f"{articles}, with the same texts.")
    else:
        also = "" if made.added or made.removed else "; texts have changed"
        lines.append(f"{articles}, then {then.articles.count:,}: {made.added:,} added, {made.removed:,} removed{also}.")
    if now.result:
        lines.append("The result is the same." if then.result == now.result else "The result differs.")
    more = len(made.rows) - _MOST_SHOWN
    return [*lines, *made.rows[:_MOST_SHOWN], *([f"… and {more} more"] if more > 0 else [])]
