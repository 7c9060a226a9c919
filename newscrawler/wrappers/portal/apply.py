"""Applying: the wrapper's answer for a page is held against the page-level one, and used only where it explains the page.

It explains a page if most of the text taken stands at places that it knows, there is a headline, and the length is one that the
portal's articles have. It wins if then both answers are much the same, or if it was learned from pages enough to know better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from newscrawler.blocks import Body
from newscrawler.blocks.default import DefaultDetector
from newscrawler.blocks.default.detector import Examination, settle, without_labels
from newscrawler.blocks.default.evidence import gather
from newscrawler.blocks.default.verdict import Refusal, refusal
from newscrawler.errors import PageReason
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.headline import likeness as likeness_of_texts
from newscrawler.wrappers.portal.amid import amid
from newscrawler.wrappers.portal.inline import without_inline
from newscrawler.wrappers.portal.lines import Furniture
from newscrawler.wrappers.portal.model import Explained, InlineText, Layout
from newscrawler.wrappers.portal.overrides import Overrides
from newscrawler.wrappers.portal.signatures import Namer, Places
from newscrawler.wrappers.portal.weigh import (
    LEAST_PAGES,
    MANY_PAGES,
    Table,
    is_plain,
    likeness,
    loss,
    named_furniture,
    share,
    weighed,
)  # fmt: skip

#: Share of the text at known places from which on the wrapper explains the page; agreement from which on it may win; pages that it
#: must be learned from to win without.
_EXPLAINED, _AGREES, _EXPERIENCED = 0.6, 0.5, 3
#: Share from which on, with the headline in its place, such a wrapper leaves no question whether the page holds an article.
_FULLY = 0.9
#: How far beyond the lengths of the learned articles another one may be; only what is absurd counts.
_SHORTER, _LONGER, _LEAST_SIZE, _LEAST_LONGEST = 0.2, 4.0, 100, 5000
#: Share of the page-level text that is furniture from which on the page holds nothing else.
_ALL_FURNITURE = 0.8
#: Chance that a block in a body placed by hand must have.
_LEAST_PLACED = 0.02
#: Refusals that a page explained by the wrapper may overrule: matters of judgement, not of fact.
_JUDGED = frozenset({PageReason.LISTING, PageReason.NO_BODY})
_LONGEST_HEADLINE = 300
#: Whether a less likely block recurs changes nothing.
_LEAST_LIKELY = 0.1
#: Characters that must be held by places beyond doubt for a page not to be weighed.
_LEAST_HELD = 300
#: Characters up to which a block that is nothing but a link is no text.
_LONGEST_LINK = 120
#: Of what is sure, every so many blocks and pages are weighed as a check.
_EVERY_BLOCK, _EVERY_PAGE = 5, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The answer for one page."""

    found: Examination
    explained: Explained


@dataclass(slots=True, eq=False)
class _Weighing:
    """All that is known of a page while its two answers are weighed."""

    page: Document
    places: Places
    table: Table | None
    #: The page-level answer.
    own: Examination
    #: The wrapper's answer, and its chances.
    taken: list[Block]
    chances: dict[int, float]
    furniture: frozenset[int]
    #: Blocks placed as the body by hand.
    placed: bool = False


