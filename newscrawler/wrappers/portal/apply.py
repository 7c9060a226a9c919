"""Applying a template to a page: the probabilities of its blocks, moved by what other pages show, and the fields placed by hand.

Which learned layout the page fits decides nothing about its text; it is what layout drift is noticed by. One thing only follows
from it: a page that looks like the portal's listings, and is no certain article, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from newscrawler.article import Body
from newscrawler.errors import PageReason
from newscrawler.extraction.body import Examination, Refusal, default_extractor, retake
from newscrawler.extraction.page_kind import Origin
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.evidence import KnownEvidence
from newscrawler.wrappers.portal.fast_page import FastPage
from newscrawler.wrappers.portal.fast_path import FastReader, is_sampled
from newscrawler.wrappers.portal.inline import without_inline
from newscrawler.wrappers.portal.layouts import FITS, KnownLayout, agreement_of, best_layout, likeness_of
from newscrawler.wrappers.portal.model import Explained, FieldName, InlineText
from newscrawler.wrappers.portal.overrides import OF_HEADING, Overrides
from newscrawler.wrappers.portal.signatures import Namer, Places

#: Share of the page-level body that is boilerplate from which on the page holds nothing else, and characters of the rest.
_ALL_BOILERPLATE, _LEAST_REST = 0.8, 100
#: Probability that a block in a body placed by hand must have, and one whose line recurs.
_LEAST_PLACED, _RECURRING = 0.02, 0.5
#: Probability from which on a page is an article, even if it is laid out like the portal's listings.
_SURELY_ARTICLE = 0.8
#: Of a description for people: places, characters of a line.
_MOST_PLACES, _LONGEST_LINE = 12, 90


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
    #: The same page by what the labels and lines of other pages show, or as it is placed by hand.
    found: Examination
    is_placed: bool
    places: Places
    layout: KnownLayout | None
    #: Blocks of the page-level body whose lines recur, and that are left out.
    boilerplate: frozenset[int]

    def why(self) -> str:
        """Return how the body was found."""
        if self.is_placed:
            return "the body was placed by hand"
        if self.found is self.own:
            return "the page was read by itself: nothing of it is known from other pages"
        if self.found.taken == self.own.taken:
            return "other pages confirm the text that was found"
        return "lines that recur on other pages were left out" if self.boilerplate else "labels of other pages chose the text"

    def fit(self) -> Explained:
        """Return how the template fits the page."""
        own, layout, taken = self.own, self.layout, self.found.taken
        sizes = {block.index: block.size for block in own.taken}
        boilerplate = sum(sizes[index] for index in self.boilerplate) / max(sum(sizes.values()), 1)
        known = layout.share_expected(self.places, taken) if layout is not None else 0.0
        is_known, expected = self.is_placed, own.taken
        if not self.is_placed and layout is not None and known:
            is_known = layout.fits(own.page, sum(block.size for block in taken), known)
            blocks = (block for block in own.page.layout.blocks if block.index not in self.boilerplate)
            expected = [block for block in blocks if layout.expects_text(self.places.of(block))]
        has_fit = self.is_placed or bool(known)
        return Explained(
            explained=is_known or boilerplate >= _ALL_BOILERPLATE, boilerplate=boilerplate, known=known, why=self.why(),
            template=layout.layout.name if layout is not None and has_fit else None,
            agreement=agreement_of(expected, taken) if has_fit else 1.0,
        )  # fmt: skip

    def refusal(self, fit: Explained) -> Refusal | None:
        """Return why the template refuses a page that the page-level extractor does not refuse."""
        own, layout = self.own, self.layout
        if own.refusal is not None or self.is_placed:
            return None
        rest = sum(block.size for block in own.taken if block.index not in self.boilerplate)
        if fit.boilerplate >= _ALL_BOILERPLATE and rest < _LEAST_REST:
            return Refusal(reason=PageReason.NO_BODY, detail="its text recurs on other pages of the portal")
        listed = layout is not None and layout.layout.is_listing and fit.known >= FITS
        if listed and own.verdict is not None and own.verdict.article < _SURELY_ARTICLE:
            return Refusal(reason=PageReason.LISTING, detail="laid out like the portal's listings")
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Applier:
    """A template made ready to read pages."""

    layouts: Sequence[KnownLayout]
    namer: Namer
    evidence: KnownEvidence
    fast: Sequence[FastReader]
    inline: Sequence[InlineText]
    overrides: Overrides

    def apply(self, page: Document, origin: Origin = Origin.UNKNOWN) -> Applied:
        """Read one page: at the learned places where it fits them, else in full; a sample is read in both ways and compared."""
        readers = () if self.overrides.selectors else self.fast
        fast = next((read for reader in readers if (read := reader.read(page)) is not None), None)
        if fast is not None and not is_sampled(page):
            fast.found.body = self._without_inline(fast.found, fast.body)
            explained = Explained(
                explained=True, template=fast.layout, known=1.0, used="wrapper", confidence=fast.path.confidence, is_fast=True,
                why=f"read at the learned places of {fast.layout}",
            )  # fmt: skip
            return Applied(found=fast.found, explained=explained, fast=fast)
        applied = self._decide(self._compare(page, origin))
        if fast is None:
            return applied
        agreement = min(applied.explained.agreement, likeness_of(fast.found, applied.found))
        return replace(applied, explained=replace(applied.explained, agreement=agreement), fast=fast)

    def describe(self, page: Document, origin: Origin = Origin.UNKNOWN) -> tuple[Applied, tuple[str, ...]]:
        """Read one page in full, and return lines that say for people what was decided."""
        compared = self._compare(page, origin)
        applied = self._decide(compared)
        return applied, (
            *_decision(applied.explained), *_known_places(compared, applied.found.taken),
            *_boilerplate(page.layout.blocks, compared.boilerplate),
        )  # fmt: skip

    def _compare(self, page: Document, origin: Origin) -> _Comparison:
        own, places = default_extractor().examine(page, origin), Places(page, self.namer)
        found = default_extractor().amend(own, self.evidence.of_page(own, places), origin)
        if (placed := self._placed(page, found.probabilities.tolist())) is not None:
            found = retake(own, placed)
            found = replace(found, refusal=None) if found.body else found
        kept = {block.index for block in found.taken}
        left_out = frozenset(block.index for block in own.taken if block.index not in kept and self.evidence.recurs(block.text))
        layout = best_layout(self.layouts, page, places)
        return _Comparison(own=own, found=found, is_placed=placed is not None, places=places, layout=layout, boilerplate=left_out)

    def _placed(self, page: Document, likely: Sequence[float]) -> list[Block] | None:
        """Return the blocks placed as the body by hand, but for those that are surely no text; None where there are none."""
        placed = self.overrides.blocks(page)
        least = {True: _RECURRING, False: _LEAST_PLACED}
        return placed and ([block for block in placed if likely[block.index] >= least[self.evidence.recurs(block.text)]] or placed)

    def _decide(self, compared: _Comparison) -> Applied:
        found, fit = compared.found, compared.fit()
        if (refusal := compared.refusal(fit)) is not None:
            found, fit = replace(found, refusal=refusal), replace(fit, why=refusal.detail)
        given: list[str] = []
        broken = self.overrides.names(FieldName.BODY) if not compared.is_placed else []
        if found.body is not None:
            body = self._without_inline(found, found.body)
            changed = found.taken != compared.own.taken or body.paragraphs != found.body.paragraphs
            body, given, missing = self.overrides.heading(found.page, body)
            given, broken = ["body"] * changed + given, missing + broken
            found = replace(found, body=body)
        else:
            broken = self.overrides.names(*OF_HEADING) + broken
        used, confidence = "wrapper" if given else "default", found.body.confidence if found.body else 0.0
        explained = replace(fit, used=used, confidence=confidence, fields=tuple(given), broken=tuple(broken))
        return Applied(found=found, explained=explained)

    def _without_inline(self, found: Examination, body: Body) -> Body:
        if not self.inline or len(body.paragraphs) != len(found.taken):
            return body
        return replace(body, paragraphs=without_inline(body.paragraphs, found.taken, self.inline))


def _decision(explained: Explained) -> Iterator[str]:
    """Yield how the body was found, and how the template fits the page."""
    yield f"template  {explained.why}; confidence {explained.confidence:.2f}"
    layout = f"the page fits {explained.template}" if explained.template else "no learned layout fits the page"
    yield f"          {layout}; {explained.known:.0%} of the text stands where the learned articles have theirs"
    yield (
        f"          text at these places and text found agree by {explained.agreement:.0%}; "
        f"{explained.boilerplate:.0%} of the text recurs on other pages"
    )
    if explained.fields:
        yield f"          changed or given by the template: {', '.join(explained.fields)}"
    if explained.broken:
        yield f"          set by hand, but not found on this page: {', '.join(explained.broken)}"


def _known_places(compared: _Comparison, taken: Sequence[Block]) -> Iterator[str]:
    """Yield the places at which the text stands, those of most text first, and what was learned of them."""
    sizes: dict[str, list[int]] = {}
    for block in taken:
        sizes.setdefault(compared.places.of(block), []).append(block.size)
    if sizes:
        yield "Where the text stands, and what the learned pages have there:"
    for place, found in sorted(sizes.items(), key=lambda item: -sum(item[1]))[:_MOST_PLACES]:
        level, known = (compared.layout.places.nearest(place) if compared.layout is not None else None) or (0, None)
        said = "nothing like it"
        if known is not None:
            pages = "1 page" if known.pages == 1 else f"{known.pages} pages"
            said = f"text with a probability of {known.probability:.2f} on {pages}"
        yield f"  {len(found):>3} × {place}: {said}{', at places like it' if level else ''}"


def _boilerplate(blocks: Sequence[Block], boilerplate: frozenset[int]) -> Iterator[str]:
    """Yield the blocks that recur on other pages of the portal."""
    if boilerplate:
        yield "Boilerplate, as it recurs on other pages:"
    for text in (block.text for block in blocks if block.index in boilerplate):
        yield f"  {text if len(text) <= _LONGEST_LINE else text[: _LONGEST_LINE - 1] + '…'}"
