"""A polite, focused news crawler: portals in, clean articles in an SQL database out, night after night.

Exported names are loaded on first use: a command that only reads the database needs no extractor.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Article",
    "ConfigError",
    "PageError",
    "PageReason",
    "PageResult",
    "Paragraph",
    "ParagraphKind",
    "__version__",
    "extract",
    "extract_many",
]

if TYPE_CHECKING:
    from newscrawler.article import Article, Paragraph, ParagraphKind
    from newscrawler.errors import ConfigError, PageError, PageReason
    from newscrawler.extraction.api import extract
    from newscrawler.extraction.batch import PageResult, extract_many

_MODULES = {
    "Article": "article",
    "ConfigError": "errors",
    "PageError": "errors",
    "PageReason": "errors",
    "PageResult": "extraction.batch",
    "Paragraph": "article",
    "ParagraphKind": "article",
    "extract_many": "extraction.batch",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"newscrawler.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Package(ModuleType):
    """Keeps `newscrawler.extraction.pipeline` a function, although importing the module of this name would replace it."""

    @property
    def extract(self) -> Any:
        return import_module("newscrawler.extraction.api").extract

    @extract.setter
    def extract(self, module: ModuleType) -> None:
        """Ignore what the import system sets; the module stays in `sys.modules`."""


sys.modules[__name__].__class__ = _Package
