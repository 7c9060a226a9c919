"""Dates that a page shows its readers: time elements, microdata, elements named as dates, and blocks of text.

Labels in the languages of the news give each its role.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import cast

from lxml import etree

from newscrawler.extraction.dates.candidate import Clock, DateCandidate, DateRole, Family, Moment
from newscrawler.extraction.dates.day_candidates import BESIDE_HEADLINE, DatePositions
from newscrawler.extraction.dates.relative_dates import read_relative, read_worded
from newscrawler.extraction.dates.structured_data import make_candidate
from newscrawler.extraction.dates.text_dates import OTHER_SCRIPT, find_moments, read_machine, read_moment, tidy
from newscrawler.languages import alternatives, pattern, words
from newscrawler.page import Block, Document, Named, find_extent, short_text, squeeze

#: Labels of other dates; at the end, words directly before the start or the end of a period.
_OTHER = re.compile(f"{alternatives('not_published', extent='words')}|{alternatives('from_until', extent='words')} ?$")
_ROLES = ((DateRole.OTHER, _OTHER), (DateRole.MODIFIED, pattern("modified")), (DateRole.PUBLISHED, pattern("published")))
_COPYRIGHT = re.compile(f"{alternatives('copyright_label')}|©|\\(c\\)")


@lru_cache(maxsize=4096)  # the labels of a site's pages are always the same, and boxes repeat the elements in them
def find_role(text: str) -> DateRole | None:
    """Return the role of a date by the words right before it; the last of them decides."""
    if not text:
        return None
    text = text.lower()
    ends = ((max((match.end() for match in labels.finditer(text)), default=0), role) for role, labels in _ROLES)
    position, role = max(ends, key=itemgetter(0))
    return role if position else None


_TIME, _DATE, _ARTICLE = (alternatives(f"element_names/{name}") for name in ("time", "date", "article"))
_STRONG = re.compile(
    rf"publish(?:ed|date|time|_|-|\b)|{alternatives('element_names/publication')}[-_]?(?:{_TIME}|on|at)|pub-?_?date|"
    rf"documentpublished|posted|post-?_?(?:date|time)|entry-?_?(?:date|time)|{_ARTICLE}[-_]*_?{_TIME}|"
    rf"date(?:line|time|[-_]?publ|[-_]?create)|(?:^|[\s_-]){_DATE}(?:$|[\s_-])|created"
)
_WEAK = re.compile(rf"{alternatives('element_names/perhaps_date')}|time(?!line)|(?:^|[\s_-])data")
_DATE_WORDS = {
    word.strip("*") for name in ("time", "date", "perhaps_date", "publication") for word in words(f"element_names/{name}")
}
#: Parts of every name of a date; testing for them first is faster than the expressions.
_HINTS = tuple(word for word in sorted(_DATE_WORDS) if not any(word != other and other in word for other in _DATE_WORDS))
_MODIFIED_NAME = re.compile(alternatives("element_names/modified"))
_ATTRIBUTES = ("datetime", "content", "data-datetime", "data-timestamp", "title", "data-date", "data-time")
_NO_TEXT = frozenset({"link", "meta", "body", "html", "img", "picture", "select", "input", "button"})
_LONGEST_ELEMENT, _MOST_PIECES = 160, 121
#: Longer blocks are read only at their ends, the places of datelines and signatures.
_LONGEST_BLOCK, _END = 300, 160
#: Characters before a date that may be its label.
_LABEL, _LABEL_IN_PROSE, _LONGEST_RELATIVE = 50, 24, 60
_DIGIT, _NUMBER = re.compile(r"\d"), re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup"})


def find_element_dates(page: Document, clock: Clock, positions: DatePositions) -> Iterator[DateCandidate]:
    """Yield the dates of time elements, of microdata and of elements whose names speak of dates."""
    names, count, worded_left = page.names, 0, 3  # dateparser is slow
    called = page.find_named_with(_HINTS)
    wanted = {named.place: named for named in called if classify_name(named.name)}
    others = {*names.said, *(place for place, _ in names.tagged["time"])} - wanted.keys()
    wanted |= {named.place: named for named in names.named(bisect_left(names.places, place) for place in others)}
    for _, named in sorted(wanted.items()):
        family = _choose_family(named)
        if family is None or (named.tag in _NO_TEXT and family is not Family.MICRODATA):
            continue
        if family is Family.MICRODATA and page.is_of_other_article(named.element):
            continue
        found = list(_read_element(named, family, clock, positions))
        if not found and family in {Family.TIME, Family.NAMED} and worded_left:
            worded_left -= 1
            shown = short_text(named.element, _LONGEST_ELEMENT) or ""
            if moment := read_worded(shown, clock):
                found = [_make_candidate(moment, family, DateRole.PUBLISHED, None, shown)]
        for c in found:
            _locate(c, named.element, positions)
        yield from found
        count += len(found)
        if count > 400:  # a page of so many dates is a calendar
            return


def find_attribute_dates(page: Document, clock: Clock, positions: DatePositions) -> Iterator[DateCandidate]:
    """Yield the dates that attributes called so, and titles, of elements that nothing names give in a form for machines."""
    for element in page.body.iter("span", "abbr", "small", "div", "p"):
        for key, value in cast("list[tuple[str, str]]", element.items()):
            if _DATE_ATTRIBUTE.search(key) and (moment := read_machine(value, clock)):
                label = find_role(_get_text_before(element))
                c = _make_candidate(moment, Family.TIME, DateRole.PUBLISHED, label, value)
                _locate(c, element, positions)
                yield c


_DATE_ATTRIBUTE = re.compile(r"^title$|^data-.*(?:time|date|publish|epoch|unix)")


def _choose_family(named: Named) -> Family | None:
    if named.prop and any(word in named.prop for word in ("date", "publi", "issued")):
        return Family.MICRODATA
    kind = classify_name(named.name)
    if named.tag == "time" or named.timed:
        return Family.TIME_NAMED if named.element.get("pubdate") is not None or kind == "strong" else Family.TIME
    return {"strong": Family.NAMED, "weak": Family.PERHAPS_NAMED}.get(kind)


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def classify_name(name: str) -> str:
    """Return how clearly class and id name an element as a date: "strong", "weak" or ""."""
    lower = name.lower()
    if not any(map(lower.__contains__, _HINTS)):
        return ""
    return "strong" if _STRONG.search(lower) else "weak" if _WEAK.search(lower) else ""


def _read_element(named: Named, family: Family, clock: Clock, positions: DatePositions) -> Iterator[DateCandidate]:
    """Yield the date of an element's attribute, or else those of its text."""
    element = named.element
    for attribute in _ATTRIBUTES:
        value = element.get(attribute)
        if not value or len(value) > _LONGEST_RELATIVE or (attribute == "title" and not _DIGIT.search(value)):
            continue
        moment = read_moment(value, clock)
        if moment and not moment.year_guessed:
            label = find_role(f"{_get_text_before(element)} {_show(element)[:40]}"[-_LONGEST_RELATIVE:])
            yield _make_candidate(moment, family, _find_named_role(named), label, value)
            return
    text = "".join(islice(map(str, element.itertext()), _MOST_PIECES))
    if (clock.fetched_at is not None or not text.isascii() or _DIGIT.search(text)) and (shown := _show(element)):
        yield from _read_text(shown, _get_text_before(element), family, clock, positions.moments, role=_find_named_role(named))


