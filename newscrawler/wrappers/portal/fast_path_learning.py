"""Learning the fast path of a layout: where its pages have their text and their fields, so that they are read as in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from lxml import etree

from newscrawler.dates import DateCandidate, DateContext, Dates
from newscrawler.extraction.body import Examination, default_extractor
from newscrawler.extraction.headline import headline_block
from newscrawler.extraction.lead import is_described, key_of_description, lead_of
from newscrawler.extraction.page_kind import Origin
from newscrawler.metadata.genre import find_free
from newscrawler.page.blocks import Block
from newscrawler.page.layout import SILENT
from newscrawler.wrappers.portal.evidence import KnownEvidence
from newscrawler.wrappers.portal.fast_path import (
    BOX,
    BOX_OF_PARAGRAPHS,
    NO_LEAD,
    STATES,
    FastReader,
    block_of,
    has_own_text,
    holds_paragraphs,
    is_line,
    lead_form,
    likeness_of,
    region_of,
    state_of,
)
from newscrawler.wrappers.portal.learn import Reading
from newscrawler.wrappers.portal.model import MOST_PLACES, BlockKind, FastPath, Layout, Sources
from newscrawler.wrappers.portal.signatures import Namer
from newscrawler.wrappers.portal.sources import (
    AUTHORS,
    MODIFIED,
    PUBLISHED,
    SECTION,
    TITLE,
    FieldReader,
    clock_of,
    learn_sources,
    place_of,
)

#: Pages of one layout that must be read; least likeness of their texts to the full reading, share with the same headline and lead.
_LEAST_PAGES, _LEAST_LIKE, _LEAST_SAME = 6, 0.98, 0.8
#: Share of the pages, those least alike, that the full reading may have read wrongly.
_MISREAD = 0.1


def learn_fast_path(layout: Layout, group: Sequence[Reading], fields: FieldReader, evidence: KnownEvidence) -> FastPath | None:
    """Learn where the pages of a layout have text and fields, so that they are read as in full; None: that cannot be learned."""
    if layout.is_listing or len(group) < _LEAST_PAGES or TITLE not in fields.sources:
        return None
    namer, group = fields.namer, [_by_evidence(reading, evidence) for reading in group]
    bodies = [reading.found.body for reading in group if reading.found.body is not None]
    about = {
        "confidence": round(sum(body.confidence for body in bodies) / len(bodies), 4),
        "date_confidence": round(sum(reading.dates.confidence for reading in group) / len(group), 4),
        "shows_walls": any(reading.metadata.free != find_free(reading.page, ()) for reading in group),
        "most_leads": max(len(lead_of(reading.page, reading.found.taken)) for reading in group),
    }  # fmt: skip
    for name in _regions(group, namer):
        path = _path_in(name, group, namer, evidence, about)
        if path is not None and _reads_alike(FastReader.of(path, layout, fields, evidence), group):
            return path
    return None


def _reads_alike(reader: FastReader, group: Sequence[Reading]) -> bool:
    """Tell whether enough pages are read at the learned places, and these as they are in full."""
    read = [(reading.found, fast.found) for reading in group if (fast := reader.read(reading.page)) is not None]
    likeness = sorted(likeness_of(full, fast) for full, fast in read)[int(_MISREAD * len(read)) :]
    same = sum(_is_headed_alike(full, fast) for full, fast in read)
    is_enough = len(read) >= max(_LEAST_PAGES, len(group) / 2)
    return is_enough and sum(likeness) >= _LEAST_LIKE * len(likeness) and same >= _LEAST_SAME * len(read)


def _by_evidence(reading: Reading, evidence: KnownEvidence) -> Reading:
    """Return the page as the template reads it in full."""
    if reading.places is None or reading.shares is not None:
        return reading
    headline, likely = headline_block(reading.page), reading.found.probabilities.tolist()
    rows = evidence.rows(reading.page.layout, reading.places, likely, headline.index if headline is not None else None)
    return replace(reading, found=default_extractor().amend(reading.found, rows, Origin.UNKNOWN))


def learn_fields(readings: Sequence[Reading], namer: Namer, time_zone: str) -> Sources:
    """Return the sources of headline, authors, section and dates that agree with what was found on the pages."""
    wanted = []
    for reading in readings:
        body, data, dates = reading.found.body, reading.metadata, reading.dates
        wanted.append({
            TITLE: body.headline if body is not None else None, AUTHORS: data.authors or None, SECTION: data.section,
            PUBLISHED: dates.published, MODIFIED: _change(dates),
        })  # fmt: skip
    clocks = [clock_of(DateContext(time_zone=time_zone, language=reading.metadata.language)) for reading in readings]
    return learn_sources([reading.page for reading in readings], wanted, namer, clocks)


def _change(dates: Dates) -> DateCandidate | None:
    """Return the last change; None where it is the publication."""
    same = dates.published is not None and dates.modified is not None and dates.modified.value == dates.published.value
    return None if same else dates.modified


def _regions(group: Sequence[Reading], namer: Namer) -> Iterator[str]:
    """Yield the names of the elements around the text that most pages have once, innermost first."""
    found: Counter[str] = Counter()
    order: dict[str, int] = {}
    for reading in group:
        elements = [block.element for block in reading.found.taken]
        around = [element for element in elements[0].iterancestors() if _holds(element, elements)] if elements else []
        names = [place_of(element, namer) for element in around if element.tag != "html"]
        for distance, name in enumerate(reversed(names)):
            found[name] += 1
            order[name] = min(order.get(name, distance), distance)
    often = [name for name, count in found.items() if count >= max(_LEAST_PAGES, len(group) / 2)]
    yield from sorted(often, key=lambda name: -order[name])


def _holds(outer: etree._Element, elements: Sequence[etree._Element]) -> bool:
    return all(any(outer is each for each in element.iterancestors()) for element in {*elements})


def _path_in(
    region: str, group: Sequence[Reading], namer: Namer, evidence: KnownEvidence, about: Mapping[str, Any]
) -> FastPath | None:
    """Return the fast path for a region, which takes what is text more often than not; None where there is no text in it."""
    text: dict[str, Counter[str]] = {}
    other: Counter[str] = Counter()
    leading: dict[str, set[bool]] = {}
    found = [(reading, element) for reading in group if (element := region_of(reading.page, region, namer)) is not None]
    taken_of = {reading: {block.element: block for block in reading.found.taken} for reading, _ in found}
    around = {path for reading, element in found for path, below, is_other in _walk(element, namer, taken_of[reading], ())
              if not is_other and below not in taken_of[reading]}  # fmt: skip
    for reading, element in found:
        taken = taken_of[reading]
        forms: dict[etree._Element, str] = {}
        for path, below, is_other in _walk(element, namer, taken, around):
            block = taken.get(below)
            if block is not None:
                text.setdefault(path + state_of(block, evidence), Counter())[block.kind] += 1
                forms[below] = lead_form(path, below)
            elif is_other and (line := block_of(below, below.tag, 0)) is not None:
                box = BOX_OF_PARAGRAPHS if holds_paragraphs(below) else BOX
                other[path + (state_of(line, evidence) if is_line(below) else box)] += 1
        leads, described = lead_of(reading.page, reading.found.taken), key_of_description(reading.page)
        for index, block in enumerate(reading.found.taken[: len(leads) + 1]):
            if not is_described(block, described):
                leading.setdefault(forms.get(block.element, ""), set()).add(index < len(leads))
    own = {path: kinds.most_common(1)[0][0] for path, kinds in text.items() if kinds.total() > other[path]}
    outside = {path for path in other if path not in text or (path not in own and path.endswith(STATES))}
    lead = frozenset(form if True in is_lead else form + NO_LEAD for form, is_lead in leading.items() if len(is_lead) == 1)
    return FastPath(
        region=region, text=cast("dict[str, BlockKind]", dict(sorted(own.items())[:MOST_PLACES])), lead=lead,
        other=frozenset(sorted(outside)[:MOST_PLACES]), **about,
    ) if own else None  # fmt: skip


def _walk(
    region: etree._Element, namer: Namer, taken: Mapping[etree._Element, Block], inside: Collection[str]
) -> Iterator[tuple[str, etree._Element, bool]]:
    """Yield the elements of a region with their paths, and whether none of the text is in them.

    What is in such ones is passed, but for those at some paths, in which other pages have text, and those without a class, whose
    name does not say what they hold.
    """
    around = {outer for element in taken for outer in element.iterancestors()}
    waiting = [("", region)]
    while waiting:
        path, element = waiting.pop()
        for child in element:
            if child.tag in SILENT:
                continue
            own = namer.name(child)
            name = f"{path}|{own}" if path else own
            is_other = child not in taken and child not in around
            may_hold_text = (name in inside or "." not in own) and not is_line(child) and not has_own_text(child)
            enters = child not in taken and (not is_other or may_hold_text)
            if not (enters and is_other):
                yield name, child, is_other
            if enters:
                waiting.append((name, child))


def _is_headed_alike(one: Examination, other: Examination) -> bool:
    first, second = one.body, other.body
    return first is not None and second is not None and (first.headline, first.lead) == (second.headline, second.lead)
