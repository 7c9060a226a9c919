"""What may import what: layers, faces, libraries, no cycles. Read from the imports themselves, those in functions included."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

import newscrawler

FOLDER = Path(newscrawler.__file__).parent
#: Packages and modules on top, from the lowest layer up; each may import those before it.
#: `newscrawler` is what `import newscrawler` offers, and the version.
LAYERS = (
    "errors", "limits", "plugins", "article", "formats", "languages", "page", "extraction", "newscrawler", "discovery",
    "backfill", "store",
    "politeness", "config", "corpus", "crawl", "service", "research", "web", "demo", "cli", "__main__",
)  # fmt: skip
#: Pairs of packages of which one imports the other, at most; each that enforces a limit imports `limits`.
MOST_ARROWS = 106
#: Modules that are imported past the face of their package, and why.
PAST_FACES = {
    **dict.fromkeys(
        ("accuracy_tables", "cache", "candidates", "crawl_tables", "data", "detection_tables", "document_table",
         "report", "tables", "template_tables"),
        ("research.evaluation", "`newscrawler evaluate` loads what the requested table or report needs, not all tables"),
    ),
    **dict.fromkeys(("node_energy", "ontea", "relie"), ("research.methods", "a command is about this published method")),
    **dict.fromkeys(("trinity", "trinity_fields"), ("research.site_methods", "a command is about this published method")),
    "further_pages": ("extraction.body", "the face exports a function of the module's name"),
    "section": ("extraction.metadata", "the sections of listings are read by the crawl only"),
    "main": ("cli", "the face exports a function of the module's name"),
}  # fmt: skip
#: Parts of a package that are one module, which is their face.
_PARTS = ("corpus.reviews", "politeness.identity", "store.hosts", "store.maintenance", "store.web")
#: Imports inside functions, at most: each saves start-up time or belongs to an optional dependency.
MOST_INNER = 150
#: Packages that may import research/.
USERS_OF_RESEARCH = {"research", "cli"}
#: Libraries, and the packages that import them; of a package with many parts, the part.
LIBRARIES = {
    "scrapy": {"crawl"},
    "twisted": {"crawl"},
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "procrastinate": {"service.workers", "store.service"},
    "dateparser": {"extraction.dates"},
    "tinycss2": {"research.methods"},
    "selectolax": {"page"},
    "cssselect": {"extraction.templates", "page", "research.methods"},
    "click": {"cli"},
    "rich": {"cli"},
    "regex": {"discovery.urls", "research.methods", "store.search"},
    "numpy": {"corpus", "extraction", "store.search"},
    "playwright": {"crawl.browser", "research.methods"},
    "pydantic": {"config", "corpus", "extraction.templates", "web"},
    "tomlkit": {"config"},
    "cronsim": {"config"},
    "prometheus_client": {"service"},
    "warcio": {"extraction.batch", "store.archive"},
    "distributed": {"extraction.batch"},
    "cryptography": {"politeness.identity", "web"},
    "fastapi": {"web"},
    "starlette": {"web"},
    "jinja2": {"web", "demo", "cli", "service", "corpus.releases", "research.evaluation"},
    "uvicorn": {"web"},
    "pyarrow": {"corpus"},
    "s3fs": {"store.archive"},
    "botocore": {"store.archive"},
}


def module_name(path: Path) -> str:
    parts = [FOLDER.name, *path.relative_to(FOLDER).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(FOLDER.rglob("*.py")) if "migrations" not in path.parts}


def package_of(module: str) -> str:
    """Return the package below newscrawler that a module belongs to; of a module directly below it, its own name."""
    return module.split(".")[1] if "." in module else module


def is_face(module: str) -> bool:
    """Return whether others may import a module: a package, a part that is one module, or a module on top."""
    return MODULES[module].name == "__init__.py" or module.removeprefix("newscrawler.") in _PARTS or module.count(".") == 1


def imports_of(path: Path) -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    """Yield each import of a file, those in functions and for the type checker included, with the module that is imported."""
    stub = path.with_suffix(".pyi")
    trees = [ast.parse(each.read_text("utf-8")) for each in (path, stub) if each.exists()]
    package = [FOLDER.name, *path.relative_to(FOLDER).parent.parts]
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Import):
            yield from ((node, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 or stub.exists(), f"{path}:{node.lineno} imports relatively; this test reads absolute names"
            module = (
                ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
                if node.level
                else node.module or ""
            )
            names = [f"{module}.{name.name}" for name in node.names]
            yield from ((node, name) for name in {name if name in MODULES else module for name in names})


ALL_IMPORTS = {module: {name for _, name in imports_of(path)} for module, path in MODULES.items()}
#: Names on top that are loaded on first use from packages above: those need the version that is on top.
LAZY = {"newscrawler": {"newscrawler.corpus"}}
#: Those of newscrawler's own modules.
IMPORTS = {
    module: {name for name in names if name.startswith(FOLDER.name)} - {module} - LAZY.get(module, set())
    for module, names in ALL_IMPORTS.items()
}


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


def arrows() -> set[tuple[str, str]]:
    """Return the pairs of packages of which the first imports the second."""
    return {(package, other) for package, others in grouped(package_of).items() for other in others}


def test_imports_go_downwards_only() -> None:
    order = {package: place for place, package in enumerate(LAYERS)}

    assert {(package, other) for package, other in arrows() if order[other] > order[package]} <= {
        (user, "research") for user in USERS_OF_RESEARCH
    }


def test_few_packages_depend_on_each_other() -> None:
    assert len({pair for pair in arrows() if pair[1] != "limits"}) <= MOST_ARROWS


def test_only_the_command_line_uses_research() -> None:
    assert {package for package, other in arrows() if other == "research"} <= USERS_OF_RESEARCH


def test_importing_a_crawl_loads_nothing_of_research() -> None:
    crawl = [module for module in MODULES if package_of(module) == "crawl"]
    code = f"import sys, importlib; [importlib.import_module(name) for name in {crawl}]; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "newscrawler.crawl" in done.stdout.split()
    assert not [name for name in done.stdout.split() if name.startswith("newscrawler.research")]


def test_packages_import_each_other_by_their_faces() -> None:
    allowed = {f"newscrawler.{package}.{name}" for name, (package, _) in PAST_FACES.items()} | {"newscrawler.demo.check"}
    past = {
        name
        for module, path in MODULES.items()
        for _, name in imports_of(path)
        if name in MODULES and package_of(name) != package_of(module) and not is_face(name)
    }

    assert past == allowed


def test_few_imports_hide_in_functions() -> None:
    inner = [
        f"{path.relative_to(FOLDER)}:{node.lineno}"
        for path in MODULES.values()
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]

    assert len(inner) <= MOST_INNER, "\n".join(inner)


def test_packages_do_not_import_each_other_in_a_cycle() -> None:
    assert cycles(grouped(package_of)) == []


def test_modules_do_not_import_each_other_in_a_cycle() -> None:
    assert cycles(IMPORTS) == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_is_imported_by_its_packages_only(library: str) -> None:
    users = {module for module, names in ALL_IMPORTS.items() if library in {name.split(".")[0] for name in names}}
    stray = {user for user in users if not any(f"{user}.".startswith(f"newscrawler.{part}.") for part in LIBRARIES[library])}

    assert users
    assert not stray