def _show(element: etree._Element) -> str:
    """Return the text of a small element; "" of others, such as lists of posts."""
    return (short_text(element, _LONGEST_ELEMENT) or "") if len(element) < 12 else ""


def _find_named_role(named: Named) -> DateRole:
    name = f"{named.name} {named.prop}".lower()
    is_change = _MODIFIED_NAME.search(name) is not None and "publish" not in name  # WordPress: "published updated"
    return DateRole.MODIFIED if is_change else DateRole.PUBLISHED


def _make_candidate(moment: Moment, family: Family, role: DateRole, label: DateRole | None, text: str) -> DateCandidate:
    """Return a candidate in the role of its label; that of the last change is certain."""
    role = role if role is DateRole.MODIFIED else label or role
    return make_candidate(moment, family, _SOURCES.get(family, "element"), role, text=text, labelled=label is not None)


def _read_text(
    text: str, before: str, family: Family, clock: Clock, known: dict[str, tuple[str, Sequence[Moment]]], *,
    role: DateRole = DateRole.PUBLISHED, may_be_relative: bool = True,
) -> Iterator[DateCandidate]:  # fmt: skip
    """Yield the dates of a text, or the one that counts from the fetch.

    `before` has the label of the first; `role` counts unless a label gives another, and that of the last change is certain.
    """
    if text not in known:
        plain = tidy(text, clock.languages)
        known[text] = plain, tuple(islice(find_moments(plain, clock), 3))
    (text, moments), position = known[text], 0
    for moment in moments:
        if moment.start and text[moment.start : moment.end].isdecimal():
            continue  # the number of a version, or of a document
        said = text[max(position, moment.start - _LABEL) : moment.start]
        label = find_role(f"{before} {said}" if not position and moment.start < _LABEL_IN_PROSE else said)
        is_notice = family is Family.TEXT and _COPYRIGHT.search(said.lower()) is not None
        yield _make_candidate(moment, Family.COPYRIGHT if is_notice else family, role, label, text[moment.start : moment.end])
        position = moment.end
    if may_be_relative and not position and len(text) < _LONGEST_RELATIVE and (relative := read_relative(text, clock)):
        yield _make_candidate(relative, family, role, find_role(f"{before} {text[:40]}"), text)


def _get_text_before(element: etree._Element) -> str:
    """Return the words before an element within its parent: often a label such as "Updated:"."""
    previous, parent = element.getprevious(), element.getparent()
    if (
        previous is not None
        and not squeeze(previous.tail)
        and not _HEADINGS.isdisjoint(node.tag for node in islice(previous.iter(), 3))
    ):
        return ""  # the words of a headline are not a label: "… closed until"
    text = (parent.text if parent is not None else "") if previous is None else previous.tail
    if (
        previous is not None
        and previous.tag != "time"
        and not squeeze(text)
        and len(previous) < 3
        and isinstance(previous.tag, str)
    ):
        text = "".join(map(str, previous.itertext()))
    return squeeze(text)[-_LONGEST_RELATIVE:]


