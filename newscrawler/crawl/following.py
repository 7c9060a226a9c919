"""Which links of a page go into the frontier, as what, and in which order they are to be fetched."""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.config.portal import Portal
from newscrawler.discovery.links import FoundLink, head_links_of, links_of
from newscrawler.page import Document
from newscrawler.store import FoundUrl
from newscrawler.urls import CLASSIFIERS, Classifier, Link, Scope, UrlKind

#: Kinds of "other" page that never lead to an article that nothing else leads to; they are not asked for.
NEVER_FETCHED = frozenset({
    "asset", "login", "search", "share", "comments", "print", "shop", "feed", "redirect", "trap", "mail", "api", "calendar",
})  # fmt: skip
#: Smaller is fetched earlier. Likely articles first, then the listings that bring more of them, the rest last.
PRIORITY = {"start": 0, "article": 10, "section": 20, "pagination": 25, "other": 60}
#: Added for a link further from the start, up to this.
_MOST_DEPTH_PENALTY = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Turns the links of a page into URLs for the frontier."""

    scope: Scope
    classifier: Classifier
    max_depth: int | None = None

    @classmethod
    def of(cls, portal: Portal) -> Following:
        """Make it for a portal."""
        scope = Scope.of(portal.start_urls, portal.hosts, portal.include, portal.exclude)
        return cls(scope=scope, classifier=CLASSIFIERS[portal.classifier], max_depth=portal.max_depth)

    def start(self, urls: tuple[str, ...]) -> tuple[FoundUrl, ...]:
        """What a crawl begins with."""
        return tuple(FoundUrl(url=url, kind="start", priority=PRIORITY["start"], depth=0) for url in urls)

    def links(self, page: Document, *, depth: int) -> tuple[FoundUrl, ...]:
        """Everything on a page that is in scope and not known to be useless, in page order."""
        if self.max_depth is not None and depth >= self.max_depth:
            return ()
        head = head_links_of(page)
        further = {url for url in (head.next,) if url}
        found = [self._judge(link, page, depth + 1, further) for link in links_of(page)]
        known = {item.url for item in found if item}
        found += [self._judge(FoundLink(url=url, where="pagination"), page, depth + 1, further) for url in further - known]
        return tuple(item for item in found if item)

    def redirected(self, url: str, *, kind: str, why: str | None, priority: int, depth: int, hops: int) -> FoundUrl | None:
        """Where a redirect leads; None: out of scope."""
        if not self.scope.allows(url):
            return None
        return FoundUrl(url=url, kind=kind, why=why, priority=priority, depth=depth, hops=hops)

    def _judge(self, link: FoundLink, page: Document, depth: int, further: set[str]) -> FoundUrl | None:
        if not link.followable or not self.scope.allows(link.url):
            return None
        verdict = self.classifier(Link(href=link.url, page_url=page.url or "", anchor=link.anchor, where=link.where))
        further_page = (link.url in further or "next" in link.rel) and verdict.label is not UrlKind.ARTICLE
        if further_page or verdict.why == "pagination":  # rel=next of an article is often the next article
            return self._found(link.url, "section", "pagination", PRIORITY["pagination"], depth)
        if verdict.label is UrlKind.OTHER and verdict.why in NEVER_FETCHED:
            return None
        kind = "other" if verdict.label is UrlKind.EXTERNAL else str(verdict.label)
        why = verdict.why if verdict.label is UrlKind.OTHER else None
        return self._found(link.url, kind, why, PRIORITY[kind], depth)

    def _found(self, url: str, kind: str, why: str | None, priority: int, depth: int) -> FoundUrl:
        penalty = min(depth, _MOST_DEPTH_PENALTY) if kind != "article" else 0
        return FoundUrl(url=url, kind=kind, why=why, priority=priority + penalty, depth=depth, again=why == "pagination")
