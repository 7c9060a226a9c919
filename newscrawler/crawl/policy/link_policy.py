"""Which links of a page go into the frontier, with which kind and priority."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from urllib.parse import urlsplit

from newscrawler.config.portal import Portal
from newscrawler.crawl.policy.portal_pages import PortalPages
from newscrawler.crawl.policy.portal_profile import PortalProfile
from newscrawler.discovery import (
    FeedEntry,
    FoundLink,
    HeadLinks,
    MonthArchives,
    SitemapEntry,
    find_next_posts,
    find_pagination,
    find_posts,
    find_section_feeds,
    list_usual_feeds,
    list_usual_sitemaps,
    make_improbable_url,
    read_feed,
)
from newscrawler.discovery.urls import (
    CLASSIFIERS,
    Classifier,
    PageLink,
    Scope,
    UrlKind,
    UrlVerdict,
    canonicalize_or_none,
    find_category,
    find_trap,
    is_other_form,
    make_same_page_key,
    split_address,
)
from newscrawler.errors import PageReason
from newscrawler.extraction.body.anchored_articles import anchors_in
from newscrawler.extraction.dates import DateContext
from newscrawler.page import Document
from newscrawler.politeness.rights import LINKS
from newscrawler.store.frontier import LOOK_PRIORITY, FoundUrl, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, Reason

#: Kinds of "other" page that are never fetched: without text, or with side effects.
NEVER_FETCHED = frozenset({
    "api", "app", "asset", "comments", "donate", "feed", "login", "mail", "newsletter", "print", "search", "share", "shop", "sort",
    "subscribe",
})  # fmt: skip
#: Kinds that lead to no article; fetched only if the URL may be an article's nevertheless.
RARELY_FETCHED = frozenset({
    "about", "advertising", "classifieds", "contact", "coupon", "epaper", "games", "help", "horoscope", "jobs", "legal", "tv",
    "weather",
})  # fmt: skip
_MAYBE_AN_ARTICLE = 0.2
MOST_FEEDS = 5
#: Feeds of sections of a portal; a section that links to so many articles needs none.
MOST_SECTION_FEEDS, FEW_ARTICLES = 20, 5
#: Usual URLs of feeds that are tried if nothing names one.
MOST_USUAL = 2
_COMMENTS = re.compile(r"comment|koment|reply|odpov", re.IGNORECASE)
#: Kinds whose pages are stored as articles only if they declare themselves one.
HARDLY_ARTICLES = RARELY_FETCHED | {"archive", "author", "pagination", "sitemap", "tag"}
_OTHER_PAGES = NEVER_FETCHED | RARELY_FETCHED | HARDLY_ARTICLES
#: Source of an entry's date in the article's record.
_HINTS = {"feed": "feed", "sitemap": "news sitemap"}
#: Sources that list articles only.
LISTED = frozenset(_HINTS.values())
#: Smaller is fetched earlier: likely articles, then listings, then the rest.
PRIORITY = {
    "start": 0, "probe": 1, "feed": 2, "sample": 3, "sitemap": 4, "article": 10, "section": 20, "pagination": 25,
    "look": LOOK_PRIORITY, "quiet sitemap": 45, "archive": 50, "late sitemap": 55, "other": 60,
}  # fmt: skip
#: Added for a link further from the start, up to this.
_MOST_DEPTH_PENALTY = 9
#: Limits of pages whose anchors are remembered, and of anchors of each.
_MOST_ANCHORED, _MOST_ANCHORS = 2_000, 200
#: Articles that are remembered to recognise their other forms, which are mostly linked soon after them.
_MOST_REMEMBERED = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPolicy:
    """Turns the links of a page into URLs for the frontier."""

    scope: Scope
    classifier: Classifier
    max_depth: int | None = None
    #: Pages, feeds and robots.txt lead to further URLs; not so in a collection.
    follows_links: bool = True
    #: What was learned of the portal's patterns; corrects the classifier.
    profile: PortalProfile = field(default_factory=PortalProfile)
    #: A date in a URL far after this is of an endless calendar.
    today: date | None = None
    #: Hashes of the keys (`make_same_page_key`) of articles that were linked lately.
    articles: set[int] = field(default_factory=set)
    #: Anchors of pages to which other pages link, which may be articles of their own.
    anchors: dict[str, set[str]] = field(default_factory=dict)
    #: Feeds that the start pages name, and those of sections that were taken.
    start_feeds: set[str] = field(default_factory=set)
    taken_feeds: set[str] = field(default_factory=set)
    #: Archives by days, whose months may have pages too.
    months: MonthArchives = field(default_factory=MonthArchives)
    #: Kinds of lists with entries so far.
    lists: set[FrontierKind] = field(default_factory=set)
    #: Recognises pages about the portal.
    portal_pages: PortalPages = field(default_factory=PortalPages)
    #: How dates of the portal's listings are read.
    date_context: DateContext = field(default_factory=DateContext)
    #: rel=nofollow of links does not count.
    follows_nofollow: bool = False
    #: Cookies that pages set are sent back.
    cookies: bool = False
    #: Folders of the whole portal with names that mean other kinds of pages elsewhere: `presse/`, `about/`.
    home: str = ""
    #: Articles of other hosts are fetched, too; their links are not followed.
    external_pages: bool = False

    @classmethod
    def of(cls, portal: Portal, *, today: date | None = None) -> LinkPolicy:
        """Make it for a portal."""
        scope = Scope.of(portal.start_urls, portal.hosts, portal.include, portal.exclude, exact_hosts=portal.exact_hosts)
        return cls(
            scope=scope,
            classifier=CLASSIFIERS[portal.classifier],
            max_depth=portal.max_depth,
            today=today,
            date_context=DateContext(time_zone=portal.time_zone, language=portal.language),
            follows_nofollow=LINKS in portal.disregard,
            cookies=portal.cookies,
            home=_find_misleading_home(portal.start_urls),
            external_pages=portal.external_pages,
        )

    def start(self, urls: tuple[str, ...]) -> tuple[FoundUrl, ...]:
        """Return the start URLs and the usual sitemaps."""
        starts = (FoundUrl(url=url, kind=FrontierKind.START, priority=PRIORITY["start"], depth=0) for url in urls)
        return (*starts, *self.sitemaps(usual for url in urls for usual in list_usual_sitemaps(url)[:1]))

    def links(self, page: Document, links: Sequence[FoundLink], head: HeadLinks, *, claimed: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return the links of a page that are in scope and not known to be useless, in page order."""
        self.portal_pages.saw_links(links)
        if self.max_depth is not None and claimed.depth >= self.max_depth:
            return ()
        here = page.url or ""
        if self.is_external(here):
            return ()
        further = frozenset(find_pagination(here, links, head).further)
        listed = {link.url for link in links}
        more = [FoundLink(url=url, where="pagination") for url in further if url not in listed]
        found = (self._as_found(link, here, claimed.depth + 1, further) for link in (*links, *more))
        kept = tuple(item for item in found if item)
        if claimed.kind == FrontierKind.OTHER:  # the second page of a tag is a tag page too
            return tuple(
                replace(item, kind=FrontierKind.OTHER, why=claimed.why) if item.why == "pagination" else item for item in kept
            )
        return kept

    def saw_anchors(self, page: Document) -> None:
        """Note the anchors of other pages to which a page links."""
        for address, anchor in anchors_in(page):
            url = canonicalize_or_none(address)
            if url and self.scope.allows(url) and (url in self.anchors or len(self.anchors) < _MOST_ANCHORED):
                known = self.anchors.setdefault(url, set())
                if len(known) < _MOST_ANCHORS:
                    known.add(anchor)

    def archives(self, url: str, found: Sequence[FoundUrl], *, claimed: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return the month of a day without articles, or the last day before a month that lists its days' articles."""
        articles = frozenset(each.url for each in found if each.kind == FrontierKind.ARTICLE)
        if self.months.is_month(url):
            leads = self.months.saw_month(url, articles, goes_on=any(each.why == "pagination" for each in found))
        else:
            leads = self.months.saw_day(url, articles)
        if leads is None or not self.scope.allows(leads):
            return ()
        return (self._found(leads, FrontierKind.SECTION, None, PRIORITY["article"], claimed.depth),)

    def feeds(self, head: HeadLinks, *, claimed: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return the feeds that a start page names, without those of comments."""
        if claimed.kind != FrontierKind.START:
            return ()
        self.start_feeds.update(url for url, _ in head.feeds)
        if not head.feeds:
            return tuple(self._list(FrontierKind.FEED, url) for url in list_usual_feeds(claimed.url)[:MOST_USUAL])
        return tuple(self._list(FrontierKind.FEED, url) for url in self._wanted(head)[:MOST_FEEDS])

    def _wanted(self, head: HeadLinks) -> list[str]:
        return [url for url, title in head.feeds if self.scope.allows(url) and not _COMMENTS.search(f"{url} {title}")]

    def section_feeds(
        self, page: Document, head: HeadLinks, found: Sequence[FoundUrl], *, claimed: LeasedUrl
    ) -> tuple[FoundUrl, ...]:
        """Return the feed of a section that links to few articles: named by its page, or usual for its publishing system."""
        articles = sum(each.kind == FrontierKind.ARTICLE for each in found)
        is_section = claimed.kind == FrontierKind.SECTION and claimed.why is None
        if not is_section or articles >= FEW_ARTICLES or FrontierKind.SITEMAP in self.lists:
            return ()
        named = [url for url in self._wanted(head) if url not in self.start_feeds]
        urls = (named or [url for url in find_section_feeds(page) if self.scope.allows(url)])[:1]
        fresh = [url for url in urls if url in self.taken_feeds or len(self.taken_feeds) < MOST_SECTION_FEEDS]
        self.taken_feeds.update(fresh)
        return tuple(self._list(FrontierKind.FEED, url) for url in fresh)

    def posts(self, page: Document, *, claimed: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return the publishing system's list of posts, if neither feed nor sitemap has named articles so far."""
        if self.has_lists or claimed.kind in {FrontierKind.START, FrontierKind.OTHER}:
            return ()
        urls = [url for url in find_posts(page) if self.scope.allows(url)]
        return tuple(self._found(url, FrontierKind.SECTION, None, PRIORITY["pagination"], claimed.depth + 1) for url in urls)

    def further_posts(self, url: str, found: int, *, claimed: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return the next page of the publishing system's list of posts, if this one was full."""
        following = find_next_posts(url, found)
        if following is None or not self.scope.allows(following):
            return ()
        return (self._found(following, FrontierKind.SECTION, "pagination", PRIORITY["pagination"], claimed.depth + 1),)

    @property
    def has_lists(self) -> bool:
        """Return whether a feed or sitemap has named articles."""
        return bool(self.lists)

    def probe(self, url: str, now: datetime) -> tuple[FoundUrl, ...]:
        """Return a URL that does not exist, if it is unknown what the portal answers for one."""
        if not self.profile.wants_missing_page(now):
            return ()
        return (self._list(FrontierKind.PROBE, make_improbable_url(url, now)),)

    def sitemaps(
        self, urls: Iterable[str], *, depth: int = 0, late: bool = False, changed_at: datetime | None = None
    ) -> tuple[FoundUrl, ...]:
        """Return sitemaps of robots.txt, of an index or at usual URLs.

        Args:
            urls: theirs.
            depth: the indexes that led to them.
            late: priority after the archive.
            changed_at: their last change by their index.
        """
        canonical = (canonicalize_or_none(url) for url in urls if self.follows_links)
        made = (self._list(FrontierKind.SITEMAP, url) for url in canonical if url and self.scope.allows(url))
        priority = PRIORITY["late sitemap" if late else "sitemap"]
        return tuple(replace(each, depth=depth, priority=priority, changed_at=changed_at) for each in made)

    def read_entries(
        self, claimed: LeasedUrl, body: bytes, url: str, content_type: str | None, zone: tzinfo
    ) -> tuple[tuple[FoundUrl, ...], str]:
        """Return the articles that a feed lists, and why it lists none."""
        feed = read_feed(body, url, content_type=content_type, time_zone=zone)
        return self.entries(((entry, PRIORITY["article"]) for entry in feed.entries), claimed=claimed), feed.problem

    def entries(self, entries: Iterable[tuple[FeedEntry | SitemapEntry, int]], *, claimed: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return the articles that a feed or sitemap lists, with their priorities; not its sections and tags."""
        found = []
        for entry, priority in entries:
            self.lists.add(claimed.kind)
            if not self.scope.allows(entry.url) or find_trap(entry.url, self.today):
                continue
            verdict = self.classifier(
                PageLink(href=self._at_home(entry.url), page_url=claimed.url, anchor=entry.title, where="main")
            )
            listed_as_news = claimed.kind == FrontierKind.FEED or entry.published_at is not None
            if verdict.label is not UrlKind.ARTICLE and not listed_as_news:
                continue
            hints = () if entry.published_at is None else ((_HINTS[claimed.kind], entry.published_at.isoformat()),)
            found.append(
                FoundUrl(
                    url=entry.url,
                    kind=FrontierKind.ARTICLE,
                    priority=priority,
                    depth=1,
                    source=claimed.kind,
                    hints=hints,
                    changed_at=entry.modified_at,
                )
            )
        return tuple(found)

    def _list(self, kind: FrontierKind, url: str) -> FoundUrl:
        return FoundUrl(url=url, kind=kind, priority=PRIORITY[kind], depth=0)

    def redirected(self, url: str, claimed: LeasedUrl) -> FoundUrl | None:
        """Return the target of a redirect, with the hints of its source; None: out of scope."""
        if not self.scope.allows(url) and not (self.is_external(claimed.url) and canonicalize_or_none(url)):
            return None
        kind, why = claimed.kind, claimed.why
        priority = PRIORITY.get(why or "", PRIORITY.get(kind, PRIORITY["other"]))
        return FoundUrl(
            url=url, kind=kind, why=why, priority=priority, depth=claimed.depth, hops=claimed.hops + 1, hints=claimed.hints
        )

    def is_external(self, url: str) -> bool:
        """Return whether a page is of another host, whose links are not followed."""
        return self.external_pages and not self.scope.host_allowed(url)

    def _external(self, link: FoundLink, depth: int) -> FoundUrl | None:
        """Return a page of another host that may be an article by its address; excluded ones are not wanted."""
        url = canonicalize_or_none(link.url)
        if url is None or not self.is_external(url) or any(pattern.search(url) for pattern in self.scope.exclude):
            return None
        verdict = self.classifier(PageLink(href=url, page_url=url, anchor=link.anchor, where=link.where))
        if verdict.label is not UrlKind.ARTICLE or find_trap(url, self.today):
            return None
        return self._found(url, FrontierKind.ARTICLE, "external", PRIORITY["other"], depth)

    def _as_found(self, link: FoundLink, here: str, depth: int, further: frozenset[str]) -> FoundUrl | None:
        if not self.may_follow(link):
            return None
        if not self.scope.allows(link.url):
            return self._external(link, depth) if self.external_pages else None
        if self.profile.is_redundant(link.url):
            return None
        link = link._replace(url=self.profile.parameters.without(link.url))
        trap = find_trap(link.url, self.today)
        if trap is not None:
            skipped = Reason(PageReason.TRAP, trap)
            return FoundUrl(
                url=link.url, kind=FrontierKind.OTHER, why="trap", priority=PRIORITY["other"], depth=depth, skipped=skipped
            )
        at_home = self._at_home(link.url)
        verdict = self.classifier(PageLink(href=at_home, page_url=here, anchor=link.anchor, where=link.where))
        verdict, should_fetch = self.profile.assess(link.url, verdict)
        further_page = link.url in further and verdict.label is not UrlKind.ARTICLE
        if further_page or verdict.why == "pagination":  # rel=next of an article is often the next article
            return self._found(link.url, FrontierKind.SECTION, "pagination", PRIORITY["pagination"], depth)
        if verdict.label is UrlKind.OTHER and _is_useless(verdict):
            return None
        if verdict.label is UrlKind.SECTION and (word := _find_repeated_list(at_home)):
            return self._found(link.url, FrontierKind.OTHER, word, PRIORITY["other"], depth)
        if not should_fetch:
            self.profile.skipped(link.url)
            return None
        if verdict.label is UrlKind.ARTICLE and self._is_twin(link.url):
            return None
        kind = FrontierKind.OTHER if verdict.label is UrlKind.EXTERNAL else FrontierKind(verdict.label)
        why = verdict.why if verdict.label is UrlKind.OTHER else None
        return self._found(link.url, kind, why, PRIORITY[kind], depth)

    def _at_home(self, url: str) -> str:
        """Return a URL without the folders that all URLs of the portal share."""
        if not self.home:
            return url
        scheme, _, host, path = url.split("/", 3)
        return f"{scheme}//{host}/{path.removeprefix(self.home)}"

    def _is_twin(self, url: str) -> bool:
        """Return whether a link leads to the AMP, print or mobile form of an article that was linked before."""
        key = make_same_page_key(url)
        if key is None or is_other_form(url):
            return hash(key) in self.articles
        if len(self.articles) >= _MOST_REMEMBERED:
            self.articles.clear()
        self.articles.add(hash(key))
        return False

    def may_follow(self, link: FoundLink) -> bool:
        """Return whether a link may be followed: without nofollow, or if the portal disregards it."""
        return link.followable or self.follows_nofollow

    def _found(self, url: str, kind: FrontierKind, why: str | None, priority: int, depth: int) -> FoundUrl:
        penalty = min(depth, _MOST_DEPTH_PENALTY) if kind != FrontierKind.ARTICLE else 0
        return FoundUrl(url=url, kind=kind, why=why, priority=priority + penalty, depth=depth, again=why == "pagination")


def _find_misleading_home(start_urls: Sequence[str]) -> str:
    """Return the folders that all start URLs share, up to the last whose name means another kind of page."""
    paths = [urlsplit(url).path.strip("/").split("/") for url in start_urls]
    shared: list[str] = []
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1 or "." in names[0]:
            break
        shared.append(names[0])
    while shared and find_category(shared[-1]) not in _OTHER_PAGES:
        shared.pop()
    return "".join(f"{name}/" for name in shared)


def _find_repeated_list(url: str) -> str | None:
    """Return the kind of a list that only repeats sections: tag in `/cs/tag/voda/`, author in `/author/jana-nova`."""
    address = split_address(url)
    folders = address.path.strip("/").split("/")[:-1] if address is not None else []
    return next((word for part in folders if (word := find_category(part)) in {"tag", "author"}), None)


def _is_useless(verdict: UrlVerdict) -> bool:
    return verdict.why in NEVER_FETCHED or (verdict.why in RARELY_FETCHED and verdict.article_score < _MAYBE_AN_ARTICLE)
