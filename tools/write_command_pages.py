"""Write docs/commands.md and a page for each group of commands below docs/commands: the help of each, as a terminal shows it.

Run it again whenever a command changes; a test compares the pages with those that it would write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from newscrawler.cli.main import SECTIONS, main

DOCS = Path(__file__).resolve().parents[1] / "docs"
#: Columns that the page shows without scrolling.
WIDTH = 80
HEAD = """\
# Commands

Lists and summaries have `--json`; without a terminal they are plain lines, separated by tabs. The variables `NEWSCRAWLER_CONFIG`
and `NEWSCRAWLER_DATABASE` replace the options `--config` and `--database`. [Exit codes](exit-codes.md) has the results of commands.
(`tools/write_command_pages.py` writes these pages.)
"""


def pages() -> dict[str, str]:
    """Return the pages by their path below docs."""
    context = click.Context(main, info_name="newscrawler", terminal_width=WIDTH, max_content_width=WIDTH)
    found = {"commands.md": "\n".join([HEAD, *(_list(heading, names) for heading, names in SECTIONS.items())])}
    for heading, names in SECTIONS.items():
        sections = (section for name in names for section in _sections(name, main, context))
        found[_place(heading)] = "\n".join([f"# Commands: {heading.lower()}\n", *sections])
    return found


def _place(heading: str) -> str:
    return f"commands/{heading.lower()}.md"


def _list(heading: str, names: dict[str, tuple[str, str]]) -> str:
    """Return the table of a group, whose names lead to its page."""
    rows = (f"| [`{name}`]({_place(heading)}#newscrawler-{name}) | {summary} |\n" for name, (_, summary) in names.items())
    return f"## {heading}\n\n| Command | Purpose |\n| --- | --- |\n{''.join(rows)}"


def _sections(name: str, group: click.Group, context: click.Context) -> Iterator[str]:
    """Yield the sections of a command and of the commands below it."""
    command = group.get_command(context, name)
    if command is None or command.hidden:
        return
    own = click.Context(command, parent=context, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    depth = "##" if group is main else "###"
    path = own.command_path
    text = "\n".join(line.rstrip() for line in command.get_help(own).splitlines())
    yield f"{depth} {path}\n\n```text\n{text}\n```\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(own):
            yield from _sections(below, command, own)


if __name__ == "__main__":
    for place, text in pages().items():
        (DOCS / place).parent.mkdir(exist_ok=True)
        (DOCS / place).write_text(text, encoding="utf-8")
