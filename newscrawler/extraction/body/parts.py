"""Lines that belong to those of the body: headings, rows and items between them, code, texts of headings, a paragraph alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain, islice, pairwise
from operator import attrgetter

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from newscrawler.extraction.body.cues import DATE
from newscrawler.extraction.body.surroundings import LEAST_LIKELY, find_middle, may_be_text
from newscrawler.page import BOXES_BESIDE, PICTURES, UNSEEN, Block, Box, Layout, Mark

_get_size, _get_index = attrgetter("size"), attrgetter("index")


def add_parts(layout: Layout, chosen: list[Block], likely: NDArray[np.float64]) -> list[Block]:
    """Return the blocks and others that belong to them: headings and rows between them, code, texts of headings, rest of lists.

    Nothing that is added is linked. Numbers of lines next to code are left out, and so are tables and lists of more than 60 parts.
    """
    chosen = [block for block in chosen if not _is_gutter(block)]
    if not chosen:
        return chosen
    indexes = set(map(_get_index, chosen))
    unlike = _UNLIKE & ~layout.boxes[find_middle(chosen).box].within  # what the names of the whole article say tells nothing

    def is_part(block: Block) -> bool:
        return not block.linked and not layout.boxes[block.box].within & unlike  # highlighters number lines by empty links

    added = _find_code_and_rows(layout, chosen, is_part) | _find_headings(layout, indexes, likely)
    added |= _find_texts_of_headings(layout, indexes, likely, is_part) | _find_items(layout, indexes, likely, is_part)
    within = [box for box in layout.boxes if box.tag in _BETWEEN and _stands_between(layout, box, indexes, likely)]
    between = {box.index for box in within if box.tag in _GROUPS["li"]}
    whole = " ".join(block.text for block in chosen)
    quoted = chain.from_iterable(layout.blocks[box.first : box.last] for box in within if box.tag == "blockquote")
    unquoted = (block for block in quoted if block.is_sentence and not block.linked and block.text.strip(_QUOTES) not in whole)
    added |= {block.index for block in unquoted if not layout.boxes[block.box].within & unlike & ~Mark.SOCIAL}  # a tweet
    for number in between | {_find_group(layout, block) for block in chosen if block.kind in _GROUPS}:
        members = layout.blocks[layout.boxes[number].first : layout.boxes[number].last]
        known = sum(block.index in indexes for block in members)
        least = 0 if number in between else 1 if members[0].kind == "tr" else len(members) / 2
        if least <= known < len(members) <= 60 and all(block.kind in _GROUPS and is_part(block) for block in members):
            added.update(map(_get_index, members))
    return [block for block in layout.blocks if block.index in added or block.index in indexes]


def _stands_between(layout: Layout, box: Box, indexes: set[int], likely: NDArray[np.float64]) -> bool:
    """Return whether a list or quotation without pictures stands between two chosen blocks in an element, and is not unlikely."""
    is_end = box.first - 1 == max(indexes)
    least = _LEAST_OF_LAST if is_end else LEAST_LIKELY
    if box.first - 1 not in indexes or not (is_end or box.last in indexes) or likely[box.first : box.last].mean() < least:
        return False
    if next(box.element.iter(*PICTURES), None) is not None:
        return False
    around = (layout.blocks[index].element.getparent() for index in (box.first - 1, box.last)[: 1 if is_end else 2])
    return {*around} == {box.element.getparent()}


def _find_code_and_rows(layout: Layout, chosen: list[Block], is_part: Callable[[Block], bool]) -> set[int]:
    """Return the indexes of code behind the first block, and rows between two, that an element around one of them contains."""
    first, last = chosen[0].index, chosen[-1].index
    found = {index for box in layout.boxes if box.tag == "pre" for index in range(box.first, box.last) if index > first}
    found |= {block.index for block in layout.blocks[first:last] if block.kind == "tr" and _count_filled(block) > 1}
    around = {block.element.getparent() for block in chosen} if found else set()
    parts = filter(is_part, map(layout.blocks.__getitem__, found))
    return {block.index for block in parts if not _is_gutter(block) and not around.isdisjoint(block.element.iterancestors())}


def _count_filled(row: Block) -> int:
    return sum(any(map(str.strip, map(str, cell.itertext()))) for cell in row.element.iterchildren("td", "th"))


def _find_headings(layout: Layout, indexes: set[int], likely: NDArray[np.float64]) -> set[int]:
    """Return the indexes of headings between chosen blocks that are likely enough, or of whose siblings most were chosen."""
    groups: dict[tuple[str, etree._Element | None], list[int]] = {}
    found: set[int] = set()
    for block in layout.blocks:
        if block.kind[0] == "h" and not block.links and block.index + 1 in indexes:
            groups.setdefault((block.kind, block.element.getparent()), []).append(block.index)
            if block.index - 1 in indexes and likely[block.index] >= 0.2:
                found.add(block.index)
    most = (group for group in groups.values() if sum(index in indexes for index in group) > len(group) / 2)
    return found | {index for group in most if len(group) > 2 for index in group}


def _find_texts_of_headings(
    layout: Layout, indexes: set[int], likely: NDArray[np.float64], is_part: Callable[[Block], bool]
) -> set[int]:
    """Return the indexes of headings behind chosen blocks that are probably of the text, and of the sentences that follow them."""
    found: set[int] = set()
    for block, following in pairwise(layout.blocks):
        if block.index - 1 not in indexes and block.index - 1 not in found:
            continue
        opens = _opens_panel(block)
        is_next = block.kind[0] == "h" or opens
        is_likely = likely[block.index] >= (LEAST_LIKELY if opens else _EVEN) and likely[following.index] >= LEAST_LIKELY
        if is_next and is_likely and following.is_sentence and is_part(block) and is_part(following):
            found |= {block.index, following.index}
    return found


def _opens_panel(block: Block) -> bool:
    """Return whether a block is the title of a panel, such as those of an accordion."""
    around = chain(islice(block.element.iterancestors(), 1), islice(block.element.iter(etree.Element), 4))
    return block.size <= _LONGEST_TITLE and any("aria-expanded" in element.attrib for element in around)


def _find_items(layout: Layout, indexes: set[int], likely: NDArray[np.float64], is_part: Callable[[Block], bool]) -> set[int]:
    """Return the indexes of questions and answers behind a chosen block: boxes of one name, or of two in turn, title and text."""
    first = min(indexes)
    beside = {index + step for index in indexes for step in (-1, 0, 1)}
    around = {box.parent for box in layout.boxes if box.first in beside and first < box.first and box.last - box.first <= 6}
    inner: dict[int, list[Box]] = {parent: [] for parent in around}
    for box in layout.boxes:
        if box.parent in around and box.first > first and box.last - box.first <= 6:  # a line or a few
            inner[box.parent].append(box)
    found: set[int] = set()
    for boxes in inner.values():
        items = _list_items(boxes) if len(boxes) > 1 else []
        parts = [_find_title_and_text(layout.blocks[slice(*item)]) for item in items]
        start = items[0][0] if items else first
        is_row = not indexes.isdisjoint({start - 1, start, start + 1}) and all(a[1] == b[0] for a, b in pairwise(items))
        if not items or not all(parts) or not is_row:
            continue
        is_likely = sum(likely[part[1].index] for part in parts) >= LEAST_LIKELY * len(parts)
        if is_likely and all(map(is_part, chain(*parts))):
            found.update(block.index for block in chain(*parts) if not _HOUR.fullmatch(block.text))
    return found


def _list_items(boxes: Sequence[Box]) -> list[tuple[int, int]]:
    """Return where several items in an element begin and end: boxes that are called the same, or pairs of such boxes."""
    named: dict[tuple[str, str | None], list[Box]] = {}
    for box in boxes:
        named.setdefault((box.tag, box.element.get("class")), []).append(box)
    alike = [*named.values()]
    if len(alike) == 2 and len(alike[0]) == len(alike[1]) > 1:
        return [(title.first, text.last) for title, text in zip(*alike, strict=True)]
    return [(box.first, box.last) for box in max(alike, key=len) if box.last > box.first + 1] if len(boxes) > len(alike) else []


def _find_title_and_text(item: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks of an item from the title of its first text on; none where no title, without a date, stands before one."""
    for place, (title, text) in enumerate(pairwise(item)):
        is_title = title.size <= _LONGEST_TITLE and (not title.is_sentence or title.text[-1:] in "?？؟;")
        is_post = len(item) == 2 and _HOUR.fullmatch(title.text) is not None
        is_title = is_title and (is_post or not DATE.search(title.text))  # the writer of a comment
        if is_title and (text.is_sentence or text.size > max(2 * title.size, _LONGEST_LINE)):
            return item[place:]
    return ()


