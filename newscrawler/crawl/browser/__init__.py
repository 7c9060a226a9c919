"""Builds pages with Chromium in a process without a network; the caller answers the requests of a page."""

from __future__ import annotations

from newscrawler.crawl.browser.messages import (
    BrowserError,
    BrowserOptions,
    BrowserUnavailableError,
    PageTooCostlyError,
    Rendered,
    RenderJob,
    Subanswer,
    Subrequest,
)
from newscrawler.crawl.browser.process import PROCESSOR_TIME, BrowserProcess, find_executable

__all__ = [
    "PROCESSOR_TIME", "BrowserError", "BrowserOptions", "BrowserProcess", "BrowserUnavailableError", "PageTooCostlyError",
    "RenderJob", "Rendered", "Subanswer", "Subrequest", "find_executable",
]  # fmt: skip
