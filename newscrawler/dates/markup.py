"""Dates that a page shows its readers: time elements, microdata, elements whose names speak of dates.

One walk over the tree finds the elements that may hold a date; only those are read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

from lxml import etree

from newscrawler.dates.candidate import DateCandidate, Role
from newscrawler.dates.labels import ends_a_range, role_of_label
from newscrawler.dates.moment import Clock, Moment, find_moments, read_moment
from newscrawler.dates.place import IN_A_LIST, LIST, Places, never_name
from newscrawler.dates.relative import read_relative
from newscrawler.dates.structured import candidate
from newscrawler.dates.worded import read_worded
from newscrawler.dates.writing import tidy
from newscrawler.extraction.declared_titles import declared_titles
from newscrawler.extraction.headline import headline_of
from newscrawler.languages import alternatives, words
from newscrawler.page import Document
from newscrawler.page.document import squeeze
from newscrawler.page.likeness import likeness
from newscrawler.page.named import SILENT, TIMED, short_text

_TIME, _DATE, _ARTICLE = (alternatives(f"element_names/{name}") for name in ("time", "date", "article"))
_STRONG = re.compile(
    rf"publish(?:ed|date|time|_|-|\b)|{alternatives('element_names/publication')}[-_]?(?:{_TIME}|on|at)|pub-?_?date|"
    rf"documentpublished|posted|post-?_?(?:date|time)|entry-?_?(?:date|time)|{_ARTICLE}[-_]*_?{_TIME}|"
    rf"date(?:line|time|[-_]?publ|[-_]?create)|(?:^|[\s_-]){_DATE}(?:$|[\s_-])|created",
)
_WEAK = re.compile(rf"{alternatives('element_names/perhaps_date')}|time(?!line)|(?:^|[\s_-])data")
_MODIFIED_NAME = re.compile(alternatives("element_names/modified"), re.IGNORECASE)
_SKIPPED_TAG = frozenset(
    {
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "head",
        "link",
        "meta",
        "title",
        "path",
        "option",
        "select",
        "input",
        "body",
        "html",
        "img",
        "source",
        "picture",
        "iframe",
        "br",
        "button",
        "g",
    }
)
_LONGEST_ELEMENT = 160
#: From that likeness on a heading is the one that the page declares.
_ALIKE = 0.85
_NEAR = 0.04
_MOST_DATES = 400
#: Penalties from here on hold however close to the headline a box stands.
_NEVER = 0.5


@dataclass(slots=True)
class Walk:
    """What one walk over the page finds: elements that may hold dates, by their place in page order."""

    named: list[tuple[int, etree._Element, str]] = field(default_factory=list)
    headline_at: int | None = None
    size: int = 0
    headline: etree._Element | None = None
    #: How many more texts dateparser may be asked for: it is slow.
    worded_left: int = 3


def times(page: Document, headline: etree._Element | None) -> Walk:
    """Find the time elements only."""
    tagged = page.tagged("time", "h1", "h2")
    found = Walk(headline=headline if headline is not None else next((each for each in tagged if each.tag == "h1"), None))
    for index, element in enumerate(tagged):
        if element is found.headline:
            found.headline_at = index
        elif element.tag == "time":
            found.named.append((index, element, "time"))
        found.size = index + 1
    return found


def walk(page: Document, headline: etree._Element | None) -> Walk:
    """Go over the page once; where nobody has read its names yet, only what speaks of dates is read."""
    if headline is None:
        headline = _headline_of(page)
    found = Walk(headline=headline)
    for index, element, tag, name, prop, timed in (
        _names_read(page, headline) if "names" in page.__dict__ else _names_to_read(page, headline)
    ):
        if element is headline:
            found.headline_at = index
        if tag == "time":
            found.named.append((index, element, "time"))
        elif prop and ("date" in prop or "publi" in prop or "issued" in prop):
            found.named.append((index, element, f"prop {prop}"))
        elif timed:
            found.named.append((index, element, "attribute"))
        elif name and tag not in _SKIPPED_TAG and (kind := kind_of(name)):
            found.named.append((index, element, kind))
        found.size = index + 1
    return found


def _names_read(page: Document, headline: etree._Element | None) -> Iterator[tuple[int, etree._Element, str, str, str, bool]]:
    """Yield place, element, tag, name, property and whether it holds a time; of what has been read for others, too."""
    names = page.names
    kinds: dict[str, str | None] = {"": None}
    wanted = set(names.said)
    wanted.update(place for place, _ in names.tagged["time"])
    if (at := page.place_of(headline)) is not None:
        wanted.add(at)
    if names.places:
        wanted.add(names.places[-1])
    for place, name in zip(names.places, names.calls, strict=True):
        if name not in kinds:
            if names.elements[place].tag in _SKIPPED_TAG:
                continue
            kinds[name] = kind_of(name)
        if kinds[name]:
            wanted.add(place)
    numbers = (bisect_left(names.places, place) for place in sorted(wanted))
    return ((index, element, tag, name, prop, timed) for index, element, tag, name, prop, _, timed in names.named(numbers))


def _names_to_read(page: Document, headline: etree._Element | None) -> Iterator[tuple[int, etree._Element, str, str, str, bool]]:
    """Yield the same of the elements that may hold dates; not one attribute in ten is looked at."""
    for index, element in enumerate(page.body.iter(etree.Element)):
        name = item = prop = ""
        timed = False
        for key, value in cast("list[tuple[str, str]]", element.items()):
            if key == "class" or key == "id":  # noqa: PLR1714  twice as fast as a set of two
                name = f"{name} {value}" if name else value
            elif key == "itemprop":
                item = value.lower()
            elif key == "property":
                prop = value.lower()
            elif key in TIMED:
                timed = True
        if timed or item or prop or (name and kind_of(name)) or element is headline or element.tag == "time":
            tag = element.tag
            if tag not in SILENT:
                yield index, element, tag, name, item or prop, timed


def _headline_of(page: Document) -> etree._Element | None:
    """Give the only h1, or else the only heading in the words of the page's title; only where there is none, it is searched for."""
    firsts = list(page.body.iter("h1"))
    if len(firsts) == 1:
        return firsts[0]
    if "headline" not in page.__dict__:
        declared = page.view(declared_titles).texts
        headings = [(" ".join("".join(map(str, each.itertext())).split()), each) for each in firsts or page.body.iter("h2")]
        worded = [each for text, each in headings if any(likeness(text, other) >= _ALIKE for other in declared)]
        if len(worded) == 1:
            return worded[0]
    headline = page.view(headline_of)
    return headline.element if headline is not None else firsts[0] if firsts else None


