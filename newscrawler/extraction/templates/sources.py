"""Sources of a page's fields: choosing those that proved right on the learned pages of a portal, and reading other pages by them.

A source is written `meta:og:title`, `json-ld:headline`, `title` (the title element), `text:h1.head<header.top` (the first element
at a place), `time:time.when<p.meta` (its machine-readable time), `url`, `none`, where no learned page has
the field, or `same:News`, where all learned pages are of one section that no source gives.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates import DateCandidate, DateContext, DateRole
from newscrawler.extraction.dates.calendar import find_zone, move_to_page_clock
from newscrawler.extraction.dates.candidate import Clock, Family, Moment
from newscrawler.extraction.dates.structured_data import find_url_dates, make_candidate
from newscrawler.extraction.dates.text_dates import read_moment
from newscrawler.extraction.metadata.names import find_names
from newscrawler.extraction.templates.model import LONGEST_PLACE, FieldSource
from newscrawler.extraction.templates.places import Namer
from newscrawler.page import Document, clean_text, short_text, squeeze

_LONGEST, _LONGEST_SECTION, _OUTWARDS, _MOST_ELEMENTS = 300, 60, 9, 3000
#: Sources that are kept of a field, and pages on which one must have been right.
_MOST_SOURCES, _LEAST_RIGHT = 3, 2
#: Share of the pages without a field from which on a field without sources is taken to be lacking.
_MOSTLY_LACKING = 0.95
#: Kinds of sources in their order, where several are right equally often.
_KINDS = ("json-ld", "meta", "time", "text", "title", "url", "none")
_LD_KEYS = ("headline", "articleSection", "datePublished", "dateCreated", "dateModified")
_FAMILIES = {"json-ld": Family.LD_ARTICLE, "meta": Family.META_NAMED, "time": Family.TIME_NAMED, "url": Family.ADDRESS_PATH}
_DATE_SOURCES = {"time": "time element", "text": "element"}
_PLAIN = re.compile(r"[\w-]+", re.ASCII)
NONE, SAME, _URL = "none", "same", "url"
TITLE, AUTHORS, SECTION, PUBLISHED, MODIFIED = FIELDS = "title", "authors", "section", "published", "modified"
#: Fields of which a second source must not contradict the first.
_COMPARED = frozenset({TITLE, PUBLISHED})
_DATES = (PUBLISHED, MODIFIED)


def name_place(element: etree._Element, namer: Namer) -> str:
    """Return the name of an element, and that of the next one outwards with a class."""
    around = map(namer.name_element, islice(element.iterancestors(), _OUTWARDS))
    return f"{namer.name_element(element)}<{next(filter(_is_telling, around), '')}"


def _is_telling(name: str) -> bool:
    """Return whether a name, or a place, contains a class or the tag of a site's own element."""
    return "." in name or "-" in name


def find_elements(page: Document, place: str, namer: Namer) -> Iterator[etree._Element]:
    """Yield the elements at a place, in page order."""
    own = place.partition("<")[0]
    for element in _make_finder(place)(page.root):
        if namer.name_element(element) == own and name_place(element, namer) == place:
            yield element


@lru_cache(maxsize=4096)
def _make_finder(place: str) -> Callable[[etree._Element], Any]:
    """Return a finder of the elements that may be at a place; libxml2 compares tags and classes faster than Python does."""
    own, outer = (_write_test(name) for name in place.split("<", 1))
    return etree.XPath(f"descendant-or-self::{own}" + (f"[ancestor::{outer}]" if "[" in outer else ""), smart_strings=False)


def _write_test(name: str) -> str:
    """Return an XPath step for elements that may have a name: its tag, and one of its classes."""
    tag, *classes = name.split(".")
    longest = max(classes, key=len, default="")
    has_class = f"[contains(@class, '{longest}')]" if _PLAIN.fullmatch(longest) else ""
    return (tag if tag.isascii() and tag.isalnum() else "*") + has_class


def make_portal_clock(context: DateContext) -> Clock:
    """Return how dates are read that a portal always writes alike."""
    return Clock(
        zone=find_zone(context.time_zone), fetched_at=context.fetched_at, month_first=context.calendar.order == "mdy",
        languages=(context.language,) if context.language else (), calendar=context.calendar,
    )  # fmt: skip


