"""Which links of a page go into the frontier, with which kind and priority."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from newscrawler.config import Portal
from newscrawler.crawl.policy.portal_pages import PortalPages
from newscrawler.crawl.policy.portal_profile import PortalProfile
from newscrawler.discovery import (
    FRESH,
    PRIORITY,
    FoundLink,
    Lead,
    LeadKind,
    Resolver,
    Source,
    SourcePortal,
    SourceResponse,
    estimate_date,
    make_improbable_url,
    make_sources,
    name_sitemaps,
    rank_article,
)
from newscrawler.discovery.urls import (
    CLASSIFIERS,
    SESSION,
    Classifier,
    PageLink,
    Scope,
    UrlKind,
    UrlVerdict,
    canonicalize,
    canonicalize_or_none,
    compute_prior,
    find_category,
    find_trap,
    is_name,
    is_other_form,
    make_same_page_key,
    remove_session,
    split_address,
)
from newscrawler.errors import PageReason
from newscrawler.politeness.rights import LINKS
from newscrawler.store.frontier import FoundUrl, LeasedUrl
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
#: Kinds of pages whose names mislead if the portal lies in such a folder.
_OTHER_PAGES = NEVER_FETCHED | RARELY_FETCHED | {"archive", "author", "pagination", "sitemap", "tag"}
#: Kinds that a link may have by its place on the page.
_LABELS = frozenset({"author", "tag"})
_ANOTHER_HOST = UrlVerdict(label=UrlKind.EXTERNAL, score=1.0, why="another host")
#: Source of an entry's date in the article's record.
_HINTS = {"feed": "feed", "sitemap": "news sitemap"}
#: Added for a link further from the start, up to this.
_MOST_DEPTH_PENALTY = 9
#: Articles that are remembered to recognise their other forms, which are mostly linked soon after them.
_MOST_REMEMBERED = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPolicy:
    """Decides which leads of the sources go into the frontier, with which kind and priority."""

    portal: Portal
    scope: Scope
    classifier: Classifier
    sources: tuple[Source, ...] = field(default_factory=make_sources)
    #: Pages, feeds and robots.txt lead to further URLs; not so in a collection.
    follows_links: bool = True
    #: Learned patterns of the portal; they correct the classifier.
    profile: PortalProfile = field(default_factory=PortalProfile)
    #: Recognises pages about the portal.
    portal_pages: PortalPages = field(default_factory=PortalPages)
    #: A date in a URL far after this is of an endless calendar.
    today: date | None = None
    #: Folders of the whole portal with names that mean other kinds of pages elsewhere: `presse/`, `about/`.
    home: str = ""
    #: The portal as the sources know it.
    outline: SourcePortal
    #: Hashes of the keys (`make_same_page_key`) of recently linked articles.
    _articles: set[int] = field(default_factory=set, init=False)

    @classmethod
    def of(cls, portal: Portal, *, today: date | None = None) -> LinkPolicy:
        """Make it for a portal."""
        include, exclude = ([each.pattern for each in patterns] for patterns in (portal.include, portal.exclude))
        scope = Scope.of(portal.start_urls, portal.hosts, include, exclude, exact_hosts=portal.exact_hosts)
        return cls(
            portal=portal, scope=scope, classifier=CLASSIFIERS[portal.classifier], today=today,
            home=_find_misleading_home(portal.start_urls), outline=outline_portal(portal, scope),
        )  # fmt: skip

    def start(self) -> tuple[FoundUrl, ...]:
        """Return the start URLs, and the first leads of the sources."""
        urls = self.outline.start_urls
        starts = (FoundUrl(url=url, kind=FrontierKind.START, priority=PRIORITY["start"], depth=0) for url in urls)
        leads = ((lead, source) for source in self.sources for lead in source.start(self.outline))
        admitted = (self._admit_list(lead, source, 0) for lead, source in leads)
        return (*starts, *(each for each in admitted if each is not None))

    def admit_sitemaps(self, urls: Iterable[str], base: str) -> tuple[FoundUrl, ...]:
        """Return the sitemaps of a robots.txt; relative addresses count from its own."""
        leads = name_sitemaps(filter(None, map(Resolver(base), urls)), self.outline) if self.follows_links else ()
        return tuple(self._found_list(lead, PRIORITY["sitemap"], 0) for lead in leads)

    def find(self, answer: SourceResponse, leased: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return the URLs to which a response leads: the admitted leads of all sources, in their order."""
        found: list[FoundUrl] = []
        for source in self.sources:
            admitted = [self._admit(lead, source, answer, leased) for lead in source.read(answer)]
            found += filter(None, admitted)
            answer.found = found
        return tuple(found)

    def get_entry(self, url: str) -> Lead | None:
        """Return the entry of a list that gives the text of an article; None: no list of this crawl does."""
        return next(filter(None, (source.get_entry(url) for source in self.sources)), None)

    def get_reason_to_skip(self, url: str) -> str:
        """Return why a URL of the frontier is superfluous; "": it is not."""
        return next((reason for source in self.sources if (reason := source.get_reason_to_skip(url))), "")

    def probe(self, url: str, now: datetime) -> tuple[FoundUrl, ...]:
        """Return a URL that does not exist, if the portal's answer for one is not known."""
        if not self.profile.wants_missing_page(now):
            return ()
        return (FoundUrl(url=make_improbable_url(url, now), kind=FrontierKind.PROBE, priority=PRIORITY["probe"], depth=0),)

    def admit_redirect(self, url: str, leased: LeasedUrl) -> FoundUrl | None:
        """Return the target of a redirect, with the hints of its source; None: out of scope."""
        if not self.scope.allows(url) and not (self.is_external(leased.url) and canonicalize_or_none(url)):
            return None
        for source in self.sources:
            source.note_redirect(leased.url, url)
        return FoundUrl(
            url=url, kind=leased.kind, why=leased.why, priority=leased.priority, depth=leased.depth, hops=leased.hops + 1,
            hints=leased.hints,
        )  # fmt: skip

    def estimate_prior(self, leased: LeasedUrl, title: str) -> float:
        """Return the log-odds of an article by address and title of a page, or its name in links, its pattern, menus and lists."""
        url, where = self._strip_home(leased.url), leased.why if leased.why in _LABELS else ""
        anchor = self.portal_pages.find_name(leased.url, title) or title
        verdict = self.classifier(PageLink(href=url, page_url=url, anchor=anchor, where=where))
        is_apart = bool(where) or self.portal_pages.is_apart(leased.url, title)
        return compute_prior(self.profile.correct(leased.url, verdict).article_score, is_apart=is_apart)

    def is_external(self, url: str) -> bool:
        """Return whether a page is of another host, whose links are not followed."""
        return self.portal.external_pages and not self.scope.allows_host(url)

    def leads_on(self, url: str) -> bool:
        """Return whether the links of a page lead to further URLs."""
        return self.follows_links and not self.is_external(url)

    def classify(self, link: FoundLink, here: str) -> UrlVerdict:
        """Return where a link on the page `here` leads: to an article, a section (a subportal), another kind of page, another host.

        The hosts of the portal are filtered first. Then the classifier judges the address (words, numbers, query string), the text
        and the place of the link, and the portal's pages with such addresses correct it.
        """
        if not self.scope.allows_canonical(link.url):
            return _ANOTHER_HOST
        url = self.profile.parameters.remove_from(link.url)
        verdict = self.classifier(PageLink(href=self._strip_home(url), page_url=here, anchor=link.anchor, where=link.where))
        return self.profile.correct(url, verdict)

    def may_follow(self, link: FoundLink) -> bool:
        """Return whether a link may be followed: without nofollow, or if the portal disregards it."""
        return "nofollow" not in link.rel or LINKS in self.portal.disregard

    def rank_by_date(self, found: FoundUrl, text: str, now: datetime) -> FoundUrl:
        """Return an article with its priority by a date in ISO 8601 next to its link; a day counts to its end."""
        if found.why == "external":
            return found
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo is not None else at.replace(tzinfo=self.outline.time_zone)
        return replace(found, priority=rank_article(at + timedelta(days="T" not in text), now))

    def restrict(self, found: tuple[FoundUrl, ...]) -> tuple[FoundUrl, ...]:
        """Return the URLs of a page, with their dates, that go into the frontier."""
        return found

    def _admit(self, lead: Lead | FoundLink, source: Source, answer: SourceResponse, leased: LeasedUrl) -> FoundUrl | None:
        if isinstance(lead, FoundLink):
            return self._admit_link(lead, answer, leased)
        return self._admit_entry(lead, answer) if lead.kind is LeadKind.ENTRY else self._admit_list(lead, source, leased.depth + 1)

    def _admit_list(self, lead: Lead, source: Source, depth: int) -> FoundUrl | None:
        """Return a section, feed or sitemap that a source names."""
        if not self._may_be_list(lead.url):
            return None
        priority = source.priority if lead.priority is None else lead.priority
        depth = depth if lead.depth is None else lead.depth
        if lead.kind is LeadKind.SECTION:
            why = "pagination" if lead.is_further else lead.why
            return self._found(lead.url, FrontierKind.SECTION, why, priority, depth)
        return self._found_list(lead, priority, depth)

    def _may_be_list(self, url: str) -> bool:
        return self.scope.allows_host(url) or url in self.outline.feeds or url in self.outline.sitemaps

    def _found_list(self, lead: Lead, priority: int, depth: int) -> FoundUrl:
        kind = FrontierKind.ARTICLE if lead.kind is LeadKind.ENTRY else FrontierKind(lead.kind)
        return FoundUrl(
            url=lead.url, kind=kind, why=lead.why, priority=priority, depth=depth, changed_at=lead.changed_at, again=lead.is_further
        )

    def _admit_entry(self, lead: Lead, answer: SourceResponse) -> FoundUrl | None:
        """Return an article that a feed or sitemap names, on another host to be skipped; None: it is a section or tag."""
        if answer.kind == FrontierKind.FEED and not self.scope.allows_host(lead.url):
            found = self._found(lead.url, FrontierKind.ARTICLE, "external", PRIORITY["other"], 1)
            reason = Reason(PageReason.OUT_OF_SCOPE, urlsplit(lead.url).hostname or "")
            return replace(found, source=answer.kind, skipped=None if self.portal.external_pages else reason)
        if not self.scope.allows(lead.url) or find_trap(lead.url, self.today):
            return None
        self.portal_pages.note_headline(lead.url, lead.title)
        verdict = self.classifier(
            PageLink(href=self._strip_home(lead.url), page_url=answer.requested_url, anchor=lead.title, where="main")
        )
        listed_as_news = answer.kind == FrontierKind.FEED or lead.published_at is not None
        if verdict.label is not UrlKind.ARTICLE and not listed_as_news:
            return None
        fresh_for = timedelta.max if answer.kind == FrontierKind.FEED else FRESH
        place = rank_article(estimate_date(lead), answer.fetched_at, fresh_for=fresh_for)
        hints = () if lead.published_at is None else ((_HINTS.get(answer.kind, "feed"), lead.published_at.isoformat()),)
        return FoundUrl(
            url=lead.url, kind=FrontierKind.ARTICLE, priority=place if lead.priority is None else lead.priority, depth=1,
            source=answer.kind, hints=hints, changed_at=lead.changed_at,
        )  # fmt: skip

    def _admit_link(self, link: FoundLink, answer: SourceResponse, leased: LeasedUrl) -> FoundUrl | None:
        """Return where a link leads if it is in scope and not known to be useless."""
        depth, most = leased.depth + 1, self.portal.max_depth
        if (most is not None and depth > most) or not self.may_follow(link):
            return None
        if not self.scope.allows_canonical(link.url):
            return self._admit_external(link, depth) if self.portal.external_pages else None
        if self.profile.parameters.is_seen(link.url):
            return None
        url = self.profile.parameters.remove_from(link.url)
        trap = find_trap(url, self.today)
        if trap == SESSION:
            url = remove_session(url)
            trap = find_trap(url, self.today)
        if trap is not None:
            skipped = Reason(PageReason.TRAP, trap)
            return FoundUrl(url=url, kind=FrontierKind.OTHER, why="trap", priority=PRIORITY["other"], depth=depth, skipped=skipped)
        found = self._admit_page(url, link, answer.url, leased, depth)
        if found is None or found.kind is not FrontierKind.ARTICLE:
            return found
        place = PRIORITY["related" if leased.kind == FrontierKind.ARTICLE else "article"] + is_name(link.anchor)
        return replace(found, priority=rank_article(estimate_date(Lead(url)), answer.fetched_at, undated=place))

    def _admit_page(self, url: str, link: FoundLink, here: str, leased: LeasedUrl, depth: int) -> FoundUrl | None:
        """Return a page of the portal by its classification."""
        verdict = link.verdict or self.classify(link, here)
        is_further = link.is_further and url == link.url and verdict.label is not UrlKind.ARTICLE
        if is_further or verdict.why == "pagination":  # rel=next of an article is often the next article
            found = self._found(url, FrontierKind.SECTION, "pagination", PRIORITY["pagination"], depth)
            # the second page of a tag is a tag page too
            return replace(found, kind=FrontierKind.OTHER, why=leased.why) if leased.kind == FrontierKind.OTHER else found
        if verdict.label is UrlKind.OTHER and _is_useless(verdict):
            return None
        if verdict.label is UrlKind.SECTION and (word := _find_repeated_list(self._strip_home(url))):
            return self._found(url, FrontierKind.OTHER, word, PRIORITY["other"], depth)
        if not self.profile.is_due(url, verdict):
            self.profile.note_skipped(url)
            return None
        if verdict.label is UrlKind.ARTICLE and (self.profile.is_twin(url) or self._is_known_in_other_form(url)):
            return None
        kind = FrontierKind.OTHER if verdict.label is UrlKind.EXTERNAL else FrontierKind(verdict.label)
        why = verdict.why if verdict.label is UrlKind.OTHER else None
        # by the pages behind headlines it is known what those behind names are
        return self._found(url, kind, why, PRIORITY[kind] + is_name(link.anchor), depth)

    def _admit_external(self, link: FoundLink, depth: int) -> FoundUrl | None:
        """Return a page of another host that may be an article by its address; excluded ones are not wanted."""
        url = canonicalize_or_none(link.url)
        if url is None or not self.is_external(url) or any(pattern.search(url) for pattern in self.scope.exclude):
            return None
        verdict = self.classifier(PageLink(href=url, page_url=url, anchor=link.anchor, where=link.where))
        if verdict.label is not UrlKind.ARTICLE or find_trap(url, self.today):
            return None
        return self._found(url, FrontierKind.ARTICLE, "external", PRIORITY["other"], depth)

    def _strip_home(self, url: str) -> str:
        """Return a URL without the folders that all URLs of the portal share."""
        if not self.home:
            return url
        scheme, _, host, path = url.split("/", 3)
        return f"{scheme}//{host}/{path.removeprefix(self.home)}"

    def _is_known_in_other_form(self, url: str) -> bool:
        """Return whether a link leads to the AMP, print or mobile form of an article that was linked before."""
        key = make_same_page_key(url)
        if key is None or is_other_form(url):
            return hash(key) in self._articles
        if len(self._articles) >= _MOST_REMEMBERED:
            self._articles.clear()
        self._articles.add(hash(key))
        return False

    def _found(self, url: str, kind: FrontierKind, why: str | None, priority: int, depth: int) -> FoundUrl:
        penalty = min(depth, _MOST_DEPTH_PENALTY) if kind != FrontierKind.ARTICLE else 0
        return FoundUrl(url=url, kind=kind, why=why, priority=priority + penalty, depth=depth, again=why == "pagination")


def outline_portal(portal: Portal, scope: Scope) -> SourcePortal:
    """Return a portal as sources know it."""
    named = (tuple(map(canonicalize, urls)) for urls in (portal.start_urls, portal.feeds, portal.sitemaps))
    start_urls, feeds, sitemaps = named
    return SourcePortal(start_urls=start_urls, feeds=feeds, sitemaps=sitemaps, scope=scope, time_zone=ZoneInfo(portal.time_zone))


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
