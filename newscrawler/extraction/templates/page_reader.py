"""Reading a page by a template: the probabilities of its blocks, moved by evidence of other pages, and the fields placed by hand.

Which learned layout the page fits decides nothing about its text; layout drift is noticed by it.

Boilerplate within paragraphs, such as notes for screen readers behind each link ("opens in a new tab"), is removed. An element
inside of a paragraph says something about the article, unless the elements at its place say the same on several pages, many times,
and never anything else. The page to be read counts as one of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from lxml import etree

from newscrawler.article import Body, Paragraph
from newscrawler.extraction.body.extractor import Examination, load_default_extractor, retake
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.templates.evidence import KnownEvidence
from newscrawler.extraction.templates.fast_path import FastPage, FastReader, is_sampled
from newscrawler.extraction.templates.model import LONGEST_PLACE, FieldName, InlineText, LearnedLayout, TemplateFit
from newscrawler.extraction.templates.overrides import OF_HEADING, Overrides
from newscrawler.extraction.templates.places import KnownPlaces, Namer, Places, get_full_name
from newscrawler.page import Block, Document, squeeze

#: Pages that a layout must be learned from; of fewer learned articles, all must be of it.
_LEAST_PAGES = 3
#: Characters from which on a block is more than a scrap.
_SHORTEST_TEXT = 60


@dataclass(frozen=True, slots=True, eq=False)
class KnownLayout:
    """One layout with its places at all levels."""

    layout: LearnedLayout
    places: KnownPlaces

    def find_expected(self, places: Places, blocks: Iterable[Block]) -> list[Block]:
        """Return the blocks at places that mostly have text of the article."""
        return [block for block in blocks if self.places.is_text(places.find(block))]


def prepare_layouts(layouts: Sequence[LearnedLayout]) -> list[KnownLayout]:
    """Return the layouts that were learned from enough pages, or from one whose text is known."""
    least = min(_LEAST_PAGES, sum(layout.pages for layout in layouts))
    return [KnownLayout(layout, KnownPlaces(layout.places)) for layout in layouts if layout.pages >= least or layout.labelled]


def choose_layout(layouts: Sequence[KnownLayout], page: Document, places: Places) -> KnownLayout | None:
    """Return the layout with most of the page's text at its places; None where none expects any."""
    text = [block for block in page.layout.blocks if block.size > _SHORTEST_TEXT and 2 * block.linked < len(block.text)]
    sizes = {known: count_characters(known.find_expected(places, text)) for known in layouts}
    best = max(layouts, key=lambda known: (sizes[known], known.layout.pages), default=None)
    return best if best is not None and sizes[best] else None


def count_characters(blocks: Iterable[Block]) -> int:
    """Return the characters of blocks."""
    return sum(block.size for block in blocks)


def compute_agreement(one: Iterable[str], other: Iterable[str]) -> float:
    """Return the characters of paragraphs that two texts share, twice, over those of both; 1 where both are empty."""
    first, second = set(one), set(other)
    total = sum(map(len, first)) + sum(map(len, second))
    return 2 * sum(map(len, first & second)) / total if total else 1.0


def compare_bodies(one: Examination, other: Examination) -> float:
    """Return the agreement of two bodies."""
    first, second = ([paragraph.text for paragraph in found.body.paragraphs] if found.body else [] for found in (one, other))
    return compute_agreement(first, second)


#: Elements that only dress words; links, emphasis and times are the article's own.
_LOOKED_AT = ("span", "small", "sup", "label")
_SHORTEST, _LONGEST = 4, 60
#: Elements that must say the same on the learned pages, and with those of the page to be read.
_LEAST_LEARNED, _LEAST = 2, 4
_MOST, _MOST_ELEMENTS = 20, 3000


def learn_inline(pages: Sequence[Sequence[Block]]) -> tuple[InlineText, ...]:
    """Learn from the blocks of the articles, page by page."""
    texts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for blocks in pages:
        for place, text in _list_pieces(blocks):
            texts[place][text] += 1
    fixed = [
        InlineText(place, text, count)
        for place, found in texts.items()
        for text, count in found.items()
        if len(found) == 1 and count >= _LEAST_LEARNED and _SHORTEST <= len(text) <= _LONGEST
    ]
    return tuple(sorted(fixed, key=lambda item: (-item.elements, item.where))[:_MOST])


def remove_inline(paragraphs: Sequence[Paragraph], blocks: Sequence[Block], fixed: Iterable[InlineText]) -> tuple[Paragraph, ...]:
    """Take these texts out of the paragraphs that were made of the blocks, one for one."""
    known = {item.where: item for item in fixed}
    if not any(item.text in paragraph.text for paragraph in paragraphs for item in known.values()):
        return tuple(paragraphs)
    texts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for place, text in _list_pieces(blocks):
        texts[place][text] += 1
    known = {
        place: item for place, item in known.items()
        if texts[place].keys() == {item.text} and item.elements + texts[place].total() >= _LEAST
    }  # fmt: skip
    found = []
    for paragraph, block in zip(paragraphs, blocks, strict=True):
        text = paragraph.text
        for place, piece in _list_pieces([block]):
            text = text.replace(piece, "", 1) if place in known else text
        found.append(paragraph if text == paragraph.text or not squeeze(text) else replace(paragraph, text=squeeze(text)))
    return tuple(found)


