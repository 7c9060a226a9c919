"""What the service keeps of its work, as frozen records without SQL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newscrawler.store.vocabularies import TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """What became of a portal's turn."""

    portal: str
    label: str
    planned_at: datetime
    state: TurnState
    attempts: int = 0
    began_at: datetime | None = None
    ended_at: datetime | None = None
    #: Why the last attempt ended, in words.
    because: str = ""

    @property
    def completed(self) -> bool:
        """Nothing more is to be done."""
        return self.state in {TurnState.DONE, TurnState.GIVEN_UP, TurnState.STOPPED, TurnState.MISSED}


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRecord:
    """A problem from its beginning to its end, and to whom either was delivered."""

    id: int
    portal: str
    problem: str
    sentence: str
    began_at: datetime
    #: None: it lasts.
    over_at: datetime | None = None
    delivered: frozenset[str] = frozenset()
    delivered_over: frozenset[str] = frozenset()
    #: When somebody said that they know of it; None: nobody has.
    acknowledged_at: datetime | None = None
    acknowledged_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRecord:
    """A file that an export has written."""

    name: str
    path: str
    written_at: datetime
    articles: int
    last_article_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRecord:
    """The process that sees to everything, or that did last."""

    host: str
    pid: int
    started_at: datetime
    beat_at: datetime
    ended_at: datetime | None
    problem: str
    #: It still runs, by all that can be seen from here.
    alive: bool
