"""Reservations of publishers: checked before each request, and read from origin, headers and page of every response.

Of an origin, tdmrep.json is fetched once a day, and one licence, policy or other file in 20 hours.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection, Iterator
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
from newscrawler.crawl.hosts.failures import RemovedError, ReservedError
from newscrawler.crawl.hosts.origin_files import LONGEST_CACHED
from newscrawler.crawl.hosts.shared_hosts import SharedHosts
from newscrawler.crawl.run.items import KIND, LEASE, LICENSES, ROBOTS_RULES, STATEMENTS
from newscrawler.politeness import PRODUCT_TOKEN, RobotsRules, get_origin
from newscrawler.politeness.rights import (
    NAMESPACE,
    ORIGIN_PLACES,
    WELL_KNOWN,
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
from newscrawler.store.articles import Removal
from newscrawler.store.hosts import OriginFile
from newscrawler.store.vocabularies import FetchKind, FrontierKind, OriginFileKind

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
            token=PRODUCT_TOKEN, disregard=frozenset(settings.getlist("RIGHTS_DISREGARD")),
            zone=ZoneInfo(settings["HOST_TIME_ZONE"]), intent=intent,
        )  # fmt: skip
        return cls(OriginOptOuts(shared, rights, crawler), rights)

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
#: Between two licences, policies or other files of one origin: one for each daily crawl.
FILE_INTERVAL = timedelta(hours=20)
#: Recorded without effect, since neither is a standard.
_NOTED = {"/ai.txt": OriginFileKind.AI_TXT, "/trust.txt": OriginFileKind.TRUST_TXT}
_LICENSES = frozenset({OriginFileKind.RSL, OriginFileKind.RSL_FEED})


@dataclass(slots=True)
class _Known:
    """The opt-outs of one origin that this process knows."""

    robots: RobotsRules
    statements: OriginPolicies
    files: dict[str, OriginFile]
    expires_at: datetime


class OriginOptOuts:
    """Statements of origins, for one crawler."""

    def __init__(self, shared: SharedHosts, rights: PageRights, crawler: Crawler) -> None:
        self._kept = shared.store.rights
        self._hosts = shared.store.hosts
        self._files = shared.files
        self._database = shared.database
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
        task = self._known.get(origin)
        if task is not None and task.done() and (task.cancelled() or task.exception() or _is_old(task.result(), robots)):
            task = None
        if task is None:
            task = self._known[origin] = asyncio.ensure_future(self._look_up(origin, robots))
        return (await asyncio.shield(task)).statements

    async def get_removals(self) -> list[Removal]:
        """Return the removals that operators of portals requested."""
        return await self._database.run(self._kept.removals)

    async def get_license(self, origin: str, url: str) -> RslDocument:
        """Return a licence that a page declares; fetch it unless another file of the origin was fetched lately."""
        files = await self._get_files(origin)
        try:
            async with self._asking[origin]:
                await self._ask_one(origin, iter([(url, OriginFileKind.RSL)]), files)
        except Exception as error:  # the page itself was fetched
            logger.debug("licence %s", url, exc_info=error)
        return read_license(url, _get_texts(files, _LICENSES))

    async def save_feed(self, origin: str, url: str, licenses: bytes) -> None:
        """Store the licences that a feed contains; they apply to requests from now on."""
        now = datetime.now(UTC)
        before = (await self._get_files(origin)).get(url[:500])
        if before is None or before.body != licenses:
            file = OriginFile(
                url=url[:500], origin=origin, kind=OriginFileKind.RSL_FEED, status=200, body=licenses,
                asked_at=now - FILE_INTERVAL, expires_at=now + LONGEST_CACHED, said_since=now,
            )  # fmt: skip
            await self._database.run(self._hosts.save_file, file)
            self._known.pop(origin, None)

    async def _get_files(self, origin: str) -> dict[str, OriginFile]:
        task = self._known.get(origin)
        return (await asyncio.shield(task)).files if task is not None else {}

    async def _look_up(self, origin: str, robots: RobotsRules) -> _Known:
        tdm = await self._files.get(f"{origin}{WELL_KNOWN}", OriginFileKind.TDM, self._crawler, origin=origin)
        rules = read_tdm_file(tdm.body or b"")
        found = await self._database.run(partial(self._hosts.files, origin=origin))
        files = {file.url: file for file in found if file.kind not in {OriginFileKind.ROBOTS, OriginFileKind.TDM}}
        is_met_again = tdm.asked_at - tdm.said_since >= FILE_INTERVAL
        async with self._asking[origin]:
            await self._ask_one(origin, _list_wanted(origin, robots, rules, files, noting=is_met_again), files)
        feeds = [file.url for file in files.values() if file.kind is OriginFileKind.RSL_FEED]
        declared = [urljoin(f"{origin}/", url) for url in robots.licenses]
        policies = _get_texts(files, {OriginFileKind.ODRL})
        statements = collect_origin_policies(rules, robots.usage, [*declared, *feeds], _get_texts(files, _LICENSES), policies)
        now = datetime.now(UTC)
        noted = [(file.kind, file.url) for file in files.values() if file.kind in _NOTED.values() and file.body is not None]
        lines = [*statements.list_lines(), *noted]
        if await self._database.run(self._kept.note_statements, origin, lines, now=now):
            find_reservations = partial(statements.list_reservations, research=self._research)
            changed = await self._database.run(self._kept.restate, origin, find_reservations, ORIGIN_PLACES, now=now)
            logger.info("%s says something else of its pages; the records of %d stored ones were changed", origin, changed)
        return _Known(robots=robots, statements=statements, files=files, expires_at=tdm.expires_at)

    async def _ask_one(self, origin: str, wanted: Iterator[tuple[str, OriginFileKind]], files: dict[str, OriginFile]) -> None:
        """Fetch the first wanted file, unless another file of the origin was fetched lately."""
        now = datetime.now(UTC)
        if any(now - file.asked_at < FILE_INTERVAL for file in files.values()):
            return
        for url, kind in wanted:
            before = files.get(url)
            if before is None or before.expires_at <= now:
                files[url] = await self._files.request(url, kind, self._crawler, origin=origin, before=before)
                return


def _is_old(known: _Known, robots: RobotsRules) -> bool:
    changed = known.robots is not robots and (known.robots.usage, known.robots.licenses) != (robots.usage, robots.licenses)
    return changed or known.expires_at <= datetime.now(UTC)


def _list_wanted(
    origin: str, robots: RobotsRules, rules: TdmRules, files: dict[str, OriginFile], *, noting: bool
) -> Iterator[tuple[str, OriginFileKind]]:
    """Yield the files that an origin declares, unknown ones first; then those that are only recorded."""
    declared = [(urljoin(f"{origin}/", url), OriginFileKind.RSL) for url in robots.licenses]
    policies = [rule.policy for rule in rules.rules if rule.policy and rule.reserved]
    declared += [(urljoin(f"{origin}/", url), OriginFileKind.ODRL) for url in policies]
    web = [(url, kind) for url, kind in dict.fromkeys(declared) if urlsplit(url).scheme in {"http", "https"} and len(url) <= 500]
    yield from sorted(web, key=lambda each: each[0] in files)
    if noting:  # from the second crawl on, as most origins have neither
        yield from ((f"{origin}{path}", kind) for path, kind in _NOTED.items())


def _get_texts(files: dict[str, OriginFile], kinds: Collection[OriginFileKind]) -> dict[str, tuple[bytes | None, str]]:
    return {url: (file.body, file.because or "") for url, file in files.items() if file.kind in kinds}
