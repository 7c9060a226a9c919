"""`newscrawler web --export`: a copy whose links lead somewhere, without what publishers reserve."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from kept_pages import Archive
from portal_server import address, story
from web_site import Site

from newscrawler.errors import ConfigError
from newscrawler.politeness.rights import Purpose
from newscrawler.store.articles import Selection
from newscrawler.web import write_static_copy


@pytest.fixture
def copy(site: Site, tmp_path: Path) -> Path:
    """Sixteen articles, one of them with a reservation."""
    pages = [(f"https://one.example{address(number)}", story(number)) for number in range(1, 17)]
    pages[3] = (pages[3][0], pages[3][1].replace("<head>", '<head><meta name="robots" content="noarchive, noai">'))
    Archive(site.folder, portal="one").night(pages)
    site.nights("two", [3])
    folder = tmp_path / "public"
    write_static_copy(site.store, site.configuration, folder)
    return folder


def test_every_link_of_a_copy_leads_to_a_file_of_it(site: Site, copy: Path) -> None:
    pages = list(copy.rglob("*.html"))
    reserved = site.configuration.reserved_for(Purpose.ARCHIVE)
    published = site.store.articles.count(Selection(**reserved))

    for page in pages:
        text = page.read_text("utf-8")
        assert "<form" not in text, page
        assert "<iframe" not in text, page
        for link in re.findall(r' (?:href|src)="([^"#?]+)[^"]*"', text):
            if not link.startswith("http"):
                assert (page.parent / link).exists(), (page, link)
    assert len(list((copy / "articles").glob("[0-9]*.html"))) == published
    assert (copy / "articles" / "page-2.html").exists()
    assert "16 articles from 2 portals" in (copy / "index.html").read_text("utf-8")
    for live in (
        "The service is stopped",
        "Service running",
        "Next crawl",
        "next crawl",
        "Free disk",
        "Usual",
        "usual",
        "Calendar",
    ):
        assert live not in (copy / "index.html").read_text("utf-8")


def test_figures_of_a_copy_say_how_to_cite_them(copy: Path) -> None:
    page = (copy / "counts-language.html").read_text("utf-8")

    assert "Source: newscrawler" in page
    assert "Recipe as JSON" not in page


def test_words_are_found_in_the_index(copy: Path) -> None:
    found = json.loads((copy / "search" / f"{b'mo'.hex()}.json").read_text("utf-8"))
    lines = json.loads((copy / "search" / "lines.json").read_text("utf-8"))

    assert lines[str(found["most"][0])][1] == "one"


def test_a_folder_with_files_is_left_alone(site: Site, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="contains files already"):
        write_static_copy(site.store, site.configuration, tmp_path)
