"""Dates of a page grouped by day, each day with a row of features for the model, among them where the page shows it."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta, tzinfo
from functools import cached_property, lru_cache
from itertools import accumulate, chain, islice
from operator import attrgetter, itemgetter, mul

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.dates.candidate import CRAWL, DECLARED, DateCandidate, DatePosition, DateRole, Family, Moment
from newscrawler.languages import alternatives
from newscrawler.limits import DATE_DEPTH
from newscrawler.page import Block, Document, Mark

#: An unknown value; below every real one.
UNKNOWN = -999.0
_FARTHEST = 150.0
#: Blocks on either side that count as the text around a date.
_AROUND = 5
#: Words in small letters, which make a sentence; names and labels have few.
_SMALL_WORD = re.compile(r"(?<![^\W_])(?=[^\W\d_]{2})[a-zß-öø-ÿąćčďęěğıłńňřśšťůźżžа-яёіїєґ][^\W\d_]+")
_DIGITS, _get_element = re.compile(r"\d+"), attrgetter("element")
#: Names of boxes with dates of something else: today, events, comments, other articles.
_OTHER_NAME = re.compile(alternatives("element_names/no_date", "element_names/other_text"))
#: A bit besides the marks of a position: such a name.
OTHER_TEXT = 1 << 40


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def is_other_text_name(name: str) -> bool:
    """Return whether a class or id names a box whose dates are not the article's."""
    return _OTHER_NAME.search(_HEADS_FOOTER.sub("", name.lower())) is not None


#: The last line of a headline's box.
_HEADS_FOOTER = re.compile(r"head\w*[_-]footer")