#: Probability from which on a list may be the end of a text.
_LEAST_OF_LAST = 0.2
#: Characters of the title of an item; the time above a post of a live blog.
_EVEN, _LONGEST_TITLE, _LONGEST_LINE = 0.5, 160, 60
_HOUR = re.compile(r"\d{1,2}[:.h]\d\d(?:\s?\w{1,4}\.?){0,2}")
#: Elements whose parts belong together, by the kind of these.
_GROUPS = {"tr": ("table",), "li": ("ul", "ol", "dl")}
_BETWEEN, _QUOTES = frozenset({*_GROUPS["li"], "blockquote"}), " \"'“”„«»‘’"


def _find_group(layout: Layout, block: Block) -> int:
    return next((box.index for box in layout.outer(block.box) if box.tag in _GROUPS[block.kind]), block.box)


def _is_gutter(block: Block) -> bool:
    return block.element.tag == "pre" and all(map(str.isdecimal, block.text.split()))


#: Parts of a page that are never the text.
_UNLIKE = UNSEEN | int(
    Mark.RELATED | Mark.NAVIGATION | Mark.FOOTER | Mark.COMMENT | Mark.PROMOTION | Mark.FORM | Mark.SOCIAL | Mark.POPUP
)
#: Of a lead that is followed by one paragraph: characters of both, and blocks before the paragraph.
_LONGEST_LEAD, _FAR = 600, 8
_BODY = int(Mark.BODY)


def add_only_paragraph(layout: Layout, chosen: list[Block], likely: NDArray[np.float64]) -> list[Block]:
    """Return the blocks with the paragraphs of the next box that is named as the body, where only a short lead was chosen."""
    if not chosen or sum(map(_get_size, chosen)) > _LONGEST_LEAD:
        return chosen
    start = chosen[-1].index + 1
    named = (box for block in layout.blocks[start : start + _FAR] for box in layout.outer(block.box) if box.marks & _BODY)
    for box in named:
        inside = layout.blocks[box.first : box.last]
        found = [block for block in inside if block.kind == "p" and may_be_text(block)]
        if found and box.first >= start and not box.within & BOXES_BESIDE and sum(map(_get_size, inside)) <= _LONGEST_LEAD:
            return [*chosen, *found] if all(likely[block.index] >= LEAST_LIKELY for block in found) else chosen
    return chosen
