"""Extract many pages with several processes: from files, folders, WARC files and lists of addresses, one result per page."""

from __future__ import annotations

from newscrawler.extraction.batch.pool import PageResult, extract_many
from newscrawler.extraction.batch.results_folder import ResultsFolder
from newscrawler.extraction.batch.sources import InputPage, pages_of

__all__ = ["InputPage", "PageResult", "ResultsFolder", "extract_many", "pages_of"]
