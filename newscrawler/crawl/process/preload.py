"""Import what a crawl needs and load the models before processes are forked from this one."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from scrapy.settings import SETTINGS_PRIORITIES, Settings
from scrapy.utils.misc import load_object

from newscrawler.crawl.components.settings import project_settings
from newscrawler.extraction.pipeline import read_record

#: Modules that libraries import at first use; not the reactor, as each process installs its own.
_LATE = ("twisted.internet.asyncioreactor", "sqlalchemy.dialects.sqlite", "sqlalchemy.dialects.postgresql.psycopg")
_PAGE = """<html lang="en"><head><title>Council opens the new bridge</title></head><body><article>
<h1>Council opens the new bridge</h1><p class="byline">By Jane Example, 2 November 2026</p>
<p>The council opened the new bridge on Monday, after two years of work that cost nine million.</p>
</article></body></html>"""


def preload() -> None:
    """Import all components, and read a page, which loads models and languages."""
    settings = project_settings()
    for path in _components(settings):
        load_object(path)
    for module in _LATE:
        import_module(module)
    read_record(_PAGE, "https://www.example.org/2026/11/02/bridge.html")


def _components(settings: Settings) -> Iterator[str]:
    """Yield the paths of the classes that our settings name and use."""
    for name in settings:
        if settings.getpriority(name) != SETTINGS_PRIORITIES["project"]:
            continue
        value = settings[name]
        used = [each for pair in value.items() if pair[1] is not None for each in pair] if hasattr(value, "items") else [value]
        yield from (each for each in used if isinstance(each, str) and each.startswith(("newscrawler.", "scrapy.")))
