"""Write docs/commands.md from the commands themselves: the help of each, as a terminal shows it.

Run it again whenever a command changes; a test compares the page with what it would write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from newscrawler.cli.main import main

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
HEAD = """\
# Commands

Written by `tools/write_command_pages.py`. Lists and summaries have `--json`; without a terminal they are plain lines, separated by
tabs.
`NEWSCRAWLER_CONFIG` and `NEWSCRAWLER_DATABASE` stand for `--config` and `--database`.
"""


def page() -> str:
    """Return the whole page."""
    context = click.Context(main, info_name="newscrawler", terminal_width=100, max_content_width=100)
    return "\n".join([HEAD, *(section for name in main.list_commands(context) for section in _sections(name, main, context))])


def _sections(name: str, group: click.Group, context: click.Context) -> Iterator[str]:
    """Yield the sections of a command and of the commands below it."""
    command = group.get_command(context, name)
    if command is None or command.hidden:
        return
    own = click.Context(command, parent=context, info_name=name, terminal_width=100, max_content_width=100)
    depth = "##" if group is main else "###"
    path = own.command_path
    text = "\n".join(line.rstrip() for line in command.get_help(own).splitlines())
    yield f"{depth} {path}\n\n```text\n{text}\n```\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(own):
            yield from _sections(below, command, own)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
