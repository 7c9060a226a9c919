"""Scheduled crawls: starts those that are due and follows those in progress."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.config import Portal, ScheduledCrawl, ServiceSettings
from newscrawler.service.children import Child, Launcher
from newscrawler.service.free_memory import count_crawls_that_fit, measure_crawl_mib
from newscrawler.service.overview import read_pasts
from newscrawler.service.planner import PAUSES, Past, Plan, find_closing, find_record, plan_portal
from newscrawler.store import Store
from newscrawler.store.service import PlannedCrawl
from newscrawler.store.vocabularies import CrawlState

logger = logging.getLogger(__name__)

#: A portal crawled by another process is checked again after this.
TAKEN_PAUSE = timedelta(seconds=3)
#: Most attempts of a scheduled crawl.
MOST_ATTEMPTS = len(PAUSES) + 1
#: The plan of a waiting crawl is renewed after this.
STALE = timedelta(seconds=30)
#: Free memory changes slowly, and reading the memory of a hundred processes takes a fifth of a second.
_FRESH = timedelta(seconds=30)
#: Exit codes of a crawl that ended by itself: success, and no page could be fetched.
OWN_END = (0, 1)
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(slots=True, kw_only=True)
class CrawlInProgress:
    """One crawl in progress."""

    turn: PlannedCrawl
    child: Child
    #: When its end is requested.
    ends_at: datetime
    #: When it is killed; None: its end was not requested.
    killed_at: datetime | None = None
    #: Why its end was requested; empty: it was not.
    end_request: str = ""
    #: The state of the crawl after that.
    then: CrawlState = CrawlState.BROKEN


class ScheduledCrawls:
    """The crawls of all portals of a configuration."""

    def __init__(self, store: Store, launcher: Launcher) -> None:
        self._store = store
        self._launcher = launcher
        self._portals: dict[str, Portal] = {}
        self._settings = ServiceSettings()
        self._since: Mapping[str, datetime] = {}
        self._plans: dict[str, Plan | None] = {}
        #: Crawls that are due and wait.
        self._due: dict[str, ScheduledCrawl] = {}
        self._planned_at: dict[str, datetime] = {}
        self._not_before: dict[str, datetime] = {}
        self._why_waiting: dict[str, str] = {}
        #: Crawls started manually, independent of the schedule.
        self._requested: dict[str, ScheduledCrawl] = {}
        self._closes: dict[str, datetime] = {}
        #: For portals that missed their last turn: when their last crawl began.
        self._missed_since: dict[str, datetime] = {}
        #: Crawls for which there is room.
        self.places = 1
        self._counted_at: datetime | None = None
        self.crawls: dict[str, CrawlInProgress] = {}

    def configure(self, portals: Iterable[Portal], settings: ServiceSettings, *, now: datetime) -> None:
        """Apply a configuration; running crawls continue, those that only wait for a worker do not."""
        before, self._portals = self._portals, {portal.name: portal for portal in portals}
        for name in list(self._due):
            if name not in self._portals or _get_timetable(before[name]) != _get_timetable(self._portals[name]):
                del self._due[name]
        self._requested = {name: turn for name, turn in self._requested.items() if name in self._portals}
        for name, crawl in self.crawls.items():
            is_off = name not in self._portals or (self._portals[name].paused and not before[name].paused)
            if is_off and self._launcher.withdraw(name):
                crawl.end_request, crawl.then = "its portal was paused or removed", CrawlState.INTERRUPTED
        self._settings = settings
        self._since = self._store.service.watch(self._portals, now=now)
        self._plans.clear()
        self._counted_at = None

    def take_over(self, *, now: datetime) -> None:
        """Resume the crawls of a dead service, and follow crawls that have survived it."""
        for turn in self._store.service.open_turns():
            child = self._launcher.adopt(turn.portal, turn.label) if turn.portal in self._portals else None
            if child is not None:
                ends_at = (turn.began_at or now) + timedelta(hours=self._settings.max_hours)
                self.crawls[turn.portal] = CrawlInProgress(turn=turn, child=child, ends_at=ends_at)
                continue
            if turn.portal not in self._portals:
                self._launcher.withdraw(turn.portal)
            logger.info("resuming the crawl of a service that died", extra={"facts": {"portal": turn.portal, "turn": turn.label}})
            self._store.service.put_turn(replace(turn, state=CrawlState.INTERRUPTED, ended_at=now, because="the service died"))

    @property
    def plans(self) -> Mapping[str, Plan | None]:
        """Return the next crawl of each portal that is not being crawled."""
        return self._plans

    def find_busy(self, now: datetime) -> set[str]:
        """Return the portals that are being crawled or due."""
        due = {name for name, found in self._plans.items() if found is not None and found.start_at <= now}
        return due | set(self.crawls)

    # ------------------------------------------------------------------ crawls that are under way

    def reap(self, now: datetime) -> list[PlannedCrawl]:
        """Check the crawls: stop those over their limits, and return those that are completed."""
        completed = []
        for name, crawl in list(self.crawls.items()):
            code = crawl.child.exit_code()
            if code is None:
                self._watch(crawl, now)
                continue
            turn = self._judge_end(crawl, code, now)
            self._store.service.put_turn(turn)  # if this fails, the crawl is checked again
            del self.crawls[name]
            self._plans.pop(name, None)
            facts = {"portal": name, "turn": turn.label, "state": str(turn.state), "because": turn.because, "exit_code": code}
            logger.info("crawl ended", extra={"facts": facts})
            if turn.completed:
                self._due.pop(name, None)
                completed.append(turn)
        return completed

    def _watch(self, crawl: CrawlInProgress, now: datetime) -> None:
        if crawl.killed_at is not None:
            if now >= crawl.killed_at:
                crawl.child.kill()
            return
        memory = crawl.child.measure_memory_mib()
        if memory > self._settings.max_memory:
            why = f"it took {memory} MiB of memory, {self._settings.max_memory} are allowed"
            self._end(crawl, now, why, then=CrawlState.BROKEN)
        elif now >= crawl.ends_at:
            hours = (now - (crawl.turn.began_at or now)).total_seconds() / 3600
            self._end(crawl, now, f"it had not come to an end after {hours:.1f} hours", then=CrawlState.GIVEN_UP)

    def _end(self, crawl: CrawlInProgress, now: datetime, why: str, *, then: CrawlState) -> None:
        logger.warning("stopping a crawl", extra={"facts": {"portal": crawl.turn.portal, "because": why}})
        crawl.end_request, crawl.then = why, then
        crawl.killed_at = now + timedelta(seconds=self._settings.grace_seconds)
        crawl.child.terminate()

    def _judge_end(self, crawl: CrawlInProgress, code: int, now: datetime) -> PlannedCrawl:
        turn = replace(crawl.turn, ended_at=now)
        if code in OWN_END:
            return replace(turn, state=CrawlState.DONE, because="")
        if crawl.end_request and crawl.then is not CrawlState.BROKEN:
            return replace(turn, state=crawl.then, because=crawl.end_request)
        because = crawl.end_request or (f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}")
        state = CrawlState.BROKEN if turn.attempts < MOST_ATTEMPTS else CrawlState.GIVEN_UP
        return replace(turn, state=state, because=because)

    def stop(self, now: datetime) -> None:
        """Ask all crawls to end."""
        for crawl in self.crawls.values():
            if not crawl.end_request:
                crawl.end_request, crawl.then = "the service was ended", CrawlState.INTERRUPTED
                crawl.child.terminate()
            crawl.killed_at = min(crawl.killed_at or now + timedelta(days=1), now + timedelta(seconds=self._settings.grace_seconds))

    def stop_crawl(self, name: str, now: datetime, because: str) -> bool:
        """Ask one crawl to end; it is not retried. False: this service is not crawling the portal."""
        crawl = self.crawls.get(name)
        if crawl is None:
            return False
        if not crawl.end_request:
            self._end(crawl, now, because, then=CrawlState.STOPPED)
        return True

    def crawl_now(self, name: str, label: str, now: datetime) -> str:
        """Start a crawl as soon as there is a place, regardless of the schedule; return why not, or an empty string."""
        portal = self._portals.get(name)
        if portal is None:
            return "the configuration has no such portal"
        crawl = self.crawls.get(name)
        if crawl is not None:
            return "" if crawl.turn.label == label else "it is being crawled already"
        if portal.window is not None and portal.window.closes_at(now, ZoneInfo(portal.time_zone)) is None:
            return f"its window, {portal.window}, is closed"
        self._requested.setdefault(name, ScheduledCrawl(label=label, planned_at=now))
        self._plan(name, self._read_pasts([name], now)[name], now)
        return ""

    # ------------------------------------------------------------------ crawls that are due

    def start_due(self, now: datetime) -> list[PlannedCrawl]:
        """Start due crawls as far as there are places; return the missed ones."""
        missed = self._plan_all(now)
        self._count_places(now)
        waiting = [name for name in self._order_due(now) if self._not_before.get(name, now) <= now]
        if waiting and len(self.crawls) < self.places:
            missed += self._start_waiting(waiting, now)
        else:
            self._note_full(waiting)
        return missed

    def _count_places(self, now: datetime) -> None:
        """Count now and then the crawls for which there is room on the workers, or on this machine."""
        if self._counted_at is not None and timedelta(0) <= now - self._counted_at < _FRESH:
            return
        places = self._launcher.count_places()
        if places is None:
            self._counted_at = now
            taken_mib = [crawl.child.measure_private_mib() for crawl in self.crawls.values()]
            places = self._settings.at_once or count_crawls_that_fit(taken_mib, measure_crawl_mib(self._store))
        self.places = places

    def _start_waiting(self, waiting: list[str], now: datetime) -> list[PlannedCrawl]:
        """Start waiting crawls, in this order, while there are places; return the missed ones."""
        missed = []
        live = {run.portal for run in self._store.runs.live(now=now)}
        pasts: dict[str, Past] = {}
        for number, name in enumerate(waiting):
            free = self.places - len(self.crawls)
            if free <= 0:
                self._note_full(waiting[number:])
                break
            if name in live:
                self._why_waiting[name] = "it was being crawled by another process"
                self._not_before[name] = now + TAKEN_PAUSE
                continue
            if name not in pasts:
                pasts = self._read_pasts([each for each in waiting[number : number + free] if each not in live], now)
            missed += self._plan(name, pasts[name], now)  # the situation may have changed since it was planned
            found = self._plans.get(name)
            if found is not None and found.start_at <= now:
                self._start(name, found, pasts[name], now)
        return missed

    def _note_full(self, waiting: Iterable[str]) -> None:
        because = f"no place was free: {self.places} portals are crawled at once"
        self._why_waiting.update(dict.fromkeys(waiting, because))

    def _order_due(self, now: datetime) -> list[str]:
        """Return the portals that are due: by their time, those that missed their last first, then those whose time ends first."""
        due = {
            name: found.turn.planned_at
            for name, found in self._plans.items()
            if found is not None and found.start_at <= now and name not in self.crawls
        }
        return sorted(due, key=lambda name: (due[name], self._missed_since[name], self._closes[name]))

    def _find_closing(self, name: str, start_at: datetime) -> datetime:
        """Return when a crawl that begins at a time must end."""
        longest = start_at + timedelta(hours=self._settings.max_hours)
        return min(longest, find_closing(self._portals[name], start_at) or longest)

    def _plan_all(self, now: datetime) -> list[PlannedCrawl]:
        names = [
            name for name in self._portals if name not in self.crawls and (name not in self._plans or self._is_stale(name, now))
        ]
        return [turn for name, past in self._read_pasts(names, now).items() for turn in self._plan(name, past, now)]

    def _is_stale(self, name: str, now: datetime) -> bool:
        """Return whether a plan must be renewed: a waiting crawl may be too late by now."""
        found = self._plans[name]
        return found is not None and found.start_at <= now and now - self._planned_at[name] >= STALE

    def _plan(self, name: str, past: Past, now: datetime) -> list[PlannedCrawl]:
        """Plan a portal again; return the crawl that it has missed, if any."""
        portal = self._portals[name]
        self._planned_at[name] = now
        if name in self._requested:
            self._plans[name] = Plan(turn=self._requested[name], start_at=now)
            self._closes[name] = self._find_closing(name, now)
            return []
        found = self._plans[name] = plan_portal(portal, past, now=now)
        if found is not None:
            self._closes[name] = self._find_closing(name, max(now, found.start_at))
        due = self._due.get(name)
        if found is not None and found.turn.planned_at <= now:
            self._due[name] = found.turn
        else:
            self._due.pop(name, None)
        if due is None or (found is not None and found.turn.label == due.label):
            return []
        record = find_record(past, due)
        whole = past.last_whole_began_at
        if (record is not None and record.completed) or (whole is not None and whole >= due.planned_at):
            return []
        return [self._note_missed(name, due, record, now)]

    def _note_missed(self, name: str, turn: ScheduledCrawl, before: PlannedCrawl | None, now: datetime) -> PlannedCrawl:
        because = self._why_waiting.pop(name, "its window had closed")
        record = before or PlannedCrawl(portal=name, label=turn.label, planned_at=turn.planned_at, state=CrawlState.MISSED)
        if before is not None and before.state is CrawlState.BROKEN:
            record = replace(before, state=CrawlState.GIVEN_UP)
        else:
            record = replace(record, state=CrawlState.MISSED, because=because, ended_at=now)
        self._store.service.put_turn(record)
        event = "scheduled crawl given up" if record.state is CrawlState.GIVEN_UP else "scheduled crawl missed"
        logger.warning(event, extra={"facts": {"portal": name, "turn": turn.label, "because": record.because}})
        return record

    def _read_pasts(self, names: list[str], now: datetime) -> dict[str, Past]:
        """Read the history of portals, in a few queries."""
        pasts = read_pasts(self._store, names, self._since, now=now)
        for name, past in pasts.items():
            missed = bool(past.turns) and past.turns[0].state is CrawlState.MISSED
            began = (turn.began_at for turn in past.turns if turn.began_at)
            self._missed_since[name] = next(began, past.watched_since) if missed else _NEVER
        return pasts

    def _start(self, name: str, found: Plan, past: Past, now: datetime) -> None:
        before = find_record(past, found.turn)
        attempts = before.attempts if before else 0
        if before is None or before.state is not CrawlState.INTERRUPTED:
            attempts += 1  # interruptions by the service do not count
        turn = PlannedCrawl(
            portal=name,
            label=found.turn.label,
            planned_at=found.turn.planned_at,
            state=CrawlState.RUNNING,
            attempts=attempts,
            began_at=now,
        )
        self._store.service.put_turn(turn)
        child = self._launcher.start_crawl(name, label=turn.label, closes_at=self._closes[name])
        ends_at = now + timedelta(hours=self._settings.max_hours)
        self.crawls[name] = CrawlInProgress(turn=turn, child=child, ends_at=ends_at)
        del self._plans[name]
        self._requested.pop(name, None)
        self._why_waiting.pop(name, None)
        facts = {"portal": name, "turn": turn.label, "attempt": turn.attempts, "pid": child.pid}
        logger.info("crawl started", extra={"facts": facts})

    def find_next_event(self, now: datetime) -> datetime:
        """Return when the next known work is due."""
        moments = [crawl.killed_at or crawl.ends_at for crawl in self.crawls.values()]
        has_place = len(self.crawls) < self.places
        for name, found in self._plans.items():
            if found is not None and name not in self.crawls and (has_place or found.start_at > now):
                moments.append(max(found.start_at, self._not_before.get(name, found.start_at)))
        return min(moments, default=now + timedelta(days=1))


def _get_timetable(portal: Portal) -> tuple[object, ...]:
    return portal.schedule, portal.window, portal.time_zone, portal.paused
