"""The fast path: a page that fits the template is read at the learned places alone, without weighing its blocks.

Learned are one region of the page, by its name, and the places in it that always held text of the article, or never. A page is
read in full if it does not have the region exactly once, if a block in it stands at a place that is not known, or if headline or
text are missing or of an unusual size. A region is learned only if all that is read in it is what the full reading found on the
learned pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from zlib import crc32

from lxml import etree

from newscrawler.dates import DateContext, Dates, find_dates
from newscrawler.extraction.body import Examination, deduplicate, default_extractor, make_body
from newscrawler.extraction.headline import headline_block
from newscrawler.extraction.page_kind import Origin
from newscrawler.metadata import Metadata, find_metadata
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.evidence import KnownEvidence
from newscrawler.wrappers.portal.fields import place_of
from newscrawler.wrappers.portal.learn import Reading
from newscrawler.wrappers.portal.model import MOST_PLACES, FastPath, Layout
from newscrawler.wrappers.portal.signatures import LEVELS, Namer, Places, levels

#: Pages of one layout that must have been read in the region as in full, and share of all that could be.
_LEAST_PAGES, _LEAST_SAME = 6, 0.9
#: Share of the shortest learned text, and of the longest, that an article may have.
_SHORTER, _LONGER = 0.5, 2.0
#: Of so many pages one is read in full all the same.
_SAMPLED = 8
#: Marks the place of a line that recurs.
_RECURS = " recurring"
_MOST_SEEN = 20_000


def is_sampled(page: Document) -> bool:
    """Tell whether a page is read in full to be compared, by its address, or else its title, alone."""
    return crc32((page.url or page.title).encode("utf-8", "replace")) % _SAMPLED == 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FastReader:
    """Reads the pages of one layout in its region."""

    path: FastPath
    layout: Layout
    namer: Namer
    evidence: KnownEvidence
    #: By level, less and less specific: the places that hold other things than text, and none that hold text.
    other: Sequence[frozenset[str]]
    _seen: dict[str, bool | None] = field(default_factory=dict)

    @classmethod
    def of(cls, path: FastPath, layout: Layout, namer: Namer, evidence: KnownEvidence) -> FastReader:
        """Make a fast path ready."""
        out = path.other | {place.replace(_RECURS, "") for place in path.other}  # what is no text need not recur
        text, other = (list(zip(*map(levels, places), strict=True)) or [()] * LEVELS for places in (path.text, out))
        return cls(
            path=path, layout=layout, namer=namer, evidence=evidence,
            other=[frozenset(out) - frozenset(own) for own, out in zip(text, other, strict=True)],
        )  # fmt: skip

    def is_text(self, place: str) -> bool | None:
        """Tell whether blocks at a place are text of the article; None: that is not known."""
        if place not in self._seen:
            known = any(name in out for name, out in zip(levels(place), self.other, strict=True))
            if len(self._seen) > _MOST_SEEN:
                self._seen.clear()
            self._seen[place] = True if place in self.path.text else False if known else None
        return self._seen[place]

    def read(self, page: Document) -> Examination | None:
        """Return what is read in the region, as of a page that consists of it; None: read the page in full."""
        region = region_of(page, self.path.region, self.namer)
        if region is None:
            return None
        part = page.within(region)
        headline = headline_block(part)
        if headline is None or self.evidence.recurs(headline):  # other pages announce the article, perhaps with its first lines
            return None
        places = Places(part, self.namer)
        chosen: list[Block] = []
        for block in part.layout.blocks:
            if block is headline:
                continue
            is_text = self.is_text(_place(block, places, self.evidence))
            if is_text is None:
                return None
            if is_text:
                chosen.append(block)
        found = Examination(page=part, taken=deduplicate(part, chosen))
        size = sum(block.size for block in found.taken)
        if not _SHORTER * self.layout.shortest <= size <= _LONGER * self.layout.longest:
            return None
        body = make_body(found)
        found.body = replace(body, confidence=self.path.confidence) if body is not None else None
        return found if found.body is not None else None


def region_of(page: Document, name: str, namer: Namer) -> etree._Element | None:
    """Return the only element of this name; None where there is none, or are several."""
    own = name.partition("<")[0]
    tag = own.partition(".")[0]
    found = [element for element in page.root.iter(tag) if namer.name(element) == own and place_of(element, namer) == name]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """What the fields of a portal's pages are read by."""

    language: str | None
    time_zone: str


