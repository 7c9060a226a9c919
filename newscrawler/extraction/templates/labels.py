"""Labels of pages: which of their text is the article's, as people say.

What a page declares itself (`articleBody` in its JSON-LD, microdata) is no label. Held against gold texts, cross-validated by host,
it made pages of the same host worse: it agrees where the block model is right anyway, and errs in its own ways elsewhere. The
block model knows it as a feature of the page that declares it. Nor are full texts of feeds and of WordPress's API: they hold
captions, advertisements and related links as the page does (`python -m training.free_labels`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from newscrawler.extraction.body.alignment import shares_in_gold
from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.body.headline import headline_index


def shares_of(found: Examination, gold: Mapping[str, Any]) -> Sequence[float] | None:
    """Return the share of each block that is text of the article; None: the gold holds no text, or the page none.

    Args:
        found: the page, read by itself.
        gold: what a person says is right, as `newscrawler evaluate` reads it.
    """
    lines = list(_lines(gold))
    if found.features is None or not lines:
        return None
    texts = [block.text for block in found.page.layout.blocks]
    return shares_in_gold(texts, lines, found.features.mass.tolist(), headline_index(found.page))


def _lines(gold: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paragraphs of a gold text; optional ones, in brackets, count."""
    lead, body = gold.get("lead"), gold.get("paragraphs") or gold.get("body") or ()
    texts = body.split("\n") if isinstance(body, str) else body
    for text in ([lead] if lead else []) + list(texts):
        if isinstance(text, str) and text.strip():
            yield text[1:-1] if text[0] == "[" and text[-1] == "]" else text


#: By number of labelled pages: gain in F1 of one more, cross-validated by host (`python -m training.sites --validate`, hosts with
#: four pages or more of four data sets, read with 0, 1, 2, 3, 5 and 10 labelled pages; from there on nothing is known).
_GAINS = (0.014, 0.002, 0.0025, 0.001, 0.001, 0.0005, 0.0005, 0.0005, 0.0005, 0.0005)


def gain_of_next(labelled: int) -> float:
    """Return by how much one more labelled page raised the F1 of other portals that had as many."""
    return _GAINS[labelled] if labelled < len(_GAINS) else 0.0
