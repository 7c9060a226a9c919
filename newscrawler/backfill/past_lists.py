"""Lists of the past that no page links to: posts between two dates by API (WordPress, Ghost); feeds and searches by month or dates.

The APIs have a hundred posts a request, the oldest first. WordPress filters feeds and searches by month, Blogger its feed by two
dates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from newscrawler.backfill.calendars import ARCHIVE
from newscrawler.backfill.days import DayRange
from newscrawler.discovery import PRIORITY, Lead, LeadKind, Source, SourceResponse, clean_field, find_posts, parse_time, read_feed
from newscrawler.discovery.urls import canonicalize_or_none

#: `why` of these lists.
POSTS = "posts"
_LONGEST_TITLE = 500
#: Where the two systems have the time of publication; that with an offset first.
_TIMES = ("date_gmt", "published_at", "date")


class PostListSource(Source):
    """The posts of a range, as the system of a portal lists them for programs."""

    priority = PRIORITY["sitemap"]

    def __init__(self, days: DayRange) -> None:
        self._days = days

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the first page of the list that a page declares; of a page of it, its posts and the next one."""
        if answer.why == POSTS:
            yield from self._read_posts(answer)
        elif answer.page is not None and answer.kind == "start":
            for url in find_posts(answer.page):
                if answer.portal.scope.allows_host(url):
                    yield Lead(self._narrow(url), LeadKind.SECTION, why=POSTS)

    def _narrow(self, url: str) -> str:
        """Return the address of a list with the range."""
        since, until = self._days.since.isoformat(), (self._days.until + timedelta(days=1)).isoformat()
        parts = urlsplit(url)
        if "/ghost/" in parts.path:
            wanted = {"filter": f"published_at:>='{since}'+published_at:<'{until}'", "fields": "title,url,published_at"}
            wanted["order"] = "published_at asc"
        else:
            wanted = {"after": f"{since}T00:00:00", "before": f"{until}T00:00:00", "orderby": "date", "order": "asc"}
            wanted["_fields"] = "link,date_gmt,title"
        query = urlencode(dict(parse_qsl(parts.query)) | wanted)
        return canonicalize_or_none(urlunsplit(parts._replace(query=query))) or url

    def _read_posts(self, answer: SourceResponse) -> Iterator[Lead]:
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError):
            return
        posts = found.get("posts") if isinstance(found, dict) else found
        posts = [post for post in posts if isinstance(post, dict)] if isinstance(posts, list) else []
        answer.portal.lists.update({"sitemap"} if posts else ())
        yield from filter(None, (_read_post(post, answer) for post in posts))
        query = {name: values[0] for name, values in parse_qs(urlsplit(answer.requested_url).query).items()}
        if len(posts) >= int(query.get("per_page") or query.get("limit") or len(posts) + 1):
            further = urlencode(query | {"page": str(int(query.get("page", "1")) + 1)})
            url = canonicalize_or_none(urlunsplit(urlsplit(answer.requested_url)._replace(query=further)))
            if url is not None:
                yield Lead(url, LeadKind.SECTION, why=POSTS)


def _read_post(post: Mapping[str, Any], answer: SourceResponse) -> Lead | None:
    address = post.get("link") or post.get("url")
    url = canonicalize_or_none(urljoin(answer.url, address)) if isinstance(address, str) else None
    if url is None:
        return None
    title, said = post.get("title"), next((post[name] for name in _TIMES if isinstance(post.get(name), str)), "")
    title = title.get("rendered") if isinstance(title, dict) else title
    said = f"{said}Z" if post.get("date_gmt") == said and said else said
    return Lead(
        url, title=clean_field(title if isinstance(title, str) else "", _LONGEST_TITLE),
        published_at=parse_time(said, answer.portal.time_zone),
    )  # fmt: skip


#: `why` of these feeds.
PAST_FEEDS = "past feeds"
#: How the query of a search begins that lists all posts of a month.
_SEARCH = "s=&m="


class PastFeedSource(Source):
    """Feeds of past months where no API lists the posts, and search results where no feed does."""

    priority = PRIORITY["sitemap"] + 1

    def __init__(self, days: DayRange) -> None:
        self._days = days
        self._has_posts = self._has_feeds = False
        #: The first entries of feeds; one that comes again is of a server that knows no further pages.
        self._firsts: set[str] = set()

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the feeds and searches that the system of a start page offers; of a feed, its entries and its next page."""
        if answer.why == POSTS:
            self._has_posts = self._has_posts or any(each.kind == "article" for each in answer.found)
        elif answer.why == PAST_FEEDS:
            yield from self._read_feed(answer)
        elif answer.kind == "start":
            system, root = _find_system(answer), answer.url.partition("?")[0]
            if system == "blogger":
                first, end = self._days.since, self._days.until + timedelta(days=1)
                wanted = {"published-min": f"{first}T00:00:00", "published-max": f"{end}T00:00:00", "max-results": 100}
                yield from _make_lead(f"{root.rstrip('/')}/feeds/posts/default?{urlencode(wanted)}", LeadKind.FEED, PAST_FEEDS)
            for month in self._days.list_months() if system == "wordpress" else ():
                yield from _make_lead(f"{root}?m={month:%Y%m}&feed=rss2", LeadKind.FEED, PAST_FEEDS)
                yield from _make_lead(f"{root}?{_SEARCH}{month:%Y%m}", LeadKind.SECTION, ARCHIVE)

    def get_reason_to_skip(self, url: str) -> str:
        """Return why a feed or a search is superfluous."""
        query = urlsplit(url).query
        is_search, is_feed = _SEARCH in query, "feed=rss2" in query or "published-min=" in query
        if self._has_posts and (is_search or is_feed):
            return "the portal's API lists the posts"
        return "the portal's feeds list the posts" if self._has_feeds and is_search else ""

    def _read_feed(self, answer: SourceResponse) -> Iterator[Lead]:
        feed = read_feed(answer.body, answer.url, content_type=answer.content_type, time_zone=answer.portal.time_zone)
        if not feed.entries or feed.entries[0].url in self._firsts:
            return
        self._has_feeds = True
        self._firsts.add(feed.entries[0].url)
        yield from feed.entries
        parts = urlsplit(answer.url)
        query = dict(parse_qsl(parts.query))
        query["paged"] = str(int(query.get("paged", "1")) + 1)
        further = urlunsplit(parts._replace(query=urlencode(query))) if "published-min" not in query else ""
        yield from _make_lead(feed.further or further, LeadKind.FEED, PAST_FEEDS)


def _make_lead(url: str, kind: LeadKind, why: str) -> Iterator[Lead]:
    canonical = canonicalize_or_none(url)
    if canonical is not None:
        yield Lead(canonical, kind, why=why, depth=1)


def _find_system(answer: SourceResponse) -> str:
    """Return the publishing system of a page that has feeds of the past: "wordpress", "blogger"; "": it has none."""
    if (page := answer.page) is None:
        return ""
    generator = (page.get_first_meta("generator") or "").lower()
    named = next((name for name in ("wordpress", "blogger") if generator.startswith(name)), "")
    addresses = (each.get("href") or each.get("src") or "" for kind in ("link", "script") for each in page.declarations[kind])
    return named or ("wordpress" if any("/wp-content/" in each or "/wp-includes/" in each for each in addresses) else "")
