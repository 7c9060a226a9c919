"""Articles of publishing systems come whole and alone, read by themselves and with the template that a crawl learns."""

from __future__ import annotations

import pytest
from system_sites import LANGUAGES, SYSTEMS, SystemPage, build_site

from newscrawler.extraction import ExtractionOptions, read_record
from newscrawler.extraction.templates import PortalTemplate, learn_template
from newscrawler.page import Document

SITES = [
    (system, LANGUAGES[(number + more) % len(LANGUAGES)])
    for number, system in enumerate(SYSTEMS)
    for more in ((0, 1, 2, 3) if system == "mediawiki" else (0, 2))
]


def find_faults(pages: list[SystemPage], template: PortalTemplate | None = None) -> dict[str, object]:
    faults: dict[str, object] = {}
    for page in pages:
        record = read_record(page.html, page.url, reading=ExtractionOptions(template=template))
        found = [paragraph["text"] for paragraph in record["paragraphs"]]
        lost = [line for line in page.lines if line not in found]
        foreign = [line for line in found if line not in page.lines and line not in page.optional]
        if lost or foreign:
            faults[page.title] = record["reason"] or {"lost": lost, "foreign": foreign}
    return faults


@pytest.mark.parametrize(("system", "language"), SITES)
def test_articles_are_whole_and_nothing_else(system: str, language: str) -> None:
    pages = build_site(system, language)

    assert find_faults(pages) == {}


@pytest.mark.parametrize(("system", "language"), SITES)
def test_what_is_learned_of_a_site_takes_nothing_from_its_articles(system: str, language: str) -> None:
    pages = build_site(system, language, 16)
    template = learn_template([Document.parse(page.html, page.url) for page in pages[:8]])

    assert find_faults(pages, template) == {}
