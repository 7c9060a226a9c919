"""Published methods that learn from several pages of a site, and samples of pages to learn from."""

from __future__ import annotations

from newscrawler.research.site_methods.sample import Choice, choose_pages, spread
from newscrawler.research.site_methods.table import CONFIGURABLE, SITE_METHODS

__all__ = ["CONFIGURABLE", "SITE_METHODS", "Choice", "choose_pages", "spread"]
