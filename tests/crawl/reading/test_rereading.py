"""The pages of the run that a template was learned from are read again by it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from kept_pages import NOON, Archive
from portal_pages import PROMOTION, page, paragraphs_of

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
