"""Reservations of publishers: checked before each request, and read from origin, headers and page of every response.

Of an origin, tdmrep.json is fetched once a day, and one licence, policy or other file in 20 hours.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import Self
from urllib.parse import urljoin, urlsplit
from zoneinfo import ZoneInfo

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from newscrawler.config import Configuration, Portal
from newscrawler.crawl.hosts.failures import (
    DenylistedError,
    ForbiddenByRobotsError,
    HostPausedError,
    RemovedError,
    ReservedError,
    RobotsUnreachableError,
    StoppingError,
    find_failure,
)
from newscrawler.crawl.hosts.shared_hosts import SharedHosts
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.crawl.reading.responses import find_redirect_target
from newscrawler.crawl.reading.subrequests import send_request
from newscrawler.crawl.run.items import KIND, LEASE, LICENSES, ROBOTS_RULES, STATEMENTS
from newscrawler.errors import NewscrawlerError
from newscrawler.politeness import PRODUCT_TOKEN, RobotsRules, find_status_rule, get_origin
from newscrawler.politeness.rights import (
    NAMESPACE,
    ORIGIN_PLACES,
    WELL_KNOWN,
    DocumentKind,
    Intent,
    OriginPolicies,
    PageRights,
    Purpose,
    RslDocument,
    TdmRules,
    collect_origin_policies,
    extract_feed_licenses,
    find_license_in_header,
    find_license_in_page,
    read_license,
    read_tdm_file,
)
from newscrawler.store.articles import Removal, Rights, RightsFile, TdmFile
from newscrawler.store.vocabularies import FetchKind, FrontierKind

_NAMESPACE = NAMESPACE.encode()
#: Removals are read from the database again after this.
READ_AGAIN_SECONDS = 60.0


def make_page_rights(portal: Portal, configuration: Configuration) -> PageRights:
    """Return how reservations of the portal's pages are read."""
    return PageRights(token=PRODUCT_TOKEN, disregard=portal.disregard, zone=ZoneInfo(portal.time_zone), intent=configuration.intent)