def _list_pieces(blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """Yield place and text of the small elements in blocks that contain nothing but text, each once."""
    outer = dict.fromkeys(block.element for block in blocks)
    inner = (element for around in outer for element in around.iter(*_LOOKED_AT) if element is not around)
    for element in islice(inner, _MOST_ELEMENTS):
        if len(element) == 0 and (text := squeeze(element.text)):
            yield _name_place(element), text


def _name_place(element: etree._Element) -> str:
    """Return tag and classes of an element and of the one around it."""
    around = (element, element.getparent())
    return "<".join(get_full_name(one) for one in around if one is not None)[:LONGEST_PLACE]


#: Share of the text at known places from which on a page fits a layout.
_FITS = 0.6
#: Probability that a block in a body placed by hand must have, and one whose line recurs.
_LEAST_PLACED, _RECURRING = 0.02, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The answer for one page."""

    found: Examination
    explained: TemplateFit
    #: Reader of the other fields of a page that was read at the learned places, or in both ways to be compared.
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

    def read(self, page: Document, prior: float = 0.0) -> Applied:
        """Read one page: at the learned places where it fits them, else in full; a sample is read in both ways and compared."""
        readers = () if self.overrides.selectors else self.fast
        fast = next((read for reader in readers if (read := reader.read(page)) is not None), None)
        if fast is not None and not is_sampled(page):
            confidence = fast.path.confidence
            explained = TemplateFit(explained=True, template=fast.layout, known=1.0, confidence=confidence, is_fast=True)
            fast.found.body = self._remove_inline(fast.found, fast.body)
            return Applied(found=fast.found, explained=explained, fast=fast)
        found, explained = self._read_in_full(page, prior)
        if fast is not None:
            explained = replace(explained, agreement=min(explained.agreement, compare_bodies(fast.found, found)))
        return Applied(found=found, explained=explained, fast=fast)

    def _read_in_full(self, page: Document, prior: float) -> tuple[Examination, TemplateFit]:
        own, places = load_default_extractor().examine(page, prior), Places(page, self.namer)
        found = load_default_extractor().amend(own, self.evidence.find_evidence(own, places), prior)
        if placed := self._find_placed(page, found.probabilities.tolist()):
            found = retake(own, placed)
            found = replace(found, refusal=None) if found.body else found
        body = self._remove_inline(found, found.body) if found.body is not None else None
        explained = replace(
            self._fit(own, found, places, is_placed=bool(placed)), confidence=found.body.confidence if found.body else 0.0,
            fields=("body",) if body is not None and (found.taken != own.taken or body != found.body) else (),
        )  # fmt: skip
        if body is None:
            explained = self.overrides.note_found(explained, OF_HEADING, ())
        else:
            body, explained = self.overrides.amend_heading(page, body, explained)
            found = replace(found, body=body)
        return found, explained if placed else self.overrides.note_found(explained, (FieldName.BODY,), ())

    def _remove_inline(self, found: Examination, body: Body) -> Body:
        if not self.inline or len(body.paragraphs) != len(found.taken):
            return body
        return replace(body, paragraphs=remove_inline(body.paragraphs, found.taken, self.inline))

    def _find_placed(self, page: Document, likely: Sequence[float]) -> list[Block] | None:
        """Return the blocks placed as the body by hand, but for those that are surely no text; None where there are none."""
        placed = self.overrides.find_blocks(page)
        headline = page.view(find_headline)
        title = headline.text if headline is not None else None
        least = {True: _RECURRING, False: _LEAST_PLACED}
        return placed and (
            [block for block in placed if likely[block.index] >= least[self.evidence.count_pages(block.text, title) > 0]] or placed
        )

    def _fit(self, own: Examination, found: Examination, places: Places, *, is_placed: bool) -> TemplateFit:
        """Return how a page fits the template, given its reading by itself and by the template."""
        page, taken = own.page, found.taken
        kept = {block.index for block in taken}
        recurring = [block for block in own.taken if block.index not in kept and self.evidence.count_pages(block.text, None)]
        boilerplate, left_out = (
            count_characters(recurring) / max(count_characters(own.taken), 1),
            {block.index for block in recurring},
        )
        layout = choose_layout(self.layouts, page, places)
        known = (
            count_characters(layout.find_expected(places, taken)) / max(count_characters(taken), 1) if layout is not None else 0.0
        )
        expected = own.taken
        if layout is not None and known and not is_placed:
            expected = layout.find_expected(places, (block for block in page.layout.blocks if block.index not in left_out))
        has_fit = is_placed or known > 0
        return TemplateFit(
            explained=is_placed or (known >= _FITS and page.view(find_headline) is not None), boilerplate=boilerplate, known=known,
            template=layout.layout.name if layout is not None and has_fit else None,
            agreement=compute_agreement((b.text for b in expected), (b.text for b in taken)) if has_fit else 1.0,
        )  # fmt: skip
