"""From labelled pages to samples: the features and labels of their blocks, without the trees that these were read from."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from newscrawler.extraction.body.details import measure_shares_in_gold
from newscrawler.extraction.body.features import BlockFeatures, block_features
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.body.page_kind import compute_features
from newscrawler.extraction.body.page_words import Words, read_page_words
from newscrawler.page import Document
from newscrawler.page.blocks import Layout
from newscrawler.page.names import Mark
from training.disturb import put_in, put_in_unnamed, remove_names
from training.labels import chunk_labels, gold_lines
from training.own_pages import is_unnamed
from training.pages import LabelledPage, load
from training.sitegen.software import list_label_words
from training.wording import Terms, Vocabulary, read_name_terms, read_word_terms

#: Weight of a data set; those of 2008 to 2012 follow other conventions, and chunks are many.
WEIGHTS = {
    "aeb": 1.5, "fe": 1.5, "fundus": 1.5, "trafilatura": 0.24, "wcxb": 1.3, "dragnet": 0.5, "l3s": 0.8, "waddle": 0.8,
    "turing": 1.3, "own": 0.3, "software": 0.0,
}  # fmt: skip
#: Weight of a block = (its share of the page's text) ** DAMPING, so that a long block does not outvote all others.
DAMPING = 0.8
#: Characters of a word.
_WORD = 5.5
#: Data sets whose gold holds headline, byline and captions: there such blocks teach nothing.
_WIDE_GOLD = frozenset({"dragnet", "l3s", "waddle"})
#: Data sets that keep some captions and tables and leave out others: of these none teaches anything.
_MIXED_GOLD, _CAPTION = frozenset({"waddle", "turing"}), int(Mark.CAPTION | Mark.FIGURE)
_BESIDE = _CAPTION | int(Mark.BYLINE)
#: Data sets of whose pages there are copies with unnamed captions and comments. Of those with a wide gold, only names tell bylines
#: from text; the pages of wcxb are few newspapers, and lose by such copies.
_UNNAMED_COPIES = frozenset({"aeb", "fe", "fundus", "own"})
#: Share of the copies without names that lose telling tags as well.
_WITHOUT_TAGS = 0.5
_PARTS = 4
_STRANGERS, _FEWEST_SPOTS = 60, 4
#: What counts for how much in a copy: its text, boilerplate of the page itself, and what was put in without a name. Of copies with
#: named insertions, and of those with unnamed ones: short captions beside a long text weigh little by their size.
_NAMED, _UNNAMED = (0.5, 0.5, 0.5), (0.25, 0.5, 0.8)


@dataclass(slots=True, kw_only=True)
class Sample:
    """One page to train on."""

    dataset: str
    id: str
    host: str
    #: None: an article.
    other_kind: str | None
    #: A copy into which boilerplate was put; it is not scored.
    disturbed: bool
    #: A page of a generated site without names. It teaches blocks alone: by such pages the model of pages refuses more articles.
    unnamed: bool
    features: BlockFeatures
    #: Words of its blocks, and of the names of the boxes around them.
    words: Terms
    names: Terms
    #: Features of the page that rest on no probability.
    of_page: NDArray[np.float32]
    page_words: Words
    #: Of each block: the share of it that is text of the article, how much the label counts, and its characters.
    share: NDArray[np.float64]
    weight: NDArray[np.float64]
    size: NDArray[np.float64]
    #: Class of each block, by `CLASSES`; -1 where it is not known.
    classes: NDArray[np.int64]
    #: Characters of the gold text; 0 where it is not known as a whole.
    gold_size: float


CLASSES = ("lead", "caption", "comment", "teaser", "byline", "boilerplate")
_EMPTY = Layout((), ())


def collect(root: Path, datasets: Sequence[str], processes: int = 2) -> tuple[list[Sample], Vocabulary]:
    """Read all pages of some data sets; in the same order, whatever the number of processes. Returns what hashes stand for, too."""
    found: list[Sample] = []
    known: Vocabulary = {}
    with Pool(processes) as pool:
        for dataset in datasets:
            for part in pool.map(partial(_part, root, dataset), range(_PARTS), chunksize=1):
                found += part[0]
                known |= part[1]
    return found, known


def _part(root: Path, dataset: str, part: int) -> tuple[list[Sample], Vocabulary]:
    found: list[Sample] = []
    known: Vocabulary = {}
    strangers: list[str] = []
    for number, page in enumerate(load(root, dataset)):
        if number % _PARTS != part:
            continue
        document = Document.parse(page.html, page.address)
        if not document.layout.blocks:
            continue
        sample = _sample(page, document, known)
        found.append(sample)
        if sample.gold_size:
            found += _disturbed(page, document, sample, strangers)
            blocks = document.layout.blocks
            strangers += [b.text for b in blocks if sample.share[b.index] < 0.1 and 40 < b.size < 300][:12]
            strangers += [b.text for b in blocks if sample.share[b.index] > 0.9 and 40 < b.size < 900][:12]
    return found, known


def _disturbed(page: LabelledPage, document: Document, sample: Sample, strangers: Sequence[str]) -> Iterator[Sample]:
    """Yield copies of a page with boilerplate of other pages: named, without any name, and unnamed on a page with names."""
    if len(_spots(document, sample)) < _FEWEST_SPOTS or len(strangers) < _STRANGERS:
        return
    if page.dataset in _UNNAMED_COPIES:
        for kind in ("bare", "kept"):
            copy, dice = Document.parse(page.html, page.address), random.Random(f"{kind} {page.id}")
            spots, without_tags = _spots(copy, sample), dice.random() < _WITHOUT_TAGS
            if kind == "bare":
                remove_names(copy.body, tags=without_tags)
            put = put_in_unnamed(spots, strangers, dice)
            yield _copy(page, Document(copy.root, url=copy.url), _UNNAMED, put)
    put_in(_spots(document, sample), strangers, random.Random(page.id))
    yield _copy(page, Document(document.root, url=document.url), _NAMED)


def _spots(document: Document, sample: Sample) -> list[etree._Element]:
    """Return the paragraphs of the article behind which something can be put."""
    return [
        block.element for block in document.layout.blocks
        if sample.share[block.index] > 0.9 and block.kind == "p" and block.size > 60 and block.element.tag == "p"
    ]  # fmt: skip


def _copy(
    page: LabelledPage, document: Document, weights: tuple[float, float, float], put: Sequence[etree._Element] = ()
) -> Sample:
    again = _sample(page, document, {})
    text, others, inserted = weights
    inside = set(put)
    new = np.array([not inside.isdisjoint((b.element, *b.element.iterancestors())) for b in document.layout.blocks])
    weight = np.where(again.share > 0.5, text, np.where(new, inserted, others))
    return replace(again, disturbed=True, weight=again.weight * weight)


def _sample(page: LabelledPage, document: Document, known: Vocabulary) -> Sample:
    blocks = document.layout.blocks
    features = block_features(document)
    headline = document.view(find_headline)
    place = headline.block.index if headline is not None and headline.block is not None else None
    texts, size = [block.text for block in blocks], np.array([block.size for block in blocks], dtype=np.float64)
    classes = np.full(len(blocks), -1)
    gold_size = 0.0
    if page.other_kind is not None or page.dataset == "software":
        share, weight = np.zeros(len(blocks)), np.zeros(len(blocks))
    elif page.dataset == "trafilatura":
        share, weight = map(np.array, zip(*chunk_labels(texts, page.gold), strict=True))
    else:
        lines = gold_lines(page.dataset, page.gold)
        gold_size = float(sum(map(len, lines)))
        share = np.array(measure_shares_in_gold(texts, lines, features.mass.tolist(), place))
        of_text = np.minimum(1.0, np.maximum(size, 2 * _WORD) / max(gold_size, _WORD))
        weight = of_text**DAMPING * (np.abs(2 * share - 1) + 0.05)
        if page.dataset in _WIDE_GOLD:
            weight = weight * _narrow(document, share, size, place)
        if page.dataset in _MIXED_GOLD:
            is_row = np.array([block.kind == "tr" for block in blocks])
            weight = np.where(_find_marked(document.layout, _CAPTION) | is_row, 0.0, weight)
        if page.dataset == "own":
            classes = _classes(texts, page.gold["labels"])
    return Sample(
        dataset=page.dataset, id=page.id, host=page.host, other_kind=page.other_kind, disturbed=False,
        unnamed=page.dataset == "own" and is_unnamed(page.host), features=replace(features, layout=_EMPTY, names=()),
        words=Terms.of(read_word_terms(document.layout, features.weighed), known),
        names=Terms.of(read_name_terms(document.layout, features.weighed), known),
        of_page=np.array(compute_features(document, features), dtype=np.float32), page_words=_read_page_words(page, document),
        share=share, weight=weight * WEIGHTS[page.dataset], size=size, classes=classes, gold_size=gold_size,
    )  # fmt: skip


def _read_page_words(page: LabelledPage, document: Document) -> Words:
    """Return the words of a page; of the generated forums and shops, no others of those shown than English labels.

    Their texts repeat a few sentences, and in other languages few articles teach: common words would speak for a forum.
    """
    words = read_page_words(document)
    if page.dataset != "software":
        return words
    is_english = (document.declared_language or "")[:2] == "en"
    return words._replace(shown=words.shown & list_label_words("en") if is_english else set())


def _narrow(document: Document, share: NDArray[Any], size: NDArray[Any], headline: int | None) -> NDArray[Any]:
    """Weigh with 0 what a gold text that holds headline, byline and captions says of these."""
    layout = document.layout
    weight = np.where((share > 0.5) & _find_marked(layout, _BESIDE), 0.0, 1.0)
    short = (size < 100) & ~np.array([b.is_sentence for b in layout.blocks])
    text = np.flatnonzero((share > 0.5) & ~short)
    if len(text):
        weight[: text[0]][short[: text[0]] & (share[: text[0]] > 0.5)] = 0.0
    if headline is not None:
        weight[headline] = 0.0
    return weight


def _find_marked(layout: Layout, marks: int) -> NDArray[np.bool_]:
    """Tell of each block whether it or a box around it has one of the marks."""
    return np.array([bool((block.marks | layout.boxes[block.box].within) & marks) for block in layout.blocks])


def _classes(texts: Sequence[str], labels: dict[str, list[str]]) -> NDArray[np.int64]:
    """Class of each block that a label's text holds, or that holds it."""
    found = np.full(len(texts), -1)
    known = [(" ".join(text.split()), number) for number, name in enumerate(CLASSES) for text in labels.get(name, ())]
    for index, text in enumerate(texts):
        for label, number in known:
            if label and (label in text or (len(text) > 20 and text in label)):
                found[index] = number
                break
    return found