def read_value(name: str, source: str, text: str, page: Document, clock: Clock) -> Any:
    """Return the value of a field in the text of a source; None where there is none."""
    if source == _URL:
        found = next(find_url_dates(page, clock), None) if name in _DATES else None
        return Moment(value=found.value, precision=found.precision) if found is not None else None
    if name in _DATES:
        moment = read_moment(text, clock)
        if moment is None or moment.ambiguous or moment.year_guessed:
            return None
        return _move_to_page_clock(moment, text, page, clock)
    if name == AUTHORS:
        return tuple(find_names(text)) or None
    return clean_text(text[:_LONGEST_SECTION]) if name == SECTION else text


def _move_to_page_clock(moment: Moment, text: str, page: Document, clock: Clock) -> Moment:
    """Return a time in UTC, or without an offset, as `find_dates` understands it."""
    if moment.precision != DatePrecision.MINUTE:
        return moment
    shown = make_candidate(moment, Family.NAMED, "", DateRole.PUBLISHED, text=text)
    read = move_to_page_clock(shown, (), clock.zone, page, next(iter(clock.languages), None), clock.calendar)
    return replace(moment, value=read.value, precision=read.precision, offset_given=read.offset_given)


def is_same(name: str, one: Any, other: Any) -> bool:
    """Return whether two values of a field are the same, dates to the precision that they have."""
    if name in _DATES and one is not None and other is not None:
        return bool(one.value == other.value and one.precision == other.precision)
    return bool(one == other)


def _is_on_clock(one: Any, other: Any) -> bool:
    """Return whether two equal values have the same offset from UTC, if they are times."""
    return not isinstance(one, Moment) or one.value.utcoffset() == other.value.utcoffset()


def learn_sources(
    pages: Sequence[Document], wanted: Sequence[Mapping[str, Any]], namer: Namer, clocks: Sequence[Clock]
) -> dict[str, tuple[FieldSource, ...]]:
    """Return the sources of each field that give the values found on the pages, and never another one."""
    right: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: dict[str, set[str]] = defaultdict(set)
    absent: Counter[str] = Counter()
    for page, values, clock in zip(pages, wanted, clocks, strict=True):
        texts = dict(_read_texts(page, namer))
        for name, value in values.items():
            read = ((source, read_value(name, source, text, page, clock)) for source, text in texts.items())
            said = {source: found for source, found in read if found is not None}
            if name == MODIFIED and values[PUBLISHED] is not None:  # the same time twice says nothing of a change
                said = {source: moment for source, moment in said.items() if moment.value != values[PUBLISHED].value}
            agreeing = {source for source, found in said.items() if is_same(name, found, value) and _is_on_clock(found, value)}
            right[name].update(agreeing)
            wrong[name] |= said.keys() - agreeing
            absent[name] += value is None
    found = {name: _choose_sources(name, right[name], wrong[name], absent[name], wanted) for name in FIELDS}
    return {name: tuple(sources) for name, sources in found.items() if sources}


def _choose_sources(
    name: str, right: Counter[str], wrong: Container[str], absent: int, wanted: Sequence[Mapping[str, Any]]
) -> list[FieldSource]:
    """Return the sources of a field, best first; without any, a source for a field that all pages lack, or have alike."""
    best = sorted(
        (source for source, count in right.items() if count >= _LEAST_RIGHT and source not in wrong),
        key=lambda source: (-right[source], _KINDS.index(source.partition(":")[0]), source),
    )
    if best:
        return [FieldSource(source, right[source], absent) for source in best[:_MOST_SOURCES]]
    if absent >= _MOSTLY_LACKING * len(wanted):
        return [FieldSource(NONE, 0, absent)]
    if name == SECTION and len(values := {str(each[name]) for each in wanted}) == 1:
        return [FieldSource(f"{SAME}:{values.pop()[:_LONGEST]}", len(wanted), 0)]
    return []


