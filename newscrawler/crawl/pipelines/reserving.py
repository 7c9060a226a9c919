"""Lets go of what the publisher reserves: the text, and copies of the page as it came."""

from __future__ import annotations

from newscrawler.crawl.item import FetchedUrl


class Reserving:
    """Stands between reading and storing; behind it nothing knows the text of a page that is not to be stored."""

    def process_item(self, item: FetchedUrl) -> FetchedUrl:
        """Refuse the article, and drop the copies, where the settings honour what was said."""
        if item.article is not None and item.decision.refusal is not None:
            item.reason, item.detail = item.decision.refusal, item.decision.told
            item.article, item.sketch, item.outcome = None, None, "nothing"
        if not item.decision.keeps_copies:
            item.raw = ()
        return item
