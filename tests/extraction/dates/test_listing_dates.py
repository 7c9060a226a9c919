"""A listing shows when its articles came out; the date belongs to one link, or to none."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawler.extraction.dates import DateContext, find_link_dates
from newscrawler.page import Document

FETCHED = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
WANTED = {f"http://a/{number}" for number in range(1, 5)}


def beside(body: str, *, lang: str = "en", **context: Any) -> dict[str, str]:
    page = Document.parse(f"<html lang={lang}><body>{body}</body></html>", "http://a/")
    found = find_link_dates(page, WANTED, page.resolve, DateContext(**{"fetched_at": FETCHED, **context}))
    return {url.removeprefix("http://a/"): text for url, text in found.items()}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            (
                "<article><a href=/1><img></a><a href=/1>One</a><time datetime=2026-11-03T10:00:00+01:00>3. 11.</time></article>"
                "<article><h2><a href=/2>Two</a></h2><time datetime='2026-11-02 08:15'>2. 11.</time></article>"
            ),
            {"1": "2026-11-03T10:00+01:00", "2": "2026-11-02T08:15"},
        ),
        (
            "<ul><li>3 November 2026 <a href=/1>One</a><li><a href=/2>Two</a> (2 November 2026)</ul>",
            {"1": "2026-11-03", "2": "2026-11-02"},
        ),
        (
            (
                "<div class=list><h3><a href=/1>One</a></h3><p class=date>3 November 2026, 10:00</p><p>Text of 2024.</p>"
                "<h3><a href=/2>Two</a></h3><p class=date>2 November 2026</p></div>"
            ),
            {"1": "2026-11-03T10:00", "2": "2026-11-02"},
        ),
        (
            (
                "<dl><dt>3 November 2026</dt><dd><a href=/1>One</a></dd><dd><a href=/2>Two</a></dd>"
                "<dt>2 November 2026</dt><dd><a href=/3>Three</a></dd></dl>"
            ),
            {"1": "2026-11-03", "2": "2026-11-03", "3": "2026-11-02"},
        ),
        (
            "<table><tr><td>03.11.2026<td><a href=/1>One</a><tr><td>02.11.2026<td><a href=/2>Two</a></table>",
            {"1": "2026-11-03", "2": "2026-11-02"},
        ),
    ],
    ids=["cards", "items", "behind", "days", "table"],
)
def test_each_link_gets_the_date_of_its_own_place(body: str, expected: dict[str, str]) -> None:
    assert beside(body) == expected


def test_relative_dates_count_from_the_fetch_of_the_listing() -> None:
    body = "<div class=card><a href=/1>Jedna</a><span class=date>včera</span></div><div class=card><a href=/2>Dvě</a></div>"

    assert beside(body, lang="cs", time_zone="Europe/Prague") == {"1": "2026-11-19"}


@pytest.mark.parametrize(
    "body",
    [
        "<div><p class=date>Friday 20 November 2026</p><h2><a href=/1>One</a></h2><h2><a href=/2>Two</a></h2></div>",
        "<article><h2><a href=/1>One</a></h2><p>The festival opens on 3 November 2026 in the park beside the river.</p></article>",
        "<article><h2><a href=/1>One</a></h2><span class=date>3 December 2026</span></article>",
        "<article><h2><a href=/1>One</a></h2><span class=date>03/11/2026</span></article>",
        "<p><a href=/1>One</a> <a href=/2>Two</a> <span class=date>3 November 2026</span></p>",
        "<time datetime=2026-11-03>3 November</time><p><a href=/other>Elsewhere</a></p>",
    ],
    ids=["today in the head", "inside a sentence", "in the future", "ambiguous", "of several links", "of no wanted link"],
)
def test_other_dates_are_nobodys(body: str) -> None:
    assert beside(body) == {}


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "3 days ago", "2026-11-17"),
        ("de", "vor 3 Tagen", "2026-11-17"),
        ("cs", "před 3 dny", "2026-11-17"),
        ("pl", "3 dni temu", "2026-11-17"),
        ("fr", "Il y a 3 jours", "2026-11-17"),
        ("zh", "10天前", "2026-11-10"),
        ("en", "2w ago", "2026-11-06"),
        ("en", "Today", None),
        ("en", "3 dogs", None),
        ("de", "Der Unfall vor 3 Tagen", None),
    ],
)
def test_a_text_that_is_nothing_but_a_relative_date_dates_its_link(lang: str, text: str, expected: str | None) -> None:
    found = beside(f"<div><h3><a href=/1>One</a></h3><span>{text}</span></div><div><a href=/2>Two</a></div>", lang=lang)

    assert found.get("1") == expected