#: One of them is in every name that may speak of a date; testing for them first is ten times faster than the expressions.
_HINTS = tuple(
    sorted(word.strip("*") for name in ("time", "date", "perhaps_date", "publication") for word in words(f"element_names/{name}"))
)


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def kind_of(name: str) -> str:
    """Say how clearly a class or id speaks of a date: "strong", "weak" or not at all."""
    lower = name.lower()
    if not any(hint in lower for hint in _HINTS):
        return ""
    kind = "strong" if _STRONG.search(lower) else "weak" if _WEAK.search(lower) else ""
    return "" if kind and never_name(lower) else kind


def markup_dates(walked: Walk, clock: Clock, places: Places) -> Iterator[DateCandidate]:
    """Yield the dates of the elements that the walk has found."""
    read: list[tuple[int, etree._Element, str, tuple[Moment, str, str, float, str]]] = []
    for index, element, kind in walked.named:
        if len(read) > _MOST_DATES:
            break
        read += ((index, element, kind, found) for found in _read(element, kind, clock, walked))
    listed = places.listed([element for _, element, _, _ in read]) if len(read) >= LIST else frozenset()
    for _, element, _, (moment, _, role, _, _) in read:
        places.note(element, moment, role)
    for index, element, kind, (moment, source, role, weight, text) in read:
        away, why = places.penalty(element)
        near = _nearness(index, walked)
        place = _describe(element)
        if away and near > _NEAR and kind != "weak" and away < _NEVER:
            away /= 3  # a box beside the headline is the article's, whatever its name
        if (today := places.against_a_day(element, moment, clock))[0]:
            away, why = today
        if element in listed and away < IN_A_LIST:
            away, why = IN_A_LIST, "in a list of the like"
        inner = places.noted(element, moment) if role == Role.PUBLISHED else None
        yield candidate(moment, source, inner or role, weight + near - away, text=text, place=place, order=index, why=why)


