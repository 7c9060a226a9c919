"""The text that only scripts show to readers: an article's body or the posts of a live blog in JSON-LD, or a page's state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any

from newscrawler.article import Paragraph, ParagraphKind
from newscrawler.extraction.body.state import read_state
from newscrawler.page import Document
from newscrawler.page.blocks import extent_of
from newscrawler.page.json_ld import types_of
from newscrawler.page.likeness import key_of

KINDS: Mapping[str, ParagraphKind] = {
    "li": ParagraphKind.LIST_ITEM, "blockquote": ParagraphKind.QUOTE, "tr": ParagraphKind.TABLE_ROW,
    **{f"h{n}": ParagraphKind.HEADING for n in range(1, 7)},
}  # fmt: skip
_TAGS = re.compile(r"</?(?:p|br|div|h[1-6]|ul|ol|li|blockquote|strong|b|em|i|a|span)\b[^>]*>", re.IGNORECASE)
_SHORTEST_BODY = 100
#: Characters of text on a page up to which its state is asked for more.
_HARDLY_ANY = 400
#: Keys below which another text than the article's stands.
_ELSEWHERE = frozenset({"liveBlogUpdate", "comment", "review", "itemListElement"})
#: Characters of a post by which it is found on the page again.
_START = 40


def with_declared(page: Document, paragraphs: Sequence[Paragraph], *, refused: bool = False) -> list[Paragraph]:
    """The paragraphs found on the page, or those of its JSON-LD where it holds much more; posts that the page lacks follow them."""
    body = _body_of(page)
    size = sum(len(paragraph.text) for paragraph in paragraphs)
    if body and len(body) > 2 * size + 200:
        return list(_paragraphs_of(body))
    if size < _HARDLY_ANY and not refused and (state := _of_state(page, size)):
        return state
    posts = _posts_of(page)
    if not posts or _are_shown(page, posts):
        return list(paragraphs)
    introduction = [Paragraph(text=paragraph.text, kind=paragraph.kind) for paragraph in paragraphs]
    written = [
        Paragraph(text=paragraph.text, kind=paragraph.kind, post=number)
        for number, post in enumerate(posts, 1)
        for paragraph in post
    ]
    return [*introduction, *written]


def _of_state(page: Document, size: int) -> list[Paragraph]:
    """The paragraphs of the article in the page's state; none where the page shows a part of it: that is what it wants to show."""
    state = page.view(read_state)
    if state is None or sum(extent_of(written.text) for written in state.paragraphs) <= size + _SHORTEST_BODY:
        return []
    whole = key_of(" ".join(written.text for written in state.paragraphs))
    shown = (block.text for block in page.layout.blocks if block.kind[0] != "h" and not block.linked)
    if any(extent_of(text) >= _START and key_of(text) in whole for text in shown):
        return []
    return [Paragraph(text=written.text, kind=KINDS.get(written.kind, ParagraphKind.PARAGRAPH)) for written in state.paragraphs]


def _are_shown(page: Document, posts: Sequence[Sequence[Paragraph]]) -> bool:
    """Tell whether the page itself shows one of the posts: then it is made to be read as it is."""
    shown = key_of(" ".join(block.text for block in page.layout.blocks))
    return any(key_of(post[-1].text)[:_START] in shown for post in posts)


def _body_of(page: Document) -> str | None:
    """The body of the article itself."""
    for placed in page.placed_json_ld:
        body = placed.value.get("articleBody")
        if isinstance(body, str) and len(body) > _SHORTEST_BODY and not _ELSEWHERE.intersection(placed.path):
            return body
    return None


def _posts_of(page: Document) -> list[list[Paragraph]]:
    """The posts that a LiveBlogPosting lists, in its order: each its headline, if it has one, and its text."""
    found = []
    for item in page.json_ld:
        updates = item.get("liveBlogUpdate")
        if "LiveBlogPosting" not in types_of(item) or not updates:
            continue
        for update in updates if isinstance(updates, list) else [updates]:
            if isinstance(update, Mapping) and (post := list(_post(update))):
                found.append(post)
    return found


def _post(update: Mapping[str, Any]) -> Iterator[Paragraph]:
    headline, body = update.get("headline"), update.get("articleBody") or update.get("text")
    paragraphs = list(_paragraphs_of(body)) if isinstance(body, str) else []
    text = " ".join(unescape(_TAGS.sub(" ", headline)).split()) if isinstance(headline, str) else ""
    if text and not (paragraphs and key_of(paragraphs[0].text).startswith(key_of(text))):
        yield Paragraph(text=text, kind=ParagraphKind.HEADING if paragraphs else ParagraphKind.PARAGRAPH)
    yield from paragraphs


def _paragraphs_of(body: str) -> Iterator[Paragraph]:
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
