"""Applying: the wrapper's answer for a page is held against the page-level one, and used only where it explains the page.

It explains a page if most of the text taken stands at places that it knows, there is a headline, and the length is one that the
portal's articles have. It wins if then both answers are much the same, or if it was learned from pages enough to know better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from newscrawler.blocks import Body
from newscrawler.blocks.default import DefaultDetector
from newscrawler.blocks.default.detector import Examination
from newscrawler.blocks.default.teasers import without_teasers
from newscrawler.blocks.default.verdict import Refusal, refusal
from newscrawler.errors import PageReason
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.headline import likeness as likeness_of_texts
from newscrawler.wrappers.portal.amid import amid
from newscrawler.wrappers.portal.around import Around
from newscrawler.wrappers.portal.inline import without_inline
from newscrawler.wrappers.portal.lines import Furniture
from newscrawler.wrappers.portal.model import Explained, InlineText, Layout
from newscrawler.wrappers.portal.overrides import Overrides
from newscrawler.wrappers.portal.signatures import Namer, Places
from newscrawler.wrappers.portal.spare import Sparing, settled
from newscrawler.wrappers.portal.tell import decision, furniture_found, places_found
from newscrawler.wrappers.portal.weigh import LEAST_PAGES, Table, likeness, loss, named_furniture, share, weighed

#: Share of the text at known places from which on the wrapper explains the page; agreement from which on it may win; pages that it
#: must be learned from to win without.
_EXPLAINED, _AGREES, _EXPERIENCED = 0.6, 0.5, 3
#: Share from which on, with the headline in its place, such a wrapper leaves no question whether the page holds an article.
_FULLY = 0.9
#: Share of the text beside the furniture that may stand at places like none on the learned pages, for it to be left out.
_MOST_STRANGE = 0.2
#: Page-level chances between which they must be those of the whole page: without what stands around, they come out a little higher.
_IN_DOUBT = (0.38, 0.5)
#: How far beyond the lengths of the learned articles another one may be; only what is absurd counts.
_SHORTER, _LONGER, _LEAST_SIZE, _LEAST_LONGEST = 0.2, 4.0, 100, 5000
#: Share of the page-level text that is furniture from which on the page holds nothing else.
_ALL_FURNITURE = 0.8
#: Chance that a block in a body placed by hand must have.
_LEAST_PLACED = 0.02
#: Refusals that a page explained by the wrapper may overrule: matters of judgement, not of fact.
_JUDGED = frozenset({PageReason.LISTING, PageReason.NO_BODY})
_LONGEST_HEADLINE = 300
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
class _Weighing:
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


@dataclass(slots=True, eq=False)
class Applier:
    """A wrapper made ready; applying it changes nothing but its memory of names."""

    tables: Sequence[Table]
    namer: Namer
    furniture: Furniture
    inline: Sequence[InlineText] = ()
    overrides: Overrides = field(default_factory=lambda: Overrides({}))
    around: Around = field(default_factory=lambda: Around({}))
    detector: DefaultDetector = field(default_factory=DefaultDetector)
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

    def _weighed_in_brief(self, page: Document) -> _Weighing | None:
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
        if table is None or table.layout.pages < _EXPERIENCED or not table.heads(places.of(brief.headline.block)):
            return None
        text = [block for block in _texts(brief) if block is not brief.headline.block]
        strange = sum(block.size for block in text if table.is_strange(places.of(block)))
        if strange > _MOST_STRANGE * sum(block.size for block in text):
            return None
        found = self._weigh(brief, places, table, mass)
        found.checked = False
        return found if self._fully(found) and not self._is_doubtful(found) else None

    @property
    def _is_experienced(self) -> bool:
        return any(table.layout.pages >= _EXPERIENCED and not table.layout.barren for table in self.tables)

    def _weigh(self, page: Document, places: Places, table: Table | None, beyond: float = 0.0) -> _Weighing:
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
        return _Weighing(page, places, table, own, page_level.is_whole, taken, chances, furniture, placed is not None)

    def _recurring(self, page: Document, places: Places, table: Table | None, own: Examination) -> frozenset[int]:
        """The blocks that recur on other pages; where few pages were learned, and none like this one, only if nearly all do."""
        if table is None or table.layout.pages < LEAST_PAGES:
            likely = own.taken
            if self._share_held(table, places, likely) < _EXPLAINED and not self.furniture.may_hold(likely, _ALL_FURNITURE):
                return frozenset()
        else:
            likely = [page.layout.blocks[index] for index, chance in own.chances.items() if chance >= _LEAST_LIKELY]
        furniture = self.furniture.of(likely, own.taken)
        return furniture - amid(page.layout, own.taken, furniture) if furniture else furniture

    def _table_for(self, page: Document, places: Places) -> Table | None:
        """The layout at whose places most of the page's text stands; None where none holds any. A single one needs no comparing."""
        if len(self.tables) == 1:
            return self.tables[0]
        text = _texts(page)
        best: tuple[int, int, Table] | None = None
        for table in self.tables:
            held = sum(block.size for block in text if table.holds_text(places.of(block)))
            if held and (best is None or (held, table.layout.pages) > best[:2]):
                best = (held, table.layout.pages, table)
        return best[2] if best is not None else None

    def _decide(self, w: _Weighing) -> Applied:
        """Weigh the two answers."""
        layout = w.table.layout if w.table is not None else None
        record = Explained(
            explained=False, template=layout.name if layout else None, known=self._known(w),
            agreement=likeness(w.taken, w.own.taken), furniture=share(w.own.taken, w.furniture), checked=w.checked,
        )  # fmt: skip
        if w.placed:
            return self._used(w, replace(record, explained=True), "the body was placed by hand")
        reason = None if self._fully(w) else refusal(w.page, w.own.taken)
        if reason is None:  # as the detector does; both answers are without them
            same = w.taken is w.own.taken
            w.own.taken = without_teasers(w.page, w.own.taken)
            w.taken = w.own.taken if same else without_teasers(w.page, w.taken)
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
        if reason is not None and not (experienced and self._stands_right(w)):
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

    def _fully(self, w: _Weighing) -> bool:
        """Tell whether there is no question that the page holds an article: all is where it is on the learned pages."""
        if w.table is None or w.table.layout.barren or w.table.layout.pages < _EXPERIENCED or not self._stands_right(w):
            return False
        return self._known(w) >= _FULLY and not self._objection(w.page, w.table.layout, 1.0, sum(block.size for block in w.taken))

    def _is_doubtful(self, w: _Weighing) -> bool:
        """Tell whether a decision hangs on chances in which what stands around the article counts, too."""
        least = self.detector.threshold
        return any(
            _IN_DOUBT[0] < w.own.chances[i] < _IN_DOUBT[1] or (chance >= least) != (w.own.chances[i] >= least)
            for i, chance in w.chances.items()
            if i not in w.furniture
        )

    def _stands_right(self, w: _Weighing) -> bool:
        """Tell whether the headline stands where the learned articles have theirs."""
        headline = w.page.headline.block if w.page.headline is not None else None
        return headline is not None and w.table is not None and w.table.heads(w.places.of(headline))

    def _known(self, w: _Weighing) -> float:
        """Share of the text at places where the learned articles have theirs."""
        return self._share_held(w.table, w.places, w.taken)

    def _share_held(self, table: Table | None, places: Places, taken: Sequence[Block]) -> float:
        if table is None or not taken:
            return 0.0
        held = sum(block.size for block in taken if table.holds_text(places.of(block)))
        return held / sum(block.size for block in taken)

    def _own(self, w: _Weighing, record: Explained, why: str, reason: Refusal | None) -> Applied:
        """The page-level answer."""
        self.detector.make_body(w.page, w.own)
        w.own.refusal = reason
        if reason is None and (w.own.body is None or len(w.own.body.text) < self.detector.least_size):
            w.own.refusal = Refusal(reason=PageReason.NO_BODY, detail="hardly any text reads like an article")
        confidence = w.own.body.confidence if w.own.body else 0.0
        return Applied(page=w.page, found=w.own, explained=replace(record, confidence=confidence, why=why))

    def _used(self, w: _Weighing, record: Explained, why: str) -> Applied:
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
            body = self._with_headline_and_lead(w, w.table.layout, body, fields)
        confidence = body.confidence * (0.5 + 0.5 * record.agreement)
        found.body = replace(body, confidence=confidence)
        return Applied(
            page=w.page,
            found=found,
            explained=replace(record, used="wrapper", confidence=confidence, fields=tuple(fields), why=why),
        )

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


def _texts(page: Document) -> list[Block]:
    """The blocks that are more than scraps and links."""
    return [block for block in page.layout.blocks if block.size > 60 and 2 * block.linked < len(block.text)]


def _usual(places: Mapping[str, int], place: str, pages: int) -> bool:
    """Tell whether at least two learned pages, and half of them, have it there."""
    return places.get(place, 0) >= max(2, (pages + 1) // 2)
