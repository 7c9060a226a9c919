"""The program weighs words and names as the training reads them."""

from __future__ import annotations

import numpy as np
import pytest
from kurier import headline, page, paragraphs

from newscrawler.extraction.body.block_classifier import AROUND, NETWORK, load_block_classifier, look_around
from newscrawler.extraction.body.features import block_features
from newscrawler.extraction.body.forest import Contribution, read_arrays, read_model
from newscrawler.extraction.body.wording import NameModel, WordModel, list_name_words, split_text
from newscrawler.page import Block, Document
from training.wording import read_name_terms, read_word_terms

LANGUAGES = ("en", "de", "ru", "ar", "zh", "ja")


def make_page(language: str) -> Document:
    within = f"<div class='entry-content mainText2'><p>Read also:</p>{paragraphs(language)}</div><div id=shareBar>Share</div>"
    return page(language, f"<h1>{headline(language)}</h1>{within}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_weighs_as_much_as_its_words(language: str) -> None:
    data, arrays = read_model("blocks")["words"], read_arrays("blocks")
    layout = make_page(language).layout
    weights, vectors = (arrays[name].astype(np.float32) for name in ("weights", "vectors"))
    terms = read_word_terms(layout, np.ones(len(layout.blocks), dtype=bool))
    rows = [[data["rows"][part][word] for part, word in row if word in data["rows"][part]] for row in terms]
    with_vector = [[number for number in row if number < len(vectors)] for row in rows]
    expected = [data["base"] + weights[row].sum() for row in rows]

    odds, sums = WordModel(**data, weights=weights, vectors=vectors).score(layout.blocks)

    assert odds == pytest.approx(expected, abs=1e-4)
    assert len({round(value, 3) for value in expected}) > 3
    assert any(with_vector)
    for row, found in zip(with_vector, sums, strict=True):
        assert found == pytest.approx(vectors[row].sum(axis=0) / max(len(row), 1) ** 0.5, abs=1e-4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_around_a_block_weigh_as_much_as_in_training(language: str) -> None:
    document = make_page(language)
    data = read_model("blocks")["names"]
    features = block_features(document)
    tree = features.tree
    terms = read_name_terms(document.layout, np.ones(len(tree.size), dtype=bool))
    expected = [data["base"] + sum(data["weights"][level].get(word, 0.0) for level, word in row) for row in terms]

    assert NameModel(**data).score(features.names, tree.name, tree.parent, tree.outer[0]) == pytest.approx(expected)


def test_names_are_split_at_capitals_digits_and_signs() -> None:
    assert list(list_name_words("div", "mainText2 entry-content_wide", "")) == ["<div>", "main", "text", "entry", "content", "wide"]


def test_scripts_without_blanks_are_read_by_pairs_of_signs() -> None:
    first, last = split_text("市议会批准新桥")

    assert first[:3] == ["市议", "议会", "会批"]
    assert last[-1] == "新桥"
    assert split_text("Read also: The bridge")[0] == ["read", "also", "the", "bridge"]


def test_blocks_without_a_row_have_no_words() -> None:
    layout = make_page("en").layout

    assert not any(read_word_terms(layout, np.zeros(len(layout.blocks), dtype=bool)))


def test_the_second_pass_reads_the_probabilities_around_a_block() -> None:
    features = block_features(make_page("en"))
    likely = np.linspace(0.1, 0.9, len(features.weighed))
    around = look_around(features.tree, likely)

    assert around.shape == (len(likely), len(AROUND))
    assert around[1:, AROUND.index("chance before")] == pytest.approx(likely[:-1])
    assert around[:-1, AROUND.index("chance after")] == pytest.approx(likely[1:])
    assert np.isfinite(around).all()


def test_contributions_of_both_passes_are_given_by_feature() -> None:
    features = block_features(make_page("en"))
    found = load_block_classifier().compute_contributions(features)

    assert len(found) == int(features.weighed.sum())
    assert all(AROUND[0] not in moved for moved in found)
    assert all("size" in moved and NETWORK in moved for moved in found)


def test_the_network_judges_no_quotation_no_other_article_and_no_page_that_names_nothing() -> None:
    text = paragraphs("en").replace("<p>", "<blockquote>", 1).replace("</p>", "</blockquote>", 1)
    inside = f"<article class=entry-content><h1>{headline('en')}</h1>{text}</article><article>{paragraphs('de')}</article>"
    around = "<header class=site-header>The paper</header>{}<aside class=related>{}</aside><footer class=footer>Imprint</footer>"
    named = Document.parse(around.format(inside, "<p>Read also: the bridge</p>"))
    bare = Document.parse(f"<div><h1>{headline('en')}</h1>{text}</div>")

    moved = {block.text: each[NETWORK].moved for block, each in zip(weighed_blocks(named), compute(named), strict=True)}
    quotation, *others = [block for block in weighed_blocks(named) if block.text in text]

    assert quotation.kind == "blockquote"
    assert moved[quotation.text] == 0
    assert all(moved[block.text] for block in others)
    assert not any(moved[block.text] for block in weighed_blocks(named) if block.text in paragraphs("de"))
    assert not any(each[NETWORK].moved for each in compute(bare))


def compute(document: Document) -> list[dict[str, Contribution]]:
    return load_block_classifier().compute_contributions(block_features(document))


def weighed_blocks(document: Document) -> list[Block]:
    weighed = block_features(document).weighed
    return [block for block in document.layout.blocks if weighed[block.index]]
