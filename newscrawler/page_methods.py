"""All page methods by name: the default extractor and the published methods, which are independent."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.errors import ConfigError
from newscrawler.extraction.body import find_body
from newscrawler.methods import METHODS, PageMethod
from newscrawler.plugins import ExtendedTable, PluginGroup

#: Methods by their names on the command line and in the configuration; the default first, plugins last.
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
