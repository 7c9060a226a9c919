"""Files of origins: robots.txt, tdmrep.json, licences, policies. Requested by one rule, kept in memory and in the database."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from scrapy.crawler import Crawler

from newscrawler.crawl.hosts.failures import (
    AddressRefusedError,
    ContactMissingError,
    DenylistedError,
    ForbiddenByRobotsError,
    HostPausedError,
    RobotsUnreachableError,
    StoppingError,
    find_failure,
)
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.crawl.reading.responses import find_challenge, find_redirect_target, get_header
from newscrawler.crawl.reading.subrequests import send_request
from newscrawler.errors import NewscrawlerError
from newscrawler.limits import ORIGIN_FILE_REDIRECTS
from newscrawler.politeness import (
    LONGEST_CRAWL_DELAY_SECONDS,
    RobotsRules,
    find_status_rule,
    get_origin,
    parse_robots,
    read_retry_after,
)
from newscrawler.politeness.rights import read_tdm_file
from newscrawler.store.hosts import Hosts, OriginFile
from newscrawler.store.vocabularies import FetchKind, OriginFileKind, RobotsVerdict

#: RFC 9309, section 2.4.
LONGEST_CACHED = timedelta(hours=24)
#: Limit of the pause before a retry.
LONGEST_PAUSE = timedelta(hours=6)
#: The pause after a redirect to a refused host, which will not change soon.
_LED_ASTRAY_SECONDS = LONGEST_PAUSE.total_seconds()
#: Files in memory.
_MOST_REMEMBERED = 500
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d+)", re.IGNORECASE)
_NO_CACHE = re.compile(r"(?:^|[,\s])no-(?:cache|store)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FileRule:
    """How a kind of file is requested, and how long its answer is valid."""

    request: FetchKind = FetchKind.LICENCE
    #: A larger one counts as unreadable.
    most_bytes: int = 1024 * 1024
    headers: Mapping[str, str] | None = None
    lasts: timedelta = timedelta(hours=24)
    #: Shorter by Cache-Control, but not below this; None: Cache-Control does not count.
    shortest: timedelta | None = None
    #: Before the first retry after a failure; doubled with each.
    first_pause: timedelta = timedelta(hours=24)


_SELDOM = _FileRule(lasts=timedelta(days=30), first_pause=timedelta(days=30))
FILE_RULES = {
    OriginFileKind.ROBOTS: _FileRule(
        request=FetchKind.ROBOTS,
        most_bytes=64 * 1024 * 1024,  # the first 500 KiB are read; one with a larger Content-Length is rejected
        headers={"Accept": "text/plain,*/*;q=0.5", "Accept-Encoding": "identity"},  # a truncated body could not be decompressed
        lasts=timedelta(hours=1),
        shortest=timedelta(minutes=10),
        first_pause=timedelta(seconds=2),
    ),
    OriginFileKind.TDM: _FileRule(request=FetchKind.TDM, first_pause=timedelta(hours=1)),
    # recorded without effect
    OriginFileKind.AI_TXT: _SELDOM,
    OriginFileKind.TRUST_TXT: _SELDOM,
}
_OTHERS = _FileRule()


def read_answer(
    file: OriginFile, status: int, body: bytes, *, before: OriginFile | None = None, wait_seconds: float = 0.0,
    cache_control: str | None = None,
) -> OriginFile:  # fmt: skip
    """Return a file with its answer; redirects have been followed.

    RFC 9309, section 2.3.1: 2xx is read, 4xx and endless redirects mean that there is no file, 5xx that it is not known. 429 means
    too many requests, not that there is no file.
    """
    if find_status_rule(status).hides_rules:
        return record_failure(replace(file, status=status), f"answers {status}", before=before, wait_seconds=wait_seconds)
    rule = FILE_RULES.get(file.kind, _OTHERS)
    lasts, most_seconds = rule.lasts, read_max_age(cache_control)
    if rule.shortest is not None and most_seconds is not None:
        lasts = max(rule.shortest, min(lasts, timedelta(seconds=most_seconds)))
    because = None
    if not 200 <= status < 300:
        body, because = b"", f"answers {status}" if status >= 400 else f"redirects {status} to nowhere"
    elif file.kind is OriginFileKind.ROBOTS and parse_robots(body).is_markup:
        body, because = b"", "is an HTML page"
    elif file.kind is OriginFileKind.TDM and not read_tdm_file(body).rules:
        because = "it holds no rules"
    return replace(file, status=status, because=because, body=body or None, expires_at=file.asked_at + lasts)


def record_failure(file: OriginFile, because: str, *, before: OriginFile | None = None, wait_seconds: float = 0.0) -> OriginFile:
    """Return a file that could not be fetched: retries have growing pauses, or follow Retry-After; its last text applies.

    The last robots.txt does not: it forbids all until it is known.
    """
    failures = 1 + (before.failures if before is not None else 0)
    rule = FILE_RULES.get(file.kind, _OTHERS)
    pause = max(rule.first_pause.total_seconds() * 2.0 ** min(failures - 1, 20), wait_seconds)
    longest = max(rule.first_pause, LONGEST_PAUSE).total_seconds()
    return replace(
        file, because=because[:300], failures=failures, expires_at=file.asked_at + timedelta(seconds=min(pause, longest)),
        body=before.body if before is not None and file.kind is not OriginFileKind.ROBOTS else None,
    )  # fmt: skip


def read_max_age(field: str | None) -> float | None:
    """Return how many seconds Cache-Control permits to store an answer (RFC 9111, section 5.2.2); None: not given."""
    found = _MAX_AGE.search(field or "")
    return float(found[1][:9]) if found else 0.0 if _NO_CACHE.search(field or "") else None


def is_valid(file: OriginFile, now: datetime) -> bool:
    """Return whether a file need not be requested again; a clock that was set back extends nothing."""
    return now < file.expires_at and file.asked_at - LONGEST_CACHED < now


@dataclass(frozen=True, slots=True)
class RobotsEntry:
    """The robots.txt of an origin, with its rules parsed."""

    file: OriginFile
    rules: RobotsRules = field(default=RobotsRules(), repr=False)

    @classmethod
    def of(cls, file: OriginFile) -> RobotsEntry:
        """Parse the rules of a file."""
        return cls(file, parse_robots(file.body) if file.body else RobotsRules())

    @property
    def verdict(self) -> RobotsVerdict:
        """Return whether there are rules, all is allowed, or all is forbidden until it answers."""
        if self.file.failures:
            return RobotsVerdict.FORBID
        return RobotsVerdict.RULES if 200 <= (self.file.status or 0) < 300 else RobotsVerdict.ALLOW

    def allows(self, url: str) -> bool:
        """Return whether a URL of this origin may be fetched."""
        return not self.file.failures and self.rules.allows(url)

    @property
    def capped(self) -> str | None:
        """Return a note if the requested delay is beyond the limit."""
        asks = self.rules.asks_seconds
        if asks is None or asks <= LONGEST_CRAWL_DELAY_SECONDS:
            return None
        return f"{self.file.url} asks for {asks:g} s between requests; {LONGEST_CRAWL_DELAY_SECONDS:g} s are kept"

    @property
    def hours(self) -> str | None:
        """Return a sentence with the hours of Visit-time, if given."""
        if self.rules.visit_minutes is None:
            return None
        opens, closes = (f"{minute // 60:02}:{minute % 60:02}" for minute in self.rules.visit_minutes)
        return f"{self.file.url} asks for visits from {opens} to {closes} UTC"


class OriginFiles:
    """The files of origins; one object for all crawls of the process."""

    def __init__(self, hosts: Hosts, database: DatabaseThread) -> None:
        self._hosts = hosts
        self._database = database
        self._known: dict[str, OriginFile] = {}
        self._robots: dict[str, RobotsEntry] = {}
        self._asking: dict[str, asyncio.Task[OriginFile]] = {}

    async def get_robots(self, origin: str, crawler: Crawler) -> RobotsEntry:
        """Return the robots.txt of an origin; as `get`."""
        entry = self._robots.get(origin)
        if entry is None or not is_valid(entry.file, datetime.now(UTC)):
            file = await self.get(f"{origin}/robots.txt", OriginFileKind.ROBOTS, crawler, origin=origin)
            entry = self._robots.get(origin)
            if entry is None or entry.file is not file:
                entry = self._robots[origin] = RobotsEntry.of(file)
        return entry

    async def get(self, url: str, kind: OriginFileKind, crawler: Crawler, *, origin: str) -> OriginFile:
        """Return a file of an origin, stored or requested again.

        Raises:
            IgnoreRequest: no request to its host now, or at all: `HostPausedError`, `AddressRefusedError` …
            StoreError: the database cannot be used.
        """
        known = self._known.get(url)
        if known is not None and is_valid(known, datetime.now(UTC)):
            return known
        task = self._asking.get(url)
        if task is None or task.done():
            task = self._asking[url] = asyncio.ensure_future(self._find(url, kind, crawler, origin))
        return await asyncio.shield(task)

    async def request(
        self, url: str, kind: OriginFileKind, crawler: Crawler, *, origin: str, before: OriginFile | None
    ) -> OriginFile:
        """Request a file whatever is known of it, and store it; `before` is its last answer. Errors: as `get`."""
        file = await self._ask(url, kind, crawler, origin, before)
        file = replace(file, said_since=before.said_since if before is not None and before.body == file.body else file.asked_at)
        await self._database.run(self._hosts.save_file, file)
        return file

    async def _find(self, url: str, kind: OriginFileKind, crawler: Crawler, origin: str) -> OriginFile:
        kept = self._known.get(url) or await self._database.run(self._hosts.file, url)
        if kept is None or not is_valid(kept, datetime.now(UTC)):
            kept = await self.request(url, kind, crawler, origin=origin, before=kept)
        if len(self._known) >= _MOST_REMEMBERED:  # they are in the database
            for memory in (self._known, self._robots, self._asking):
                memory.clear()
        self._known[url] = kept
        return kept

    async def _ask(self, url: str, kind: OriginFileKind, crawler: Crawler, origin: str, before: OriginFile | None) -> OriginFile:
        """Follow redirects, each under the rules of its target, as for any page."""
        rule, place = FILE_RULES.get(kind, _OTHERS), url
        meta = {"download_maxsize": rule.most_bytes}
        file = OriginFile(url=url, origin=origin, kind=kind)
        try:
            for _ in range(ORIGIN_FILE_REDIRECTS + 1):
                response = await send_request(crawler, place, rule.request, headers=rule.headers, meta=meta, priority=1000)
                if (target := find_redirect_target(response)) is None or urlsplit(target).scheme not in {"http", "https"}:
                    break
                place = target
        except NewscrawlerError:
            raise
        except (HostPausedError, StoppingError, ContactMissingError, RobotsUnreachableError):
            if rule.request is not FetchKind.LICENCE:
                raise
            return record_failure(_now(file), "the host is paused", before=before)
        except (AddressRefusedError, DenylistedError) as error:
            if get_origin(place) == origin:
                raise
            return record_failure(_now(file), f"leads to {error}", before=before, wait_seconds=_LED_ASTRAY_SECONDS)
        except ForbiddenByRobotsError:
            file = _now(file)
            return replace(file, because="robots.txt forbids to ask for it", expires_at=file.asked_at + rule.lasts)
        except Exception as error:  # noqa: BLE001  any error means that no response came
            return record_failure(_now(file), str(find_failure(error).reason), before=before)
        file = _now(file)
        if find_status_rule(response.status).hides_rules and (barrier := find_challenge(response)) is not None:
            return record_failure(
                replace(file, status=response.status), str(barrier), before=before, wait_seconds=_LED_ASTRAY_SECONDS
            )
        return read_answer(
            file, response.status, response.body, before=before, cache_control=get_header(response, "Cache-Control"),
            wait_seconds=read_retry_after(get_header(response, "Retry-After"), file.asked_at) or 0.0,
        )  # fmt: skip


def _now(file: OriginFile) -> OriginFile:
    return replace(file, asked_at=datetime.now(UTC))