def _read_texts(page: Document, namer: Namer) -> Iterator[tuple[str, str]]:
    """Yield every source of a page with its text."""
    yield from ((f"meta:{name}", values[0]) for name, values in page.meta.items() if len(name) < _LONGEST)
    yield from ((f"json-ld:{key}", text) for key in (*_LD_KEYS, "author") if (text := _read_declared(page, key)))
    yield from ((source, text) for source, text in (("title", page.title), (_URL, page.url)) if text)
    seen: set[str] = set()
    named = map(page.names.elements.__getitem__, page.names.places[:_MOST_ELEMENTS])
    for element in [*named, *page.body.iter("h1", "time")]:
        place = name_place(element, namer)
        is_named = _is_telling(place) or element.tag in ("h1", "time")
        if place in seen or not is_named or len(place) > LONGEST_PLACE - len("text:"):
            continue
        seen.add(place)
        if shown := short_text(element, _LONGEST):
            yield f"text:{place}", shown
        if said := _read_machine_time(element):
            yield f"time:{place}", said


def _read_declared(page: Document, key: str) -> str:
    """Return the text under a key of the article's JSON-LD."""
    for item in page.article_json_ld:
        found = item.get(key)
        if key == "author":
            people = found if isinstance(found, list) else [found]
            names = (person.get("name") if isinstance(person, Mapping) else person for person in people)
            found = "; ".join(name for name in names if isinstance(name, str))
        elif isinstance(found, list) and found:
            found = found[0]
        if isinstance(found, str) and found.strip():
            return squeeze(found)[:_LONGEST]
    return ""


def find_declared_change(page: Document, clock: Clock) -> Moment | None:
    """Return the last change that the head of a page declares."""
    texts = (_read_declared(page, "dateModified"), page.get_first_meta("article:modified_time"))
    return next((moment for text in texts if text and (moment := read_value(MODIFIED, "", text, page, clock)) is not None), None)


def _read_machine_time(element: etree._Element) -> str:
    said = element.get("datetime") or element.get("content") or element.get("title") or ""
    return squeeze(said) if said[:2].isdigit() and len(said) < _LONGEST else ""


@dataclass(frozen=True, slots=True, eq=False)
class FieldReader:
    """Reads fields by the sources that proved right."""

    sources: Mapping[str, Sequence[FieldSource]]
    namer: Namer

    def read(self, page: Document, name: str, clock: Clock) -> tuple[bool, str, Any]:
        """Return whether a field is known for sure, its source, and its value, None where the page lacks it.

        It is unknown where its sources say nothing though no learned page lacked the field, or where the first two contradict;
        authors also where no source names them but some learned page had one: bylines are in more than one place.
        """
        known = self.sources.get(name, ())
        read = ((source, self._read_value(page, name, source, clock)) for source, _, _ in known)
        said = ((source.partition(":")[0], value) for source, value in read if value is not None)
        found = list(islice(said, 2 if name in _COMPARED else 1))
        if not found:
            may_lack = bool(known) and (known[0].source == NONE if name == AUTHORS else known[0].lacking > 0)
            return may_lack, NONE, None
        return len(found) < 2 or is_same(name, found[0][1], found[1][1]), *found[0]

    def _read_value(self, page: Document, name: str, source: str, clock: Clock) -> Any:
        kind, _, where = source.partition(":")
        text = _SAYS[kind](page, where, self.namer) if kind in _SAYS else None
        return read_value(name, kind, text, page, clock) if text else None


def _read_shown(page: Document, place: str, namer: Namer, read: Callable[[etree._Element], str | None]) -> str | None:
    element = next(find_elements(page, place, namer), None)
    return read(element) if element is not None else None


#: Readers of each kind of source.
_SAYS: Mapping[str, Callable[[Document, str, Namer], str | None]] = {
    "meta": lambda page, name, _: page.get_first_meta(name), "json-ld": lambda page, key, _: _read_declared(page, key),
    "title": lambda page, *_: page.title, _URL: lambda page, *_: page.url, SAME: lambda _, value, __: value,
    "text": partial(_read_shown, read=lambda element: short_text(element, _LONGEST)),
    "time": partial(_read_shown, read=_read_machine_time),
}  # fmt: skip


def make_date_candidate(kind: str, moment: Moment) -> DateCandidate:
    """Return a date that a source gave as `newscrawler.extraction.dates` has it."""
    found = make_candidate(moment, _FAMILIES.get(kind, Family.NAMED), _DATE_SOURCES.get(kind, kind), DateRole.PUBLISHED, text="")
    return replace(found, probability=1.0)
