"""The log of a run, stored for its page in the web application."""

from __future__ import annotations

import logging
from collections import deque
from datetime import UTC, datetime
from typing import ClassVar

from newscrawler.store.service.run_log import LogLine
from newscrawler.store.vocabularies.outcomes import LogLevel

#: More lines of one run are not kept.
MOST_LINES = 2_000
_LONGEST = 1_000


class RunLogHandler(logging.Handler):
    """Logging handler that keeps the lines of one run until they are written; safe for threads."""

    #: Portals with a run in this process; a line that begins with the name of another portal is not ours.
    _portals: ClassVar[set[str]] = set()

    def __init__(self, portal: str) -> None:
        """Take the lines of a portal's run from now on."""
        super().__init__(logging.INFO)
        self._portal = portal
        self._lines: deque[LogLine] = deque(maxlen=MOST_LINES)
        self._taken = 0
        self._portals.add(portal)
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line, if it is one of this run."""
        if not self._is_ours(record) or self._taken > MOST_LINES:
            return
        self._taken += 1
        message = " ".join(record.getMessage().split())
        if record.exc_info and record.exc_info[1] is not None:
            message += f" ({type(record.exc_info[1]).__name__}: {record.exc_info[1]})"
        facts = {name: value for name, value in getattr(record, "facts", {}).items() if name not in {"portal", "run"}}
        message += "".join(f" {name}={value}" for name, value in facts.items())
        if self._taken > MOST_LINES:
            message = f"further lines are not kept; the log of the process has all (more than {MOST_LINES} lines)"
        level = LogLevel.ERROR if record.levelno >= logging.ERROR else LogLevel.INFO
        level = LogLevel.WARNING if record.levelno == logging.WARNING else level
        self._lines.append(LogLine(at=datetime.fromtimestamp(record.created, UTC), level=level, message=message[:_LONGEST]))

    def take(self) -> list[LogLine]:
        """Return the lines that were not taken yet."""
        return [self._lines.popleft() for _ in range(len(self._lines))]

    def close(self) -> None:
        """Take no more lines."""
        logging.getLogger().removeHandler(self)
        self._portals.discard(self._portal)
        super().close()

    def _is_ours(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING and not record.name.startswith("newscrawler"):
            return False
        first = record.args[0] if isinstance(record.args, tuple) and record.args else None
        portal = getattr(record, "facts", {}).get("portal", first)
        return portal == self._portal or portal not in self._portals
