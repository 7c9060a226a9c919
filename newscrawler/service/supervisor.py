"""The service itself: checks everything periodically, with the time as an argument.

The clock, children and channels of notification are injected, so that a test can simulate two months in seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from newscrawler.config import AlertSettings, Configuration
from newscrawler.errors import ExportError
from newscrawler.service.children import Launcher
from newscrawler.service.digest import Digest, PortalState, format_digest_html, format_digest_text
from newscrawler.service.jobs import JobRunner
from newscrawler.service.metrics import Metrics, Snapshot
from newscrawler.service.notifications import Delivery, Notification, Notifier
from newscrawler.service.overview import assess_job, make_digest, read_portals
from newscrawler.store import Store
from newscrawler.store.service import Job, JobKind, JobState

logger = logging.getLogger(__name__)

BEAT = timedelta(seconds=15)
#: Pause before an unsent digest is retried.
DIGEST_AGAIN = timedelta(hours=1)
#: Longest time until crawls by other processes are noticed.
SURVEY = timedelta(hours=12)
#: Portals surveyed in one look, so that none takes long.
_SURVEYED_TOGETHER = 250


class Supervisor:
    """Runs the service; call `check` periodically."""

    def __init__(
        self,
        *,
        store: Store,
        launcher: Launcher,
        delivery: Delivery,
        create_notifiers: Callable[[AlertSettings], Sequence[Notifier]],
        metrics: Metrics | None = None,
        now: datetime,
    ) -> None:
        self._store = store
        self._delivery = delivery
        self._create_notifiers = create_notifiers
        self._metrics = metrics or Metrics()
        self._configuration = Configuration()
        self._started_at = now
        self._beat_at = now - BEAT
        self._digest_next = now
        self._surveyed_at: datetime | None = None
        #: Portals whose crawls by other processes the next looks will notice.
        self.unsurveyed: list[str] = []
        self._portals: dict[str, PortalState] = {}
        self._stopping = False
        #: The problem of the service itself; empty: none.
        self.problem = ""
        self.jobs = JobRunner(store, launcher)

    def begin(self, configuration: Configuration, now: datetime) -> None:
        """Become the service of the database and take over from a dead one.

        Raises:
            StoreError: another process is the service.
            ConfigError: a resource is not available.
        """
        self._store.service.enter(now=now)
        self.take_over(configuration, now)

    def take_over(self, configuration: Configuration, now: datetime) -> None:
        """Apply the configuration and take over from a dead service.

        Raises:
            ConfigError: a resource is not available.
        """
        self.configure(configuration, now)
        self.jobs.take_over(now=now)

    def configure(self, configuration: Configuration, now: datetime) -> None:
        """Apply a configuration; running crawls continue.

        Raises:
            ConfigError: the port for metrics is not available.
        """
        self._metrics.configure(configuration.service.listen, configuration.service.textfile)
        self._configuration = configuration
        self.jobs.configure(configuration, now=now)
        self._delivery.configure(self._create_notifiers(configuration.alerts))
        self._surveyed_at = None
        self.problem = ""

    def check(self, now: datetime) -> datetime:
        """Do all due work; return when the next known work is due."""
        for job in self.jobs.reap(now):
            if job.is_over:
                self._assess(job, now)
        if not self._stopping:
            for job in self.jobs.start_due(now):
                self._assess(job, now)
            self._send_digest(now)
        self._delivery.deliver(now)
        self._report_state(now)
        return now if self.unsurveyed else self._find_next_event(now)

    def stop(self, now: datetime) -> None:
        """Ask all children to end."""
        if not self._stopping:
            logger.info("service stopping", extra={"facts": {"crawls": len(self.jobs.crawls)}})
        self._stopping = True
        self.jobs.stop(now)

    def leave(self, now: datetime) -> None:
        """Store the end of the service and close everything."""
        self.close()
        self._store.service.leave(now=now)

    def close(self) -> None:
        """Close everything without writing to the database."""
        self._metrics.close()

    # ------------------------------------------------------------------ health

    def _assess(self, job: Job, now: datetime) -> None:
        """Assess a crawl or an export that is over, and announce news."""
        if assess_job(self._store, job, self._portals, now=now):
            self._delivery.announce()
        if job.kind is JobKind.CRAWL:
            self.jobs.follow_crawl(job.target, now)

    # ------------------------------------------------------------------ digest

    def _send_digest(self, now: datetime) -> None:
        """Create and send the day's digest when it is due."""
        at = self._configuration.alerts.digest
        if at is None or now < self._digest_next:
            return
        zone = self._configuration.service.zone
        local = now.astimezone(zone)
        if local.time() < at:
            self._digest_next = now + (datetime.combine(local.date(), at) - local.replace(tzinfo=None))
            return
        day = local.date().isoformat()
        job = self._store.jobs.find(JobKind.DIGEST, "", day)
        delivered = frozenset(job.parameters["channels"]) if job else None
        wanted = frozenset(channel.name for channel in self._create_notifiers(self._configuration.alerts))
        if delivered is None and not self._has_crawled():
            delivered = wanted  # nothing to report yet: the first digest is tomorrow's
        if delivered is not None and wanted <= delivered:
            tomorrow = datetime.combine(local.date() + timedelta(days=1), at, local.tzinfo if zone is None else zone)
            self._digest_next = tomorrow.astimezone(now.tzinfo)
            return
        job = job or Job(kind=JobKind.DIGEST, target="", label=day, state=JobState.DONE, planned_at=now)

        def note(channels: frozenset[str]) -> None:
            self._store.jobs.put(replace(job, ended_at=now, parameters={"channels": sorted(channels)}))

        if self._delivery.send(lambda: self._make_digest(now), note, delivered or frozenset()):
            self._digest_next = now + DIGEST_AGAIN

    def _has_crawled(self) -> bool:
        return not self._store.runs.marks().keys().isdisjoint(portal.name for portal in self._configuration.crawled)

    def _make_digest(self, now: datetime) -> Notification:
        digest = make_digest(self._store, self._configuration, now=now, known=dict(self._portals))
        keep_digest(self._configuration.data_folder / "digest", digest)
        return digest.message()

    # ------------------------------------------------------------------ state

    def _report_state(self, now: datetime) -> None:
        if now - self._beat_at >= BEAT:
            self._store.service.beat(now=now, problem=self.problem)
            self._beat_at = now
        if self._surveyed_at is None or now - self._surveyed_at >= SURVEY:
            names = [portal.name for portal in self._configuration.crawled]
            self._portals = {name: self._portals[name] for name in names if name in self._portals}
            self.unsurveyed, self._surveyed_at = names, now
        if self.unsurveyed:
            self._portals |= read_portals(self._store, self.unsurveyed[:_SURVEYED_TOGETHER], self._portals)
            del self.unsurveyed[:_SURVEYED_TOGETHER]
        self._metrics.take(
            Snapshot(
                at=now,
                started_at=self._started_at,
                problem=self.problem,
                crawls={name: crawl.child.measure_memory_mib() for name, crawl in self.jobs.crawls.items()},
                portals=tuple(self._portals.values()),
                next_at={name: found.start_at for name, found in self.jobs.scheduled.plans.items() if found is not None},
            )
        )

    def _find_next_event(self, now: datetime) -> datetime:
        moments = [self.jobs.find_next_event(now)]
        retry = self._delivery.find_next_event()
        moments += [retry] if retry else []
        moments += [self._digest_next] if self._configuration.alerts.digest else []
        return min(moments)


def keep_digest(folder: Path, digest: Digest) -> None:
    """Write the digest as HTML and text, under the day's name and as the latest.

    Raises:
        ExportError: they cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for ending, text in (("html", format_digest_html(digest)), ("txt", format_digest_text(digest))):
            for name in (digest.day.isoformat(), "latest"):
                part = folder / f".{name}.{ending}.part"
                part.write_text(text, "utf-8")
                part.replace(folder / f"{name}.{ending}")
    except OSError as error:
        raise ExportError(f"the digest cannot be kept in {folder}: {error.strerror}") from error
