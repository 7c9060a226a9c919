"""Which package may import which, and that there are no cycles: read from the imports themselves, those in functions included."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

import newscrawler

FOLDER = Path(newscrawler.__file__).parent
#: Every package and every module beside them, from the lowest layer up, and what it may import.
LAYERS: dict[str, set[str]] = {
    "errors": set(),
    "plugins": {"errors"},
    "article": set(),
    "plural": set(),
    "render": {"article", "errors"},
    "languages": set(),
    "page": {"article", "errors", "languages"},
    "extraction": {"article", "errors", "languages", "page", "plural"},
    "methods": {"article", "errors", "languages", "page"},
    "dates": {"article", "extraction", "languages", "page"},
    "metadata": {"extraction", "languages", "page"},
    "detection": {"languages", "metadata", "methods", "page"},
    "templates": {"article", "dates", "errors", "extraction", "metadata", "methods", "page"},
    "page_methods": {"errors", "extraction", "methods", "plugins"},
    "extract": {"article", "dates", "errors", "extraction", "metadata", "page", "page_methods", "templates"},
    "library": {"article", "errors", "extract", "page", "templates"},
    "explain": {"article", "dates", "extract", "extraction", "metadata", "page", "page_methods", "templates"},
    "batch": {"article", "errors", "library", "page"},
    # the top of the package itself: what `import newscrawler` offers, and the version
    "newscrawler": {"article", "batch", "errors", "library"},
    "urls": {"languages"},
    "discovery": {"languages", "page", "urls"},
    "rights": {"article", "errors"},
    "text": {"errors", "plugins"},
    "identity": {"errors"},
    "store": {"article", "discovery", "errors", "text"},
    "politeness": {"store"},
    "collect": {"article", "detection", "store", "text", "urls"},
    "pages": {"errors", "page", "store"},
    "browser": {"errors"},
    "corpus": {"article", "errors", "newscrawler", "pages", "plugins", "plural", "politeness", "render", "rights", "store", "text"},
    "replay": {"article", "dates", "errors", "extract", "extraction", "page", "pages", "store"},
    "drift": {"article", "errors", "extract", "page", "pages", "store", "templates"},
    "evaluate": {
        "article", "dates", "detection", "errors", "extract", "extraction", "newscrawler", "page", "page_methods", "pages", "store",
        "templates",
    },
    "config": {
        "detection", "discovery", "errors", "newscrawler", "page_methods", "pages", "plugins", "politeness", "rights", "urls",
        "templates",
    },
    "withdrawal": {"article", "config", "corpus", "errors", "pages", "rights", "store", "templates"},
    "policy": {
        "config", "dates", "discovery", "errors", "extract", "extraction", "page", "plural", "politeness", "rights", "store",
        "urls",
    },
    "crawl": {
        "article", "batch", "browser", "collect", "config", "dates", "detection", "discovery", "drift", "errors", "extract",
        "extraction", "identity", "languages", "metadata", "newscrawler", "page", "pages", "plural", "policy", "politeness",
        "replay", "rights", "store", "urls", "withdrawal", "templates",
    },
    "service": {
        "article", "config", "corpus", "crawl", "discovery", "errors", "newscrawler", "plural", "plugins",
        "politeness", "replay", "store",
        "withdrawal",
    },
    "workers": {"config", "errors", "newscrawler", "service", "store"},
    "web": {
        "article", "config", "corpus", "drift", "errors", "evaluate", "explain", "extract", "newscrawler", "page",
        "pages", "politeness", "service", "store", "text", "templates",
    },
    "demo": set(),
    "cli": {
        "article", "batch", "collect", "config", "corpus", "crawl", "demo", "detection", "discovery", "drift", "errors", "evaluate",
        "explain", "extract", "identity", "methods", "newscrawler", "page", "page_methods", "pages", "plural", "plugins",
        "politeness",
        "render", "replay", "rights", "service", "store", "text", "urls", "web", "withdrawal", "workers", "templates",
    },
    "__main__": {"cli"},
}  # fmt: skip
#: Libraries, and the packages that alone may import them.
LIBRARIES = {
    "scrapy": {"crawl"},
    "twisted": {"crawl"},
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "procrastinate": {"store"},
    "dateparser": {"dates"},
    "tinycss2": {"methods"},
    "cssselect": {"methods", "templates"},
    "click": {"cli"},
    "rich": {"cli"},
    "regex": {"methods", "text"},
    "numpy": {"dates", "extraction"},
    "playwright": {"browser", "methods"},
    "pydantic": {"config", "web", "templates"},
    "tomlkit": {"config"},
    "cronsim": {"config"},
    "prometheus_client": {"service"},
    "warcio": {"batch", "pages"},
    "distributed": {"batch"},
    "cryptography": {"identity"},
    "starlette": {"web"},
    "jinja2": {"web"},
    "uvicorn": {"web"},
    "argon2": {"web"},
    "pyarrow": {"corpus"},
    "s3fs": {"pages"},
    "botocore": {"pages"},
}


def module_name(path: Path) -> str:
    parts = [FOLDER.name, *path.relative_to(FOLDER).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(FOLDER.rglob("*.py")) if "migrations" not in path.parts}


def package_of(module: str) -> str:
    """Return the package below newscrawler that a module belongs to; of a module directly below it, its own name."""
    return module.split(".")[1] if "." in module else module


def imported(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, in functions and for the type checker, too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively; this test reads absolute names"
            module = node.module or ""
            names = [f"{module}.{name.name}" for name in node.names]
            yield from {name if name in MODULES else module for name in names}


ALL_IMPORTS = {module: set(imported(path)) for module, path in MODULES.items()}
#: Those of newscrawler's own modules.
IMPORTS = {module: {name for name in names if name.startswith(FOLDER.name)} - {module} for module, names in ALL_IMPORTS.items()}


def folder_of(module: str) -> str:
    """Return the innermost package of a module; of a module directly below newscrawler, its own name."""
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    return module if package == FOLDER.name else package


def grouped(group_of: Callable[[str], str]) -> dict[str, set[str]]:
    """Return which groups of modules import which."""
    found: dict[str, set[str]] = {group_of(module): set() for module in MODULES}
    for module, names in IMPORTS.items():
        found[group_of(module)] |= {group_of(name) for name in names & MODULES.keys()} - {group_of(module)}
    return found


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """Return all nodes that arrows lead to from a node; the node itself only if it lies on a cycle."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def cycles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected components of more than one node."""
    reached = {node: reachable(graph, node) for node in graph}
    on_a_cycle = [node for node in graph if node in reached[node]]
    found = {frozenset(other for other in on_a_cycle if other in reached[node] and node in reached[other]) for node in on_a_cycle}
    return sorted(map(set, found), key=sorted)


