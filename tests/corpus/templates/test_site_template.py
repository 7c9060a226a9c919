"""A portal whose configuration names one of the published methods."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_pages import NOON, Archive
from portal_pages import page

from newscrawler.config import Portal
from newscrawler.corpus.templates import learn_if_missing, learn_site_template
from newscrawler.crawl import make_extraction_options
from newscrawler.errors import ConfigError


def kept(folder: Path, count: int) -> Archive:
    archive = Archive(folder)
    archive.night([(f"https://valley.example/{n}", page(n)) for n in range(1, count + 1)])
    return archive


def test_a_template_is_learned_from_a_share_of_the_kept_articles_and_crawls_read_with_it(tmp_path: Path) -> None:
    archive = kept(tmp_path, 10)
    portal = Portal(name="portal", start_urls=("https://www.example.org/",), method="trinity")

    with archive.open() as store:
        before = make_extraction_options(portal, store)
        done = learn_if_missing(store, archive.pages, "portal", "trinity", now=NOON)
        after = make_extraction_options(portal, store)
        again = learn_if_missing(store, archive.pages, "portal", "trinity", now=NOON)
        by_default = make_extraction_options(Portal(name="portal", start_urls=("https://www.example.org/",)), store)

    assert (before.method_name, before.method, before.template) == ("default", None, None)
    assert done == "version 1 is in use: trinity learned from 2 of 10 kept articles"
    assert after.method_name == "trinity"
    assert after.method is not None
    assert again == ""
    assert (by_default.method, by_default.template) == (None, None)


def test_without_kept_articles_nothing_is_learned(tmp_path: Path) -> None:
    archive = kept(tmp_path, 1)

    with archive.open() as store, pytest.raises(ConfigError, match="trinity learns from 2 pages"):
        learn_site_template(store, archive.pages, "portal", "trinity", now=NOON)
