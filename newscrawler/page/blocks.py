"""What a page consists of to a reader: boxes (block-level elements) and in them, in reading order, blocks of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

_SENTENCE_ENDS = frozenset(".!?…。！？؟।։።۔॥။។")
_SYLLABLES = re.compile("[\uac00-\ud7a3]")
#: Elements that show a picture.
PICTURES = frozenset({"img", "picture", "amp-img"})
#: Ideographs, kana and the letters of scripts that part no words: one of them says as much as three letters elsewhere.
WIDE = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class Box(NamedTuple):
    """A block-level element that contains text. Boxes come in page order, parents before children."""

    index: int  # type: ignore[assignment]  # hides the method of tuples
    parent: int
    element: etree._Element
    tag: str
    #: What its own names, tag and role say.
    marks: int
    #: What its own and all outer names say.
    within: int
    #: Blocks below it: from `first` up to, not including, `last`.
    first: int
    last: int
    images: int


class Block(NamedTuple):
    """A run of text that a reader sees as one paragraph, heading, list item or table row."""

    index: int  # type: ignore[assignment]  # hides the method of tuples
    #: Index of the innermost box.
    box: int
    text: str
    #: p, h1 … h6, li, blockquote, tr or, for text directly in other elements, div.
    kind: str
    element: etree._Element
    #: Characters of the text, an ideograph or a kana counting for three.
    size: int
    linked: int
    links: int
    #: Characters in bold type; in small or slanted type; in elements that say nothing.
    bold: int
    slanted: int
    spanned: int
    #: Characters of a link or of type set apart with which the block opens; 0 where it is all of the block.
    opening: int
    #: What the names of the inline element say that holds the whole text.
    marks: int
    #: Pictures between the block before and this one.
    pictures: int

    @property
    def link_density(self) -> float:
        """Share of the characters that stand in links."""
        return self.linked / len(self.text)

    @property
    def is_sentence(self) -> bool:
        """Ends as sentences do."""
        return self.text.rstrip(" \"'”’»“)]›」』")[-1:] in _SENTENCE_ENDS


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes and blocks of a page."""

    boxes: Sequence[Box]
    blocks: Sequence[Block]

    def outer(self, box: int) -> Iterator[Box]:
        """Yield the box and all boxes around it, innermost first."""
        while box >= 0:
            found = self.boxes[box]
            yield found
            box = found.parent


def holds_time(block: Block) -> bool:
    """Return whether a time element is a part of the text of a block, however the time is worded."""
    for time in block.element.iter("time"):
        said = " ".join("".join(map(str, time.itertext())).split())
        return bool(said) and said in block.text
    return False


def find_extent(text: str) -> int:
    """Characters of a text, those of scripts that write a word with one or two of them counting for as many as it has elsewhere."""
    if text.isascii():
        return len(text)
    return len(text) + 2 * len(WIDE.findall(text)) + len(_SYLLABLES.findall(text))
