"""Sources of a page's fields: which of them proved right on the learned pages of a portal, and what they say of another page.

A source is written `meta:og:title`, `json-ld:headline`, `title` (the title element), `text:h1.head<header.top` (the first element
at a place), `time:time.when<p.meta` (its machine-readable time), `url`, `none`, where no learned page has
the field, or `same:News`, where all learned pages are of one section that no source gives.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.dates import DateCandidate, DateContext, Role
from newscrawler.dates.candidate import Family
from newscrawler.dates.moment import Clock, Moment, read_moment
from newscrawler.dates.page_clock import on_the_page_clock
from newscrawler.dates.structured import candidate, url_dates
from newscrawler.dates.zones import zone_of
from newscrawler.metadata.describe import clean
from newscrawler.metadata.names import names_in
from newscrawler.page import Document
from newscrawler.page.document import squeeze
from newscrawler.page.named import short_text
from newscrawler.wrappers.portal.model import LONGEST_PLACE, FieldSource
from newscrawler.wrappers.portal.signatures import Namer

_LONGEST, _LONGEST_SECTION, _OUTWARDS, _MOST_ELEMENTS = 300, 60, 8, 3000
#: Sources that are kept of a field, and pages on which one must have been right.
_MOST_SOURCES, _LEAST_RIGHT = 3, 2
#: The same in the order in which they are asked, where several are right equally often.
_KINDS = ("json-ld", "meta", "time", "text", "title", "url", "none")
_LD_KEYS = ("headline", "articleSection", "datePublished", "dateCreated", "dateModified")
_FAMILIES = {"json-ld": Family.LD_ARTICLE, "meta": Family.META_NAMED, "time": Family.TIME_NAMED, "url": Family.ADDRESS_PATH}
_DATE_SOURCES = {"time": "time element", "text": "element"}
NONE, SAME = "none", "same"
TITLE, AUTHORS, SECTION, PUBLISHED, MODIFIED = FIELDS = "title", "authors", "section", "published", "modified"
#: Fields of which a second source must not contradict the first.
_COMPARED = frozenset({TITLE, PUBLISHED})
_DATES = (PUBLISHED, MODIFIED)


def place_of(element: etree._Element, namer: Namer) -> str:
    """Return the name of an element, and that of the next one outwards with a class."""
    for distance, outer in enumerate(element.iterancestors()):
        if _is_telling(name := namer.name(outer)):
            return f"{namer.name(element)}<{name}"
        if distance >= _OUTWARDS:
            break
    return f"{namer.name(element)}<"


def _is_telling(name: str) -> bool:
    """Tell whether a name, or a place, holds a class or the tag of a site's own element."""
    return "." in name or "-" in name


def elements_at(page: Document, place: str, namer: Namer) -> Iterator[etree._Element]:
    """Yield the elements at a place, in page order."""
    own = place.partition("<")[0]
    for element in _finder(own)(page.root):
        if namer.name(element) == own and place_of(element, namer) == place:
            yield element


@lru_cache(maxsize=4096)
def _finder(name: str) -> Callable[[etree._Element], Any]:
    """Return what finds the elements that may have a name; libxml2 compares tags and classes faster than Python does."""
    tag, *classes = name.split(".")
    longest = max(classes, key=len, default="")
    part = longest if longest.replace("-", "").replace("_", "").isalnum() else ""
    has_class = f"[contains(@class, '{part}')]" if part and part.isascii() else ""
    test = tag if tag.isascii() and tag.isalnum() else "*"
    return etree.XPath(f"descendant-or-self::{test}{has_class}", smart_strings=False)


def clock_of(context: DateContext) -> Clock:
    """Return how dates are read that a portal always writes alike."""
    return Clock(
        zone=zone_of(context.time_zone), fetched_at=context.fetched_at, month_first=context.day_order == "mdy",
        languages=(context.language,) if context.language else (),
    )  # fmt: skip


def value_of(name: str, text: str, page: Document, clock: Clock) -> Any:
    """Return what a text says of a field; None where it says nothing."""
    if name in _DATES:
        moment = read_moment(text, clock)
        if moment is None or moment.ambiguous or moment.year_guessed:
            return None
        return _on_the_page_clock(moment, text, page, clock)
    if name == AUTHORS:
        return tuple(names_in(text)) or None
    return clean(text[:_LONGEST_SECTION]) if name == SECTION else text


def _on_the_page_clock(moment: Moment, text: str, page: Document, clock: Clock) -> Moment:
    """Return a time without an offset as `find_dates` understands it."""
    if moment.offset_given or moment.precision != DatePrecision.MINUTE:
        return moment
    shown = candidate(moment, Family.NAMED, "", Role.PUBLISHED, text=text)
    read = on_the_page_clock(shown, (), clock.zone, page, next(iter(clock.languages), None))
    return replace(moment, value=read.value)


def is_same(name: str, one: Any, other: Any) -> bool:
    """Tell whether two values of a field are the same, dates to the precision that they have."""
    if name in _DATES and one is not None and other is not None:
        return bool(one.value == other.value and one.precision == other.precision)
    return bool(one == other)