def _read(element: etree._Element, kind: str, clock: Clock, walked: Walk) -> Iterator[tuple[Moment, str, str, float, str]]:
    name = f"{element.get('class', '')} {element.get('id', '')} {element.get('itemprop') or element.get('property') or ''}"
    if kind not in {"strong", "weak"} and never_name(name):
        return
    modified = _MODIFIED_NAME.search(name) is not None and "publish" not in name.lower()  # WordPress: "published updated"
    role: str = Role.MODIFIED if modified else Role.PUBLISHED
    base = {"time": 0.68, "attribute": 0.66, "strong": 0.62, "weak": 0.5}.get(kind, 0.85)
    source = "time element" if kind == "time" else "microdata" if kind.startswith("prop") else "element"
    if kind == "time" and (element.get("pubdate") is not None or _STRONG.search(name.lower())):
        base += 0.07
    shown = (short_text(element, _LONGEST_ELEMENT) or "") if len(element) < 12 else ""
    for attribute in ("datetime", "content", "data-datetime", "data-timestamp", "title", "data-date", "data-time"):
        value = element.get(attribute)
        if not value or len(value) > 60 or (attribute == "title" and not any(c.isdigit() for c in value)):
            continue
        moment = read_moment(value, clock)
        if moment and not moment.year_guessed:
            label = role_of_label(f"{_text_before(element)} {shown[:40]}"[-60:])
            if label:
                role = label[0] if role == Role.PUBLISHED else role
                base += 0.05 if label[0] == Role.PUBLISHED else 0.0
            yield moment, source, role, base + (0.03 if attribute == "datetime" else 0.0), value
            return
    if not shown:
        return
    base = base - 0.03 if kind == "time" else base
    found = False
    for candidate_of_text in _read_shown(element, tidy(shown), role, base, source, clock):
        found = True
        yield candidate_of_text
    if not found and kind != "weak" and walked.worded_left > 0:
        walked.worded_left -= 1
        if moment := read_worded(shown, clock):
            yield moment, source, role, base - 0.08, shown


def _read_shown(
    element: etree._Element, text: str, role: str, base: float, source: str, clock: Clock
) -> Iterator[tuple[Moment, str, str, float, str]]:
    position = 0
    count = -1
    for count, moment in enumerate(find_moments(text, clock)):
        before = text[position : moment.start]
        if count == 0 and len(before) < 30:
            before = f"{_text_before(element)} {before}"
        label = role_of_label(before[-60:])
        weight = base - 0.02 * count - (0.1 if moment.year_guessed else 0.0)
        rest = len(text) - (moment.end - moment.start)
        weight -= 0.05 if rest > 60 and moment.start > 4 else 0.0
        found_role = label[0] if label and (role == Role.PUBLISHED) else role
        if ends_a_range(text[position : moment.start], moment.value.day):
            found_role = Role.OTHER
        if label and label[0] == Role.PUBLISHED:
            weight += 0.05
        yield moment, source, found_role, weight, text[moment.start : moment.end]
        position = moment.end
    if count < 0 and len(text) < 60 and (relative := read_relative(text, clock)):
        label = role_of_label(f"{_text_before(element)} {text[:30]}")
        yield relative, source, label[0] if label and role == Role.PUBLISHED else role, base - 0.05, text


def _text_before(element: etree._Element) -> str:
    """The words before an element within its parent: often a label such as "Updated:"."""
    previous = element.getprevious()
    if previous is not None:
        text = previous.tail or ""
        if not text.strip() and len(previous) < 3:
            text = "".join(str(piece) for piece in previous.itertext())[-60:] if isinstance(previous.tag, str) else ""
        return squeeze(text)[-60:]
    parent = element.getparent()
    return squeeze(parent.text)[-60:] if parent is not None and parent.text else ""


def _nearness(index: int, walked: Walk) -> float:
    """Say how far nearness to the headline speaks for a date."""
    if walked.headline_at is None:
        return -0.05 * min(1.0, index / max(1, walked.size))
    distance = index - walked.headline_at
    if 0 <= distance <= 40:
        return 0.08 - 0.001 * distance
    if -25 <= distance < 0:
        return 0.05 + 0.001 * distance
    return -0.06 - 0.08 * min(1.0, abs(distance) / max(1, walked.size))


def _describe(element: etree._Element) -> str:
    classes = (element.get("class") or "").split()
    return str(element.tag) + "".join(f".{name}" for name in classes[:2]) + (f"#{element.get('id')}" if element.get("id") else "")
