"""Counts, progress and summary of a run, and the interface for reports."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Protocol

from newscrawler.article import Article
from newscrawler.discovery import Coverage, FrontPageProblem
from newscrawler.errors import PageReason
from newscrawler.store.vocabularies import EndReason, RunEnd

#: Ends that need attention.
_PROBLEMS = frozenset({EndReason.ERROR, EndReason.HOST, EndReason.MEMORY})


@dataclass(slots=True, kw_only=True)
class RunCounts:
    """Counts of one run; all counters but `given_up` have keys of a fixed vocabulary."""

    requests: int = 0
    pages: int = 0
    bytes: int = 0
    new_articles: int = 0
    #: Articles that are stored under another URL.
    twins: int = 0
    #: New articles nearly identical to an earlier one; stored and marked.
    similar: int = 0
    #: Articles whose text their portal has changed.
    corrected: int = 0
    listings: int = 0
    unchanged: int = 0
    redirects: int = 0
    #: Links that were not followed because of nofollow.
    unfollowed: int = 0
    #: Pages that gave no article, by reason.
    refused: Counter[str] = field(default_factory=Counter)
    #: URLs that were not fetched, by reason.
    skipped: Counter[str] = field(default_factory=Counter)
    #: URLs that could not be fetched, by reason.
    failed: Counter[str] = field(default_factory=Counter)
    #: URLs and links that were skipped because others of their pattern led to no article, by pattern.
    given_up: Counter[str] = field(default_factory=Counter)
    retries: int = 0
    #: New articles without a date of publication.
    undated: int = 0
    #: New articles whose record looks wrong, by `Suspicion`.
    suspect: Counter[str] = field(default_factory=Counter)
    #: Answers by HTTP status.
    statuses: Counter[str] = field(default_factory=Counter)
    #: Seconds that the run waited, by reason.
    waited: Counter[str] = field(default_factory=Counter)
    #: CPU seconds of reading pages: "detection" (kind of page, body, metadata, dates) and "extraction" (the article's record).
    reading: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def as_dict(self) -> dict[str, Any]:
        """For the run's record."""
        return {
            name: dict(value) if isinstance(value, dict) else value for name in self.__slots__ for value in [getattr(self, name)]
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """How far a run is."""

    counts: RunCounts = field(default_factory=RunCounts)
    #: Since it began.
    seconds: float = 0.0
    #: URLs that are still to be fetched, as far as they are found.
    queue: int = 0
    #: Between two requests.
    delay_seconds: float = 0.0

    @property
    def seconds_left(self) -> float:
        """Return how long the queue takes at the rate so far, and at least at the delay between requests."""
        measured = self.seconds / self.counts.requests if self.counts.requests else 0.0
        return self.queue * max(self.delay_seconds, measured)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """How one run ended."""

    portal: str
    run_id: int
    round: int
    ended_because: RunEnd
    seconds: float
    counts: RunCounts
    #: URLs that are still to be fetched.
    waiting: int = 0
    #: Notes for the user, such as a Crawl-delay beyond the limit or a suspended host.
    notes: tuple[str, ...] = ()
    #: Layout drift; None: none.
    drift: dict[str, Any] | None = field(default=None, hash=False)
    #: How many articles were found, of how many; None: unknown.
    coverage: Coverage | None = None
    #: Why the front page leads to no article, if so.
    front_page_problem: FrontPageProblem | None = None
    #: The portal has articles, of this run or of an earlier one.
    has_articles: bool = True

    @property
    def progress(self) -> RunProgress:
        """Return how far it came."""
        return RunProgress(counts=self.counts, seconds=self.seconds, queue=self.waiting)

    @property
    def is_interrupted(self) -> bool:
        """Return whether the user or the service ended it."""
        return self.ended_because.word is EndReason.INTERRUPTED

    @property
    def ended_early(self) -> bool:
        """Return whether a host, an error or a lack of memory ended it."""
        return self.ended_because.word in _PROBLEMS

    @property
    def found_nothing(self) -> bool:
        """Return whether it ended by itself, and neither it nor an earlier run has found an article."""
        return not self.has_articles and self.ended_because.word in {EndReason.FINISHED, EndReason.HOST}

    @property
    def got_nothing(self) -> bool:
        """Return whether no readable page was fetched, though more was met than articles that are stored already."""
        counts = self.counts
        readable = counts.pages - counts.refused[PageReason.NOT_HTML] - counts.refused[PageReason.EMPTY]
        skipped = sum(counts.skipped.values()) - counts.skipped[PageReason.TWIN]
        return readable <= 0 and not counts.unchanged and bool(counts.failed or counts.refused or skipped)

    @property
    def needs_attention(self) -> bool:
        """Return whether it ended early, fetched no readable page, or found no article while none is stored."""
        return self.ended_early or self.got_nothing or self.found_nothing

    def stats(self) -> dict[str, Any]:
        """Return the figures for Scrapy's stats."""
        ending = {"ended_because": str(self.ended_because), "seconds": round(self.seconds, 1), "waiting": self.waiting}
        return {f"run/{name}": value for name, value in (self.counts.as_dict() | ending).items()}

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "portal": self.portal,
            "run": self.run_id,
            "round": self.round,
            "ended_because": str(self.ended_because),
            "seconds": round(self.seconds, 1),
            "waiting": self.waiting,
            "notes": list(self.notes),
            "drift": self.drift,
            "coverage": self.coverage.as_dict() if self.coverage else None,
            "obstacle": str(self.front_page_problem) if self.front_page_problem else None,
            "needs_attention": self.needs_attention,
            **self.counts.as_dict(),
        }


class Report(Protocol):
    """Receiver of events of a crawl; called in the reactor's thread, so it must be quick."""

    def started(self, portal: str, *, run_id: int, resumed: bool, waiting: int) -> None:
        """A run begins; `resumed`: it continues one that was broken off."""
        ...

    def fetched(self, portal: str, url: str, progress: RunProgress, *, article: Article | None, reason: str | None) -> None:
        """A URL's outcome was committed."""
        ...

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """The run sends no requests for a while."""
        ...

    def stopping(self) -> None:
        """The user or the service ends the crawl."""
        ...

    def ended(self, summary: RunSummary) -> None:
        """A portal's run has ended."""
        ...
