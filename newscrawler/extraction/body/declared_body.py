"""Text that only scripts show to readers: the body in JSON-LD or in the state of a page; and the posts of a live blog.

Posts are recognised by what all of them have in any language: a time, in a separate box or before a text. The text before the
first post is the introduction. A timetable or a list of opening hours is not a live blog: the times of posts precede sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from operator import attrgetter
from typing import Any

from newscrawler.article import Paragraph, ParagraphKind
from newscrawler.extraction.body.state import read_state
from newscrawler.page import Block, Document, Layout, find_extent, join_text, key_of, read_types

KINDS: Mapping[str, ParagraphKind] = {
    "li": ParagraphKind.LIST_ITEM, "blockquote": ParagraphKind.QUOTE, "tr": ParagraphKind.TABLE_ROW,
    **{f"h{n}": ParagraphKind.HEADING for n in range(1, 7)},
}  # fmt: skip
_TAGS = re.compile(r"</?(?:p|br|div|h[1-6]|ul|ol|li|blockquote|strong|b|em|i|a|span)\b[^>]*>", re.IGNORECASE)
_SHORTEST_BODY = 100
#: Keys of another text than the article's.
_ELSEWHERE = frozenset({"liveBlogUpdate", "comment", "review", "itemListElement"})
#: Characters of a post by which it is found on the page again.
_START = 40


def add_declared(page: Document, paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs found on the page, or those of its JSON-LD where it holds much more; posts that the page lacks follow them."""
    body = _read_body(page)
    size = sum(map(len, map(attrgetter("text"), paragraphs)))
    if body and len(body) > 2 * size + 200:
        return list(_read_paragraphs(body))
    if size < 400 and (state := _read_state_body(page, size)):  # hardly any text
        return state
    posts = _read_posts(page)
    if not posts or _are_shown(page, posts):
        return list(paragraphs)
    return [
        Paragraph(text=paragraph.text, kind=paragraph.kind, post=number or None)
        for number, post in enumerate([paragraphs, *posts])
        for paragraph in post
    ]


def _read_state_body(page: Document, size: int) -> list[Paragraph]:
    """The paragraphs of the article in the page's state; none where the page shows a part of it: that is what it wants to show."""
    state = page.view(read_state)
    if state is None or sum(find_extent(written.text) for written in state.paragraphs) <= size + _SHORTEST_BODY:
        return []
    whole = key_of(" ".join(written.text for written in state.paragraphs))
    shown = (block.text for block in page.layout.blocks if block.kind[0] != "h" and not block.linked)
    if any(find_extent(text) >= _START and key_of(text) in whole for text in shown):
        return []
    return [Paragraph(text=written.text, kind=KINDS.get(written.kind, ParagraphKind.PARAGRAPH)) for written in state.paragraphs]


def _are_shown(page: Document, posts: Sequence[Sequence[Paragraph]]) -> bool:
    """Return whether the page itself shows one of the posts: then it is made to be read as it is."""
    shown = key_of(" ".join(block.text for block in page.layout.blocks))
    return any(key_of(post[-1].text)[:_START] in shown for post in posts)


def _read_body(page: Document) -> str | None:
    """The body of the article itself."""
    for placed in page.placed_json_ld:
        body = placed.value.get("articleBody")
        if isinstance(body, str) and len(body) > _SHORTEST_BODY and not _ELSEWHERE.intersection(placed.path):
            return body
    return None


def _read_posts(page: Document) -> list[list[Paragraph]]:
    """The posts that a LiveBlogPosting lists, in its order: each its headline, if it has one, and its text."""
    found = []
    for item in page.json_ld:
        updates = item.get("liveBlogUpdate")
        if "LiveBlogPosting" not in read_types(item) or not updates:
            continue
        for update in updates if isinstance(updates, list) else [updates]:
            if isinstance(update, Mapping) and (post := list(_read_post(update))):
                found.append(post)
    return found


def _read_post(update: Mapping[str, Any]) -> Iterator[Paragraph]:
    headline, body = update.get("headline"), update.get("articleBody") or update.get("text")
    paragraphs = list(_read_paragraphs(body)) if isinstance(body, str) else []
    text = " ".join(unescape(_TAGS.sub(" ", headline)).split()) if isinstance(headline, str) else ""
    if text and not (paragraphs and key_of(paragraphs[0].text).startswith(key_of(text))):
        yield Paragraph(text=text, kind=ParagraphKind.HEADING if paragraphs else ParagraphKind.PARAGRAPH)
    yield from paragraphs


