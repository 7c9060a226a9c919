"""Learning the fast path of a layout: where its pages have their text and their fields, so that they are read as in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from newscrawler.extraction.body.extractor import Examination, load_default_extractor
from newscrawler.extraction.dates import DateCandidate, DateContext, Dates
from newscrawler.extraction.metadata.record import find_free_access
from newscrawler.extraction.templates.evidence import KnownEvidence
from newscrawler.extraction.templates.fast_path import FastReader, Region
from newscrawler.extraction.templates.learning import LearnedPage
from newscrawler.extraction.templates.model import MOST_PLACES, FastPath, LearnedLayout, PlaceAmounts, Sources
from newscrawler.extraction.templates.page_reader import compare_bodies
from newscrawler.extraction.templates.places import Namer
from newscrawler.extraction.templates.sources import (
    AUTHORS,
    MODIFIED,
    PUBLISHED,
    SECTION,
    TITLE,
    FieldReader,
    learn_sources,
    make_portal_clock,
    name_place,
)

#: Pages of one layout that must be read; least likeness of their texts to the full reading, share with the same headline and lead.
_LEAST_PAGES, _LEAST_LIKE, _LEAST_SAME = 6, 0.98, 0.8
#: Share of the pages, those least alike, that the full reading may have read wrongly.
_MISREAD = 0.1


def learn_fast_path(
    layout: LearnedLayout, group: Sequence[LearnedPage], fields: FieldReader, evidence: KnownEvidence
) -> FastPath | None:
    """Learn where the pages of a layout have text and fields, so that they are read as in full; None: that cannot be learned."""
    if len(group) < _LEAST_PAGES or TITLE not in fields.sources:
        return None
    group = [_read_by_evidence(reading, evidence) for reading in group]
    bodies = [reading.found.body for reading in group if reading.found.body is not None]
    path = FastPath(
        region="", lines={},
        confidence=round(sum(body.confidence for body in bodies) / len(bodies), 4),
        date_confidence=round(sum(reading.dates.confidence for reading in group) / len(group), 4),
        shows_walls=any(reading.metadata.free != find_free_access(reading.page) for reading in group),
    )  # fmt: skip
    for name in _find_regions(group, fields.namer):
        lines, longest = _count_lines(name, group, fields.namer, evidence)
        path = replace(path, region=name, lines=lines, longest_other=longest)
        if _reads_alike(FastReader.prepare(path, layout, fields, evidence), group):
            return path
    return None


def _reads_alike(reader: FastReader, group: Sequence[LearnedPage]) -> bool:
    """Return whether enough pages are read at the learned places, and these as they are in full."""
    read = [(reading.found, fast.found) for reading in group if (fast := reader.read(reading.page)) is not None]
    likeness = sorted(compare_bodies(full, fast) for full, fast in read)[int(_MISREAD * len(read)) :]
    same = sum(_is_headed_alike(full, fast) for full, fast in read)
    is_enough = len(read) >= max(_LEAST_PAGES, len(group) / 2)
    return is_enough and sum(likeness) >= _LEAST_LIKE * len(likeness) and same >= _LEAST_SAME * len(read)


def _is_headed_alike(one: Examination, other: Examination) -> bool:
    first, second = one.body, other.body
    return first is not None and second is not None and (first.headline, first.lead) == (second.headline, second.lead)


def _read_by_evidence(reading: LearnedPage, evidence: KnownEvidence) -> LearnedPage:
    """Return the page as the template reads it in full."""
    if reading.shares is not None:
        return reading
    rows = evidence.find_evidence(reading.found, reading.places)
    return replace(reading, found=load_default_extractor().amend(reading.found, rows))


def learn_fields(readings: Sequence[LearnedPage], namer: Namer, time_zone: str) -> Sources:
    """Return the sources of headline, authors, section and dates that agree with the values found on the pages."""
    wanted = []
    for reading in readings:
        body, data, dates = reading.found.body, reading.metadata, reading.dates
        wanted.append({
            TITLE: body.headline if body is not None else None, AUTHORS: data.authors or None, SECTION: data.section,
            PUBLISHED: dates.published, MODIFIED: _choose_change(dates),
        })  # fmt: skip
    clocks = [make_portal_clock(DateContext(time_zone=time_zone, language=reading.metadata.language)) for reading in readings]
    return learn_sources([reading.page for reading in readings], wanted, namer, clocks)


def _choose_change(dates: Dates) -> DateCandidate | None:
    """Return the last change; None where it is the publication."""
    same = dates.published is not None and dates.modified is not None and dates.modified.value == dates.published.value
    return None if same else dates.modified


def _find_regions(group: Sequence[LearnedPage], namer: Namer) -> Iterator[str]:
    """Yield the names of the elements around the text that most pages have once, innermost first."""
    found: Counter[str] = Counter()
    order: dict[str, int] = {}
    for reading in group:
        first, *others = [list(block.element.iterancestors()) for block in reading.found.taken] or [[]]
        around = [element for element in first if element.tag != "html" and all(element in other for other in others)]
        for distance, element in enumerate(reversed(around)):
            name = name_place(element, namer)
            found[name] += 1
            order[name] = min(order.get(name, distance), distance)
    often = [name for name, count in found.items() if count >= max(_LEAST_PAGES, len(group) / 2)]
    yield from sorted(often, key=lambda name: -order[name])


def _count_lines(
    name: str, group: Sequence[LearnedPage], namer: Namer, evidence: KnownEvidence
) -> tuple[dict[str, PlaceAmounts], int]:
    """Count the lines in a region by place, those that are text and others; and the characters of the longest of the others."""
    found: dict[str, PlaceAmounts] = {}
    longest = 0
    for reading in group:
        title = reading.found.body.headline if reading.found.body is not None else None
        region = Region.find(reading.page, name, title, namer, evidence)
        taken = {block.text for block in reading.found.taken}  # repetitions were left out only as such
        for block in region.part.layout.blocks if region is not None else ():
            if region is not None and block.text != title:
                is_text = block.text in taken
                place = region.name_place(block)
                found[place] = found.get(place, PlaceAmounts(0.0, 0.0)).add(PlaceAmounts(float(is_text), float(not is_text)))
                longest = max(longest, 0 if is_text else block.size)
    return dict(sorted(found.items())[:MOST_PLACES]), longest
