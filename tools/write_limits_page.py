"""Write docs/limits.md from newscrawler/limits.py: each limit with its value, its sentence, and the modules that enforce it.

Run it again whenever a limit changes; a test compares the page with the one that it would write.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import newscrawler
from newscrawler import limits

PACKAGE = Path(newscrawler.__file__).parent
PAGE = Path(__file__).resolve().parents[1] / "docs" / "limits.md"
HEAD = """\
# Limits

What others can make newscrawler do has a limit: pages, servers, files, and users of the web application. Written by
`tools/write_limits_page.py` from `newscrawler/limits.py`, the only place of these numbers. Beyond a limit the rest is left out,
refused or tried later, as the sentence says; nothing ends the program. Limits that an operator chooses (`max_pages`,
`page_megabytes`, `max_memory` and their like) are keys of the [configuration](configuration.md). `SECURITY.md` says which attacks
they stop.
"""
_ROW = re.compile(r"^#: (.+)\n([A-Z_]+) = (.+)$|^# (.+)$", re.MULTILINE)
_IMPORT = re.compile(r"^from newscrawler\.limits import ([^(\n]+|\([^)]+\))", re.MULTILINE)
_UNITS = ((2**20, "MiB"), (1024, "KiB"))


class LimitRow(NamedTuple):
    """A row of the table; a heading has only a sentence."""

    name: str
    value: str
    sentence: str


def list_rows() -> Iterator[LimitRow]:
    """Yield the headings and the limits in the order of the module."""
    for sentence, name, _, heading in _ROW.findall((PACKAGE / "limits.py").read_text("utf-8")):
        yield LimitRow("", "", heading) if heading else LimitRow(name, format_value(name, getattr(limits, name)), sentence)


def format_value(name: str, value: float) -> str:
    """Return a value with its unit, if that is in the name."""
    if name.endswith("_BYTES"):
        size, unit = next(((size, unit) for size, unit in _UNITS if value % size == 0), (1, "bytes"))
        return f"{value // size:,} {unit}"
    return f"{value:,g}" + (" s" if "_SECONDS" in name else "") if isinstance(value, float) else f"{value:,}"


def find_users() -> dict[str, list[str]]:
    """Return the modules that import each limit."""
    users = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for names in _IMPORT.findall(path.read_text("utf-8")):
            for name in re.findall(r"([A-Z][A-Z_]+)(?: as \w+)?", names):
                users[name].append(path.relative_to(PACKAGE).as_posix())
    return users


def write_page() -> str:
    """Return the whole page."""
    lines, users = [HEAD], find_users()
    for row in list_rows():
        if not row.name:
            lines += ["", f"## {row.sentence}", "", "| Limit | Value | Of what | Enforced in |", "| --- | ---: | --- | --- |"]
        else:
            places = ", ".join(f"`{path}`" for path in users[row.name])
            lines.append(f"| `{row.name}` | {row.value} | {row.sentence} | {places} |")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


if __name__ == "__main__":
    PAGE.write_text(write_page(), "utf-8")
