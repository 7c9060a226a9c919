"""Where date, authors and section stand: sources that agreed with what was found on the learned pages.

They fill gaps: where a page lacks the source that its portal usually has, or has none at all, the place that agreed with it on
the learned pages gives the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from lxml import etree

from newscrawler.dates import DateCandidate, DateContext, Dates, Role, find_dates
from newscrawler.metadata import Metadata
from newscrawler.metadata.bylines import shown_names
from newscrawler.metadata.names import names_in
from newscrawler.page import Document
from newscrawler.page.likeness import key_of
from newscrawler.page.named import short_text
from newscrawler.wrappers.portal.model import Evidence, FieldPlaces
from newscrawler.wrappers.portal.signatures import Namer

T = TypeVar("T")
_DIGITS = re.compile(r"\d+")
_LONGEST_BYLINE, _LONGEST_SECTION = 160, 60
_MOST_ELEMENTS, _OUTWARDS = 3000, 8
_MOST_PLACES = 40
#: Pages on which a source must have been right, and its least trust.
_LEAST_RIGHT, _LEAST_TRUST = 2, 0.6
#: A date that the learned pages do not trust this far may be replaced.
_DOUBTED = 0.4


def learn_fields(pages: Sequence[Document], metadata: Sequence[Metadata], dates: Sequence[Dates], namer: Namer) -> FieldPlaces:
    """Learn which sources agree with what was found on the pages."""
    authors = [data.authors for data in metadata]
    sections = [key_of(data.section or "") for data in metadata]
    return FieldPlaces(
        dates=_agreeing([_days_of(found) for found in dates], [_day(found.published) for found in dates]),
        authors=_agreeing([first_texts(page, namer, _LONGEST_BYLINE, _people) for page in pages], authors),
        sections=_agreeing([first_texts(page, namer, _LONGEST_SECTION, key_of) for page in pages], sections),
    )


def thorough_dates(page: Document, context: DateContext, headline: etree._Element | None, body: Sequence[etree._Element]) -> Dates:
    """Find the date of a page, and all its candidates."""
    return find_dates(page, replace(context, thorough=True), headline_element=headline, body_elements=body)


def first_texts(page: Document, namer: Namer, longest: int, read: Callable[[str], T]) -> dict[str, T]:
    """What the first short element at each place reads as; places that read as nothing are left out."""
    found: dict[str, T] = {}
    seen: set[str] = set()
    for element in page.named_elements(_MOST_ELEMENTS):
        place = place_of(element, namer)
        if "." not in place or place in seen:
            continue
        seen.add(place)
        text = short_text(element, longest)
        if text and (value := read(text)):
            found[place] = value
    return found


def place_of(element: etree._Element, namer: Namer) -> str:
    """The name of an element, and that of the next one outwards with a class."""
    for distance, outer in enumerate(element.iterancestors()):
        if "." in (name := namer.name(outer)):
            return f"{namer.name(element)}<{name}"
        if distance >= _OUTWARDS:
            break
    return f"{namer.name(element)}<"


def elements_at(page: Document, namer: Namer, places: Mapping[str, Evidence]) -> Iterator[tuple[str, etree._Element]]:
    """The first element at each of these places."""
    left = set(places)
    own = {place.partition("<")[0] for place in places}
    for element in page.named_elements(_MOST_ELEMENTS):
        if not left:
            return
        if namer.name(element) not in own:
            continue
        place = place_of(element, namer)
        if place in left:
            left.discard(place)
            yield place, element


def better_date(dates: Dates, places: FieldPlaces) -> Dates | None:
    """The dates with another day of publication, where the learned pages trust another source far more; None: keep them."""
    known = places.dates
    own = known.get(_source(dates.published)) if dates.published else None
    if dates.published is not None and (own is None or own.trust >= _DOUBTED):
        return None
    best: tuple[float, float, DateCandidate] | None = None
    for candidate in dates.candidates:
        evidence = known.get(_source(candidate))
        if evidence is None or candidate.role != Role.PUBLISHED or candidate.probability <= 0 or not _trusted(evidence):
            continue
        if best is None or (evidence.trust, candidate.probability) > best[:2]:
            best = (evidence.trust, candidate.probability, candidate)
    if best is None or (dates.published is not None and best[2].value.date() == dates.published.value.date()):
        return None
    return replace(dates, published=best[2], reason=None, why="the portal's other pages show their date there")


def missing_authors(page: Document, namer: Namer, places: FieldPlaces) -> tuple[str, ...]:
    """The authors at the most trusted place that has any."""
    found = _read_at(page, namer, places.authors, _LONGEST_BYLINE)
    return next((tuple(people) for text in found if (people := shown_names(text))), ())


def missing_section(page: Document, namer: Namer, places: FieldPlaces) -> str | None:
    """The section at the most trusted place that has one."""
    return next(iter(_read_at(page, namer, places.sections, _LONGEST_SECTION)), None)


def _read_at(page: Document, namer: Namer, places: Mapping[str, Evidence], longest: int) -> list[str]:
    trusted = {place: evidence for place, evidence in places.items() if _trusted(evidence)}
    found = [
        (trusted[place].trust, place, text)
        for place, element in elements_at(page, namer, trusted)
        if (text := short_text(element, longest))
    ]
    return [text for _, _, text in sorted(found, key=lambda item: (-item[0], item[1]))]


def _trusted(evidence: Evidence) -> bool:
    return evidence.right >= _LEAST_RIGHT and evidence.trust >= _LEAST_TRUST


def _people(text: str) -> tuple[str, ...]:
    return tuple(names_in(text))


def _source(candidate: DateCandidate) -> str:
    return _DIGITS.sub("", f"{candidate.source} {candidate.place}".strip())[:200]


def _day(candidate: DateCandidate | None) -> object:
    return candidate.value.date() if candidate is not None else None


def _days_of(dates: Dates) -> dict[str, object]:
    found: dict[str, object] = {}
    for candidate in dates.candidates:
        if candidate.role == Role.PUBLISHED and candidate.probability > 0:
            found.setdefault(_source(candidate), candidate.value.date())
    return found


def _agreeing(found: Sequence[Mapping[str, T]], wanted: Sequence[T]) -> dict[str, Evidence]:
    """The places that agreed with what was wanted on some page."""
    right: dict[str, int] = {}
    wrong: dict[str, int] = {}
    for values, want in zip(found, wanted, strict=True):
        if not want:
            continue
        for place, value in values.items():
            table = right if value == want else wrong
            table[place] = table.get(place, 0) + 1
    evidence = {place: Evidence(number, wrong.get(place, 0)) for place, number in right.items()}
    best = sorted(evidence.items(), key=lambda item: (-item[1].trust, item[0]))[:_MOST_PLACES]
    return dict(best)
