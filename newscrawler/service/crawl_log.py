"""A crawl's progress as lines of the log."""

from __future__ import annotations

import logging
import time
from typing import Any

from newscrawler.article import Article
from newscrawler.crawl import RunCounts, RunProgress, RunSummary

#: Interval of progress lines.
PROGRESS_SECONDS = 60.0
logger = logging.getLogger(__name__)


class LogReport:
    """Reports a crawl's progress to the log."""

    def __init__(self, context: dict[str, Any] | None = None) -> None:
        """Create the report; `context`: facts of all log lines, set to portal and run if the process crawls one portal only."""
        self._context = {} if context is None else context
        self._runs: dict[str, int] = {}
        self._reported_at: dict[str, float] = {}

    def started(self, portal: str, *, run_id: int, resumed: bool, waiting: int) -> None:
        """Log that a crawl begins or resumes."""
        self._runs[portal] = run_id
        self._context |= {"portal": portal, "run": run_id}
        self._say(portal, "crawl resumed" if resumed else "crawl started", waiting=waiting)

    def fetched(self, portal: str, url: str, progress: RunProgress, *, article: Article | None, reason: str | None) -> None:  # noqa: ARG002
        """Log the progress now and then."""
        now = time.monotonic()
        if now - self._reported_at.setdefault(portal, now) >= PROGRESS_SECONDS:
            self._reported_at[portal] = now
            self._say(portal, "crawl in progress", queue=progress.queue, **_figures(progress.counts))

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Log what the crawl waits for."""
        self._say(portal, f"waits {why}", seconds=round(seconds))

    def stopping(self) -> None:
        """Log that the crawl is stopping."""
        logger.info("crawl stopping after the pages in progress")

    def ended(self, summary: RunSummary) -> None:
        """Log why the crawl ended."""
        facts = {"because": str(summary.ended_because), "seconds": round(summary.seconds), "waiting": summary.waiting}
        self._say(summary.portal, "crawl ended", **facts, **_figures(summary.counts))

    def _say(self, portal: str, message: str, **facts: Any) -> None:
        logger.info(message, extra={"facts": {"portal": portal, "run": self._runs.get(portal), **facts}})


def _figures(counts: RunCounts) -> dict[str, int]:
    return {"pages": counts.pages, "new_articles": counts.new_articles, "failed": counts.failed.total()}
