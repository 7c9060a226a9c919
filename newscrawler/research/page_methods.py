"""All page methods by name: the default extractor and the published methods, which are independent."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.extraction.body.extractor import find_body
from newscrawler.plugins import ExtendedTable, PluginGroup
from newscrawler.research.methods import METHODS, PageMethod
from newscrawler.research.methods.parameters import (
    changes_of,
    checked,
    find_written,
    name_of_written,
    read_value,
    split_names,
    with_parameters,
)

__all__ = [
    "PAGE_METHODS", "changes_of", "checked", "find_page_method", "name_of_written", "read_value", "split_names", "with_parameters",
]  # fmt: skip

#: Methods by their names on the command line and in the configuration; the default first, plugins last.
PAGE_METHODS: Mapping[str, PageMethod] = ExtendedTable({"default": find_body, **METHODS}, PluginGroup.METHODS)


def find_page_method(written: str) -> PageMethod:
    """Return the page method of a name, with parameters if they are written behind it: vips[layout=chromium].

    Raises:
        ConfigError: there is no such method or parameter, or a value does not have its type.
    """
    method: PageMethod = find_written(written, PAGE_METHODS, "block-detection method")
    return method
