"""Every page method by its name: the default extractor and the published methods, which do not know each other."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.errors import ConfigError
from newscrawler.extraction.body import find_body
from newscrawler.methods import METHODS, PageMethod
from newscrawler.plugins import ExtendedTable, PluginGroup

#: By the names that the command line and the configuration use; the default comes first, plugins last.
PAGE_METHODS: Mapping[str, PageMethod] = ExtendedTable({"default": find_body, **METHODS}, PluginGroup.METHODS)


def find_page_method(name: str) -> PageMethod:
    """Return the page method of this name.

    Raises:
        ConfigError: there is no such method.
    """
    method = PAGE_METHODS.get(name)
    if method is None:
        msg = f"there is no block-detection method {name!r}; choose one of: {', '.join(PAGE_METHODS)}"
        raise ConfigError(msg)
    return method
