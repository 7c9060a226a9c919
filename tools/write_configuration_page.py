"""Write docs/configuration.md from the tables that check newscrawler.toml: each key, its default, what is allowed.

Run it again whenever a key changes; a test compares the page with what it would write.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from newscrawler.config import (
    AlertSettings,
    ArchiveTable,
    BackfillTable,
    BrowserSettings,
    Collection,
    CrawlerSettings,
    Export,
    Portal,
    PortalDefaults,
    SearchService,
    ServiceSettings,
    Table,
    WebSettings,
    describe_key,
    get_defaults,
    get_fields,
)

PAGE = Path(__file__).resolve().parents[1] / "docs" / "configuration.md"

HEAD = """\
# newscrawler.toml

Every key, its default and its allowed values. A wrong or unknown key is reported with the file, the key, its value and what is
allowed, all mistakes at once, and nothing starts. Relative paths begin at the folder of the file.
(`tools/write_configuration_page.py` writes this page.)
"""

#: Heading, what the table is for, its model, and the model whose keys it has in common with another table.
TABLES: Sequence[tuple[str, str, type[Table], type[Table] | None]] = (
    ("`[crawler]`", "Who crawls, and where everything is kept.", CrawlerSettings, None),
    (
        "`[[portal]]`",
        "One table for each portal. What it has beside the keys of the next section:",
        Portal,
        PortalDefaults,
    ),
    (
        "`[[portal]]` and `[crawler.defaults]`",
        "Keys of a portal. Under [defaults] they apply to all portals that do not set them.",
        PortalDefaults,
        None,
    ),
    (
        "`[[collection]]`",
        "Articles of any host ([collections](collect.md)), one table each. What it has beside the keys of a portal's crawl:",
        Collection,
        PortalDefaults,
    ),
    ("`[[search_service]]`", "Services that are asked for the queries of collections, one table each.", SearchService, None),
    ("`[[archive]]`", "Web archives that `newscrawler backfill --archives` may use, one table each.", ArchiveTable, None),
    (
        "`[[backfill]]`",
        "The past of portals ([backfills](how-to/backfill.md)), of which the service fetches a share each night, one table each.",
        BackfillTable,
        None,
    ),
    ("`[service]`", "How `newscrawler run` works.", ServiceSettings, None),
    ("`[web]`", "How others reach the web application ([web](web.md#who-may-do-what)).", WebSettings, None),
    (
        "`[browser]`",
        "The browser of portals with `render` ([portals that need JavaScript](how-to/javascript.md)).",
        BrowserSettings,
        None,
    ),
    ("`[alerts]`", "Who is told of troubles, of their end, and every morning of what came in.", AlertSettings, None),
    ("`[[export]]`", "Files that are written after each night, one table each.", Export, None),
)


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for table in TABLES for line in _section(*table))])


def _section(heading: str, about: str, model: type[Table], without: type[Table] | None) -> list[str]:
    defaults = get_defaults(model)
    rows = [
        f"| `{name}` | {'required' if field.is_required() else _default(defaults.get(name))} | {_cell(describe_key(model, name))} |"
        for name, field in get_fields(model).items()
        if without is None or name not in get_fields(without)
    ]
    return [f"## {heading}", "", about, "", "| Key | Default | Allowed |", "|---|---|---|", *rows, ""]


def _default(value: Any) -> str:
    if value is None:
        return "–"
    text = str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
    tomllib.loads(f"key = {text}")  # it is written as it would stand in the file
    return f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
