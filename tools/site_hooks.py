"""Hooks of mkdocs.yml: files from elsewhere in the repository, the version, tables that fit a phone, and a check of paragraphs.

`make docs` builds with every warning an error, so a page whose commands are set as prose is not built.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "newscrawler" / "web" / "static"
_LOG = logging.getLogger("mkdocs.hooks.site")
#: A paragraph that begins as a command does, or with the fence of code that was not read as code.
_COMMAND = re.compile(
    r"<p>\s*(?:```|\$ |(?:newscrawler|scrapy|pip|docker|make|git|sudo|export) +[\w.-]*[a-z-]+ (?=[\w./\"'&lt;-]*[-./:]))"
)


def on_config(config: Any) -> None:
    """Write the version into the footer of every page."""
    (version,) = re.findall(r'__version__ = "(.+)"', (ROOT / "newscrawler" / "__init__.py").read_text("utf-8"))
    config.copyright = f"newscrawler {version} · Apache-2.0"


def on_files(files: Any, config: Any) -> None:
    """Add the change log, and the fonts and the icon of the web application."""
    files.append(File.generated(config, "changelog.md", content=_rewrite_links((ROOT / "CHANGELOG.md").read_text("utf-8"))))
    files.append(File.generated(config, "assets/icon.svg", abs_src_path=str(STATIC / "icon.svg")))
    for path in sorted((STATIC / "fonts").iterdir()):
        files.append(File.generated(config, f"assets/{path.name}", abs_src_path=str(path)))


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Return the page with its cells labelled by their column, for narrow screens; warn of commands that are set as prose."""
    for found in _COMMAND.finditer(html):
        _LOG.warning("%s: a paragraph begins with a command: %s", page.file.src_uri, html[found.start() : found.end() + 40])
    return re.sub(r"<table>.*?</table>", lambda found: _label_cells(found[0]), html, flags=re.DOTALL)


def _label_cells(table: str) -> str:
    """Return a table whose cells name their column in `data-label`."""
    labels = [
        re.sub(r"<[^>]+>", "", cell).strip().replace('"', "&quot;")
        for cell in re.findall(r"<th\b[^>]*>(.*?)</th>", table, re.DOTALL)
    ]

    def label_row(row: re.Match[str]) -> str:
        names = iter(labels)
        cell = re.compile(r"<td\b([^>]*)>(.*?)</td>", re.DOTALL)
        return cell.sub(lambda found: f'<td{found[1]} data-label="{next(names, "")}"><div>{found[2]}</div></td>', row[0])

    return re.sub(r"<tr>.*?</tr>", label_row, table, flags=re.DOTALL)


def _rewrite_links(text: str) -> str:
    """Return the change log with links that lead from the folder of the documentation."""
    return text.replace("](docs/", "](")
