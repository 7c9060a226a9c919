"""The default detector."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from newscrawler.article import Paragraph
from newscrawler.blocks.protocol import Body
from newscrawler.page import Document
from newscrawler.page.document import visible_text


@dataclass(frozen=True, slots=True)
class DefaultDetector:
    """Takes the paragraphs of the element that holds most paragraph text."""

    least_characters: int = 140

    def __call__(self, page: Document, /) -> Body | None:
        weight: Counter[object] = Counter()
        for paragraph in page.body.iter("p"):
            weight[paragraph.getparent()] += len(visible_text(paragraph))
        if not weight:
            return None
        parent, size = weight.most_common(1)[0]
        if size < self.least_characters:
            return None
        texts = [visible_text(p) for p in parent.iterchildren("p")]
        h1 = next(page.body.iter("h1"), None)
        return Body(
            paragraphs=tuple(Paragraph(text=t) for t in texts if t),
            headline=visible_text(h1) if h1 is not None else page.title or None,
            headline_element=h1,
            elements=(parent,),
        )
