"""Write docs/configuration.md from the tables that check newscrawler.toml: each key, its default, what is allowed.

Run it again whenever a key changes; a test compares the page with what it would write.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from newscrawler.config.browser_schema import BrowserTable
from newscrawler.config.collection_schema import CollectionTable, SearchServiceTable
from newscrawler.config.names import described
from newscrawler.config.schema import CrawlerTable, DefaultsTable, PortalTable
from newscrawler.config.service_schema import AlertsTable, ExportTable, ServiceTable

PAGE = Path(__file__).resolve().parents[1] / "docs" / "configuration.md"

HEAD = """\
# newscrawler.toml

Written by `tools/write_configuration_page.py` from the tables that check the file. A wrong or unknown key is told with the file,
the key, its value and what is allowed, all mistakes at once, and nothing starts. Relative paths begin at the file's folder.
"""

#: Heading, what the table is for, its model, and the model whose keys it has in common with another table.
TABLES: Sequence[tuple[str, str, type[BaseModel], type[BaseModel] | None]] = (
    ("`[crawler]`", "Who crawls, and where everything is kept.", CrawlerTable, None),
    (
        "`[[portal]]`",
        "One table for each portal. What it has beside the keys of the next section:",
        PortalTable,
        DefaultsTable,
    ),
    (
        "`[[portal]]` and `[crawler.defaults]`",
        "Keys of a portal. Under [defaults] they apply to all portals that do not set them.",
        DefaultsTable,
        None,
    ),
    (
        "`[[collection]]`",
        "Articles of any host ([collections](collect.md)), one table each. What it has beside the keys of a portal's crawl:",
        CollectionTable,
        DefaultsTable,
    ),
    ("`[[search_service]]`", "Services that are asked for the queries of collections, one table each.", SearchServiceTable, None),
    ("`[service]`", "How `newscrawler run` works.", ServiceTable, None),
    (
        "`[browser]`",
        "The browser of portals with `render` ([portals that need JavaScript](how-to/javascript.md)).",
        BrowserTable,
        None,
    ),
    ("`[alerts]`", "Who is told of troubles, of their end, and every morning of what came in.", AlertsTable, None),
    ("`[[export]]`", "Files that are written after each night, one table each.", ExportTable, None),
)


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for table in TABLES for line in _section(*table))])


def _section(heading: str, about: str, model: type[BaseModel], without: type[BaseModel] | None) -> list[str]:
    rows = [
        f"| `{name}` | {_default(field.default)} | {_cell(described(model, name))} |"
        for name, field in model.model_fields.items()
        if without is None or name not in without.model_fields
    ]
    return [f"## {heading}", "", about, "", "| Key | Default | Allowed |", "|---|---|---|", *rows, ""]


def _default(value: Any) -> str:
    if value is PydanticUndefined:
        return "required"
    if value is None or value in ([], {}):
        return "–"
    text = str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
    tomllib.loads(f"key = {text}")  # it is written as it would stand in the file
    return f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
