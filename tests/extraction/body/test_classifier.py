"""Probabilities of blocks: high for the text of an article, low for what stands around it."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest
from kurier import LANGUAGES, SECTIONS, headline, page, paragraphs, teasers
from own_pages import layouts, pages_of

from newscrawler.extraction.body.features import block_features
from newscrawler.extraction.body.forest import load_block_classifier, sigmoid
from newscrawler.page import Document


def probabilities(document: Document) -> dict[str, float]:
    found = load_block_classifier().probabilities(block_features(document))
    return {block.text: float(found[block.index]) for block in document.layout.blocks}


def test_log_odds_become_probabilities_however_large_they_are() -> None:
    assert sigmoid(np.array([0.0, 1e9, -1e9, 1.0], dtype=np.float32)) == pytest.approx([0.5, 1.0, 0.0, 0.7310586])


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_is_likelier_than_menus_and_teasers(language: str) -> None:
    found = probabilities(page(language, f"<h1>{headline(language)}</h1>{paragraphs(language)}"))
    text = [value for said, value in found.items() if f"<p>{said}</p>" in paragraphs(language)]
    others = [value for said, value in found.items() if said in SECTIONS or said.endswith("2026")]

    assert min(text) > 0.5
    assert max(others) < 0.2


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_page_of_links_only_nothing_is_likely(language: str) -> None:
    links = "".join(f"<li><a href=/{number}.html>{name}</a></li>" for number, name in enumerate(SECTIONS * 5))

    found = probabilities(page(language, f"<ul>{links}</ul>{teasers(language, 30)}", title="Kurier", path="/"))

    assert 0 <= min(found.values()) <= max(found.values()) < 0.4


def test_where_nothing_is_worth_weighing_every_block_is_unlikely() -> None:
    found = probabilities(Document.parse("<ul><li><a href=/1>One</a></li><li><a href=/2>Two</a></li></ul>"))

    assert set(found) == {"One", "Two"}
    assert max(found.values()) < 0.01


@pytest.mark.parametrize("layout", layouts())
def test_of_whole_pages_what_is_wanted_is_likelier_than_what_is_not(layout: str) -> None:
    wanted, unwanted = [], []
    for own in pages_of(layout):
        if own.gold.article:
            for said, value in probabilities(Document.parse(own.html, own.given_url)).items():
                if any(said in text for text in own.gold.texts):
                    wanted.append(value)
                elif said in own.gold.unwanted_pieces:
                    unwanted.append(value)

    assert fmean(wanted) > 0.6
    assert not unwanted or fmean(wanted) - fmean(unwanted) > 0.3
