"""What the publisher reserves, asked before and read from every answer: tdmrep.json of the origin, header, page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Self
from urllib.parse import urljoin
from zoneinfo import ZoneInfo

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from newscrawler.article import Reservation
from newscrawler.config.portal import Portal
from newscrawler.crawl.failures import failure_of
from newscrawler.crawl.politeness import Politeness
from newscrawler.crawl.refusals import (
    DenylistedError,
    ForbiddenByRobotsError,
    HostPausedError,
    RobotsUnreachableError,
    StoppingError,
)
from newscrawler.crawl.request_meta import CLAIMED, KIND, TDM_RULES
from newscrawler.crawl.threads import DatabaseThread
from newscrawler.errors import NewscrawlerError
from newscrawler.page import Document
from newscrawler.politeness.names import origin_of
from newscrawler.politeness.robots import PRODUCT_TOKEN
from newscrawler.rights import FIELDS, WELL_KNOWN, PageRights, TdmRules, read_tdm_file, tdm_choice
from newscrawler.store.outcomes import FrontierKind
from newscrawler.store.rights import Rights
from newscrawler.store.rights_records import TdmFile
from newscrawler.store.vocabularies import FetchKind

logger = logging.getLogger(__name__)

#: tdmrep.json is asked for once a day, and sooner again where it could not be had.
KEPT = timedelta(hours=24)
KEPT_AFTER_FAILURE = timedelta(hours=1)
MOST_REDIRECTS = 5


class ReservedError(IgnoreRequest):
    """The origin reserves text mining for this URL, so that asking for it would be in vain."""

    def __init__(self, reservation: Reservation) -> None:
        super().__init__(f"{reservation.place} {reservation.said}")
        self.reservation = reservation


def rights_of(portal: Portal) -> PageRights:
    """How this portal's pages are read for reservations."""
    return PageRights(token=PRODUCT_TOKEN, disregard=portal.disregard, zone=ZoneInfo(portal.time_zone))


def said_of(response: Response, page: Document | None, rights: PageRights) -> tuple[Reservation, ...]:
    """Everything that an answer reserves, with what its origin says in tdmrep.json."""
    rules: TdmRules = response.meta.get(TDM_RULES) or TdmRules()
    return rights.said(response.url, rules=rules, headers=_fields(response), meta=page.meta if page is not None else {})


def _fields(response: Response) -> Mapping[str, Sequence[str]]:
    found = {name: response.headers.getlist(name) for name in FIELDS}
    return {name: [value.decode("latin-1") for value in values] for name, values in found.items() if values}


class RightsMiddleware:
    """Asks each origin for its tdmrep.json before the first page of it, and lets no request pass that would be in vain."""

    def __init__(self, files: Rights, database: DatabaseThread, rights: PageRights, crawler: Crawler) -> None:
        self._kept = files
        self._database = database
        self._rights = rights
        self._crawler = crawler
        self._files: dict[str, asyncio.Task[TdmFile]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take HOSTS_DATABASE, RIGHTS_DISREGARD and HOST_TIME_ZONE from the settings."""
        shared, settings = Politeness.of_crawler(crawler), crawler.settings
        rights = PageRights(
            token=PRODUCT_TOKEN,
            disregard=frozenset(settings.getlist("RIGHTS_DISREGARD")),
            zone=ZoneInfo(settings["HOST_TIME_ZONE"]),
        )
        return cls(shared.store.rights, shared.database, rights, crawler)

    async def process_request(self, request: Request) -> None:
        """Let a request pass, or refuse it; the rules of its origin go along with it.

        Raises:
            ReservedError: the text of the page could not be stored, and its links are not needed.
        """
        if request.meta.get(KIND) in {FetchKind.ROBOTS, FetchKind.TDM}:
            return
        claimed = request.meta.get(CLAIMED)
        rules = await self._rules_of(origin_of(request.url))
        request.meta[TDM_RULES] = rules
        choice = tdm_choice(request.url, rules, {}, {})
        if choice is None or choice.granted or not self._counts(choice):
            return
        if claimed is None or claimed.kind == FrontierKind.ARTICLE or rules.reserves_everything:
            raise ReservedError(choice)

    def _counts(self, choice: Reservation) -> bool:
        return self._rights.decide([choice], datetime.now(UTC)).refusal is not None

    async def _rules_of(self, origin: str) -> TdmRules:
        task = self._files.get(origin)
        if task is None or (task.done() and (task.exception() or task.result().expires_at <= datetime.now(UTC))):
            task = self._files[origin] = asyncio.ensure_future(self._file(origin))
        file = await asyncio.shield(task)
        return TdmRules.from_lists(file.rules)

    async def _file(self, origin: str) -> TdmFile:
        """What the origin says: as it was kept, or asked for anew.

        Raises:
            StoreError: the database cannot be used.
        """
        kept = await self._database.run(partial(self._kept.tdm_file, origin))
        if kept is not None and kept.expires_at > datetime.now(UTC):
            return kept
        file = await self._ask(origin, kept)
        await self._database.run(partial(self._kept.save_tdm_file, file))
        return file

    async def _ask(self, origin: str, kept: TdmFile | None) -> TdmFile:
        status, because, rules = None, None, TdmRules()
        try:
            response = await self._fetch(f"{origin}{WELL_KNOWN}")
            status = response.status
            failed = status == 429 or status >= 500
            because = None if 200 <= status < 300 else f"HTTP status {status}"
            if because is None:
                rules = read_tdm_file(response.body)
                because = None if rules.rules else "it holds no rules"
        except (HostPausedError, DenylistedError, RobotsUnreachableError, StoppingError, NewscrawlerError):
            raise  # as it would be for the page itself
        except ForbiddenByRobotsError:
            failed, because = False, "robots.txt forbids to ask for it"
        except Exception as error:
            logger.debug("%s%s cannot be had", origin, WELL_KNOWN, exc_info=error)
            failure = failure_of(error)
            failed, because = True, f"{failure.reason}: {failure.detail}".removesuffix(": ")[:300]
        now = datetime.now(UTC)
        lists = tuple((rule.location, rule.reserved, rule.policy) for rule in rules.rules)
        if failed and kept is not None:  # what it said before holds until it says something else
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

    async def _fetch(self, url: str) -> Response:
        """Ask under the same rules as for any page, redirects included."""
        assert self._crawler.engine is not None
        for _ in range(MOST_REDIRECTS + 1):
            request = Request(url, callback=NO_CALLBACK, meta={KIND: FetchKind.TDM}, priority=1000)
            response: Response = await self._crawler.engine.download_async(request)
            location = response.headers.get("Location")
            if not (300 <= response.status < 400 and location):
                break
            url = urljoin(url, location.decode("latin-1"))
        return response
