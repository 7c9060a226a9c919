"""Dates that a page shows its readers: time elements, microdata, elements whose names speak of dates, and blocks of text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree

from newscrawler.dates.candidate import DateCandidate, Family, Role
from newscrawler.dates.labels import ends_a_range, is_copyright, role_of_label
from newscrawler.dates.moment import Clock, Moment, find_moments, read_moment
from newscrawler.dates.relative import read_relative
from newscrawler.dates.spots import Spots
from newscrawler.dates.structured import candidate
from newscrawler.dates.worded import read_worded
from newscrawler.dates.writing import tidy
from newscrawler.languages import alternatives, words
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.document import squeeze
from newscrawler.page.named import Named, short_text

_TIME, _DATE, _ARTICLE = (alternatives(f"element_names/{name}") for name in ("time", "date", "article"))
_STRONG = re.compile(
    rf"publish(?:ed|date|time|_|-|\b)|{alternatives('element_names/publication')}[-_]?(?:{_TIME}|on|at)|pub-?_?date|"
    rf"documentpublished|posted|post-?_?(?:date|time)|entry-?_?(?:date|time)|{_ARTICLE}[-_]*_?{_TIME}|"
    rf"date(?:line|time|[-_]?publ|[-_]?create)|(?:^|[\s_-]){_DATE}(?:$|[\s_-])|created",
)
_WEAK = re.compile(rf"{alternatives('element_names/perhaps_date')}|time(?!line)|(?:^|[\s_-])data")
#: One of them is in every name that may speak of a date; testing for them first is ten times faster than the expressions.
_HINTS = tuple(
    sorted(word.strip("*") for name in ("time", "date", "perhaps_date", "publication") for word in words(f"element_names/{name}"))
)
_MODIFIED_NAME = re.compile(alternatives("element_names/modified"), re.IGNORECASE)
_ATTRIBUTES = ("datetime", "content", "data-datetime", "data-timestamp", "title", "data-date", "data-time")
_NO_TEXT = frozenset({"link", "meta", "body", "html", "img", "picture", "select", "input", "button"})
_LONGEST_ELEMENT, _MOST_ELEMENTS, _MOST_CHILDREN = 160, 400, 12
#: How many texts of a page dateparser may be asked for: it is slow.
_MOST_WORDED = 3
#: Longer blocks are read at their ends only, where datelines and signatures stand; a page of so many dates is a calendar.
_LONGEST_BLOCK, _END, _MOST_MOMENTS, _MOST_CANDIDATES = 300, 160, 3, 200
#: Characters before a date in which its label may stand; blocks from the headline in which relative dates are read.
_LABEL, _LABEL_IN_PROSE, _NEAR, _LONGEST_RELATIVE = 50, 24, 15, 60
_PROSE = 5.0
_DIGIT = re.compile(r"\d")


def element_dates(page: Document, clock: Clock, spots: Spots, *, by_name: bool = True) -> Iterator[DateCandidate]:
    """Yield the dates of time elements, of microdata and, `by_name`, of elements whose names speak of dates."""
    count, worded_left = 0, _MOST_WORDED
    for named in _named(page, by_name=by_name):
        family = _family_of(named)
        if family is None or (named.tag in _NO_TEXT and family is not Family.MICRODATA):
            continue
        found = list(_read(named, clock))
        if not found and family in {Family.TIME, Family.NAMED} and worded_left:
            worded_left -= 1
            shown = short_text(named.element, _LONGEST_ELEMENT) or ""
            found = [(moment, Role.PUBLISHED, False, shown) for moment in (read_worded(shown, clock),) if moment]
        for moment, role, labelled, text in found:
            yield _shown(moment, family, role, named.element, text, spots, labelled=labelled)
        count += len(found)
        if count > _MOST_ELEMENTS:
            return


def _named(page: Document, *, by_name: bool) -> list[Named]:
    """Return the elements that may hold dates, in page order."""
    names = page.names
    kinds: dict[str, bool] = {"": False}
    wanted = set(names.said)
    wanted.update(place for place, _ in names.tagged["time"])
    for place, name in zip(names.places, names.calls, strict=True) if by_name else ():
        if name not in kinds:
            kinds[name] = bool(kind_of(name))
        if kinds[name]:
            wanted.add(place)
    return names.named(bisect_left(names.places, place) for place in sorted(wanted))


def _family_of(named: Named) -> Family | None:
    if named.prop and any(word in named.prop for word in ("date", "publi", "issued")):
        return Family.MICRODATA
    kind = kind_of(named.name)
    if named.tag == "time":
        return Family.TIME_NAMED if named.element.get("pubdate") is not None or kind == "strong" else Family.TIME
    if named.timed:
        return Family.ATTRIBUTE
    return {"strong": Family.NAMED, "weak": Family.PERHAPS_NAMED}.get(kind)


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def kind_of(name: str) -> str:
    """Say how clearly a class or id speaks of a date: "strong", "weak" or not at all."""
    lower = name.lower()
    if not any(hint in lower for hint in _HINTS):
        return ""
    return "strong" if _STRONG.search(lower) else "weak" if _WEAK.search(lower) else ""


def _read(named: Named, clock: Clock) -> Iterator[tuple[Moment, Role, bool, str]]:
    """Yield the dates of an element, their role, whether words say it outright, and what was read."""
    element = named.element
    name = f"{named.name} {named.prop}".lower()
    is_change = _MODIFIED_NAME.search(name) is not None and "publish" not in name  # WordPress: "published updated"
    role = Role.MODIFIED if is_change else Role.PUBLISHED
    shown = (short_text(element, _LONGEST_ELEMENT) or "") if len(element) < _MOST_CHILDREN else ""
    for attribute in _ATTRIBUTES:
        value = element.get(attribute)
        if not value or len(value) > _LABEL + 10 or (attribute == "title" and not _DIGIT.search(value)):
            continue
        moment = read_moment(value, clock)
        if moment and not moment.year_guessed:
            label = role_of_label(f"{_text_before(element)} {shown[:40]}"[-_LONGEST_RELATIVE:])
            yield moment, (label or role) if role is Role.PUBLISHED else role, label is not None, value
            return
    text, position, count = tidy(shown), 0, 0
    for moment in find_moments(text, clock) if shown else ():
        before = text[position : moment.start]
        if position == 0 and len(before) < _LABEL_IN_PROSE:
            before = f"{_text_before(element)} {before}"
        label = role_of_label(before[-_LONGEST_RELATIVE:])
        if ends_a_range(text[position : moment.start], moment.value.day):
            label = Role.OTHER
        yield moment, (label or role) if role is Role.PUBLISHED else role, label is not None, text[moment.start : moment.end]
        position, count = moment.end, count + 1
    if not count and shown and len(text) < _LONGEST_RELATIVE and (relative := read_relative(text, clock)):
        label = role_of_label(f"{_text_before(element)} {text[:30]}")
        yield relative, (label or role) if role is Role.PUBLISHED else role, label is not None, text


def _text_before(element: etree._Element) -> str:
    """Return the words before an element within its parent: often a label such as "Updated:"."""
    previous = element.getprevious()
    if previous is not None:
        text = previous.tail or ""
        if not text.strip() and len(previous) < 3 and isinstance(previous.tag, str):
            text = "".join(map(str, previous.itertext()))
        return squeeze(text)[-_LONGEST_RELATIVE:]
    parent = element.getparent()
    return squeeze(parent.text)[-_LONGEST_RELATIVE:] if parent is not None and parent.text else ""


def text_dates(page: Document, clock: Clock, spots: Spots, *, near: int | None = None) -> Iterator[DateCandidate]:
    """Yield the dates in blocks of text.

    Args:
        page: the page.
        clock: how written dates are to be understood.
        spots: the places of the page.
        near: blocks from the headline that are read; None: all.
    """
    blocks, headline = page.layout.blocks, spots.headline
    if near is not None:
        blocks = blocks[max(0, (headline or 0) - near) : (headline or 0) + near + 1]
    label, count = "", 0
    for block in blocks:
        text = block.text
        has_digits = _DIGIT.search(text) is not None
        before, label = label, text if len(text) < _LABEL_IN_PROSE + 6 and not has_digits else ""
        found = list(_of_block(block, clock, before)) if has_digits else []
        is_near = headline is None or abs(block.index - headline) <= _NEAR
        if not found and is_near and len(text) < _LONGEST_RELATIVE and (relative := read_relative(text, clock)):
            said = role_of_label(f"{before} {text[:40]}")
            found = [(relative, said or Role.PUBLISHED, said is not None, text, Family.TEXT)]
        for moment, role, labelled, read, family in found:
            count += 1
            yield _shown(moment, family, role, block.element, read, spots, labelled=labelled, block=block)
        if count > _MOST_CANDIDATES:
            return


def _of_block(block: Block, clock: Clock, before: str) -> Iterator[tuple[Moment, Role, bool, str, Family]]:
    is_long = len(block.text) > _LONGEST_BLOCK
    for part in (block.text[:_END], block.text[-_END:]) if is_long else (block.text,):
        text, position = tidy(part), 0
        for _, moment in zip(range(_MOST_MOMENTS), find_moments(text, clock), strict=False):
            said = text[max(position, moment.start - (_LABEL_IN_PROSE if is_long else _LABEL)) : moment.start]
            label = role_of_label(f"{before} {said}" if moment.start < _LABEL_IN_PROSE and not position else said)
            if ends_a_range(said, moment.value.day):
                label = Role.OTHER
            family = Family.COPYRIGHT if is_copyright(said) else Family.TEXT
            yield moment, label or Role.PUBLISHED, label is not None, text[moment.start : moment.end], family
            position = moment.end


def _shown(
    moment: Moment, family: Family, role: Role, element: etree._Element, text: str, spots: Spots, *, labelled: bool,
    block: Block | None = None,
) -> DateCandidate:  # fmt: skip
    spot = spots.spot(element, block, text)
    is_near = family is Family.TEXT and spot is not None and abs(spot.from_headline) <= _NEAR
    source = "text near headline" if is_near else _SOURCES[family]
    return candidate(moment, family, source, role, text=text, place=_describe(element), labelled=labelled, spot=spot)


_SOURCES = {
    Family.MICRODATA: "microdata", Family.TIME_NAMED: "time element", Family.TIME: "time element", Family.ATTRIBUTE: "element",
    Family.NAMED: "element", Family.PERHAPS_NAMED: "element", Family.TEXT: "text", Family.COPYRIGHT: "text",
}  # fmt: skip


def _describe(element: etree._Element) -> str:
    classes = (element.get("class") or "").split()
    return str(element.tag) + "".join(f".{name}" for name in classes[:2]) + (f"#{element.get('id')}" if element.get("id") else "")
