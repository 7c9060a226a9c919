"""Where the text of a page lies: the mass of its blocks, what of it each box holds, and the path of boxes that leads to most of it.

What stands behind the next article's headline, or in comments, navigation or another article, counts for less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newscrawler.blocks.default.beside import letters_of_readers, summaries_cut_off
from newscrawler.page.blocks import Block, Box, Layout
from newscrawler.page.marks import Mark

#: Characters of unlinked text from which an `article` element around the headline is the article.
_LEAST_ARTICLE = 300
#: Share of the mass that a child must hold for the heavy path to go on to it.
PATH_SHARE = 0.55
#: Names that hold for everything below them, however far, unless it is nearly all of the page.
_FOREIGN = int(Mark.COMMENT | Mark.CONSENT | Mark.NAVIGATION | Mark.FOOTER)
DOUBTFUL = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION
    | Mark.BYLINE | Mark.TAGS | Mark.POPUP | Mark.WIDGET | Mark.HIDDEN | Mark.PULL_QUOTE | Mark.FORM | Mark.FIGURE
)  # fmt: skip
_CAPTION = int(Mark.CAPTION)


@dataclass(slots=True, eq=False)
class Masses:
    """The mass of a page, and what was found out on the way."""

    #: Of each block.
    blocks: list[float]
    #: Of each box: what lies in it and in no other, and all that lies below it.
    own: list[float]
    boxes: list[float]
    #: How many headings of the headline's own make stand between it and each block.
    since: list[int]
    #: Which boxes lie in another article.
    elsewhere: list[bool]
    #: Numbers of the blocks that readers wrote, and of summaries of other pages.
    letters: frozenset[int]


def mass_of(block: Block, marks: int) -> float:
    """Characters that read like text; a doubtful name in the innermost boxes makes them count for a quarter."""
    density = block.linked / len(block.text)
    if density > 0.5 or block.kind[0] == "h":
        return 0.0
    size = block.size * (1 - density)
    if block.kind in ("p", "blockquote"):
        value = size if size > 50 or block.is_sentence else 0.0
    elif size >= 80 or (size > 30 and block.is_sentence):
        value = size * 0.8
    else:
        return 0.0
    if marks & _CAPTION:
        return value * 0.12  # a gallery has more text in its captions than in its article
    return value * 0.25 if marks & DOUBTFUL else value


def masses_of(layout: Layout, headline: Block | None, others: Iterable[int] = ()) -> Masses:
    """Weigh the text of a page; `others` are the numbers of boxes that are known to hold other stories."""
    boxes = layout.boxes
    start = headline.index if headline is not None else -1
    since = _headlines_since(layout, headline)
    elsewhere = _other_articles(layout, headline)
    for number in others:
        elsewhere[number] = True
    letters = letters_of_readers(layout, headline) | summaries_cut_off(layout)
    foreign = _foreign(boxes)
    mass = [0.0] * len(layout.blocks)
    own = [0.0] * len(boxes)
    for block in layout.blocks:
        # links, of which many pages are full, and headings have none
        if 2 * block.linked > len(block.text) or block.kind[0] == "h" or block.index in letters:
            continue
        number = block.box
        box = boxes[number]
        value = mass_of(block, block.marks | box.marks | (boxes[box.parent].marks if box.parent >= 0 else 0))
        if value:
            if block.index < start or since[block.index]:
                value *= 0.3
            if number in foreign or elsewhere[number]:
                value *= 0.1
            mass[block.index] = value
            own[number] += value
    heavy = own.copy()
    for number in range(len(boxes) - 1, 0, -1):
        if value := heavy[number]:
            heavy[boxes[number].parent] += value
    return Masses(mass, own, heavy, since, elsewhere, letters)


def heavy_path(layout: Layout, heavy: Sequence[float]) -> list[int]:
    """Go from the body down to the box that holds most of the mass, as long as one does."""
    path = [0]
    outer, least = 0, PATH_SHARE * heavy[0]
    for box in layout.boxes[1:]:  # in page order: the children of a box follow it
        if box.parent == outer and heavy[box.index] >= least:
            if box.tag == "p" or box.last - box.first < 2:
                break
            outer = box.index
            least = PATH_SHARE * heavy[outer]
            path.append(outer)
    return path


def _headlines_since(layout: Layout, headline: Block | None) -> list[int]:
    """Count the headings of the headline's own make between the headline and each block: 0 up to the next article's headline."""
    counts = [0] * len(layout.blocks)
    if headline is None or headline.kind[0] != "h":
        return counts
    box = layout.boxes[headline.box]
    sign = (box.tag, box.element.get("class"))
    count = 0
    for block in layout.blocks[headline.index + 1 :]:
        if block.kind == headline.kind and block.text != headline.text:
            other = layout.boxes[block.box]
            if (headline.kind == "h1" or sign[1]) and (other.tag, other.element.get("class")) == sign:
                count += 1
        if count:
            counts[block.index] = count
    return counts


def _foreign(boxes: Sequence[Box]) -> set[int]:
    """Which boxes lie in comments, consent dialogs, navigation or footers that are not nearly all of the page."""
    most = 0.85 * (boxes[0].characters - boxes[0].linked)
    found: set[int] = set()
    for box in boxes[1:]:
        if box.parent in found or (box.marks & _FOREIGN and box.characters - box.linked < most):
            found.add(box.index)
    return found


def _other_articles(layout: Layout, headline: Block | None) -> list[bool]:
    """Which boxes lie in an `article` element beside the one that holds headline and text: teasers, the next article."""
    boxes = layout.boxes
    found = [False] * len(boxes)
    own = None if headline is None else next((box for box in layout.outer(headline.box) if box.tag == "article"), None)
    if own is None or own.characters - own.linked < _LEAST_ARTICLE:
        return found
    outermost = [
        box for box in boxes if box.tag == "article" and not any(outer.tag == "article" for outer in layout.outer(box.parent))
    ]
    if own.characters - own.linked < 0.3 * sum(box.characters - box.linked for box in outermost):
        return found
    within = {box.index for box in layout.outer(own.index)}
    for box in boxes[1:]:
        if found[box.parent] or (box.tag == "article" and box.index not in within and not own.first <= box.first < own.last):
            found[box.index] = True
    return found
