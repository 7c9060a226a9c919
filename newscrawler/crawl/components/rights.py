"""Reservations of publishers: checked before each request, and read from origin, headers and page of every answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import Self
from urllib.parse import urljoin
from zoneinfo import ZoneInfo

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from newscrawler.article import Reservation
from newscrawler.config.portal import Configuration, Portal
from newscrawler.crawl.hosts.failures import RemovedError, ReservedError
from newscrawler.crawl.hosts.shared_hosts import SharedHosts
from newscrawler.crawl.reading.opt_outs import DOCUMENT_KINDS, OriginRights
from newscrawler.crawl.run.items import CLAIMED, KIND, LICENSES, ROBOTS_RULES, STATEMENTS
from newscrawler.page import Document
from newscrawler.politeness.names import origin_of
from newscrawler.politeness.rights import (
    FIELDS,
    NAMESPACE,
    Intent,
    OriginStatements,
    PageRights,
    Purpose,
    feed_licenses,
    license_in_header,
    license_in_page,
)
from newscrawler.politeness.robots import PRODUCT_TOKEN, RobotsRules
from newscrawler.store.articles.rights_records import Removal
from newscrawler.store.vocabularies.outcomes import FrontierKind

_NAMESPACE = NAMESPACE.encode()
#: Removals are read from the database again after this.
READ_AGAIN_SECONDS = 60.0


def rights_of(portal: Portal, configuration: Configuration) -> PageRights:
    """Return how reservations of the portal's pages are read."""
    return PageRights(token=PRODUCT_TOKEN, disregard=portal.disregard, zone=ZoneInfo(portal.time_zone), intent=configuration.intent)


def said_of(response: Response, page: Document | None, rights: PageRights) -> tuple[Reservation, ...]:
    """Return all reservations of an answer, those of its origin included."""
    return rights.said(
        response.url,
        origin=response.meta.get(STATEMENTS) or OriginStatements(),
        headers=_fields(response),
        meta=page.meta if page is not None else {},
        licenses=response.meta.get(LICENSES, ()),
    )


def _fields(response: Response) -> Mapping[str, Sequence[str]]:
    found = {name: response.headers.getlist(name) for name in FIELDS}
    return {name: [value.decode("latin-1") for value in values] for name, values in found.items() if values}


class RightsMiddleware:
    """Downloader middleware that reads an origin's statements before its first page, and refuses requests that it reserves."""

    def __init__(self, origins: OriginRights, rights: PageRights) -> None:
        self._origins = origins
        self._rights = rights
        self._removals: list[Removal] = []
        self._removals_read_at = -READ_AGAIN_SECONDS

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take HOSTS_DATABASE, RIGHTS_DISREGARD, RIGHTS_PURPOSE, RIGHTS_LEGAL_BASIS and HOST_TIME_ZONE from the settings."""
        shared, settings = SharedHosts.of_crawler(crawler), crawler.settings
        intent = Intent(
            purposes=frozenset(map(Purpose, settings.getlist("RIGHTS_PURPOSE"))), legal_basis=settings["RIGHTS_LEGAL_BASIS"] or None
        )
        rights = PageRights(
            token=PRODUCT_TOKEN,
            disregard=frozenset(settings.getlist("RIGHTS_DISREGARD")),
            zone=ZoneInfo(settings["HOST_TIME_ZONE"]),
            intent=intent,
        )
        return cls(OriginRights(shared.store.rights, shared.database, rights, crawler), rights)

    async def process_request(self, request: Request) -> None:
        """Refuse a request whose origin reserves its use; other requests carry the statements in their meta.

        Raises:
            RemovedError: its operator requested its removal.
            ReservedError: the text of the page could not be stored, and its links are not needed.
        """
        if request.meta.get(KIND) in DOCUMENT_KINDS:
            return
        await self._refuse_removed(request.url)
        claimed = request.meta.get(CLAIMED)
        robots: RobotsRules = request.meta.get(ROBOTS_RULES) or RobotsRules()
        statements = await self._origins.statements(origin_of(request.url), robots)
        request.meta[STATEMENTS] = statements
        research = self._rights.intent.legal_basis is not None
        decision = self._rights.decide(statements.reservations(request.url, research=research), datetime.now(UTC))
        if decision.refusal is None or decision.because is None:
            return
        alone = claimed is None or claimed.kind == FrontierKind.ARTICLE
        if alone or statements.is_uniform or statements.tdm.reserves_everything:
            raise ReservedError(decision.because, decision.refusal)

    async def _refuse_removed(self, url: str) -> None:
        if monotonic() - self._removals_read_at >= READ_AGAIN_SECONDS:
            self._removals = await self._origins.removals()
            self._removals_read_at = monotonic()
        for removal in self._removals:
            if removal.covers(url):
                raise RemovedError(f"asked on {removal.asked_at:%Y-%m-%d}: {removal.because}")

    async def process_response(self, request: Request, response: Response) -> Response:
        """Read the licence that a page or feed declares; at most one file of an origin is fetched in 20 hours."""
        if request.meta.get(KIND) in DOCUMENT_KINDS or response.status != 200:
            return response
        fields = [value.decode("latin-1") for value in response.headers.getlist("Link")]
        named = license_in_header(fields) or license_in_page(response.body)
        if named is not None:
            document = await self._origins.license(origin_of(request.url), urljoin(response.url, named))
            request.meta[LICENSES] = (document,)
        elif _NAMESPACE in response.body and (licenses := feed_licenses(response.body)) is not None:
            await self._origins.save_feed(origin_of(request.url), response.url, licenses)
        return response