def _read_paragraphs(body: str) -> Iterator[Paragraph]:
    """Part a text at its line breaks, or, where it is written in HTML, into its blocks."""
    text = unescape(body) if "&" in body else body
    if "&lt;" in text or "&amp;" in text:
        text = unescape(text)
    if _TAGS.search(text):
        for block in Document.parse(f"<html><body><div>{text}</div></body></html>").layout.blocks:
            yield Paragraph(text=block.text, kind=KINDS.get(block.kind, ParagraphKind.PARAGRAPH))
        return
    for line in text.splitlines():
        if words := " ".join(line.split()):
            yield Paragraph(text=words)


_LEAST_POSTS = 3
#: "14:35", "9.05", "14h35" at the start of a text, but not "12.10.2024".
_CLOCK = re.compile(r"\W{0,3}(?:[01]?\d|2[0-3])[:.h][0-5]\d(?![\d:]|\.\d)")


def find_live_posts(page: Document, taken: Sequence[Block]) -> dict[int, int]:
    """Number the posts of a live blog in page order, from 1: by the index of each block that belongs to one."""
    starts = {  # letters begin nearly all texts, and no time
        block.index
        for block in page.layout.blocks
        if not (sign := block.text[0]).isalpha() and sign.isascii() and _CLOCK.match(block.text)
    }
    if len(taken) < _LEAST_POSTS or (len(starts) < _LEAST_POSTS and len(page.tagged("time")) < _LEAST_POSTS):
        return {}
    declared = any("LiveBlogPosting" in placed.types for placed in page.placed_json_ld)
    size = 0.5 * sum(block.size for block in taken)  # that the posts must contain
    for found in (
        _find_posts_in_boxes(page.layout, taken, starts, declared=declared),
        _find_posts_between_times(page.layout, taken, starts, declared=declared),
    ):
        if len(set(found.values())) >= _LEAST_POSTS and sum(block.size for block in taken if block.index in found) >= size:
            return found
    return {}


def _find_posts_in_boxes(layout: Layout, taken: Sequence[Block], starts: set[int], *, declared: bool) -> dict[int, int]:
    """Take boxes of one tag and one depth, each with a time of its own, for the posts: the most there are, the outer of as many."""
    makes: dict[tuple[int, str], dict[int, list[int]]] = {}
    for block in taken:
        for depth, box in enumerate([*layout.outer(block.box)][::-1]):
            if depth and box.tag not in {"p", "blockquote", "tr", "h1", "h2", "h3", "h4", "h5", "h6"}:
                makes.setdefault((depth, box.tag), {}).setdefault(box.index, []).append(block.index)
    best: list[list[int]] = []
    for _, boxes in sorted(makes.items()):
        if len(boxes) > len(best):
            timed = [held for index, held in sorted(boxes.items()) if _has_time(layout, index, starts, declared)]
            best = timed if len(timed) > len(best) else best
    return {index: number for number, held in enumerate(best, 1) for index in held}


def _has_time(layout: Layout, index: int, starts: set[int], declared: bool) -> bool:  # noqa: FBT001
    """Return whether one of the first three blocks of a box shows a time: below its text stands that of an answer in a forum."""
    box = layout.boxes[index]
    top = range(box.first, min(box.first + 3, box.last))
    if any(number in starts for number in top):
        return True
    time = next(box.element.iter("time"), None)
    if time is None or declared:
        return time is not None
    shown = join_text(time)
    return bool(shown) and any(shown in layout.blocks[number].text for number in top)


def _find_posts_between_times(layout: Layout, taken: Sequence[Block], starts: set[int], *, declared: bool) -> dict[int, int]:
    """Begin a post at each heading or short line that begins with a time; on a page that says it is a live blog, at any line."""
    numbers = {block.index for block in taken}
    found: dict[int, int] = {}
    telling: set[int] = set()
    post = 0
    for block in layout.blocks[max(taken[0].index - 1, 0) : taken[-1].index + 1]:
        label = block.kind[0] == "h" or (len(block.text) <= 40 and block.kind not in ("li", "tr"))
        if block.index in starts and (declared or label):
            post += 1
        if post and block.index in numbers:
            found[block.index] = post
            if block.is_sentence and block.size >= 50:
                telling.add(post)
    return found if len(telling) >= 0.5 * post else {}  # of most posts, a sentence is behind the time
