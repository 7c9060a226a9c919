"""All page methods by name: the default extractor and the published methods, which are independent."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.extraction.body.extractor import find_body
from newscrawler.plugins import ExtendedTable, PluginGroup
from newscrawler.research.methods import METHODS, PageMethod

#: Methods by their names on the command line and in the configuration; the default first, plugins last.
PAGE_METHODS: Mapping[str, PageMethod] = ExtendedTable({"default": find_body, **METHODS}, PluginGroup.METHODS)
