"""The name of the site is not the headline, even where a theme makes it the page's h1."""

from __future__ import annotations

import pytest

from newscrawler.extraction.body.headline import find_headline
from newscrawler.page import Document

PAGE = (
    "<html lang=de><head><title>Grenzland Anzeiger - Was wir über den Buchpreis wissen – 37 Seiten Akten</title></head><body>"
    '<header><h1><a href="{home}">Grenzland Anzeiger</a></h1><nav><a href="/kultur.html">Kultur</a></nav></header>'
    '<main><article><h2><a href="/kultur/buchpreis.html">Was wir über den Buchpreis wissen – 37 Seiten Akten</a></h2>'
    "<p>Der Rat hat am Mittwoch über den Preis gesprochen, und am Ende blieb alles, wie es war.</p></article></main></body></html>"
)


@pytest.mark.parametrize("home", ["/", "https://anzeiger.example/", "https://anzeiger.example/index.html"])
def test_a_heading_that_leads_to_the_front_page_is_the_name_of_the_site(home: str) -> None:
    page = Document.parse(PAGE.format(home=home), "https://anzeiger.example/kultur/buchpreis.html")

    assert page.view(find_headline) is not None
    assert page.view(find_headline).text == "Was wir über den Buchpreis wissen – 37 Seiten Akten"


def test_on_the_front_page_itself_it_may_stand() -> None:
    page = Document.parse(PAGE.format(home="/"), "https://anzeiger.example/")

    assert page.view(find_headline) is not None