class RightsMiddleware:
    """Downloader middleware that reads an origin's statements before its first page, and refuses requests that it reserves."""

    def __init__(self, origins: OriginOptOuts, rights: PageRights) -> None:
        self._origins = origins
        self._rights = rights
        self._removals: list[Removal] = []
        self._removals_read_at = -READ_AGAIN_SECONDS

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take HOSTS_DATABASE, RIGHTS_DISREGARD, RIGHTS_PURPOSE, RIGHTS_LEGAL_BASIS and HOST_TIME_ZONE from the settings."""
        shared, settings = SharedHosts.get_shared(crawler), crawler.settings
        intent = Intent(
            purposes=frozenset(map(Purpose, settings.getlist("RIGHTS_PURPOSE"))), legal_basis=settings["RIGHTS_LEGAL_BASIS"] or None
        )
        rights = PageRights(
            token=PRODUCT_TOKEN,
            disregard=frozenset(settings.getlist("RIGHTS_DISREGARD")),
            zone=ZoneInfo(settings["HOST_TIME_ZONE"]),
            intent=intent,
        )
        return cls(OriginOptOuts(shared.store.rights, shared.database, rights, crawler), rights)

    async def process_request(self, request: Request) -> None:
        """Refuse a request whose origin reserves its use; other requests carry the statements in their meta.

        Raises:
            RemovedError: its operator requested its removal.
            ReservedError: the text of the page could not be stored, and its links are not needed.
        """
        if request.meta.get(KIND) in DOCUMENT_KINDS:
            return
        await self._refuse_removed(request.url)
        lease = request.meta.get(LEASE)
        robots: RobotsRules = request.meta.get(ROBOTS_RULES) or RobotsRules()
        statements = await self._origins.get_statements(get_origin(request.url), robots)
        request.meta[STATEMENTS] = statements
        research = self._rights.intent.legal_basis is not None
        decision = self._rights.decide(statements.list_reservations(request.url, research=research), datetime.now(UTC))
        if decision.refusal is None or decision.because is None:
            return
        is_single = lease is None or lease.kind == FrontierKind.ARTICLE
        if is_single or statements.is_uniform or statements.tdm.reserves_everything:
            raise ReservedError(decision.because, decision.refusal)

    async def _refuse_removed(self, url: str) -> None:
        if monotonic() - self._removals_read_at >= READ_AGAIN_SECONDS:
            self._removals = await self._origins.get_removals()
            self._removals_read_at = monotonic()
        for removal in self._removals:
            if removal.covers(url):
                raise RemovedError(f"asked on {removal.asked_at:%Y-%m-%d}: {removal.because}")

    async def process_response(self, request: Request, response: Response) -> Response:
        """Read the licence that a page or feed declares; at most one file of an origin is fetched in 20 hours."""
        if request.meta.get(KIND) in DOCUMENT_KINDS or response.status != 200:
            return response
        fields = [value.decode("latin-1") for value in response.headers.getlist("Link")]
        named = find_license_in_header(fields) or find_license_in_page(response.body)
        if named is not None:
            document = await self._origins.get_license(get_origin(request.url), urljoin(response.url, named))
            request.meta[LICENSES] = (document,)
        elif _NAMESPACE in response.body and (licenses := extract_feed_licenses(response.body)) is not None:
            await self._origins.save_feed(get_origin(request.url), response.url, licenses)
        return response


logger = logging.getLogger(__name__)

#: Kinds of requests for statements about other pages.
DOCUMENT_KINDS = frozenset({FetchKind.ROBOTS, FetchKind.TDM, FetchKind.LICENCE})
#: tdmrep.json is fetched once a day, and sooner again after a failure.
KEPT = timedelta(hours=24)
KEPT_AFTER_FAILURE = timedelta(hours=1)
#: Between two licences, policies or other files of one origin: one for each daily crawl.
FILE_INTERVAL = timedelta(hours=20)
#: ai.txt and trust.txt are only recorded, so seldom fetched.
NOTED_FOR = timedelta(days=30)
MOST_REDIRECTS = 5
#: Limit of a licence or policy; a larger one counts as unreadable.
MOST_BYTES = 1024 * 1024
_NOTED = {"/ai.txt": DocumentKind.AI_TXT, "/trust.txt": DocumentKind.TRUST_TXT}


@dataclass(slots=True)
class _Known:
    """The opt-outs of one origin that this process knows."""

    robots: RobotsRules
    statements: OriginPolicies
    files: dict[str, RightsFile]
    expires_at: datetime


class OriginOptOuts:
    """Statements of origins, for one crawler."""

    def __init__(self, kept: Rights, database: DatabaseThread, rights: PageRights, crawler: Crawler) -> None:
        self._kept = kept
        self._database = database
        self._research = rights.intent.legal_basis is not None
        self._crawler = crawler
        self._known: dict[str, asyncio.Task[_Known]] = {}
        #: Locks of origins; held while a licence, policy or other file is fetched.
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get_statements(self, origin: str, robots: RobotsRules) -> OriginPolicies:
        """Return the statements of an origin; fetch them again if they are too old or its robots.txt has changed.

        Raises:
            StoreError: the database cannot be used.
        """
        return (await self._find_origin(origin, robots)).statements

    async def get_removals(self) -> list[Removal]:
        """Return the removals that operators of portals requested."""
        return await self._database.run(self._kept.removals)

    async def get_license(self, origin: str, url: str) -> RslDocument:
        """Return a licence that a page declares; fetch it unless another file of the origin was fetched lately."""
        task = self._known.get(origin)
        files = (await asyncio.shield(task)).files if task is not None else {}
        try:
            async with self._asking[origin]:
                await self._ask_one(origin, iter([(url, DocumentKind.RSL)]), files)
        except Exception as error:  # the page itself was fetched
            logger.debug("licence %s", url, exc_info=error)
        return read_license(url, _get_documents(files))

    async def save_feed(self, origin: str, url: str, licenses: bytes) -> None:
        """Store the licences that a feed contains; they apply to requests from now on."""
        now = datetime.now(UTC)
        file = RightsFile(
            url=url[:500], origin=origin[:300], kind=DocumentKind.RSL_FEED, status=200, body=licenses, asked_at=now - FILE_INTERVAL,
            expires_at=now + KEPT,
        )  # fmt: skip
        task = self._known.get(origin)
        before = (await asyncio.shield(task)).files.get(file.url) if task is not None else None
        if before is None or before.body != licenses:
            await self._database.run(self._kept.save_document, file)
            self._known.pop(origin, None)

    async def _find_origin(self, origin: str, robots: RobotsRules) -> _Known:
        task = self._known.get(origin)
        if task is not None and task.done() and (task.cancelled() or task.exception() or _is_old(task.result(), robots)):
            task = None
        if task is None:
            task = self._known[origin] = asyncio.ensure_future(self._look_up(origin, robots))
        return await asyncio.shield(task)

    async def _look_up(self, origin: str, robots: RobotsRules) -> _Known:
        tdm, is_met_again = await self._get_tdm_file(origin)
        rules = TdmRules.from_lists(tdm.rules)
        files = {file.url: file for file in await self._database.run(self._kept.documents, origin)}
        async with self._asking[origin]:
            await self._ask_one(origin, _list_wanted(origin, robots, rules, files, noting=is_met_again), files)
        feeds = [file.url for file in files.values() if file.kind == DocumentKind.RSL_FEED]
        declared = [urljoin(f"{origin}/", url) for url in robots.licenses]
        statements = collect_origin_policies(rules, robots.usage, [*declared, *feeds], _get_documents(files))
        now = datetime.now(UTC)
        noted = [(file.kind, file.url) for file in files.values() if file.kind in _NOTED.values() and file.body is not None]
        lines = [*statements.list_lines(), *noted]
        if await self._database.run(self._kept.note_statements, origin, lines, now=now):
            find_reservations = partial(statements.list_reservations, research=self._research)
            changed = await self._database.run(self._kept.restate, origin, find_reservations, ORIGIN_PLACES, now=now)
            logger.info("%s says something else of its pages; the records of %d stored ones were changed", origin, changed)
        return _Known(robots=robots, statements=statements, files=files, expires_at=tdm.expires_at)

    async def _get_tdm_file(self, origin: str) -> tuple[TdmFile, bool]:
        """Return the tdmrep.json of the origin, stored or fetched, and whether an earlier crawl knew the origin.

        Raises:
            StoreError: the database cannot be used.
        """
        kept = await self._database.run(self._kept.tdm_file, origin)
        if kept is not None and kept.expires_at > datetime.now(UTC):
            return kept, False
        file = await self._ask_tdm(origin, kept)
        await self._database.run(self._kept.save_tdm_file, file)
        return file, kept is not None and file.asked_at - kept.asked_at >= FILE_INTERVAL

    async def _ask_tdm(self, origin: str, kept: TdmFile | None) -> TdmFile:
        status, because, body = await self._ask(f"{origin}{WELL_KNOWN}", FetchKind.TDM)
        failed = status is None or find_status_rule(status).hides_rules
        rules = TdmRules() if body is None else read_tdm_file(body)
        if because is None and not rules.rules:
            because = "it holds no rules"
        if because == _FORBIDDEN:
            failed = False
        now = datetime.now(UTC)
        lists = tuple((rule.location, rule.reserved, rule.policy) for rule in rules.rules)
        if failed and kept is not None:  # its last rules apply until it answers again
            lists = kept.rules
        return TdmFile(
            origin=origin,
            rules=lists,
            status=status,
            because=because,
            asked_at=now,
            expires_at=now + (KEPT_AFTER_FAILURE if failed else KEPT),
            said_since=kept.said_since if kept is not None and kept.rules == lists else now,
        )

    async def _ask_one(self, origin: str, wanted: Iterator[tuple[str, DocumentKind]], files: dict[str, RightsFile]) -> None:
        """Fetch the first wanted file, unless another file of the origin was fetched lately."""
        now = datetime.now(UTC)
        if any(now - file.asked_at < FILE_INTERVAL for file in files.values()):
            return
        found = next(((url, kind) for url, kind in wanted if _is_due(files.get(url), now)), None)
        if found is None:
            return
        url, kind = found
        status, because, body = await self._ask(url, FetchKind.LICENCE)
        before = files.get(url)
        if (
            body is None and before is not None and (status is None or find_status_rule(status).hides_rules)
        ):  # its last text applies for now
            body = before.body
        lasts = NOTED_FOR if kind in _NOTED.values() else KEPT
        file = RightsFile(
            url=url, origin=origin[:300], kind=kind, status=status, because=because, body=body, asked_at=now, expires_at=now + lasts
        )
        files[url] = file
        await self._database.run(self._kept.save_document, file)

    async def _ask(self, url: str, kind: FetchKind) -> tuple[int | None, str | None, bytes | None]:
        """Fetch a file under the same rules as any page; return status, reason for a missing body, and body."""
        try:
            response = await self._fetch(url, kind)
        except (HostPausedError, DenylistedError, RobotsUnreachableError, StoppingError, NewscrawlerError):
            if kind is FetchKind.TDM:
                raise  # the page itself would fail, too
            return None, "the host is paused", None
        except ForbiddenByRobotsError:
            return None, _FORBIDDEN, None
        except Exception as error:
            logger.debug("%s cannot be fetched", url, exc_info=error)
            return None, str(find_failure(error).reason)[:300], None
        if not 200 <= response.status < 300:
            return response.status, f"HTTP status {response.status}", None
        return response.status, None, response.body

    async def _fetch(self, url: str, kind: FetchKind) -> Response:
        """Follow redirects, each under the rules of its target."""
        for _ in range(MOST_REDIRECTS + 1):
            response = await send_request(self._crawler, url, kind, meta={"download_maxsize": MOST_BYTES}, priority=1000)
            if (target := find_redirect_target(response)) is None:
                break
            url = target
        return response


_FORBIDDEN = "robots.txt forbids to ask for it"


def _is_old(known: _Known, robots: RobotsRules) -> bool:
    changed = known.robots is not robots and (known.robots.usage, known.robots.licenses) != (robots.usage, robots.licenses)
    return changed or known.expires_at <= datetime.now(UTC)


def _list_wanted(
    origin: str, robots: RobotsRules, rules: TdmRules, files: dict[str, RightsFile], *, noting: bool
) -> Iterator[tuple[str, DocumentKind]]:
    """Yield the files that an origin declares, unknown ones first; then those that are only recorded."""
    declared = [(urljoin(f"{origin}/", url), DocumentKind.RSL) for url in robots.licenses]
    declared += [(urljoin(f"{origin}/", rule.policy), DocumentKind.ODRL) for rule in rules.rules if rule.policy and rule.reserved]
    web = [(url, kind) for url, kind in dict.fromkeys(declared) if urlsplit(url).scheme in {"http", "https"} and len(url) <= 500]
    yield from sorted(web, key=lambda each: each[0] in files)
    if noting:  # from the second crawl on, as most origins have neither
        yield from ((f"{origin}{path}", kind) for path, kind in _NOTED.items())


def _is_due(file: RightsFile | None, now: datetime) -> bool:
    return file is None or file.expires_at <= now


def _get_documents(files: dict[str, RightsFile]) -> dict[str, tuple[DocumentKind, bytes | None, str]]:
    return {url: (DocumentKind(file.kind), file.body, file.because or "") for url, file in files.items()}
