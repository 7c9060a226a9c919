"""Extract many pages with several processes: from files, folders, WARC files and lists of addresses, one result per page."""

from __future__ import annotations

from newscrawler.batch.chunks import PageResult
from newscrawler.batch.pool import extract_many
from newscrawler.batch.results_folder import ResultsFolder
from newscrawler.batch.sources import InputPage, pages_of

__all__ = ["InputPage", "PageResult", "ResultsFolder", "extract_many", "pages_of"]
