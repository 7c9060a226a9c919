"""The cues that counted most for what was decided about a block or a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.body.features import NAMES
from newscrawler.extraction.body.forest import Contribution, block_classifier
from newscrawler.extraction.body.page_kind import NAMES as PAGE_NAMES
from newscrawler.extraction.body.page_kind import page_classifier, page_features
from newscrawler.extraction.explain.phrases import BLOCK_PHRASES, MARKS, PAGE_PHRASES, Phrase, fill_phrase
from newscrawler.page.blocks import Layout

#: Cues shown of a block or a page.
MOST_CUES = 3
#: Share of the strongest cue's weight below which a cue is not shown.
_LEAST_SHARE = 0.15
_PREFIXES = ("branch named ", "within ")
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One piece of evidence."""

    phrase: str
    #: By how much it moved the log-odds; above 0 it speaks for the article's text, or for an article.
    moved: float
    #: The feature that counted most among those with this phrase.
    feature: str


def find_block_cues(found: Examination) -> dict[int, tuple[Cue, ...]]:
    """Return, by block index, the cues that distinguish a block from the page's other blocks, the strongest first.

    Short links have none: no model looks at them.
    """
    features = found.features
    if features is None or not features.weighed.any():
        return {}
    rows = features.rows[features.weighed]
    moved = block_classifier().forest.contributions(rows)
    taken = {block.index for block in found.taken}
    cues: dict[int, tuple[Cue, ...]] = {}
    for index, contributions, row in zip(features.weighed.nonzero()[0].tolist(), moved, rows.tolist(), strict=True):
        values = dict(zip(NAMES, row, strict=True))
        cues[index] = tuple(
            _add_name(found.page.layout, index, cue) if values[cue.feature] else cue
            for cue in choose_strongest(contributions, values, BLOCK_PHRASES, taken=index in taken)
        )
    return cues


def find_page_cues(found: Examination) -> tuple[Cue, ...]:
    """Return the cues for or against an article, the strongest first."""
    if found.features is None:
        return ()
    row = page_features(found.page, found.features, found.probabilities)
    values = dict(zip(PAGE_NAMES, row.tolist(), strict=True))
    return choose_strongest(
        page_classifier().article.contributions(row[None])[0], values, PAGE_PHRASES, taken=found.refusal is None
    )


def choose_strongest(
    moved: Mapping[str, Contribution], values: Mapping[str, float], phrases: Mapping[str, Phrase], *, taken: bool
) -> tuple[Cue, ...]:
    """Return the cues that moved most, at least one of them in favour of the decision; features of the same phrase count as one."""
    merged: dict[str, Cue] = {}
    for name, (change, above) in sorted(moved.items(), key=lambda item: -abs(item[1].moved)):
        phrase = fill_phrase(phrases, name, values[name], above=above)
        known = merged.get(phrase, Cue(phrase=phrase, moved=0.0, feature=name))
        merged[phrase] = replace(known, moved=known.moved + change)
    ranked = sorted((cue for cue in merged.values() if cue.moved), key=lambda cue: -abs(cue.moved))
    chosen = [cue for cue in ranked[:MOST_CUES] if abs(cue.moved) >= _LEAST_SHARE * abs(ranked[0].moved)]
    in_favour = next((cue for cue in ranked if (cue.moved > 0) == taken), None)
    if in_favour is not None and in_favour not in chosen:
        chosen = [*chosen[: MOST_CUES - 1], in_favour]
    return tuple(chosen)


def _add_name(layout: Layout, index: int, cue: Cue) -> Cue:
    """Add to a cue about a name the full name of the innermost element around the block that has it."""
    word = next((cue.feature.removeprefix(prefix) for prefix in _PREFIXES if cue.feature.startswith(prefix)), None)
    mark = next((int(mark) for mark in MARKS if str(mark.name).lower() == word), 0)
    for box in layout.outer(layout.blocks[index].box):
        if box.marks & mark:
            name = " ".join((box.element.get("class") or box.element.get("id") or "").split())[:_LONGEST_NAME]
            said = f'<{box.tag} "{name}">' if name else f"<{box.tag}>"
            return replace(cue, phrase=f"{cue.phrase} ({said})")
    return cue
