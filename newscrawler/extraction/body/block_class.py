"""What each block of a page is: headline, lead, body, byline, caption, comment, teaser or other boilerplate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache

import numpy as np

from newscrawler.extraction.body.block_classifier import load_block_classifier
from newscrawler.extraction.body.extractor import Examination, lead_of
from newscrawler.extraction.body.features import block_features
from newscrawler.extraction.body.forest import Forest, read_model
from newscrawler.extraction.body.headline import find_headline


class BlockClass(StrEnum):
    """What a block is."""

    HEADLINE = "headline"
    LEAD = "lead"
    BODY = "body"
    BYLINE = "byline"
    CAPTION = "caption"
    COMMENT = "comment"
    TEASER = "teaser"
    BOILERPLATE = "other boilerplate"


#: Classes of blocks that are not taken; the others follow from the headline and from what was taken.
_LEFT_OUT = (BlockClass.BYLINE, BlockClass.CAPTION, BlockClass.COMMENT, BlockClass.TEASER, BlockClass.BOILERPLATE)


@cache
def load_class_forests() -> Mapping[BlockClass, Forest]:
    """Return the forests that predict the classes of blocks that are not taken; they also read the column "likely"."""
    models = read_model("classes")
    return {kind: Forest.of(models[kind.name.lower()]) for kind in _LEFT_OUT}


def classify_blocks(found: Examination) -> Sequence[BlockClass]:
    """Return the class of each block, in page order."""
    page = found.page
    if not page.layout.blocks:
        return ()
    features = found.features or block_features(page)
    likely = found.probabilities if found.features else load_block_classifier().probabilities(features)
    rows = np.hstack([features.rows, likely[:, None]]).astype(np.float32)
    forests = load_class_forests()
    scores = np.stack([forest.log_odds(rows) for forest in forests.values()])
    classes = [tuple(forests)[number] for number in scores.argmax(axis=0)]
    for block in found.taken:
        classes[block.index] = BlockClass.BODY
    for block in lead_of(page, found.taken):
        classes[block.index] = BlockClass.LEAD
    headline = page.view(find_headline)
    if headline is not None and headline.block is not None:
        classes[headline.block.index] = BlockClass.HEADLINE
    return classes