def find_times(page: Document, clock: Clock, positions: DatePositions, days: Collection[date]) -> Iterator[DateCandidate]:
    """Yield the dates of time elements, and of text near the headline, that may be of one of these days."""
    numbers = {day.day for day in days}
    is_fresh = clock.fetched_at is not None and max(days) >= clock.fetched_at.date()

    def may_name(text: str) -> bool:
        """Return whether a text has the number of one of the days, counts from today, or is of a script with other numbers."""
        found = _NUMBER.findall(text)
        if not found or (is_fresh and len(text) < _LONGEST_RELATIVE):
            return bool(found)
        return not numbers.isdisjoint(map(int, found)) or OTHER_SCRIPT.search(text) is not None

    for _, element in page.names.tagged["time"]:
        if may_name(value := element.get("datetime", "")) and (moment := read_moment(value, clock)):
            c = _make_candidate(moment, Family.TIME, DateRole.PUBLISHED, find_role(_get_text_before(element)), value)
            _locate(c, element, positions)
            yield c
    start = max(0, (positions.headline or 0) - BESIDE_HEADLINE)
    near = page.layout.blocks[start : (positions.headline or 0) + BESIDE_HEADLINE + 1]
    yield from find_text_dates(near, clock, positions, may_name)


def find_text_dates(
    blocks: Sequence[Block], clock: Clock, positions: DatePositions, may_name: Callable[[str], bool] | None = None
) -> Iterator[DateCandidate]:
    """Yield the dates in blocks of text, or in those that may name a date."""
    headline, count, is_fetched = positions.headline, 0, clock.fetched_at is not None
    for number, block in enumerate(blocks):
        text = block.text
        may_be_relative = (
            is_fetched and len(text) < _LONGEST_RELATIVE and (headline is None or abs(block.index - headline) <= BESIDE_HEADLINE)
        )
        if not (may_be_relative or _DIGIT.search(text)) or (may_name is not None and not may_name(text)):
            continue
        before = blocks[number - 1].text if number and _is_label(blocks[number - 1], headline) else ""
        for part in (text[:_END], text[-_END:]) if len(text) > _LONGEST_BLOCK else (text,):
            for found in _read_text(part, before, Family.TEXT, clock, positions.moments, may_be_relative=may_be_relative):
                count += 1
                _locate(found, block.element, positions, block)
                found.in_prose = _is_in_prose(block, positions.moments[part][0], found)
                yield found
        if count > 200:  # a page of so many dates is a calendar
            return


def _is_label(block: Block, headline: int | None) -> bool:
    """Return whether a block may be the label of a date in the next one."""
    is_short = len(block.text) < _LABEL_IN_PROSE + 6 and block.kind[0] != "h" and block.index != headline
    return is_short and not _DIGIT.search(block.text)


def _is_in_prose(block: Block, text: str, c: DateCandidate) -> bool:
    """Return whether a date in a text, as `tidy` writes it, is a part of a sentence: neither a dateline nor a signature."""
    if c.labelled or block.size < 50 or not block.is_sentence:  # shorter ones are lines
        return False
    if find_extent(text[c.end :]) < _LABEL_IN_PROSE:
        return text[c.end :] == "." and _MANY_SMALL_WORDS.search(text, 0, c.start) is not None
    if c.year_guessed and re.match(r"[\u3040-\u9fff]{2}", text[c.end :]):  # one letter is that of a dateline: 5月1日讯
        return True
    return c.start > 60 or _GOES_ON.match(text, c.end) is not None  # no dateline is longer


#: The next words of the same sentence; words of one that ends in a date, without a capital or a mark between them.
_GOES_ON = re.compile(r"[,،]?\s[^\W\d_A-ZÀ-ÖØ-ÞΑ-ΩА-ЯІЇЄҐ][^\s\d]*\s|[、，,に][^\W\d_]")
_MANY_SMALL_WORDS = re.compile(r"(?:\s[a-zß-öø-ÿа-яёα-ωά-ώ]+){5}[^.!?]{0,40}$")


def _locate(c: DateCandidate, element: etree._Element, positions: DatePositions, block: Block | None = None) -> None:
    """Note the position of a date."""
    c.position = positions.locate(element, block, c.text)
    if c.family is Family.TEXT and c.position is not None and abs(c.position.from_headline) <= BESIDE_HEADLINE:
        c.source = "text near headline"
    classes, name = element.get("class", "").split(), element.get("id")
    c.place = ".".join((str(element.tag), *classes[:2])) + (f"#{name}" if name else "")


_SOURCES = {
    Family.MICRODATA: "microdata", Family.TIME_NAMED: "time element", Family.TIME: "time element", Family.TEXT: "text",
    Family.COPYRIGHT: "text",
}  # fmt: skip
