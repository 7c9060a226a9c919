from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result

from newscrawler import __version__
from newscrawler.cli import main
from newscrawler.cli.group import LazyGroup
from newscrawler.cli.main import COMMANDS


def commands(group: click.Group = main, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_command_has_help_with_an_example(run: Callable[..., Result], path: tuple[str, ...]) -> None:
    result = run(*path, "--help")

    assert result.exit_code == 0
    assert "Example:\n" in result.output
    assert f"newscrawler {path[0]}" in result.output.partition("Example:")[2]


def lazy_groups(group: click.Group = main) -> Iterator[LazyGroup]:
    context = click.Context(group)
    for command in [group, *(group.get_command(context, name) for name in group.list_commands(context))]:
        if isinstance(command, LazyGroup):
            yield command


@pytest.mark.parametrize("group", list(lazy_groups()), ids=lambda group: group.name)
def test_summaries_in_tables_of_commands_are_those_of_their_help(group: LazyGroup) -> None:
    context = click.Context(group)

    summaries = {name: summary for name, (_, summary) in group.lazy.items()}

    commands = {name: group.get_command(context, name) for name in group.lazy}
    assert summaries == {name: command and command.get_short_help_str(10_000) for name, command in commands.items()}


@pytest.mark.parametrize("group", list(lazy_groups()), ids=lambda group: group.name)
def test_no_summary_is_cut_at_80_columns(group: LazyGroup) -> None:
    _, _, listed = group.get_help(click.Context(group, terminal_width=80, max_content_width=80)).partition("Commands:")

    assert max(map(len, listed.splitlines()), default=0) <= 80
    assert "..." not in listed


def test_the_commands_are_grouped_by_task(run: Callable[..., Result]) -> None:
    listed = run("--help").output.partition("Show this message and exit.")[2]

    headings = [line.removesuffix(":") for line in listed.splitlines() if line and not line.startswith(" ")]
    assert "..." not in listed
    assert headings == ["Start", "Read", "Analyse", "Publish", "Service", "Check", "Experts"]
    assert [name for name in COMMANDS if f"\n  {name:<11}  " not in listed] == []


def next_commands(result: Result) -> list[str]:
    return [line.partition("#")[0].strip().removeprefix("newscrawler ") for line in result.output.splitlines() if "  # " in line]


def test_the_bare_command_shows_the_help_where_no_configuration_is(run: Callable[..., Result], folder: Path) -> None:
    result = run()

    assert (result.exit_code, list(folder.iterdir())) == (2, [])
    assert "Start:\n" in result.stderr


def test_the_bare_command_names_three_next_steps_that_fit_the_state(run: Callable[..., Result], folder: Path) -> None:
    run("init")
    empty = run()
    run("portal", "add", "http://127.0.0.1:9/", "--name", "courier", "--no-probe")
    added = run()

    assert [empty.exit_code, added.exit_code] == [0, 0]
    assert "newscrawler.toml has no portal yet." in empty.output
    assert next_commands(empty) == ["web", "portal add URL", "demo"]
    assert re.search(r"courier\t.*no crawl yet", added.output)
    assert "There is no database yet" in added.stderr
    assert next_commands(added) == ["crawl", "web", "portal add URL"]
    assert [path.name for path in folder.iterdir()] == ["newscrawler.toml"]


def test_the_help_tells_the_exit_codes(run: Callable[..., Result]) -> None:
    text = run("--help").output

    for code in (0, 1, 2, 3, 4, 5, 130):
        assert f"\n  {code:>5}  " in text


def test_the_version_is_told(run: Callable[..., Result]) -> None:
    assert run("--version").output == f"newscrawler, version {__version__}\n"


def test_a_command_that_does_not_exist_is_told(run: Callable[..., Result]) -> None:
    result = run("crwal")

    assert result.exit_code == 2
    assert "crwal" in result.stderr
