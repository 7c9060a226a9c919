"""Applying: the wrapper's answer for a page is held against the page-level one, and used only where it explains the page.

It explains a page if most of the text taken stands at places that it knows, there is a headline, and the length is one that the
portal's articles have. It wins if then both answers are much the same, or if it was learned from pages enough to know better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from newscrawler.extraction.body import Examination
from newscrawler.errors import PageReason
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.amid import amid
from newscrawler.wrappers.portal.around import Around
from newscrawler.wrappers.portal.inline import without_inline
from newscrawler.wrappers.portal.lines import Furniture
from newscrawler.wrappers.portal.model import Explained, InlineText
from newscrawler.wrappers.portal.overrides import Overrides
from newscrawler.wrappers.portal.signatures import Namer, Places
from newscrawler.wrappers.portal.spare import Sparing, settled
from newscrawler.wrappers.portal.tell import decision, furniture_found, places_found
from newscrawler.wrappers.portal.weigh import LEAST_PAGES, Table, likeness, loss, named_furniture, share, weighed
from newscrawler.wrappers.portal.weighing import EXPERIENCED, EXPLAINED, Weighing, share_held, texts_of, with_headline_and_lead

#: Agreement from which on the wrapper may win; without it, it must have been learned from pages enough.
_AGREES = 0.5
#: Share of the text beside the furniture that may stand at places like none on the learned pages, for it to be left out.
_MOST_STRANGE = 0.2
#: Share of the page-level text that is furniture from which on the page holds nothing else.
_ALL_FURNITURE = 0.8
#: Chance that a block in a body placed by hand must have.
_LEAST_PLACED = 0.02
#: Refusals that a page explained by the wrapper may overrule: matters of judgement, not of fact.
_JUDGED = frozenset({PageReason.LISTING, PageReason.NO_BODY})
#: One page of so many is weighed as a whole, so that drift is noticed.
EVERY_PAGE = 8
#: Whether a less likely block recurs changes nothing.
_LEAST_LIKELY = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The answer for one page."""

    #: The page as it was read: where much of it is known to be furniture, it is laid out without that.
    page: Document
    found: Examination
    explained: Explained