class DatePositions:
    """Positions of the dates on one page."""

    def __init__(
        self, page: Document, headline: etree._Element | None, body: Sequence[etree._Element], likely: Sequence[float]
    ) -> None:
        self._layout, self._blocks, self._boxes, self._box_of = page.layout, page.layout.blocks, page.layout.boxes, page.box_of
        if headline is None and (found := page.view(find_headline)) is not None:
            headline = found.element
        inner = [element for element in (headline, *body[:1]) if element is not None]
        #: Whether an element lies in a box of another text; that of the headline and of the body does not, whatever its name.
        self._others = dict.fromkeys(chain.from_iterable(element.iterancestors() for element in inner), False)
        #: Texts as `tidy` writes them and their dates, which a box and the elements in it share.
        self.moments: dict[str, tuple[str, Sequence[Moment]]] = {}
        self._described: dict[int, DatePosition] = {}
        #: Index of the headline's block.
        self.headline = self._find_headline(headline) if headline is not None else None
        self._likely = likely if len(likely) == len(self._blocks) else ()
        text = [index for index, probability in enumerate(self._likely) if probability >= 0.35]  # probably text
        if not self._likely:
            text = [i for element in body for i in range(*self._find_range(element) or (0, 0))]
        self._first, self._last = min(text, default=None), max(text, default=None)

    @cached_property
    def _block_of(self) -> dict[etree._Element, Block]:
        """The first block of each element that is one."""
        return dict(zip(map(_get_element, reversed(self._blocks)), reversed(self._blocks), strict=True))

    def _find_range(self, element: etree._Element) -> tuple[int, int] | None:
        """Return the first block of an element that is a block or a box, and the one behind the last."""
        if (box := self._box_of.get(element)) is not None:
            return box.first, box.last
        return (block.index, block.index + 1) if (block := self._block_of.get(element)) is not None else None

    @cached_property
    def _links(self) -> Sequence[int]:
        """Blocks of links before each block."""
        return [0, *accumulate([2 * block.linked > len(block.text) for block in self._blocks])]

    @cached_property
    def _start(self) -> int:
        """The first block of the smallest box with headline and text."""
        if self.headline is None:
            return 0
        text = self.headline + 1 if self._first is None else max(self._first, self.headline)
        boxes = self._layout.outer(self._blocks[self.headline].box)
        return next((box.first for box in boxes if box.last > text), 0)

    def locate(self, element: etree._Element, block: Block | None, text: str) -> DatePosition | None:
        """Describe the place of a date that an element, or a block, shows."""
        place = self._find_block(element, text) if block is None else (block.index, block.box)
        if place is None:
            return None
        index, box = place
        block = self._blocks[index]
        is_shown = block.box == box
        if index not in self._described:
            self._described[index] = self._describe_block(index)
        signature = "<".join([f"{node.tag}.{node.get('class', '')}" for node in islice(_iterate_up(element), 3)])
        return self._described[index]._replace(
            within=self._boxes[box].within | (block.marks if is_shown else 0) | (OTHER_TEXT if self._is_other(element) else 0),
            signature=_DIGITS.sub("", signature),
            **_measure_besides(block.text, text) if is_shown else _NOT_SHOWN,
        )

    def _describe_block(self, index: int) -> DatePosition:
        """Return the part of a position that all dates in a block share."""
        block, headline = self._blocks[index], self.headline
        begin, end = sorted((index, headline if headline is not None else index))
        low, high = max(0, index - _AROUND), index + _AROUND + 1
        sizes = [each.size for each in self._blocks[low:high]]
        return DatePosition(
            from_headline=_count_blocks_between(index, headline),
            from_body=_count_blocks_between(index, self._first),
            from_body_end=_count_blocks_between(index, self._last),
            before_box=float(index < self._start),
            likely=float(self._likely[index]) if self._likely else UNKNOWN,
            likely_around=sum(map(mul, sizes, self._likely[low:high])) / max(1.0, sum(sizes)) if self._likely else UNKNOWN,
            within=0, rest=0.0, prose=0.0, signature="",
            linked=block.link_density,
            links_between=float(self._links[end] - self._links[begin]),
        )  # fmt: skip

    def _find_headline(self, headline: etree._Element) -> int | None:
        found = next((block.index for block in self._blocks if block.element is headline), None)
        if found is None and (place := self._find_block(headline)) is not None:
            found = place[0]
        return found

    def _find_block(self, element: etree._Element, text: str = "") -> tuple[int, int] | None:
        """Return the indices of the block that shows an element, or of the next one where it shows nothing, and of its box."""
        nodes = islice(_iterate_up(element), DATE_DEPTH)
        node = next((node for node in nodes if node in self._box_of or node in self._block_of), None)
        if node is None or not self._blocks or (found := self._find_range(node)) is None:
            return None
        (first, last), box = found, self._box_of[node].index if node in self._box_of else self._block_of[node].box
        showing = (index for index in range(first, last) if text and text in self._blocks[index].text)
        index = next(showing, min(first, len(self._blocks) - 1))
        return index, self._blocks[index].box if first <= index < last and last - first > 1 else box

    def _is_other(self, element: etree._Element | None) -> bool:
        """Return whether an element, or a box around it without headline and body, is named as another text's."""
        path = []
        while element is not None and element not in self._others and element.tag not in ("body", "html"):
            path.append(element)
            element = element.getparent()
        found = self._others.get(element, False) if element is not None else False
        for node in reversed(path):
            found = found or is_other_text_name(f"{node.get('class', '')} {node.get('id', '')}")
            self._others[node] = found
        return found


def _iterate_up(element: etree._Element) -> Iterator[etree._Element]:
    return chain((element,), element.iterancestors())


def _measure_besides(block: str, date: str) -> dict[str, float]:
    """Return how many characters, and words in small letters up to eight, the text of a block has besides its date."""
    in_date = sum(1 for _ in _SMALL_WORD.finditer(date))
    words = sum(1 for _ in islice(_SMALL_WORD.finditer(block), 8 + in_date))
    return {"rest": float(max(0, len(block) - len(date))), "prose": float(max(0, words - in_date))}


def _count_blocks_between(index: int, other: int | None) -> float:
    """Return how many blocks one lies behind another."""
    return UNKNOWN if other is None else max(-_FARTHEST, min(_FARTHEST, float(index - other)))


