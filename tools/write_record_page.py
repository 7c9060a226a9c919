"""Write the table of docs/record.md from the fields of the record.

Run it again whenever a field changes; a test compares the page with what it would write.
"""

from __future__ import annotations

import re
from pathlib import Path

from newscrawler.article import FIELDS, Field

PAGE = Path(__file__).resolve().parents[1] / "docs" / "record.md"
_TYPES = {"texts": "list of strings", "objects": "list of objects", **dict.fromkeys(("text", "time", "day"), "string")}
_ROWS = re.compile(r"(?<=\n\| --- \| --- \| --- \|\n)(?:\|.*\n)+")


def page() -> str:
    """Return the whole page, with its prose as it is."""
    table = "".join(_row(field) for field in FIELDS if not field.optional)
    return _ROWS.sub(lambda _: table, PAGE.read_text("utf-8"), count=1)


def _row(field: Field) -> str:
    meaning = f"{field.meaning} Only in exports." if field.exported else field.meaning
    return f"| `{field.name}` | {_TYPES.get(field.type, field.type)} | {meaning} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
