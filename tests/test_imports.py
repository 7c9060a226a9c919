"""Which room may look into which: read from the imports themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import newscrawler

HOUSE = Path(newscrawler.__file__).parent
#: Modules that belong to no room; they may be used everywhere.
HALL = {"article", "errors"}
#: Rooms that may look only into these rooms.
NARROW: dict[str, set[str]] = {
    "languages": set(),
    "page": {"languages"},
    "urls": {"languages", "page"},
    "blocks": {"languages", "page"},
    "dates": {"languages", "page"},
    "metadata": {"languages", "page"},
    "store": set(),
    "pages": {"page", "store"},
    "politeness": set(),
    "rights": set(),
    "service": {"config", "crawl", "export", "politeness", "store"},
    "evaluate": {"page", "pages", "blocks", "wrappers", "extract", "store"},
}
#: Libraries that are known to one room only; the rooms that may import them.
OWNED = {
    "scrapy": {"crawl"},
    "twisted": {"crawl"},
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "dateparser": {"dates"},
    "click": {"cli"},
    "rich": {"cli"},
    "pydantic": {"config"},
    "tomlkit": {"config"},
    "cronsim": {"service"},
    "prometheus_client": {"service"},
    "warcio": {"pages"},
}


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively; this test reads absolute names"
            yield node.module or ""
            if node.module == "newscrawler":
                yield from (f"newscrawler.{name.name}" for name in node.names)


def room_of(path: Path) -> str:
    return path.relative_to(HOUSE).parts[0].removesuffix(".py")


FILES = sorted(path for path in HOUSE.rglob("*.py") if "migrations" not in path.parts)


@pytest.mark.parametrize("room", NARROW)
def test_a_room_looks_only_where_it_may(room: str) -> None:
    allowed = NARROW[room] | HALL | {room}
    looks = {
        (str(path.relative_to(HOUSE)), module)
        for path in FILES
        if room_of(path) == room
        for module in imported(path)
        if module.startswith("newscrawler.") and module.split(".")[1] not in allowed | {"__version__"}
    }

    assert any(room_of(path) == room for path in FILES)
    assert not looks


@pytest.mark.parametrize("library", OWNED)
def test_a_library_is_known_only_to_its_room(library: str) -> None:
    users = {
        (str(path.relative_to(HOUSE)), module) for path in FILES for module in imported(path) if module.split(".")[0] == library
    }

    assert not {(file, module) for file, module in users if file.split("/")[0] not in OWNED[library]}
