"""Applying a template to a page: the probabilities of its blocks, moved by what other pages show, and the fields placed by hand.

Which learned layout the page fits decides nothing about its text; it is what layout drift is noticed by. One thing only follows
from it: a page that looks like the portal's listings, and is no certain article, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from newscrawler.article import Body
from newscrawler.errors import PageReason
from newscrawler.extraction.body import Examination, Refusal, default_extractor, retake
from newscrawler.extraction.headline import headline_of
from newscrawler.extraction.page_kind import Origin
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.description import boilerplate_lines, decision, known_places
from newscrawler.wrappers.portal.evidence import KnownEvidence
from newscrawler.wrappers.portal.fast_page import FastPage
from newscrawler.wrappers.portal.fast_path import FastReader, is_sampled
from newscrawler.wrappers.portal.inline import without_inline
from newscrawler.wrappers.portal.layouts import FITS, KnownLayout, agreement_of, best_layout, likeness_of
from newscrawler.wrappers.portal.model import Explained, FieldName, InlineText
from newscrawler.wrappers.portal.overrides import Overrides
from newscrawler.wrappers.portal.signatures import Namer, Places

#: Share of the page-level body that is boilerplate from which on the page holds nothing else, and characters of the rest.
_ALL_BOILERPLATE, _LEAST_REST = 0.8, 100
_OF_BODY = (FieldName.TITLE, FieldName.LEAD)
#: Probability that a block in a body placed by hand must have, and one whose line recurs.
_LEAST_PLACED, _RECURRING = 0.02, 0.5
#: Probability from which on a page is an article, even if it is laid out like the portal's listings.
_SURELY_ARTICLE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The answer for one page."""

    found: Examination
    explained: Explained
    #: What reads the other fields of a page that was read at the learned places, or in both ways to be compared.
    fast: FastPage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparison:
    """What the template knows of a page."""

    own: Examination
    #: The same page by what the labels and lines of other pages show.
    amended: Examination
    places: Places
    layout: KnownLayout | None
    #: Blocks of the page-level body whose lines recur, and that are left out.
    boilerplate: frozenset[int]
    #: The blocks placed as the body by hand; None where there are none.
    placed: list[Block] | None


