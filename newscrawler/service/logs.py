"""Structured logs on standard error, as text or JSON lines, with portal and run; the system rotates them.

Our loggers pass the event as the message and its values as `extra={"facts": {...}}`.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # the service itself loads no crawl
    from newscrawler.article import Article
    from newscrawler.crawl import RunCounts, RunProgress, RunSummary

FORMATS: Final = ("text", "json")
#: Interval of progress lines.
PROGRESS_SECONDS = 60.0
logger = logging.getLogger(__name__)


class _Formatter(logging.Formatter):
    """Adds the facts common to all lines of a process."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json
        self.context: dict[str, Any] = {}

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        facts = {**self.context, **getattr(record, "facts", {})}
        message = " ".join(record.getMessage().split())
        if record.exc_info and record.exc_info[1] is not None:
            facts["error"] = f"{type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        at = datetime.fromtimestamp(record.created, UTC)
        if self.as_json:
            line = {"at": at.isoformat(timespec="milliseconds"), "level": record.levelname.lower(), "message": message, **facts}
            return json.dumps(line, ensure_ascii=False, default=str)
        details = "".join(f" {name}={_quote(value)}" for name, value in facts.items())
        return f"{at:%Y-%m-%dT%H:%M:%SZ} {record.levelname.lower():<7} {message}{details}"


def _quote(value: object) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if not text or any(letter in text for letter in ' "=\n') else text


def write_logs(name: str) -> dict[str, Any]:
    """Start logging to standard error; return the facts common to all lines, which the caller may extend; `name`: text or json."""
    formatter = _Formatter(as_json=name == "json")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    handler.addFilter(lambda record: record.levelno >= logging.WARNING or record.name.startswith("newscrawler"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    for noisy in ("scrapy", "twisted", "alembic"):
        logging.getLogger(noisy).setLevel(logging.ERROR)
    return formatter.context


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
            self._say(portal, "crawl in progress", queue=progress.queue, **_list_figures(progress.counts))

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Log the reason for a pause."""
        self._say(portal, f"waits {why}", seconds=round(seconds))

    def stopping(self) -> None:
        """Log that the crawl is stopping."""
        logger.info("crawl stopping after the pages in progress")

    def ended(self, summary: RunSummary) -> None:
        """Log why the crawl ended."""
        facts = {"because": str(summary.ended_because), "seconds": round(summary.seconds), "waiting": summary.waiting}
        self._say(summary.portal, "crawl ended", **facts, **_list_figures(summary.counts))

    def _say(self, portal: str, message: str, **facts: Any) -> None:
        logger.info(message, extra={"facts": {"portal": portal, "run": self._runs.get(portal), **facts}})


def _list_figures(counts: RunCounts) -> dict[str, int]:
    return {"pages": counts.pages, "new_articles": counts.new_articles, "failed": counts.failed.total()}