def test_cycles_are_found_in_a_graph_that_has_some() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a", "g"}, "g": set()}

    assert cycles(graph) == [{"a", "b", "c"}, {"d", "e"}]


def test_every_package_has_its_layer() -> None:
    assert {package_of(module) for module in MODULES} == set(LAYERS)


@pytest.mark.parametrize("package", LAYERS)
def test_a_package_may_import_only_lower_layers(package: str) -> None:
    order = list(LAYERS)

    assert LAYERS[package] <= set(order[: order.index(package)])


@pytest.mark.parametrize("package", LAYERS)
def test_a_package_imports_only_what_it_may(package: str) -> None:
    forbidden = {
        f"{module} imports {name}"
        for module, names in IMPORTS.items()
        if package_of(module) == package
        for name in names
        if package_of(name) not in LAYERS[package] | {package}
    }

    assert not forbidden


@pytest.mark.parametrize("group_of", [package_of, folder_of])
def test_packages_do_not_import_each_other_in_a_cycle(group_of: Callable[[str], str]) -> None:
    assert cycles(grouped(group_of)) == []


def test_modules_do_not_import_each_other_in_a_cycle() -> None:
    assert cycles(IMPORTS) == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_is_imported_by_its_packages_only(library: str) -> None:
    users = {package_of(module) for module, names in ALL_IMPORTS.items() if library in {name.split(".")[0] for name in names}}

    assert users == LIBRARIES[library]