@dataclass(slots=True, eq=False)
class Applier:
    """A wrapper made ready; applying it changes nothing but its memory of names."""

    tables: Sequence[Table]
    namer: Namer
    furniture: Furniture
    inline: Sequence[InlineText] = ()
    overrides: Overrides = field(default_factory=lambda: Overrides({}))
    around: Around = field(default_factory=lambda: Around({}))
    detector: object = None
    #: One page of so many is weighed as a whole, whatever is known of it.
    every_page: int = EVERY_PAGE

    def apply(self, page: Document) -> Applied:
        """Read one page."""
        weighing = self._weighed_in_brief(page) if page.size % self.every_page else None
        if weighing is None:
            if not page.layout.blocks:
                nothing = Explained(explained=False, why="the page holds no text")
                return Applied(page=page, found=self.detector.examine(page), explained=nothing)
            places = Places(page, self.namer)
            weighing = self._weigh(page, places, self._table_for(page, places))
        applied = self._decide(weighing)
        return self._with_overrides(page, applied) if self.overrides.selectors else applied

    def tell(self, page: Document) -> tuple[Applied, tuple[str, ...]]:
        """Read one page as a whole, and say in lines what was decided."""
        if not page.layout.blocks:
            applied = self.apply(page)
            return applied, tuple(decision(applied.explained))
        places = Places(page, self.namer)
        weighing = self._weigh(page, places, self._table_for(page, places))
        applied = self._decide(weighing)
        applied = self._with_overrides(page, applied) if self.overrides.selectors else applied
        found = places_found(weighing.table, places, applied.found.taken)
        return applied, (*decision(applied.explained), *found, *furniture_found(page.layout.blocks, weighing.furniture))

    def reads_in_brief(self, page: Document) -> bool:
        """Tell whether a page can be read without what stands around its article."""
        return self._weighed_in_brief(page) is not None

    def _weighed_in_brief(self, page: Document) -> Weighing | None:
        """Weigh a page without what stands around its article; None where not all that is left is as on the learned pages."""
        if not self._is_experienced or "body" in self.overrides.selectors:
            return None
        without = self.around.brief(page)
        if without is None:
            return None
        brief, mass = without
        if brief.headline is None or brief.headline.block is None:
            return None
        places = Places(brief, self.namer)
        table = self._table_for(brief, places)
        if table is None or table.layout.pages < EXPERIENCED or not table.heads(places.of(brief.headline.block)):
            return None
        text = [block for block in texts_of(brief) if block is not brief.headline.block]
        strange = sum(block.size for block in text if table.is_strange(places.of(block)))
        if strange > _MOST_STRANGE * sum(block.size for block in text):
            return None
        found = self._weigh(brief, places, table, mass)
        found.checked = False
        return found if found.is_full and not found.is_doubtful(self.detector.threshold) else None

    @property
    def _is_experienced(self) -> bool:
        return any(table.layout.pages >= EXPERIENCED and not table.layout.barren for table in self.tables)

    def _weigh(self, page: Document, places: Places, table: Table | None, beyond: float = 0.0) -> Weighing:
        page_level = Sparing(self.detector, self.furniture, self.every_page, beyond).read(page, places, table)
        own = page_level.found
        learned = table if table is not None and table.layout.pages >= LEAST_PAGES else None
        furniture = self._recurring(page, places, table, own)
        chances = {}
        for index, chance in own.chances.items():
            if index not in furniture and (learned is None or index in page_level.spared):
                chances[index] = chance
                continue
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
        taken = own.taken if same else settled(page, sorted(chosen, key=lambda block: block.index))
        return Weighing(page, places, table, own, page_level.is_whole, taken, chances, furniture, placed is not None)

    def _recurring(self, page: Document, places: Places, table: Table | None, own: Examination) -> frozenset[int]:
        """The blocks that recur on other pages; where few pages were learned, and none like this one, only if nearly all do."""
        if table is None or table.layout.pages < LEAST_PAGES:
            likely = own.taken
            if share_held(table, places, likely) < EXPLAINED and not self.furniture.may_hold(likely, _ALL_FURNITURE):
                return frozenset()
        else:
            likely = [page.layout.blocks[index] for index, chance in own.chances.items() if chance >= _LEAST_LIKELY]
        furniture = self.furniture.of(likely, own.taken)
        if not furniture:
            return furniture
        return furniture - amid(page.layout, own.taken, furniture) - self._announced(page, places, table, own.taken, furniture)

    def _announced(
        self, page: Document, places: Places, table: Table | None, taken: Sequence[Block], furniture: frozenset[int]
    ) -> frozenset[int]:
        """The first paragraph, where it recurs because other pages announce the article with it: they show its headline, too."""
        headline = page.headline.block if page.headline is not None else None
        if table is None or headline is None or not taken or taken[0].index not in furniture:
            return frozenset()
        shown = headline.index in self.furniture.of([headline], ())
        return frozenset({taken[0].index}) if shown and table.holds_text(places.of(taken[0])) else frozenset()

    def _table_for(self, page: Document, places: Places) -> Table | None:
        """The layout at whose places most of the page's text stands; None where none holds any. A single one needs no comparing."""
        if len(self.tables) == 1:
            return self.tables[0]
        text = texts_of(page)
        best: tuple[int, int, Table] | None = None
        for table in self.tables:
            held = sum(block.size for block in text if table.holds_text(places.of(block)))
            if held and (best is None or (held, table.layout.pages) > best[:2]):
                best = (held, table.layout.pages, table)
        return best[2] if best is not None else None

    def _decide(self, w: Weighing) -> Applied:
        """Weigh the two answers."""
        layout = w.table.layout if w.table is not None else None
        record = Explained(
            explained=False, template=layout.name if layout else None, known=w.known,
            agreement=likeness(w.taken, w.own.taken), furniture=share(w.own.taken, w.furniture), checked=w.checked,
        )  # fmt: skip
        if w.placed:
            return self._used(w, replace(record, explained=True), "the body was placed by hand")
        reason = None if w.is_full else refusal(w.page, w.own.taken)
        if reason is None:  # as the detector does; both answers are without them
            same = w.taken is w.own.taken
            w.own.taken = trimmed(w.page, w.own.taken)
            w.taken = w.own.taken if same else trimmed(w.page, w.taken)
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
            like = record.known >= EXPLAINED
            return self._own(w, replace(record, explained=like), "laid out like the portal's listings", listing if like else reason)
        why = w.objection(record.known)
        if why:
            return self._own(w, record, why, reason)
        record = replace(record, explained=True)
        experienced = layout.pages >= EXPERIENCED
        if record.agreement < _AGREES and not experienced:
            return self._own(w, record, "both answers differ, and few pages were learned", reason)
        if reason is not None and not (experienced and w.stands_right):
            return self._own(w, record, "the page-level method finds no article", reason)
        return self._used(w, record, "it explains the page")

    def _own(self, w: Weighing, record: Explained, why: str, reason: Refusal | None) -> Applied:
        """The page-level answer."""
        self.detector.make_body(w.page, w.own)
        w.own.refusal = reason
        if reason is None and (w.own.body is None or len(w.own.body.text) < self.detector.least_size):
            w.own.refusal = Refusal(reason=PageReason.NO_BODY, detail="hardly any text reads like an article")
        confidence = w.own.body.confidence if w.own.body else 0.0
        return Applied(page=w.page, found=w.own, explained=replace(record, confidence=confidence, why=why))

    def _used(self, w: Weighing, record: Explained, why: str) -> Applied:
        """The wrapper's answer; its confidence grows with the agreement of both."""
        found = Examination(
            evidence=w.own.evidence, chances={**dict.fromkeys((b.index for b in w.taken), 0.5), **w.chances}, taken=w.taken
        )
        self.detector.make_body(w.page, found)
        if found.body is None:
            found.refusal = Refusal(reason=PageReason.NO_BODY, detail="nothing is left without the portal's furniture")
            return Applied(page=w.page, found=found, explained=replace(record, why=why))
        fields = ["body"]
        body = found.body
        if self.inline and len(body.paragraphs) == len(w.taken):
            body = replace(body, paragraphs=without_inline(body.paragraphs, w.taken, self.inline))
        if w.table is not None:
            body = with_headline_and_lead(w, w.table.layout, body, fields)
        confidence = body.confidence * (0.5 + 0.5 * record.agreement)
        found.body = replace(body, confidence=confidence)
        return Applied(
            page=w.page,
            found=found,
            explained=replace(record, used="wrapper", confidence=confidence, fields=tuple(fields), why=why),
        )

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