#: Of a date that the block of its place does not show.
_NOT_SHOWN = {"rest": 0.0, "likely": UNKNOWN, "linked": 0.0, "prose": 0.0}


_MARKS = {
    "in comments": Mark.COMMENT,
    "in related": Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL,
    "in aside": Mark.ASIDE | Mark.NAVIGATION | Mark.FOOTER | Mark.WIDGET,
    "in header": Mark.HEADER,
    "in article": Mark.ARTICLE | Mark.MAIN | Mark.BODY,
    "in byline": Mark.BYLINE,
    "in hidden": Mark.HIDDEN | Mark.POPUP | Mark.CONSENT,
    "in other text": OTHER_TEXT,
}
_BITS = tuple(int(bits) for bits in _MARKS.values())
#: Boxes of other texts, by their marks; by a name, too.
FOREIGN_BOXES = int(Mark.COMMENT | Mark.RELATED)
_FOREIGN = OTHER_TEXT | FOREIGN_BOXES
OTHER_BOXES = _FOREIGN | int(Mark.PROMOTION | Mark.SOCIAL)
_POSITION = (
    "from headline", "from body", "from body end", "likely", "likely around", "linked", "links between", "rest", "prose",
)  # fmt: skip
NAMES: tuple[str, ...] = (
    *(family for family in Family if family not in {Family.MICRODATA, Family.SCRIPT}), "changed", "says published", "year guessed",
    "declared",
    "declared beside", "shown", "shown beside", "declared share", "minute", "offset", "utc", "age", "is today", "older days",
    "newer days", "from declared", "from changed", "from address", "address month", "ambiguous", "exchanged", "fewest alike",
    "nearer days", *_POSITION, *_MARKS,
)  # fmt: skip
_NOTHING, _row = dict.fromkeys(NAMES, 0.0), itemgetter(*NAMES)
#: Families that say of the article itself that it was published then.
_SAYING = frozenset({Family.LD_ARTICLE, Family.LD_PAGE, Family.META_NAMED, Family.META_PUBLISHED, Family.MICRODATA})
_ADDRESS = frozenset({Family.ADDRESS_PART, Family.ADDRESS_PATH, Family.ADDRESS_SLUG})
#: Evidence of whole boxes, about which elements within may say more.
BOXES = frozenset({Family.TEXT, Family.PERHAPS_NAMED})
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCandidates:
    """The days of a page, the candidates of each, and their features, one row a day."""

    days: Sequence[date]
    candidates: Sequence[Sequence[DateCandidate]]
    rows: NDArray[np.float32]


def list_readings(found: Iterable[DateCandidate], zone: tzinfo) -> list[DateCandidate]:
    """Return the candidates on the clock of the portal, and those in which day and month could be exchanged in both readings."""
    read: list[DateCandidate] = []
    for c in found:
        if zone is not UTC and c.offset_given and not c.value.utcoffset():
            c = replace(c, value=c.value.astimezone(zone))  # noqa: PLW2901
        read.append(c)
        if c.ambiguous:
            read.append(replace(c, value=c.value.replace(month=c.value.day, day=c.value.month), exchanged=True))
    return read


def group_by_day(found: Sequence[DateCandidate], today: date | None) -> DayCandidates:
    """Group candidates by day and compute the features of each day.

    Args:
        found: the candidates, as `list_readings` gives them; those that name a month only tell whether the address agrees.
        today: the day of the fetch; None where that is not known.
    """
    groups: dict[date, list[DateCandidate]] = defaultdict(list)
    for c in found:
        if c.precision != DatePrecision.MONTH:
            groups[c.value.date()].append(c)
    days, compared = sorted(groups), _compare_days(found, groups, today)
    rows = [_row(_NOTHING | _count_sources(groups[day]) | _describe_position(groups[day]) | compared[day]) for day in days]
    table = np.array(rows, dtype=np.float32).reshape(len(days), len(NAMES))
    return DayCandidates(days=days, candidates=list(map(groups.__getitem__, days)), rows=table)


