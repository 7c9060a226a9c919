"""The selection of articles that the query of an address describes, and the parameters of a release of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from newscrawler.corpus import write_selection
from newscrawler.corpus.formats import FORMATS
from newscrawler.corpus.releases import check_name
from newscrawler.store import Store
from newscrawler.store.articles import Selection
from newscrawler.store.search import parse
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


#: Formats of releases.
FORMS = tuple(form.name for form in FORMATS.values() if not form.needs_pages)
#: The rights statement "In copyright".
LICENCE = "https://rightsstatements.org/vocab/InC/1.0/"


def select_searched(filters: Mapping[str, str]) -> Selection:
    """Return the selection that the filters and words of a search describe.

    Raises:
        ConfigError: the words are not a query.
        RequestProblem: a date is invalid.
    """
    words = filters.get("q") or None
    if words:
        parse(words)
    return replace(read_selection(filters), words=words)


def check_release_parameters(
    store: Store, name: str, filters: Mapping[str, str], *, title: str, creators: Sequence[str], licence: str,
    formats: Sequence[str], dehydrated: bool,
) -> dict[str, Any]:  # fmt: skip
    """Return the parameters of the job that makes a release.

    Raises:
        ConfigError: the name is not allowed, or the words are not a query.
        RequestProblem: the name is taken, no creator is named, or a format is unknown.
    """
    check_name(name)
    if store.releases.get(name) is not None:
        raise RequestProblem(409, f"There is a release {name} already; choose another name.")
    if not creators:
        raise RequestProblem(422, "A release needs the names of its creators for citations.")
    if unknown := [form for form in formats if form not in FORMS]:
        raise RequestProblem(422, f"{unknown[0][:40]} is not a format of releases. Choose from: {', '.join(FORMS)}.")
    return {
        "title": title[:200],
        "creators": [creator[:200] for creator in creators],
        "licence": licence[:200] or LICENCE,
        "formats": list(dict.fromkeys(formats)) or ["jsonl"],
        "dehydrated": dehydrated,
        "selection": write_selection(select_searched(filters)),
    }
