from __future__ import annotations

from collections.abc import Callable, Iterator

import click
import pytest
from click.testing import Result

from newscrawler import __version__
from newscrawler.cli import main
from newscrawler.cli.group import LazyGroup


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
