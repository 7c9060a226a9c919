"""The selection of articles that the query of an address describes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from newscrawler.store.articles import Selection
from newscrawler.web.requests.problems import RequestProblem


def read_selection(filters: Mapping[str, str]) -> Selection:
    """Return the selection that filters describe.

    Raises:
        RequestProblem: a date is invalid.
    """
    return Selection(
        portal=filters.get("portal") or None,
        section=filters.get("section") or None,
        author=filters.get("author") or None,
        language=filters.get("language") or None,
        genre=filters.get("genre") or None,
        collection=filters.get("collection") or None,
        keyword=filters.get("keyword") or None,
        since=_parse_day(filters.get("since", "")),
        until=_parse_day(filters.get("until", "")),
    )


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise RequestProblem(422, f"{text[:40]} is not a date. Use YYYY-MM-DD, for example 2026-02-01.") from None
