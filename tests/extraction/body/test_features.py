"""The rows of numbers that the models read."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kurier import LANGUAGES, headline, page, paragraphs
from own_pages import layouts, pages_of
from test_fuzz_pages import SCRAPS, mutated

from newscrawler.extraction.body.block_classifier import AROUND, LEARNED, load_block_classifier
from newscrawler.extraction.body.features import GROUPS, NAMES, block_features
from newscrawler.extraction.body.page_kind import NAMES as PAGE_NAMES
from newscrawler.extraction.body.page_kind import load_page_classifier
from newscrawler.page import Document


def assert_sound(document: Document) -> None:
    """Check shape and numbers of all rows of a page."""
    if not document.layout.blocks:
        return
    features = block_features(document)
    likely = load_block_classifier().probabilities(features)
    row = load_page_classifier().describe(document, features, likely)

    assert features.rows.shape == (len(document.layout.blocks), len(NAMES))
    assert features.rows.dtype == np.float32
    assert np.isfinite(features.rows).all(), NAMES[int(np.argwhere(~np.isfinite(features.rows))[0, 1])]
    assert features.weighed.shape == likely.shape == (len(document.layout.blocks),)
    assert (likely >= 0).all()
    assert (likely <= 1).all()
    assert row.shape == (len(PAGE_NAMES),)
    assert np.isfinite(row).all(), PAGE_NAMES[int(np.argwhere(~np.isfinite(row))[0, 0])]


def column(document: Document, name: str) -> dict[str, float]:
    """Return one feature of all blocks by their text."""
    rows = block_features(document).rows
    return {block.text: float(rows[block.index, NAMES.index(name)]) for block in document.layout.blocks}


def test_no_name_comes_twice_and_every_group_has_some() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert len(set(PAGE_NAMES)) == len(PAGE_NAMES)
    assert tuple(name for group in GROUPS.values() for name in group) == NAMES
    assert all(GROUPS.values())


def test_the_models_read_the_features_that_are_made_in_their_order() -> None:
    blocks, pages = load_block_classifier(), load_page_classifier()

    assert blocks.first.features == (*NAMES, *LEARNED)
    assert blocks.second.features == (*NAMES, *LEARNED, *AROUND)
    assert all(forest.features == PAGE_NAMES for forest in (pages.article, pages.quality, *pages.kinds.values()))


@pytest.mark.parametrize("layout", layouts())
def test_rows_of_whole_pages_are_sound_and_made_the_same_twice(layout: str) -> None:
    for own in pages_of(layout):
        assert_sound(Document.parse(own.html, own.given_url))
        if Document.parse(own.html).layout.blocks:
            one, other = (block_features(Document.parse(own.html, own.given_url)).rows for _ in range(2))
            assert np.array_equal(one, other)


def test_rows_of_broken_pages_are_sound() -> None:
    rng = random.Random(17)
    whole = [own.html for layout in layouts()[::4] for own in pages_of(layout)[:3]]

    for _ in range(40):
        assert_sound(Document.parse(mutated(rng.choice(whole), rng), "https://n.example/a"))


MORE_SCRAPS = ("The council met. ", "<h1>New bridge</h1>", "<li><a href=/a>", "<img>", "، 。", "<br>")


@given(st.lists(st.sampled_from(SCRAPS + MORE_SCRAPS), max_size=40))
@settings(max_examples=60, deadline=None)
def test_rows_of_any_scraps_are_sound(scraps: list[str]) -> None:
    assert_sound(Document.parse("".join(scraps), "https://n.example/a"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_order_of_attributes_and_of_classes_without_meaning_changes_nothing(language: str) -> None:
    article = f"<div {{0}}><h1 {{0}}>{headline(language)}</h1>{paragraphs(language)}</div>"

    one = block_features(page(language, article.format("class='k9 entry' id=a data-x=1 lang=en"))).rows
    other = block_features(page(language, article.format("lang=en data-x=1 id=a class='k9 entry'"))).rows

    assert np.array_equal(one, other)


def test_what_a_block_says_by_itself_is_counted() -> None:
    text = "Read on: the “whole” story, all of it."
    line = "<p><b>Work</b> is to <a href=/x>begin</a> in spring.</p>"
    found = page("en", f"<h1>{headline('en')}</h1>{line}<h3>{text}</h3>")

    assert column(found, "links")["Work is to begin in spring."] == 1
    assert column(found, "link density")["Work is to begin in spring."] == pytest.approx(5 / 27)
    assert column(found, "bold")["Work is to begin in spring."] == pytest.approx(4 / 27)
    assert column(found, "sentence")["Work is to begin in spring."] == 1
    assert column(found, "commas")[text] == pytest.approx(2 / len(text))
    assert column(found, "size")[text] == len(text)
    assert column(found, "from headline")[text] == 2


def test_cards_alike_are_told_from_the_paragraphs_of_one_text() -> None:
    card = "<div class=c><h3><a href=/{0}>Story number {0} of the day</a></h3><p>WrittenParagraph in short {0}.</p></div>"
    cards = "".join(map(card.format, range(9)))
    found = page("en", f"<h1>{headline('en')}</h1><div>{paragraphs('en')}</div><div>{cards}</div>")
    items = column(found, "items")

    assert items["WrittenParagraph in short 3."] > 3
    assert not any(value for text, value in items.items() if text.endswith("journey."))


def test_how_text_is_set_is_told_apart() -> None:
    document = Document.parse(
        "<body><p><em>In italics.</em></p><p><span>In a span.</span></p>"
        "<p><b>Name:</b> and text.</p><p><a href=x>Name</a> more.</p>"
    )

    slanted, spanned = column(document, "slanted"), column(document, "spanned")

    assert [text for text, value in slanted.items() if value > 0.5] == ["In italics."]
    assert [text for text, value in spanned.items() if value > 0.5] == ["In a span."]
    assert column(document, "opening") == pytest.approx(
        {"In italics.": 0, "In a span.": 0, "Name: and text.": 5 / 15, "Name more.": 4 / 10}
    )


@pytest.mark.parametrize("kind", ["em", "span"])
def test_type_sets_nothing_apart_on_a_page_that_is_all_set_in_it(kind: str) -> None:
    document = Document.parse("".join(f"<p><{kind}>Paragraph {number} of the article.</{kind}></p>" for number in range(5)))

    assert max(column(document, "slanted").values()) < 0.01
    assert max(column(document, "spanned").values()) < 0.01


def test_lines_with_a_name_and_a_date_are_counted_from_the_headline_on() -> None:
    comments = "".join(f"<div>ann, {number}.3.2026 10:15</div><p>What {number} people say of this.</p>" for number in range(1, 4))
    document = Document.parse(f"<title>The bridge opens</title><body><div>1.3.2026</div><h1>The bridge opens</h1>{comments}")
    counted = column(document, "dated lines")

    assert [counted[f"What {number} people say of this."] for number in range(1, 4)] == [1, 2, 3]
    assert counted["1.3.2026"] == 0