@dataclass(frozen=True, slots=True, eq=False)
class Applier:
    """A template made ready to read pages."""

    layouts: Sequence[KnownLayout]
    namer: Namer
    evidence: KnownEvidence
    fast: Sequence[FastReader] = ()
    inline: Sequence[InlineText] = ()
    overrides: Overrides = field(default_factory=lambda: Overrides({}))

    def apply(self, page: Document, origin: Origin = Origin.UNKNOWN) -> Applied:
        """Read one page: at the learned places where it fits them, else in full; a sample is read in both ways and compared."""
        fast = None if self.overrides.selectors else next(self._read_fast(page), None)
        if fast is not None and not is_sampled(page):
            return fast
        applied = self._decide(self._compare(page, origin))
        if fast is None:
            return applied
        agreement = min(applied.explained.agreement, likeness_of(fast.found, applied.found))
        return replace(applied, explained=replace(applied.explained, agreement=agreement), fast=fast.fast)

    def _read_fast(self, page: Document) -> Iterator[Applied]:
        """Yield the page as the layouts with a fast path read it."""
        for reader in self.fast:
            if (read := reader.read(page)) is not None:
                found = read.found
                if found.body is not None:
                    found.body = self._without_inline(found, found.body)
                why = f"read at the learned places of {reader.layout.name}"
                explained = Explained(
                    explained=True, template=reader.layout.name, known=1.0, used="wrapper", confidence=reader.path.confidence,
                    is_fast=True, why=why,
                )  # fmt: skip
                yield Applied(found=found, explained=explained, fast=read)

    def describe(self, page: Document, origin: Origin = Origin.UNKNOWN) -> tuple[Applied, tuple[str, ...]]:
        """Read one page, and return lines that say for people what was decided."""
        compared = self._compare(page, origin)
        applied = self._decide(compared)
        return applied, (
            *decision(applied.explained),
            *known_places(compared.layout, compared.places, applied.found.taken),
            *boilerplate_lines(page.layout.blocks, compared.boilerplate),
        )

    def _compare(self, page: Document, origin: Origin) -> _Comparison:
        own = default_extractor().examine(page, origin)
        headline = page.view(headline_of)
        places = Places(page, self.namer)
        index = headline.block.index if headline is not None and headline.block is not None else None
        evidence = self.evidence.rows(page.layout, places, own.probabilities.tolist(), index) if page.layout.blocks else {}
        amended = default_extractor().amend(own, evidence, origin)
        placed = self.overrides.blocks(page)
        if placed is not None:
            likely = amended.probabilities
            placed = [
                b for b in placed if likely[b.index] >= (_RECURRING if self.evidence.recurs(b.text) else _LEAST_PLACED)
            ] or placed
        kept = {block.index for block in (amended.taken if placed is None else placed)}
        left_out = frozenset(block.index for block in own.taken if block.index not in kept and self.evidence.recurs(block.text))
        return _Comparison(
            own=own,
            amended=amended,
            places=places,
            layout=best_layout(self.layouts, page, places),
            boilerplate=left_out,
            placed=placed,
        )

    def _decide(self, compared: _Comparison) -> Applied:
        found, why = self._body_of(compared)
        record = replace(_fit(compared, found), why=why)
        if compared.placed is None and (refusal := _refusal(compared, record)) is not None:
            found = replace(found, refusal=refusal)
            record = replace(record, why=refusal.detail)
        fields = ["body"] * (found.body is not None and found.taken != compared.own.taken)
        if found.body is not None:
            body = self._without_inline(found, found.body)
            fields = ["body"] if body.paragraphs != found.body.paragraphs else fields
            body, placed = self._with_overrides(found.page, body)
            fields += placed
            found = replace(found, body=body)
        return Applied(
            found=found,
            explained=replace(
                record,
                used="wrapper" if fields else "default",
                confidence=found.body.confidence if found.body else 0.0,
                fields=tuple(fields),
                broken=self._broken(compared, fields),
            ),
        )

    def _body_of(self, compared: _Comparison) -> tuple[Examination, str]:
        """Return the examination with the body that the template leads to, and how it was found."""
        own, placed = compared.own, compared.placed
        if placed is not None:
            found = retake(own, placed)
            return (replace(found, refusal=None) if found.body else found), "the body was placed by hand"
        if compared.amended is own:
            return own, "the page was read by itself: nothing of it is known from other pages"
        if compared.amended.taken == own.taken:
            return compared.amended, "other pages confirm the text that was found"
        if compared.boilerplate:
            return compared.amended, "lines that recur on other pages were left out"
        return compared.amended, "the text was chosen by labels of other pages"

    def _without_inline(self, found: Examination, body: Body) -> Body:
        if not self.inline or len(body.paragraphs) != len(found.taken):
            return body
        return replace(body, paragraphs=without_inline(body.paragraphs, found.taken, self.inline))

    def _with_overrides(self, page: Document, body: Body) -> tuple[Body, list[str]]:
        """Return the body with the headline and lead that were placed by hand, and the names of these."""
        placed = {str(name): text for name in _OF_BODY if (text := self.overrides.text(page, name))}
        headline, lead = placed.get("title", body.headline), placed.get("lead", body.lead)
        return replace(body, headline=headline, lead=lead), list(placed)

    def _broken(self, compared: _Comparison, fields: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the overrides that found nothing; those of metadata are tried later."""
        broken = [str(name) for name in _OF_BODY if name in self.overrides.selectors and name not in fields]
        return (*broken, *(["body"] * (FieldName.BODY in self.overrides.selectors and compared.placed is None)))


def _fit(compared: _Comparison, found: Examination) -> Explained:
    """Return how the template fits the page."""
    own, layout, places, page = compared.own, compared.layout, compared.places, compared.own.page
    boilerplate = _share(own.taken, compared.boilerplate)
    known = layout.share_expected(places, found.taken) if layout is not None else 0.0
    if compared.placed is not None:
        agreement = agreement_of(found.taken, own.taken)
        return Explained(explained=True, template=_name(layout), known=known, agreement=agreement, boilerplate=boilerplate)
    if layout is None or not known:
        return Explained(explained=boilerplate >= _ALL_BOILERPLATE, boilerplate=boilerplate)
    expected = [
        block for block in page.layout.blocks
        if block.index not in compared.boilerplate and layout.expects_text(places.of(block))
    ]  # fmt: skip
    fits = layout.fits(page, sum(block.size for block in found.taken), known)
    return Explained(
        explained=fits or boilerplate >= _ALL_BOILERPLATE,
        template=_name(layout),
        known=known,
        agreement=agreement_of(expected, found.taken),
        boilerplate=boilerplate,
    )


def _name(layout: KnownLayout | None) -> str | None:
    return layout.layout.name if layout is not None else None


def _refusal(compared: _Comparison, record: Explained) -> Refusal | None:
    """Return why the template refuses a page that the page-level extractor does not refuse."""
    own, layout = compared.own, compared.layout
    if own.refusal is not None:
        return None
    rest = sum(block.size for block in own.taken if block.index not in compared.boilerplate)
    if record.boilerplate >= _ALL_BOILERPLATE and rest < _LEAST_REST:
        return Refusal(reason=PageReason.NO_BODY, detail="its text recurs on other pages of the portal")
    listed = layout is not None and layout.layout.is_listing and record.known >= FITS
    if listed and own.verdict is not None and own.verdict.article < _SURELY_ARTICLE:
        return Refusal(reason=PageReason.LISTING, detail="laid out like the portal's listings")
    return None


def _share(blocks: Sequence[Block], chosen: frozenset[int]) -> float:
    total = sum(block.size for block in blocks)
    return sum(block.size for block in blocks if block.index in chosen) / total if total else 0.0
