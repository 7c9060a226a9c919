"""What is known of a page while its two answers, the wrapper's and the page-level one, are held against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from newscrawler.article import Body
from newscrawler.extraction.body import Examination
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.likeness import likeness as likeness_of_texts
from newscrawler.wrappers.portal.model import Layout
from newscrawler.wrappers.portal.signatures import Places
from newscrawler.wrappers.portal.weigh import Table

#: Share of the text at known places from which on the wrapper explains the page; pages that it must be learned from to know better.
EXPLAINED, EXPERIENCED = 0.6, 3
#: Share from which on, with the headline in its place, such a wrapper leaves no question whether the page holds an article.
_FULLY = 0.9
#: Page-level chances between which they must be those of the whole page: without what stands around, they come out a little higher.
_IN_DOUBT = (0.38, 0.5)
#: How far beyond the lengths of the learned articles another one may be; only what is absurd counts.
_SHORTER, _LONGER, _LEAST_SIZE, _LEAST_LONGEST = 0.2, 4.0, 100, 5000
_LONGEST_HEADLINE = 300


@dataclass(slots=True, eq=False)
class Weighing:
    """All that is known of a page while its two answers are weighed."""

    page: Document
    places: Places
    table: Table | None
    #: The page-level answer, and whether it owes nothing to the wrapper.
    own: Examination
    checked: bool
    #: The wrapper's answer, and its chances.
    taken: list[Block]
    chances: dict[int, float]
    furniture: frozenset[int]
    #: Blocks placed as the body by hand.
    placed: bool = False

    @property
    def known(self) -> float:
        """Share of the text at places where the learned articles have theirs."""
        return share_held(self.table, self.places, self.taken)

    @property
    def stands_right(self) -> bool:
        """The headline stands where the learned articles have theirs."""
        headline = self.page.headline.block if self.page.headline is not None else None
        return headline is not None and self.table is not None and self.table.heads(self.places.of(headline))

    @property
    def is_full(self) -> bool:
        """There is no question that the page holds an article: all is where it is on the learned pages."""
        if self.table is None or self.table.layout.barren or self.table.layout.pages < EXPERIENCED or not self.stands_right:
            return False
        return self.known >= _FULLY and not self.objection(1.0)

    def is_doubtful(self, threshold: float) -> bool:
        """Tell whether a decision hangs on chances in which what stands around the article counts, too."""
        return any(
            _IN_DOUBT[0] < self.own.chances[i] < _IN_DOUBT[1] or (chance >= threshold) != (self.own.chances[i] >= threshold)
            for i, chance in self.chances.items()
            if i not in self.furniture
        )

    def objection(self, known: float) -> str:
        """Say why the wrapper does not explain the page, of whose text this share is known; empty where it does."""
        if self.table is None:
            return ""
        layout, size = self.table.layout, sum(block.size for block in self.taken)
        if known < EXPLAINED:
            return f"only {known:.0%} of the text stands where the learned articles have theirs"
        if self.page.headline is None:
            return "there is no headline"
        if size < max(_LEAST_SIZE, _SHORTER * layout.shortest):
            return f"{size} characters are too few; the shortest learned article has {layout.shortest}"
        if size > _LONGER * max(layout.longest, _LEAST_LONGEST):
            return f"{size} characters are too many; the longest learned article has {layout.longest}"
        return ""


def share_held(table: Table | None, places: Places, taken: Sequence[Block]) -> float:
    """Share of the text at places where the learned articles of a layout have theirs."""
    if table is None or not taken:
        return 0.0
    held = sum(block.size for block in taken if table.holds_text(places.of(block)))
    return held / sum(block.size for block in taken)


def with_headline_and_lead(w: Weighing, layout: Layout, body: Body, fields: list[str]) -> Body:
    """Take headline and lead from where the learned articles have theirs, where the page-level answer lacks them."""
    if (headline := w.page.headline) is None or headline.block is None:
        found = [block for block in w.page.layout.blocks if _usual(layout.headlines, w.places.of(block), layout.pages)]
        known = headline.text if headline is not None else w.page.title
        if len(found) == 1 and len(found[0].text) <= _LONGEST_HEADLINE and likeness_of_texts(found[0].text, known) >= 0.3:
            fields.append("headline")
            body = replace(body, headline=found[0].text, headline_element=found[0].element)
    if body.lead is None and len(w.taken) > 1 and _usual(layout.leads, w.places.of(w.taken[0]), layout.pages):
        fields.append("lead")
        body = replace(body, lead=body.paragraphs[0].text)
    return body


def texts_of(page: Document) -> list[Block]:
    """Give the blocks that are more than scraps and links."""
    return [block for block in page.layout.blocks if block.size > 60 and 2 * block.linked < len(block.text)]


def _usual(places: Mapping[str, int], place: str, pages: int) -> bool:
    """Tell whether at least two learned pages, and half of them, have it there."""
    return places.get(place, 0) >= max(2, (pages + 1) // 2)
