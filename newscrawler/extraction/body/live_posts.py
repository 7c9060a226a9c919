"""The posts of a live blog, recognised by what all of them have in any language: a time, in a box of their own or before a text.

What stands before the first post is the introduction; a page whose boxes show no times has no posts. A timetable or a list of
opening hours is no live blog: behind the times of posts stand sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.document import squeeze
from newscrawler.page.json_ld import types_of

_LEAST_POSTS = 3
#: Share of the text that the posts must hold, and of the posts that must hold a sentence behind their time.
_LEAST_TEXT, _LEAST_TELLING = 0.5, 0.5
_LONGEST_LABEL, _SHORTEST_SENTENCE = 40, 50
#: Blocks at the top of a box in which its time is expected.
_AT_THE_TOP = 3
#: "14:35", "9.05", "14h35" at the start of a text, but not "12.10.2024".
_CLOCK = re.compile(r"\W{0,3}(?:[01]?\d|2[0-3])[:.h][0-5]\d(?![\d:]|\.\d)")
_NO_POSTS = frozenset({"p", "blockquote", "tr", "h1", "h2", "h3", "h4", "h5", "h6"})


def posts_of(page: Document, taken: Sequence[Block]) -> dict[int, int]:
    """Number the posts of a live blog in page order, from 1: by the index of each block that belongs to one."""
    declared = any("LiveBlogPosting" in types_of(value) for value in page.json_ld)
    starts = {block.index for block in page.layout.blocks if _may_be_time(block.text[0]) and _CLOCK.match(block.text)}
    if len(taken) < _LEAST_POSTS or (len(starts) < _LEAST_POSTS and len(page.tagged("time")) < _LEAST_POSTS):
        return {}
    size = _LEAST_TEXT * sum(block.size for block in taken)
    for found in (
        _in_boxes(page.layout, taken, starts, declared=declared),
        _between_times(page.layout, taken, starts, declared=declared),
    ):
        if len(set(found.values())) >= _LEAST_POSTS and sum(block.size for block in taken if block.index in found) >= size:
            return found
    return {}


def _may_be_time(sign: str) -> bool:
    """Tell quickly from its first sign that a text begins with no time."""
    return not sign.isalpha() and sign.isascii()


def _in_boxes(layout: Layout, taken: Sequence[Block], starts: set[int], *, declared: bool) -> dict[int, int]:
    """Take boxes of one tag and one depth, each with a time of its own, for the posts: the most there are, the outer of as many."""
    makes: dict[tuple[int, str], dict[int, list[int]]] = {}
    for block in taken:
        for box in layout.outer(block.box):
            if box.parent >= 0 and box.tag not in _NO_POSTS:
                makes.setdefault((box.depth, box.tag), {}).setdefault(box.index, []).append(block.index)
    best: list[list[int]] = []
    for _, boxes in sorted(makes.items()):
        if len(boxes) > len(best):
            timed = [held for index, held in sorted(boxes.items()) if _has_time(layout, index, starts, declared)]
            best = timed if len(timed) > len(best) else best
    return {index: number for number, held in enumerate(best, 1) for index in held}


def _has_time(layout: Layout, index: int, starts: set[int], declared: bool) -> bool:  # noqa: FBT001
    """Tell whether a box shows a time above its text: below it stands that of an answer in a forum."""
    box = layout.boxes[index]
    top = range(box.first, min(box.first + _AT_THE_TOP, box.last))
    if any(number in starts for number in top):
        return True
    time = next(box.element.iter("time"), None)
    if time is None or declared:
        return time is not None
    shown = squeeze("".join(map(str, time.itertext())))
    return bool(shown) and any(shown in layout.blocks[number].text for number in top)


def _between_times(layout: Layout, taken: Sequence[Block], starts: set[int], *, declared: bool) -> dict[int, int]:
    """Begin a post at each heading or short line that begins with a time; on a page that says it is a live blog, at any line."""
    numbers = {block.index for block in taken}
    found: dict[int, int] = {}
    telling: set[int] = set()
    post = 0
    for block in layout.blocks[max(taken[0].index - 1, 0) : taken[-1].index + 1]:
        label = block.kind[0] == "h" or (len(block.text) <= _LONGEST_LABEL and block.kind not in ("li", "tr"))
        if block.index in starts and (declared or label):
            post += 1
        if post and block.index in numbers:
            found[block.index] = post
            if block.is_sentence and block.size >= _SHORTEST_SENTENCE:
                telling.add(post)
    return found if len(telling) >= _LEAST_TELLING * post else {}
