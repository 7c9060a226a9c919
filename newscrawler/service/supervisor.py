"""The service itself: checks everything periodically, with the time as an argument.

The clock, children and channels of notification are injected, so that a test can simulate two months in seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from newscrawler.config import AlertSettings, Configuration, Export
from newscrawler.errors import ExportError
from newscrawler.service.children import Child, Launcher, LimitedChild
from newscrawler.service.digest import Digest, PortalState, format_digest_html, format_digest_text
from newscrawler.service.exports import find_due_exports
from newscrawler.service.health import AlertKind
from newscrawler.service.jobs import JobRunner
from newscrawler.service.metrics import Metrics, Snapshot
from newscrawler.service.notifications import Delivery, Notification, Notifier
from newscrawler.service.overview import TurnOutcome, judge_turn, make_digest, note_outcome, read_portals
from newscrawler.service.scheduled_crawls import ScheduledCrawls
from newscrawler.store import Store
from newscrawler.store.service import PlannedCrawl

logger = logging.getLogger(__name__)

BEAT = timedelta(seconds=15)
#: Pause before a failed export or an unsent digest is retried.
AGAIN = timedelta(minutes=15)
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
        self._launcher = launcher
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
        self._completed: dict[str, set[str]] = {}
        self._exports: dict[str, LimitedChild] = {}
        self._export_not_before: dict[str, datetime] = {}
        self._stopping = False
        #: The problem of the service itself; empty: none.
        self.problem = ""
        self.scheduled = ScheduledCrawls(store, launcher)
        self._jobs = JobRunner(store, self.scheduled, launcher, start_export=self._start_named_export, exports=self._exports)

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
        self.scheduled.take_over(now=now)

    def configure(self, configuration: Configuration, now: datetime) -> None:
        """Apply a configuration; running crawls continue.

        Raises:
            ConfigError: the port for metrics is not available.
        """
        self._metrics.configure(configuration.service.listen, configuration.service.textfile)
        self._configuration = configuration
        self.scheduled.configure(configuration.crawled, configuration.service, now=now)
        self._delivery.configure(self._create_notifiers(configuration.alerts))
        self._completed = {export.name: self._completed.get(export.name, set()) for export in configuration.exports}
        self._jobs.configure(configuration)
        self._surveyed_at = None
        self.problem = ""

    def check(self, now: datetime) -> datetime:
        """Do all due work; return when the next known work is due."""
        for turn in self.scheduled.reap(now):
            self._assess(turn, now)
        self._reap_exports(now)
        self._jobs.reap(now)
        if not self._stopping:
            self._jobs.check(now)
            for turn in self.scheduled.start_due(now):
                self._assess(turn, now)
            self._start_exports(now)
            self._send_digest(now)
        self._delivery.deliver(now)
        self._report_state(now)
        return now if self.unsurveyed else self._find_next_event(now)

    def stop(self, now: datetime) -> None:
        """Ask all children to end."""
        if not self._stopping:
            logger.info("service stopping", extra={"facts": {"crawls": len(self.scheduled.crawls)}})
        self._stopping = True
        self.scheduled.stop(now)
        for child in self._list_local_children():
            child.terminate()

    def kill(self) -> None:
        """Kill all children."""
        for crawl in self.scheduled.crawls.values():
            crawl.child.kill()
        self.end_local_children()

    def end_local_children(self) -> None:
        """Kill exports and jobs; crawls continue on other machines."""
        for child in self._list_local_children():
            child.kill()

    def _list_local_children(self) -> list[Child]:
        return [*(export.child for export in self._exports.values()), *self._jobs.children]

    @property
    def idle(self) -> bool:
        """Return whether no child is left."""
        return not self.scheduled.crawls and not self._list_local_children()

    def leave(self, now: datetime) -> None:
        """Store the end of the service and close everything."""
        self.close()
        self._store.service.leave(now=now)

    def close(self) -> None:
        """Close everything without writing to the database."""
        self._metrics.close()

    # ------------------------------------------------------------------ health

    def _assess(self, turn: PlannedCrawl, now: datetime) -> None:
        """Assess a completed crawl and store new problems."""
        assessments = self._read_portal(turn.portal).assessments
        outcome = judge_turn(turn, assessments[-1] if assessments else None)
        if note_outcome(self._store, turn.portal, outcome, now=now):
            self._delivery.announce()
            self._read_portal(turn.portal)
        verdict = outcome.assessment.verdict if outcome.assessment else str(turn.state)
        facts = {
            "portal": turn.portal,
            "turn": turn.label,
            "verdict": verdict,
            "problems": [str(each) for each in outcome.findings],
        }
        logger.info("crawl assessed", extra={"facts": facts})
        for portals in self._completed.values():
            portals.add(turn.portal)

    def _read_portal(self, portal: str) -> PortalState:
        self._portals |= read_portals(self._store, [portal], self._portals)
        return self._portals[portal]

    # ------------------------------------------------------------------ exports

    def _start_exports(self, now: datetime) -> None:
        busy = self.scheduled.find_busy(now)
        for export in self._configuration.exports:
            completed = self._completed[export.name]
            if export.name in self._exports or self._export_not_before.get(export.name, now) > now:
                continue
            if find_due_exports([export], completed=completed, busy=busy):
                self._start_export(export, now)

    def _start_named_export(self, name: str, now: datetime) -> None:
        self._start_export(next(export for export in self._configuration.exports if export.name == name), now)

    def _start_export(self, export: Export, now: datetime) -> None:
        child = self._launcher.start_export(export.name)
        killed_at = now + timedelta(hours=self._configuration.service.max_hours)
        self._exports[export.name] = LimitedChild(child=child, killed_at=killed_at)
        self._completed[export.name] = set()
        logger.info("export started", extra={"facts": {"export": export.name, "pid": child.pid}})

    def _reap_exports(self, now: datetime) -> None:
        for name, export in list(self._exports.items()):
            code = export.exit_code(now)
            if code is None:
                continue
            findings = {} if code == 0 else {AlertKind.EXPORT: f"it ended with exit code {code}; the log says why"}
            if code != 0 and name in self._completed and not self._stopping:
                portals = next(each.portals for each in self._configuration.exports if each.name == name)
                self._completed[name] |= set(portals) or {portal.name for portal in self._configuration.crawled}
                self._export_not_before[name] = now + AGAIN
            outcome = TurnOutcome(findings=findings, known=frozenset({AlertKind.EXPORT}))
            if not self._stopping and note_outcome(self._store, f"export {name}", outcome, now=now):
                self._delivery.announce()
            del self._exports[name]

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
        delivered = self._store.service.digest_delivered(day)
        wanted = frozenset(channel.name for channel in self._create_notifiers(self._configuration.alerts))
        if delivered is None and not self._has_crawled():
            delivered = wanted  # nothing to report yet: the first digest is tomorrow's
        if delivered is not None and wanted <= delivered:
            tomorrow = datetime.combine(local.date() + timedelta(days=1), at, local.tzinfo if zone is None else zone)
            self._digest_next = tomorrow.astimezone(now.tzinfo)
            return
        if self._delivery.send(
            lambda: self._make_digest(now), lambda channels: self._note_digest(day, channels, now), delivered or frozenset()
        ):
            self._digest_next = now + DIGEST_AGAIN

    def _has_crawled(self) -> bool:
        return not self._store.runs.marks().keys().isdisjoint(portal.name for portal in self._configuration.crawled)

    def _make_digest(self, now: datetime) -> Notification:
        digest = make_digest(self._store, self._configuration, now=now, known=dict(self._portals))
        keep_digest(self._configuration.data_folder / "digest", digest)
        return digest.message()

    def _note_digest(self, day: str, channels: frozenset[str], now: datetime) -> None:
        self._store.service.put_digest(day, channels, now=now)

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
        plans = self.scheduled.plans
        self._metrics.take(
            Snapshot(
                at=now,
                started_at=self._started_at,
                problem=self.problem,
                crawls={name: crawl.child.measure_memory_mib() for name, crawl in self.scheduled.crawls.items()},
                portals=tuple(self._portals.values()),
                next_at={name: found.start_at for name, found in plans.items() if found is not None},
            )
        )

    def _find_next_event(self, now: datetime) -> datetime:
        moments = [self.scheduled.find_next_event(now), *(export.killed_at for export in self._exports.values())]
        moments += [moment for name, moment in self._export_not_before.items() if self._completed.get(name)]
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
