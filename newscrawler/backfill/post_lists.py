"""Lists of posts between two dates: WordPress's REST API and Ghost's content API, a hundred posts a request, the oldest first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from newscrawler.backfill.days import DayRange
from newscrawler.discovery import PRIORITY, Lead, LeadKind, Source, SourceResponse, clean_field, find_posts, parse_time
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
