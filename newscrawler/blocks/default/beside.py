"""Blocks that are no text of the article whatever they read like: what readers wrote under it, and the line of author and date.

Letters of readers are sentences, and under short news there are more of them than of the article; no weighing of words or masses
tells them apart then. What does: they stand behind the headline and some text, in a box that is named so or under a heading
that says so. A box of that name around the text itself (a commentary, a "comment" page) holds the text behind the headline and
is left alone.
"""

from __future__ import annotations

import re

from newscrawler.page.blocks import Block, Layout
from newscrawler.page.marks import Mark

_COMMENT, _BYLINE = int(Mark.COMMENT), int(Mark.BYLINE)
#: Characters of text that stand between the headline and the letters of readers.
_LEAST_TEXT = 100
#: Headings over letters of readers, alone or with their number.
_HEADING = re.compile(
    r"[\W\d]*(?:(?:reader|user|leser|lezers?)[- ]?)?"
    r"(?:comments?|discussion|komentarze|komentarzy|komentáře|komentáre|komentare|diskuse|diskuze|diskusia|kommentare?|kommentarer|"
    r"commentaires?|réactions?|comentarios?|comentários?|commenti|reacties|коментарі|коментари|комментарии|обсуждение|обговорення|"
    r"תגובות|התגובות|تعليقات|التعليقات|yorumlar|yorum|hozzászólások|komentari|comentarii|σχόλια|kommentit|kommentaarid|komentāri|"
    r"komentarai|コメント|评论|評論|留言|댓글)[\W\d]*",
    re.IGNORECASE,
)
_LONGEST_HEADING = 40
_LONGEST_BYLINE = 200
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\d{1,2}[:.]\d\d\b")


def letters_of_readers(layout: Layout, headline: Block | None) -> frozenset[int]:
    """Numbers of the blocks that readers wrote; none where no headline shows where the article begins."""
    if headline is None:
        return frozenset()
    blocks, boxes = layout.blocks, layout.boxes
    start = text = headline.index + 1
    size = 0
    while text < len(blocks) and size < _LEAST_TEXT:
        block = blocks[text]
        size += block.size if block.kind[0] != "h" and 2 * block.linked < len(block.text) and block.is_sentence else 0
        text += 1
    if size < _LEAST_TEXT or text <= start:
        return frozenset()
    found: set[int] = set()
    for box in boxes:
        if box.marks & _COMMENT and box.first >= text:
            found.update(range(box.first, box.last))
    for block in blocks[text:]:
        if len(block.text) <= _LONGEST_HEADING and not block.linked and _HEADING.fullmatch(block.text):
            outer = boxes[max(boxes[block.box].parent, 0)]
            if block.kind[0] == "h" or outer.first == block.index:
                found.update(range(block.index, outer.last))
    return frozenset(found)


def is_byline(layout: Layout, block: Block) -> bool:
    """Tell whether the block is named a byline and tells a date or a time."""
    if len(block.text) > _LONGEST_BYLINE or block.is_sentence or not (layout.boxes[block.box].marks | block.marks) & _BYLINE:
        return False
    return len(_DATED.findall(block.text)) > 1