def _count_sources(group: Sequence[DateCandidate]) -> dict[str, float]:
    """Count the evidence for a day by kind."""
    found: dict[str, float] = defaultdict(float)
    for c in group:
        if c.exchanged:
            found["exchanged"] += 1
            continue
        found[c.family if c.role is DateRole.PUBLISHED else "changed" if c.role is DateRole.MODIFIED else ""] += 1
        is_exact = c.precision == DatePrecision.MINUTE
        found["says published"] += c.labelled and c.role is DateRole.PUBLISHED
        found["year guessed"] += c.year_guessed
        found["ambiguous"] += c.ambiguous
        found["minute"] += is_exact
        found["offset"] += is_exact and c.offset_given
        found["utc"] += is_exact and c.offset_given and not c.value.utcoffset()
    return {name: min(3, count) for name, count in found.items()}


def _compare_days(
    found: Sequence[DateCandidate], groups: Mapping[date, Sequence[DateCandidate]], today: date | None
) -> dict[date, dict[str, float]]:
    """Compare each day with the others, with the address and with the fetch."""
    plain = [c for group in groups.values() for c in group if not c.exchanged]
    published = [(c.value.date(), c.family) for c in plain if c.role is DateRole.PUBLISHED]
    kinds = set(published)  # how many kinds of evidence declare each day, and show it
    declared = Counter([day for day, family in kinds if family in DECLARED])
    shown = Counter([day for day, family in kinds if family not in DECLARED and family is not Family.SCRIPT])
    saying = Counter([day for day, family in published if family in _SAYING])
    most_said = max(saying, key=saying.__getitem__, default=None)
    changed = max((c.value.date() for c in plain if c.role is DateRole.MODIFIED), default=None)
    days = sorted(dict(published))
    address = next((c for c in found if c.family in _ADDRESS), None)
    exact = address.value.date() if address is not None and address.precision != DatePrecision.MONTH else None
    month = (address.value.year, address.value.month) if address is not None else None
    places = [(c.value.date(), c.position) for c in plain if c.position is not None and c.role is DateRole.PUBLISHED]
    nearer = _rank_by_distance(groups, places)
    # on how many days elements of the same tag and class are
    alike = Counter(map(itemgetter(1), {(day, position.signature) for day, position in places}))
    signatures = {day: [c.position.signature for c in group if c.position is not None] for day, group in groups.items()}
    fewest = {day: max(1, min(map(alike.__getitem__, each))) if each else UNKNOWN for day, each in signatures.items()}
    return {
        day: {
            "declared": declared[day], "declared beside": declared[day - _DAY] + declared[day + _DAY],
            "shown": shown[day], "shown beside": shown[day - _DAY] + shown[day + _DAY],
            "declared share": saying[day] / max(1, saying.total()),
            "age": math.log1p(max(0, (today - day).days)) if today is not None else -1.0,
            "is today": float(today == day) if today is not None else -1.0,
            "older days": bisect_left(days, day), "newer days": len(days) - bisect_right(days, day),
            "from declared": _measure_days_apart(day, most_said), "from changed": _measure_days_apart(day, changed),
            "from address": _measure_days_apart(day, exact),
            "address month": 0.0 if month is None else 1.0 if month == (day.year, day.month) else -1.0,
            "nearer days": nearer[day], "fewest alike": fewest[day],
        }
        for day in groups
    }  # fmt: skip


def _rank_by_distance(days: Iterable[date], shown: Iterable[tuple[date, DatePosition]]) -> dict[date, int]:
    """Return the ranks of days by how near to the headline they are shown."""
    distances = dict.fromkeys(days, -UNKNOWN)
    for day, position in shown:
        distances[day] = min(distances[day], abs(position.from_headline))
    return {day: rank for rank, day in enumerate(sorted(distances, key=distances.__getitem__))}


def _measure_days_apart(day: date, other: date | None) -> float:
    """Return the distance of a day from an earlier one, in logarithms of days; UNKNOWN where there is no other."""
    if other is None:
        return UNKNOWN
    days = (day - other).days
    return math.copysign(math.log1p(abs(days)), days)


