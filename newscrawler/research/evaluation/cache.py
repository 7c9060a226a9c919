"""Cache of results: one file per page, named by the page's hash, with one entry per method, parameters and version.

Damaged files and those of another version are ignored. Two evaluations may run at the same time: a file is replaced as a whole,
and an entry that is lost is measured again.

The version of a method is a hash of the source of its module and of every newscrawler module that it imports, directly or not, with
the data files in their folders (trained weights), and of the release of the library of an external extractor.
"""

from __future__ import annotations

import ast
import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import newscrawler
from newscrawler.research.evaluation.candidates import MethodCandidate


class Cache:
    """A folder of results; None: nothing is cached."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def read(self, page_hash: str) -> dict[str, Any]:
        """Return all entries of a page."""
        path = self._path(page_hash)
        if path is None:
            return {}
        try:
            found = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def add(self, page_hash: str, entries: Mapping[str, Any]) -> None:
        """Add entries to a page; errors of writing are ignored."""
        path = self._path(page_hash)
        if path is None or not entries:
            return
        text = json.dumps(self.read(page_hash) | dict(entries), ensure_ascii=False)
        part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(text.encode("utf-8", "surrogatepass"))
            part.replace(path)

    def _path(self, page_hash: str) -> Path | None:
        return self.folder / page_hash[:2] / f"{page_hash}.json" if self.folder else None


def default_folder() -> Path:
    """Return the user's cache folder by the XDG base directory specification."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "newscrawler" / "evaluate"


_PACKAGE = Path(newscrawler.__file__).parent
#: Distributions of the external extractors; lxml parses for all.
_LIBRARIES = {
    "trafilatura": "trafilatura", "readability": "readability-lxml", "justext": "justext", "newspaper4k": "newspaper4k",
    "resiliparse": "resiliparse",
}  # fmt: skip


@lru_cache(maxsize=1000)
def version_of(candidate: MethodCandidate) -> str:
    """Return a short hash that changes with the method and anything that it uses."""
    method: Any = candidate.make()
    parts = [source_hash(type(method).__module__), stable(method), release("lxml")]
    if candidate.method in _LIBRARIES:
        parts.append(release(_LIBRARIES[candidate.method]))
    return sha256("\0".join(parts).encode()).hexdigest()[:16]


def stable(value: Any) -> str:
    """Format parameters the same in every process: without memory addresses, sets sorted."""
    if is_dataclass(value) and not isinstance(value, type):
        inner = ", ".join(f"{field.name}={stable(getattr(value, field.name))}" for field in fields(value))
        return f"{type(value).__qualname__}({inner})"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(repr, value))) + "}"
    return str(value.__qualname__) if callable(value) else repr(value)


def release(distribution: str) -> str:
    """Return the installed release of a library; empty: it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


@lru_cache(maxsize=100)
def source_hash(module: str) -> str:
    """Hash a module and the newscrawler modules that it imports, without executing them."""
    digest = sha256()
    for path in sorted(_closure(module)):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _closure(module: str) -> set[Path]:
    waiting, done, found = [module], set(), set()
    while waiting:
        name = waiting.pop()
        if name in done:
            continue
        done.add(name)
        path = _file(name)
        if path is None:
            continue
        found.add(path)
        # The table of all methods is not part of any of them.
        if name not in {"newscrawler.research.methods", "newscrawler.research.site_methods", "newscrawler"}:
            found.update(path.parent.glob("*.json"))
            waiting += _imports(path)
    return found


def _file(module: str) -> Path | None:
    path = _PACKAGE.joinpath(*module.split(".")[1:])
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
    return [name for name in found if name.split(".")[0] == "newscrawler"]
