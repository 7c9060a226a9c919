"""Which articles a run requeues: corrected ones, ones that were refused too early, and ones that sitemaps no longer list."""

from __future__ import annotations

from datetime import datetime, timedelta

from newscrawler.crawl.policy.portal_profile import PortalProfile
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.discovery.corrections import chosen
from newscrawler.store import Frontier, Store

#: Older articles are not fetched again.
OLDEST_REVISIT = timedelta(days=60)


class Revisits:
    """Requeue articles of one run."""

    def __init__(self, portal: str, store: Store, database: DatabaseThread, profile: PortalProfile) -> None:
        self._portal = portal
        self._store = store
        self._database = database
        self._profile = profile
        #: Pages that had been fetched when refused ones were last requeued.
        self._pages: int | None = None
        self._has_requeued_vanished = False

    def requeue_corrected(self, frontier: Frontier, now: datetime) -> None:
        """Requeue articles that may have been corrected, in proportion to the time since the last crawl."""
        recent = list(frontier.recent_articles(now - OLDEST_REVISIT))
        began = [run.started_at for run in self._store.runs.latest(self._portal, limit=2)][1:]
        days = (now - began[0]) / timedelta(days=1) if began else 0.0
        frontier.requeue([recent[place].url_id for place in chosen(recent, now, days=days)])

    async def requeue(self, frontier: Frontier, pages: int) -> bool:
        """Requeue pages once the frontier is empty; False: there are none.

        Args:
            frontier: of the run.
            pages: that the run has fetched so far.
        """
        return await self._requeue_refused(frontier, pages) or await self._requeue_vanished(frontier)

    async def _requeue_refused(self, frontier: Frontier, pages: int) -> bool:
        """Requeue pages that were refused before their URL pattern was known as one of articles."""
        if pages == self._pages or not self._profile.expects_articles():
            return False
        self._pages = pages
        return await self._database.run(frontier.requeue_refused, self._profile.expects_article) > 0

    async def _requeue_vanished(self, frontier: Frontier) -> bool:
        """Requeue, once in a run, the articles that sitemaps no longer list."""
        if self._has_requeued_vanished:
            return False
        self._has_requeued_vanished = True
        return await self._database.run(frontier.requeue_vanished) > 0