def _describe_position(group: Sequence[DateCandidate]) -> dict[str, float]:
    """Describe the position of a day: of several, the one nearest to the headline outside of other texts."""
    shown = [c for c in group if c.position is not None]
    position = min(shown, key=measure_distance).position if shown else None
    if position is None:
        return dict.fromkeys(_POSITION, UNKNOWN)
    values = {name: float(getattr(position, name.replace(" ", "_"))) for name in _POSITION}
    return values | {name: float(position.within & bits != 0) for name, bits in zip(_MARKS, _BITS, strict=True)}


def measure_distance(c: DateCandidate) -> tuple[bool, bool, float]:
    """Order dates by how close to the headline, and outside of other texts, they are shown."""
    if c.position is None:
        return False, False, 0.0
    above = 3.0 if c.position.from_headline < 0 else 0.0  # where pages show the day of today
    return c.role is DateRole.OTHER or c.exchanged, c.position.within & _FOREIGN != 0, abs(c.position.from_headline) + above


#: Blocks from a shown date, or from the headline, within which its time is shown.
_BESIDE, BESIDE_HEADLINE = 4, 12
#: Blocks below the text up to the line with its author and time.
_SIGNATURE = 3


def is_in_utc(c: DateCandidate) -> bool:
    """Return whether a candidate gives a moment in UTC, which need not be the clock of the page."""
    return c.precision == DatePrecision.MINUTE and c.offset_given and not c.value.utcoffset()


def choose_most_precise(group: Sequence[DateCandidate], role: DateRole) -> DateCandidate:
    """Return of the statements of a day the one with a time, one with an offset first, nearest to the headline."""
    of_role = [c for c in group if c.role is role and not c.exchanged] or list(group)
    best = min(of_role, key=rank_evidence)
    if best.precision == DatePrecision.MINUTE and (best.offset_given or best.family not in DECLARED):
        return best
    timed = [c for c in of_role if c.precision == DatePrecision.MINUTE and _is_refinement(c, best)]
    return min(timed, key=lambda c: (not c.offset_given, rank_evidence(c)), default=best)


def rank_evidence(c: DateCandidate) -> tuple[bool, bool, tuple[bool, bool, float], bool]:
    """Order the statements of a day: declared before shown, then by distance."""
    return c.family in CRAWL, c.family not in DECLARED, measure_distance(c), c.family in BOXES


def _is_refinement(c: DateCandidate, best: DateCandidate) -> bool:
    """Return whether a time refines a statement of its day: "8 hours ago" within its hour, a time by its offset."""
    stands_there = best.position is not None and measure_distance(c) == measure_distance(best)
    if not stands_there and not (is_own(c) and _is_time_of(c, best)):
        return False
    if best.precision == DatePrecision.MINUTE:
        return c.offset_given and c.value.replace(tzinfo=None, second=0) == best.value.replace(tzinfo=None, second=0)
    return not (best.value.hour or best.value.minute) or abs(best.value - c.value) <= timedelta(hours=1)


def is_own(c: DateCandidate) -> bool:
    """Return whether a date can be the article's: declared, or shown within 40 blocks of the headline and not in other texts."""
    return c.family in DECLARED or (not any(measure_distance(c)[:2]) and measure_distance(c)[2] <= 40)


def _is_time_of(c: DateCandidate, best: DateCandidate) -> bool:
    """Return whether a time belongs to a date: declared as well, or shown close to it, on the same side of the body."""
    if c.position is None or c.family in DECLARED:
        return True
    if best.position is None:  # the line of the author may be below the text
        is_signature = c.family is Family.TIME and 0 < c.position.from_body_end <= _SIGNATURE
        return is_signature or (abs(c.position.from_headline) <= BESIDE_HEADLINE and not c.position.from_body_end > 0)
    is_behind = c.position.from_body_end > 0, best.position.from_body_end > 0
    return is_behind[0] == is_behind[1] and abs(c.position.from_headline - best.position.from_headline) <= _BESIDE
