"""The pages of the run that a template was learned from are read again by it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from crawling import Crawl, articles, summary
from kept_pages import NOON, Archive
from portal_pages import PROMOTION, page, paragraphs_of
from portal_server import PortalServer, listing

from newscrawler.config import Portal
from newscrawler.corpus.reextraction import compare
from newscrawler.corpus.templates import check_round
from newscrawler.crawl.reading.learning import make_extraction_options, reread
from newscrawler.extraction import ExtractionOptions


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive(tmp_path)
    made.night([(f"https://valley.example/{number}", page(number)) for number in range(1, 9)])
    return made


def test_what_the_template_changes_is_stored_as_our_correction(archive: Archive) -> None:
    portal = Portal(name=archive.portal, start_urls=("https://www.example.org/",))
    with archive.open() as store:
        first = store.articles.get(1)
        assert first is not None
        assert PROMOTION in first.article.body
        night = check_round(store, archive.pages, ExtractionOptions(portal=archive.portal), round_number=1, now=NOON)
        assert night is not None
        totals = reread(store, archive.pages, make_extraction_options(portal, store), since=NOON)
        after = store.articles.get(1)
        assert after is not None
        assert totals.kinds == {"changed": 8}
        assert after.article.body.split("\n") == paragraphs_of(1)
        assert [earlier.paragraphs[-1].text for earlier in store.articles.revisions(1)] == [PROMOTION]
        assert reread(store, archive.pages, make_extraction_options(portal, store), since=NOON).kinds == {"same": 8}


def test_pages_of_earlier_runs_stay_as_they_are(archive: Archive) -> None:
    with archive.open() as store:
        assert reread(store, archive.pages, ExtractionOptions(portal=archive.portal), since=NOON + timedelta(days=1)).kinds == {}


def test_other_evidence_of_the_same_date_is_no_change(archive: Archive) -> None:
    with archive.open() as store:
        stored = store.articles.get(1)
    assert stored is not None
    article = stored.article

    assert compare(stored, replace(article, published_source="url", date_confidence=0.1)).kind == "same"
    assert compare(stored, replace(article, published_source="url", section="Sport")).fields.keys() == {"section"}


def test_a_large_first_crawl_learns_while_it_runs_and_reads_only_the_first_articles_twice(
    crawl: Crawl, server: PortalServer, tmp_path: Path
) -> None:
    numbers = range(1, 81)
    server.routes = {f"/2026/02/report-{number}.html": page(number) for number in numbers}
    server.routes["/"] = listing(*server.routes)
    told = summary(crawl(server.url))

    found = {stored.article.url.partition("report-")[2]: stored.article for stored in articles(tmp_path)}
    assert {name: article.body.split("\n") for name, article in found.items()} == {
        f"{number}.html": paragraphs_of(number) for number in numbers
    }
    again = next(note for note in told["notes"] if "read again" in note)
    assert 36 <= int(again.split()[3]) < 50
    assert "were changed (body" in again


def test_a_template_of_first_articles_that_does_not_fit_the_later_ones_is_learned_anew_without_an_alert(
    crawl: Crawl, server: PortalServer, tmp_path: Path
) -> None:
    layouts = {number: page(number, container="story-text" if number <= 44 else "long-read") for number in range(1, 91)}
    layouts = {number: html if number <= 44 else html.replace("page wide", "reportage") for number, html in layouts.items()}
    server.routes = {f"/2026/02/report-{number}.html": html for number, html in layouts.items()}
    server.routes["/"] = listing(*server.routes)
    told = summary(crawl(server.url))

    assert any("version 2 was learned" in note for note in told["notes"])
    assert any("with this template, 90 articles read again" in note for note in told["notes"])
    assert not any("have changed" in note for note in told["notes"])
    assert [stored.article.body.split("\n") for stored in articles(tmp_path)] == [
        paragraphs_of(int(str(stored.article.url).partition("report-")[2].removesuffix(".html"))) for stored in articles(tmp_path)
    ]