def learn_sources(
    pages: Sequence[Document], wanted: Sequence[Mapping[str, Any]], namer: Namer, clocks: Sequence[Clock]
) -> dict[str, tuple[FieldSource, ...]]:
    """Return the sources of each field that give what was found on the pages, and nothing else on any of them."""
    right: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: dict[str, set[str]] = defaultdict(set)
    lacking: dict[str, Counter[str]] = defaultdict(Counter)
    for page, values, clock in zip(pages, wanted, clocks, strict=True):
        texts = dict(_texts(page, namer))
        for name, value in values.items():
            said = {source: read for source, text in texts.items() if (read := value_of(name, text, page, clock)) is not None}
            if name in _DATES and (moment := _of_url(page, clock)) is not None:
                said["url"] = moment
            if name == MODIFIED and values[PUBLISHED] is not None:  # the same time twice says nothing of a change
                said = {source: moment for source, moment in said.items() if moment.value != values[PUBLISHED].value}
            for source, read in said.items():
                if is_same(name, read, value):
                    right[name][source] += 1
                else:
                    wrong[name].add(source)
            lacking[name].update(() if value is not None else [NONE, *(texts.keys() - said.keys())])
    found = {}
    for name in FIELDS:
        absent = lacking[name][NONE]
        best = sorted(
            (source for source, count in right[name].items() if count >= _LEAST_RIGHT and source not in wrong[name]),
            key=lambda source: (-right[name][source], _KINDS.index(source.partition(":")[0]), source),
        )
        sources = [FieldSource(source, right[name][source], absent) for source in best[:_MOST_SOURCES]]
        if not sources and absent == len(pages):
            sources = [FieldSource(NONE, 0, absent)]
        if not sources and name == SECTION and len(said_of := {str(values[name]) for values in wanted}) == 1:
            sources = [FieldSource(f"{SAME}:{said_of.pop()[:_LONGEST]}", len(pages), 0)]
        if sources:
            found[name] = tuple(sources)
    return found


def _texts(page: Document, namer: Namer) -> Iterator[tuple[str, str]]:
    """Yield every source of a page, but its address, with what it says."""
    yield from ((f"meta:{name}", values[0]) for name, values in page.meta.items() if len(name) < _LONGEST)
    yield from ((f"json-ld:{key}", text) for key in (*_LD_KEYS, "author") if (text := _declared(page, key)))
    if page.title:
        yield "title", page.title
    seen: set[str] = set()
    for element in [*page.named_elements(_MOST_ELEMENTS), *page.body.iter("h1", "time")]:
        place = place_of(element, namer)
        is_named = _is_telling(place) or element.tag in ("h1", "time")
        if place in seen or not is_named or len(place) > LONGEST_PLACE - len("text:"):
            continue
        seen.add(place)
        if shown := short_text(element, _LONGEST):
            yield f"text:{place}", shown
        if said := _machine_time(element):
            yield f"time:{place}", said


def _declared(page: Document, key: str) -> str:
    """Return what the JSON-LD of the article says under a key."""
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


def declared_change(page: Document, clock: Clock) -> Moment | None:
    """Return the last change that the head of a page declares."""
    texts = (_declared(page, "dateModified"), page.first_meta("article:modified_time"))
    return next((moment for text in texts if text and (moment := value_of(MODIFIED, text, page, clock)) is not None), None)


def _machine_time(element: etree._Element) -> str:
    said = element.get("datetime") or element.get("content") or element.get("title") or ""
    return squeeze(said) if said[:2].isdigit() and len(said) < _LONGEST else ""


def _of_url(page: Document, clock: Clock) -> Moment | None:
    found = next(url_dates(page, clock), None)
    return Moment(value=found.value, precision=found.precision) if found is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class FieldReader:
    """Reads fields by the sources that proved right."""

    sources: Mapping[str, Sequence[FieldSource]]
    namer: Namer
    #: What each kind of source says of a page.
    _ways: Mapping[str, Callable[[Document, str], str | None]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ways", {
            "meta": lambda page, name: page.first_meta(name), "json-ld": _declared, "title": lambda page, _: page.title,
            "text": self._shown, "time": self._machine_time, SAME: lambda _, value: value,
        })  # fmt: skip

    def _shown(self, page: Document, place: str) -> str | None:
        element = next(elements_at(page, place, self.namer), None)
        return short_text(element, _LONGEST) if element is not None else None

    def _machine_time(self, page: Document, place: str) -> str | None:
        element = next(elements_at(page, place, self.namer), None)
        return _machine_time(element) if element is not None else None

    def read(self, page: Document, name: str, clock: Clock) -> tuple[bool, str, Any]:
        """Return whether a field is known for sure, its source, and its value, None where the page lacks it.

        It is not where its sources say nothing though no learned page lacked the field, or where the first two contradict; authors
        are not known either where no source names them but some learned page had one: bylines are in more than one place.
        """
        known = self.sources.get(name, ())
        found: list[tuple[str, Any]] = []
        for source in known:
            value = self._value(page, name, source.source, clock)
            if value is not None:
                found.append((source.source.partition(":")[0], value))
                if len(found) == 2 or name not in _COMPARED:
                    break
        if not found:
            may_lack = bool(known) and (known[0].source == NONE if name == AUTHORS else known[0].lacking > 0)
            return may_lack, NONE, None
        return len(found) < 2 or is_same(name, found[0][1], found[1][1]), *found[0]

    def _value(self, page: Document, name: str, source: str, clock: Clock) -> Any:
        kind, _, where = source.partition(":")
        if kind == "url":
            return _of_url(page, clock)
        way = self._ways.get(kind)
        text = way(page, where) if way is not None else None
        return value_of(name, text, page, clock) if text else None


def as_candidate(kind: str, moment: Moment) -> DateCandidate:
    """Return a date that a source gave as `newscrawler.dates` has it."""
    found = candidate(moment, _FAMILIES.get(kind, Family.NAMED), _DATE_SOURCES.get(kind, kind), Role.PUBLISHED, text="")
    return replace(found, probability=1.0)