def learn_fast_path(
    layout: Layout, group: Sequence[Reading], namer: Namer, evidence: KnownEvidence, portal: Portal
) -> FastPath | None:
    """Learn the smallest region in which the pages of a layout are read as they are in full; None: there is none."""
    if layout.is_listing or len(group) < _LEAST_PAGES:
        return None
    group = [_by_evidence(reading, evidence) for reading in group]
    confidence = sum(reading.found.body.confidence for reading in group if reading.found.body) / len(group)
    for name in _regions(group[0], namer):
        regions = ((reading, region_of(reading.page, name, namer)) for reading in group)
        parts = [(reading, reading.page.within(element)) for reading, element in regions if element is not None]
        if len(parts) < max(_LEAST_PAGES, _LEAST_SAME * len(group)):
            continue
        text, other = _places(parts, namer, evidence)
        path = FastPath(region=name, text=text, other=other, confidence=round(confidence, 4))
        reader = FastReader.of(path, layout, namer, evidence)
        results = [_is_same(reading, found, portal) for reading in group if (found := reader.read(reading.page)) is not None]
        if len(results) >= max(_LEAST_PAGES, len(group) / 2) and sum(results) >= _LEAST_SAME * len(results):
            return path
    return None


def _by_evidence(reading: Reading, evidence: KnownEvidence) -> Reading:
    """Return the page as the template reads it in full."""
    if reading.places is None or reading.shares is not None:
        return reading
    headline, likely = headline_block(reading.page), reading.found.probabilities.tolist()
    rows = evidence.rows(reading.page.layout, reading.places, likely, headline.index if headline is not None else None)
    return replace(reading, found=default_extractor().amend(reading.found, rows, Origin.UNKNOWN))


def _regions(reading: Reading, namer: Namer) -> Iterator[str]:
    """Yield the names of the elements around headline and text, innermost first."""
    headline = headline_block(reading.page)
    inside = {block.element for block in reading.found.taken} | ({headline.element} if headline is not None else set())
    first = next(iter(inside), None)
    for element in first.iterancestors() if first is not None else ():
        if all(element is one or element in one.iterancestors() for one in inside):
            yield place_of(element, namer)
        if element.tag == "body":
            return


def _places(
    parts: Sequence[tuple[Reading, Document]], namer: Namer, evidence: KnownEvidence
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the places in a region that hold text on all pages, and those that never do."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for reading, part in parts:
        taken = {(block.element, block.text) for block in reading.found.taken}
        places, headline = Places(part, namer), headline_block(part)
        for block in part.layout.blocks:
            if block is not headline:
                (right if (block.element, block.text) in taken else wrong)[_place(block, places, evidence)] += 1
    text = [place for place, _ in right.most_common(MOST_PLACES) if place not in wrong]
    other = [place for place, _ in wrong.most_common(MOST_PLACES) if place not in right]
    return frozenset(text), frozenset(other)


def _place(block: Block, places: Places, evidence: KnownEvidence) -> str:
    """Return the place of a block; lines that recur have places of their own."""
    place = places.of(block)
    return place.replace("|", f"{_RECURS}|", 1) if evidence.recurs(block) else place


def _is_same(reading: Reading, found: Examination, portal: Portal) -> bool:
    """Tell whether the text and all other fields are those that the full reading found."""
    body, full = found.body, reading.found.body
    if body is None or full is None or (body.text, body.headline, body.lead) != (full.text, full.headline, full.lead):
        return False
    metadata = find_metadata(
        found.page, language=portal.language, body_text=body.text, headline=body.headline, headline_element=body.headline_element,
        body_elements=body.elements,
    )  # fmt: skip
    context = DateContext(time_zone=portal.time_zone, language=metadata.language)
    dates = find_dates(found.page, context, headline_element=body.headline_element, body_elements=body.elements)
    return _fields(metadata, dates) == _fields(reading.metadata, reading.dates)


def _fields(metadata: Metadata, dates: Dates) -> tuple[object, ...]:
    days = (found.value.date() if found is not None else None for found in (dates.published, dates.modified))
    return (*days, replace(metadata, section_source=None))
