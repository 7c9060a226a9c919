"""Reading a page by a template: the probabilities of its blocks, moved by what other pages show, and the fields placed by hand.

Which learned layout the page fits decides nothing about its text; it is what layout drift is noticed by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from newscrawler.article import Body
from newscrawler.extraction.body.extractor import Examination, default_extractor, retake
from newscrawler.extraction.body.headline import headline_of
from newscrawler.extraction.body.page_kind import Origin
from newscrawler.extraction.templates.evidence import KnownEvidence
from newscrawler.extraction.templates.fast_page import FastPage
from newscrawler.extraction.templates.fast_path import FastReader, is_sampled
from newscrawler.extraction.templates.inline_text import without_inline
from newscrawler.extraction.templates.layouts import KnownLayout, agreement_of, best_layout, likeness_of, size_of
from newscrawler.extraction.templates.model import Explained, FieldName, InlineText
from newscrawler.extraction.templates.overrides import OF_HEADING, Overrides
from newscrawler.extraction.templates.signatures import Namer, Places
from newscrawler.page import Document
from newscrawler.page.blocks import Block

#: Share of the text at known places from which on a page fits a layout.
_FITS = 0.6
#: Probability that a block in a body placed by hand must have, and one whose line recurs.
_LEAST_PLACED, _RECURRING = 0.02, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The answer for one page."""

    found: Examination
    explained: Explained
    #: What reads the other fields of a page that was read at the learned places, or in both ways to be compared.
    fast: FastPage | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PageReader:
    """A template made ready to read pages."""

    layouts: Sequence[KnownLayout]
    namer: Namer
    evidence: KnownEvidence
    fast: Sequence[FastReader]
    inline: Sequence[InlineText]
    overrides: Overrides

    def read(self, page: Document, origin: Origin = Origin.UNKNOWN) -> Applied:
        """Read one page: at the learned places where it fits them, else in full; a sample is read in both ways and compared."""
        readers = () if self.overrides.selectors else self.fast
        fast = next((read for reader in readers if (read := reader.read(page)) is not None), None)
        if fast is not None and not is_sampled(page):
            confidence = fast.path.confidence
            explained = Explained(explained=True, template=fast.layout, known=1.0, confidence=confidence, is_fast=True)
            fast.found.body = self._without_inline(fast.found, fast.body)
            return Applied(found=fast.found, explained=explained, fast=fast)
        found, explained = self._in_full(page, origin)
        if fast is not None:
            explained = replace(explained, agreement=min(explained.agreement, likeness_of(fast.found, found)))
        return Applied(found=found, explained=explained, fast=fast)

    def _in_full(self, page: Document, origin: Origin) -> tuple[Examination, Explained]:
        own, places = default_extractor().examine(page, origin), Places(page, self.namer)
        found = default_extractor().amend(own, self.evidence.of_page(own, places), origin)
        if placed := self._placed(page, found.probabilities.tolist()):
            found = retake(own, placed)
            found = replace(found, refusal=None) if found.body else found
        body = self._without_inline(found, found.body) if found.body is not None else None
        explained = replace(
            self._fit(own, found, places, is_placed=bool(placed)), confidence=found.body.confidence if found.body else 0.0,
            fields=("body",) if body is not None and (found.taken != own.taken or body != found.body) else (),
        )  # fmt: skip
        if body is None:
            explained = self.overrides.noted(explained, OF_HEADING, ())
        else:
            body, explained = self.overrides.heading(page, body, explained)
            found = replace(found, body=body)
        return found, explained if placed else self.overrides.noted(explained, (FieldName.BODY,), ())

    def _without_inline(self, found: Examination, body: Body) -> Body:
        if not self.inline or len(body.paragraphs) != len(found.taken):
            return body
        return replace(body, paragraphs=without_inline(body.paragraphs, found.taken, self.inline))

    def _placed(self, page: Document, likely: Sequence[float]) -> list[Block] | None:
        """Return the blocks placed as the body by hand, but for those that are surely no text; None where there are none."""
        placed = self.overrides.blocks(page)
        least = {True: _RECURRING, False: _LEAST_PLACED}
        return placed and ([block for block in placed if likely[block.index] >= least[self.evidence.recurs(block.text)]] or placed)

    def _fit(self, own: Examination, found: Examination, places: Places, *, is_placed: bool) -> Explained:
        """Return how a page fits the template, given its reading by itself and by the template."""
        page, taken = own.page, found.taken
        kept = {block.index for block in taken}
        left_out = {block.index for block in own.taken if block.index not in kept and self.evidence.recurs(block.text)}
        boilerplate = sum(block.size for block in own.taken if block.index in left_out) / max(size_of(own.taken), 1)
        layout = best_layout(self.layouts, page, places)
        known = size_of(layout.expected(places, taken)) / max(size_of(taken), 1) if layout is not None else 0.0
        expected = own.taken
        if layout is not None and known and not is_placed:
            expected = layout.expected(places, (block for block in page.layout.blocks if block.index not in left_out))
        has_fit = is_placed or known > 0
        return Explained(
            explained=is_placed or (known >= _FITS and page.view(headline_of) is not None), boilerplate=boilerplate, known=known,
            template=layout.layout.name if layout is not None and has_fit else None,
            agreement=agreement_of((b.text for b in expected), (b.text for b in taken)) if has_fit else 1.0,
        )  # fmt: skip
