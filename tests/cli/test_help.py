from __future__ import annotations

from collections.abc import Callable, Iterator

import click
import pytest
from click.testing import Result

from newscrawler import __version__
from newscrawler.cli import main


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