@dataclass(slots=True, eq=False)
class Applier:
    """A wrapper made ready; applying it changes nothing but its memory of names."""

    tables: Sequence[Table]
    namer: Namer
    furniture: Furniture
    inline: Sequence[InlineText] = ()
    overrides: Overrides = field(default_factory=lambda: Overrides({}))
    detector: DefaultDetector = field(default_factory=DefaultDetector)

    def apply(self, page: Document) -> Applied:
        """Read one page."""
        if not page.layout.blocks:
            return Applied(found=self.detector.examine(page), explained=Explained(explained=False, why="the page holds no text"))
        weighing = self._weigh(page)
        applied = self._decide(weighing)
        return self._with_overrides(page, applied) if self.overrides.selectors else applied

    def _weigh(self, page: Document) -> _Weighing:
        places = Places(page, self.namer)
        table = self._table_for(page, places)
        own = self._page_level(page, places, table)
        likely = [page.layout.blocks[index] for index, chance in own.chances.items() if chance >= _LEAST_LIKELY]
        furniture = self.furniture.of(likely, own.taken)
        furniture -= amid(page.layout, own.taken, furniture)
        chances = {}
        learned = table if table is not None and table.layout.pages >= LEAST_PAGES else None
        for index, chance in own.chances.items():
            block = page.layout.blocks[index]
            known = learned.nearest(places.of(block)) if learned is not None else None
            bars = known is not None and known[0] > 0 and named_furniture(block, page.layout)
            chances[index] = weighed(chance, known, loss(block) if index in furniture else 0.0, bars=bars)
        placed = self.overrides.blocks(page)
        if placed is not None:
            chosen = [block for block in placed if chances.get(block.index, 0.0) >= _LEAST_PLACED] or placed
        else:
            chosen = [page.layout.blocks[index] for index, chance in chances.items() if chance >= self.detector.threshold]
        same = placed is None and all(
            (own.chances[i] >= self.detector.threshold) == (chances[i] >= self.detector.threshold) for i in chances
        )
        taken = own.taken if same else self._settled(page, sorted(chosen, key=lambda block: block.index))
        return _Weighing(page, places, table, own, taken, chances, furniture, placed is not None)

    def _settled(self, page: Document, chosen: Sequence[Block]) -> list[Block]:
        return without_labels(settle(chosen, page.headline.block if page.headline else None), page.layout.blocks)

    def _table_for(self, page: Document, places: Places) -> Table | None:
        """The layout at whose places most of the page's text stands; None where none holds any. A single one needs no comparing."""
        if len(self.tables) == 1:
            return self.tables[0]
        text = [block for block in page.layout.blocks if block.size > 60 and 2 * block.linked < len(block.text)]
        best: tuple[int, int, Table] | None = None
        for table in self.tables:
            held = sum(block.size for block in text if table.holds_text(places.of(block)))
            if held and (best is None or (held, table.layout.pages) > best[:2]):
                best = (held, table.layout.pages, table)
        return best[2] if best is not None else None

    def _page_level(self, page: Document, places: Places, table: Table | None) -> Examination:
        """The page-level answer, as far as it is needed.

        What many pages agree on is not weighed again, except for every fifth such block, as a check, which pays for the wrapper's
        own work; if nothing else on the page may be text, only every eighth page is weighed at all.
        """
        if table is None or table.layout.pages < MANY_PAGES:
            return self._examined(page, {})
        clear, open_ = self._beyond_doubt(page, places, table)
        if page.size % _EVERY_PAGE and not open_:
            found = Examination(chances=clear, taken=self._taken(page, clear))
            if sum(block.size for block in found.taken) >= max(_LEAST_HELD, table.layout.shortest // 2):
                return found
        found = self._examined(page, {index: chance for index, chance in clear.items() if index % _EVERY_BLOCK})
        return self._examined(page, {}) if clear and self._differs(page, clear, found) else found

    def _beyond_doubt(self, page: Document, places: Places, table: Table) -> tuple[dict[int, float], bool]:
        """Chances of the blocks that need no weighing, and whether there are others that may be text."""
        clear: dict[int, float] = {}
        others: list[Block] = []
        headline = page.headline.block if page.headline else None
        for block in page.layout.blocks:
            if block is headline or (10 * block.linked >= 9 * len(block.text) and block.size <= _LONGEST_LINK):
                continue
            chance = table.beyond_doubt(places.of(block))
            if chance is not None and (chance < 0.5 or is_plain(block, page.layout)):
                clear[block.index] = chance
            else:
                others.append(block)
        text = [index for index, chance in clear.items() if chance >= 0.5]
        if not text:
            return clear, True
        recurring = self.furniture.of(others, ())
        return clear, any(block.index not in recurring or text[0] < block.index < text[-1] for block in others)

    def _examined(self, page: Document, spared: Mapping[int, float]) -> Examination:
        """The page-level answer, where the chances of some blocks need no weighing."""
        found = Examination(evidence=gather(page, spared=spared.keys()))
        if found.evidence is not None:
            self.detector.weigh(page, found.evidence, found)
        if spared:
            found.chances = dict(sorted({**found.chances, **spared}.items()))
            found.taken = self._taken(page, found.chances)
        return found

    def _taken(self, page: Document, chances: Mapping[int, float]) -> list[Block]:
        blocks = page.layout.blocks
        return self._settled(page, [blocks[index] for index, chance in chances.items() if chance >= self.detector.threshold])

    def _differs(self, page: Document, clear: Mapping[int, float], found: Examination) -> bool:
        """Tell whether the blocks that were weighed as a check have other chances than was learned."""
        alike = other = 0
        for index, chance in clear.items():
            if not index % _EVERY_BLOCK:
                weighed_here = found.chances.get(index, 0.0) >= self.detector.threshold
                size = page.layout.blocks[index].size
                alike, other = (alike + size, other) if weighed_here == (chance >= 0.5) else (alike, other + size)
        return 4 * other > alike

    def _decide(self, w: _Weighing) -> Applied:
        """Weigh the two answers."""
        layout = w.table.layout if w.table is not None else None
        record = Explained(
            explained=False, template=layout.name if layout else None, known=self._known(w),
            agreement=likeness(w.taken, w.own.taken), furniture=share(w.own.taken, w.furniture),
        )  # fmt: skip
        if w.placed:
            return self._used(w, replace(record, explained=True), "the body was placed by hand")
        fully = layout is not None and record.known >= _FULLY and layout.pages >= _EXPERIENCED and self._stands_right(w, layout)
        reason = None if fully else refusal(w.page, w.own.taken)
        if reason is not None and reason.reason not in _JUDGED:
            return self._own(w, record, "the page says that it is no article", reason)
        if w.own.taken and record.furniture >= _ALL_FURNITURE:
            recurs = Refusal(reason=PageReason.NO_BODY, detail="its text recurs on other pages of the portal")
            return self._own(w, replace(record, explained=True), "nothing but furniture", recurs)
        if layout is None or not record.known:
            record = replace(record, template=None)
            return self._own(w, record, "laid out like none of the learned pages", reason)
        if layout.barren:
            listing = Refusal(reason=PageReason.LISTING, detail="laid out like the portal's listings")
            like = record.known >= _EXPLAINED
            return self._own(w, replace(record, explained=like), "laid out like the portal's listings", listing if like else reason)
        why = self._objection(w.page, layout, record.known, sum(block.size for block in w.taken))
        if why:
            return self._own(w, record, why, reason)
        record = replace(record, explained=True)
        experienced = layout.pages >= _EXPERIENCED
        if record.agreement < _AGREES and not experienced:
            return self._own(w, record, "both answers differ, and few pages were learned", reason)
        if reason is not None and not (experienced and self._stands_right(w, layout)):
            return self._own(w, record, "the page-level method finds no article", reason)
        return self._used(w, record, "it explains the page")

    def _objection(self, page: Document, layout: Layout, known: float, size: int) -> str:
        """Why the wrapper does not explain the page; empty where it does."""
        if known < _EXPLAINED:
            return f"only {known:.0%} of the text stands where the learned articles have theirs"
        if page.headline is None:
            return "there is no headline"
        if size < max(_LEAST_SIZE, _SHORTER * layout.shortest):
            return f"{size} characters are too few; the shortest learned article has {layout.shortest}"
        if size > _LONGER * max(layout.longest, _LEAST_LONGEST):
            return f"{size} characters are too many; the longest learned article has {layout.longest}"
        return ""

    def _stands_right(self, w: _Weighing, layout: Layout) -> bool:
        """Tell whether the headline stands where the learned articles have theirs."""
        headline = w.page.headline
        return headline is not None and headline.block is not None and w.places.of(headline.block) in layout.headlines

    def _known(self, w: _Weighing) -> float:
        """Share of the text at places where the learned articles have theirs."""
        if w.table is None or not w.taken:
            return 0.0
        held = sum(block.size for block in w.taken if w.table.holds_text(w.places.of(block)))
        return held / sum(block.size for block in w.taken)

    def _own(self, w: _Weighing, record: Explained, why: str, reason: Refusal | None) -> Applied:
        """The page-level answer."""
        self.detector.make_body(w.page, w.own)
        w.own.refusal = reason
        if reason is None and (w.own.body is None or len(w.own.body.text) < self.detector.least_size):
            w.own.refusal = Refusal(reason=PageReason.NO_BODY, detail="hardly any text reads like an article")
        confidence = w.own.body.confidence if w.own.body else 0.0
        return Applied(found=w.own, explained=replace(record, confidence=confidence, why=why))

    def _used(self, w: _Weighing, record: Explained, why: str) -> Applied:
        """The wrapper's answer; its confidence grows with the agreement of both."""
        found = Examination(
            evidence=w.own.evidence, chances={**dict.fromkeys((b.index for b in w.taken), 0.5), **w.chances}, taken=w.taken
        )
        self.detector.make_body(w.page, found)
        if found.body is None:
            found.refusal = Refusal(reason=PageReason.NO_BODY, detail="nothing is left without the portal's furniture")
            return Applied(found=found, explained=replace(record, why=why))
        fields = ["body"]
        body = found.body
        if self.inline and len(body.paragraphs) == len(w.taken):
            body = replace(body, paragraphs=without_inline(body.paragraphs, w.taken, self.inline))
        if w.table is not None:
            body = self._with_headline_and_lead(w, w.table.layout, body, fields)
        confidence = body.confidence * (0.5 + 0.5 * record.agreement)
        found.body = replace(body, confidence=confidence)
        return Applied(found=found, explained=replace(record, used="wrapper", confidence=confidence, fields=tuple(fields), why=why))

    def _with_headline_and_lead(self, w: _Weighing, layout: Layout, body: Body, fields: list[str]) -> Body:
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

    def _with_overrides(self, page: Document, applied: Applied) -> Applied:
        """Put in what was placed by hand, and note which selectors found nothing."""
        given = [name for name in ("headline", "lead") if self.overrides.text(page, name)]
        broken = [name for name in ("headline", "lead") if name in self.overrides.selectors and name not in given]
        if "body" in self.overrides.selectors and self.overrides.blocks(page) is None:
            broken.append("body")
        body = applied.found.body
        if body is not None:
            body = replace(
                body,
                headline=self.overrides.text(page, "headline") or body.headline,
                lead=self.overrides.text(page, "lead") or body.lead,
            )
            applied.found.body = body
        fields = tuple(dict.fromkeys((*applied.explained.fields, *given)))
        return replace(applied, explained=replace(applied.explained, fields=fields, broken=tuple(broken)))


def _usual(places: Mapping[str, int], place: str, pages: int) -> bool:
    """Tell whether at least two learned pages, and half of them, have it there."""
    return places.get(place, 0) >= max(2, (pages + 1) // 2)
