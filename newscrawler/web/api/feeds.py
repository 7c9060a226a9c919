"""Feeds of the API: the newest articles of a selection, or of a saved search, as Atom (RFC 4287) and JSON Feed 1.1.

An entry has the text only if its publisher does not reserve the article from copies and its page still exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from email.utils import format_datetime
from enum import StrEnum
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Query, Request, Response

from newscrawler.corpus.formats import FeedEntry, write_atom, write_json_feed
from newscrawler.politeness.rights import Purpose
from newscrawler.store import limited_queries
from newscrawler.store.articles import Selection
from newscrawler.web.api.call import Call, Reading, make_router
from newscrawler.web.api.models import SearchFilters, Whole
from newscrawler.web.requests.context import format_query
from newscrawler.web.requests.problems import require
from newscrawler.web.requests.selection import read_selection

MOST_ENTRIES = 100
router = make_router()


class FeedForm(StrEnum):
    """The format of a feed."""

    ATOM = "atom"
    JSON = "json"


_MEDIA: Mapping[FeedForm, str] = {FeedForm.ATOM: "application/atom+xml", FeedForm.JSON: "application/feed+json"}
_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {kind: {} for kind in _MEDIA.values()}}}


@router.get("/feed", response_class=Response, responses=_ANSWER)
def get_feed(
    call: Reading, request: Request, search: Annotated[SearchFilters, Query()], form: FeedForm = FeedForm.ATOM
) -> Response:
    """Return the latest articles of a selection as a feed, newest first, at most 100."""
    filters = search.model_dump()
    title = ", ".join(filter(None, filters.values())) or "All articles"
    return _answer(call, request, form, title, filters)


@router.get("/searches/{number}/feed", response_class=Response, responses=_ANSWER)
def get_search_feed(call: Reading, request: Request, number: Whole, form: FeedForm = FeedForm.ATOM) -> Response:
    """Return the latest articles of one of your saved searches as a feed, newest first, at most 100."""
    saved = require(
        next((each for each in call.store.saved_searches.of(call.caller.name) if each.id == number), None),
        f"saved search {number} of yours",
    )
    return _answer(call, request, form, saved.name, dict(parse_qsl(saved.query)) | {"order": ""})


def _answer(call: Call, request: Request, form: FeedForm, title: str, filters: Mapping[str, str]) -> Response:
    with limited_queries():
        entries = _find_entries(call, read_selection(filters, filters.get("q", "")))
    public, query = call.context.public_url.rstrip("/"), format_query(dict(filters))
    address = f"{public}{request.url.path}" + (f"?{request.url.query}" if request.url.query else "")
    write = write_atom if form is FeedForm.ATOM else write_json_feed
    content = write(title, address, f"{public}/articles" + (f"?{query}" if query else ""), entries)
    changed_at = max((each.changed_at for each in entries), default=None)
    headers = {"Last-Modified": format_datetime(changed_at.astimezone(UTC), usegmt=True)} if changed_at else {}
    return Response(content.encode("utf-8", "replace"), media_type=_MEDIA[form], headers=headers)


def _find_entries(call: Call, selection: Selection) -> list[FeedEntry]:
    """Return the latest articles, newest first. What may be sent with its text is decided as for a static copy."""
    numbers = tuple(call.store.facets.latest(selection, limit=MOST_ENTRIES))
    if not numbers:
        return []
    reserved = call.context.configuration.reserved_for(Purpose.ARCHIVE)
    free = set(call.store.articles.numbers(Selection(ids=numbers, **reserved)))
    found = call.store.articles.stream(Selection(ids=numbers, newest_first=True))
    return [FeedEntry(stored=each, has_text=each.id in free and each.gone_at is None) for each in found]
