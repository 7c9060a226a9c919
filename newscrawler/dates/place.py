"""Where on a page a date stands, and how far that speaks against it.

Side columns and the page's foot speak against a date; comments, other articles, the weather, the day of today and
announcements forbid it, unless the words before it say outright that it is the date of publication. But a box
that holds the headline or the body is the article, whatever its class says ("widget", "footer" and the like).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import accumulate, islice

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import Role
from newscrawler.dates.moment import Clock, Moment
from newscrawler.languages import alternatives, one_of, words

NEVER_TAG = frozenset(
    {
        "aside",
        "footer",
        "nav",
        "script",
        "style",
        "noscript",
        "template",
        "select",
        "option",
        "figcaption",
        "figure",
        "blockquote",
        "del",
    }
)
_NEVER_WORDS = r"""(?:^|\s|(?<!date)(?<!time)(?<!meta)(?<!info)-)comment(?!ary)
    (?<!date[-_])(?<!time[-_])(?<!meta[-_])(?<!info[-_])comments(?:$|[\s_-])
    comment[_-]?(?:list|body|content|meta|author|item|section|text|date|time)
    (?<!elementor-)widget teaser(?![\w-]*(?:date|meta|info)) current-?_?(?:date|time) event(?![\w-]*(?:date|meta|time)) most-?_?read
    forum-?stat more-?_?(?:news|stories|articles|from) reading-?_?time read-?_?time"""
_PARTS, _WHOLE = (words(f"element_names/{name}") for name in ("no_date", "no_date_whole"))
NEVER_NAME = re.compile(
    "|".join([*_NEVER_WORDS.split(), one_of(_PARTS), rf"(?:^|[\s_-]){one_of(_WHOLE)}(?:$|[\s_-])"]), re.IGNORECASE
)
#: Boxes that are another text's, however close they stand to the headline; the others may be the article's by another name.
NEVER_OWN = re.compile(rf"{alternatives('element_names/other_text')}|most-?_?read|more-?_?", re.IGNORECASE)
#: Every name that NEVER_NAME finds holds one of these; looking for them first is five times faster than the expression.
_SHORT = frozenset({"ad", "ads"})
_CORES = (
    *("comment", "widget", "teaser", "current", "event", "most", "forum", "more", "read", " ad", "-ad", "_ad"),
    *sorted(word.strip("*") for word in _PARTS | _WHOLE - _SHORT),
)


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def never_name(name: str) -> str:
    """Give the word of a class or id for which nothing in the box dates the article; empty where there is none."""
    lower = f" {name.lower()}"
    if not any(core in lower for core in _CORES):
        return ""
    match = NEVER_NAME.search(lower)
    return match.group().strip() if match else ""


#: Boxes among which the head of a page ends.
_MOST_SIBLINGS = 400
#: So many boxes alike are a list, and how far above a date such a box may stand.
LIST, _HIGHEST_ROW = 3, 5
_LONGEST_ROW = 600
#: How far it speaks against a date that it stands in a list of other articles.
IN_A_LIST = 0.45
#: Penalty of a box that holds more than dates, but nothing of other articles.
BESIDE = 0.35
#: The tag or class of a box that is one article.
_OWN = re.compile(rf"\barticle\b|\bpost\b|hentry|\bentry\b|story|{alternatives('element_names/own')}", re.IGNORECASE)
_DEEPEST = 40
#: How far it speaks against a day with its time that a menu stands between it and the headline.
_CLOCK_IN_HEAD = 0.2
#: A trail of breadcrumbs has so many links at most; a menu has more.
_LINKS_OF_A_TRAIL = 5
_MAY_BE_OWN = re.compile(r"sidebar|widget", re.IGNORECASE)
#: What stands beside the article's own date in the same line: buttons to share it, the time that reading takes.
_BESIDE_OWN = re.compile(
    r"social|duration|read-?_?time|reading|timer|timezone|clock|copy(?!right)|(?:^|[\s_-])nav(?:$|[\s_-])", re.IGNORECASE
)
_TAG_PENALTIES = {"blockquote": 1.0, "del": 1.0, "footer": 0.6, "nav": 0.6}


def _weight_of(word: str) -> float:
    """Say how far the word of a class or id speaks against a date."""
    if NEVER_OWN.search(word):
        return 1.0
    return BESIDE if _BESIDE_OWN.search(word) else 0.4 if _MAY_BE_OWN.search(word) else 0.6


def _is_short(box: etree._Element) -> bool:
    """Tell a row that announces something from the posts of a forum, of which the first dates the page."""
    return sum(len(str(text)) for text in box.itertext()) <= _LONGEST_ROW


@dataclass(frozen=True, slots=True)
class _Siblings:
    """The elements of one box, their places, and the places of those that hold the article or are its headline."""

    elements: list[etree._Element]
    places: dict[etree._Element, int]
    article: list[int]


class Places:
    """Judges places on one page; knows which boxes hold the article."""

    def __init__(self, headline: etree._Element | None, body: Sequence[etree._Element]) -> None:
        self._article: set[etree._Element] = set()
        if headline is not None:
            self._article.update(headline.iterancestors())
        if body:
            self._article.update((body[0], *body[0].iterancestors()))
        self._headline = headline
        self._heads: dict[etree._Element, bool] = {}
        self._link_counts: dict[etree._Element, int] = {}
        self._siblings: dict[etree._Element | None, _Siblings] = {}
        self._known: dict[etree._Element, tuple[float, str]] = {}
        #: The first role that an element inside of a box gives a date, and whether any gives it that of publication.
        self._notes: dict[tuple[etree._Element, datetime], tuple[str, bool]] = {}
        self._rows: set[etree._Element] = set()
        self._has_body = bool(body)
        self._inner = frozenset(body[1:-1])

    def note(self, element: etree._Element, moment: Moment, role: str) -> None:
        """Remember that an element says of a date that it is not the one of publication."""
        for box in element.iterancestors():
            first, published = self._notes.get((box, moment.value), (role, False))
            self._notes[box, moment.value] = first, published or role == Role.PUBLISHED

    def noted(self, element: etree._Element, moment: Moment) -> str | None:
        """Give the role that the elements inside an element give a date; None where one of them, or nobody, says "published"."""
        role, published = self._notes.get((element, moment.value), (None, False))
        return None if published else role

    def listed(self, elements: Sequence[etree._Element]) -> frozenset[etree._Element]:
        """Give those of the elements that stand in lists: in boxes alike with links, three or more side by side.

        Only where the body is known: on a page that is a list itself, it is the first of its dates that counts.
        """
        if not self._has_body:
            return frozenset()
        rows: dict[tuple[etree._Element, str], dict[etree._Element, list[etree._Element]]] = {}
        for element in elements:
            box = element
            for _ in range(_HIGHEST_ROW):
                outer = box.getparent()
                if outer is None or box in self._article:
                    break
                if self._links_in(box):
                    alike = f"{box.tag} {box.get('class', '')} > {element.tag} {element.get('class', '')}"
                    rows.setdefault((outer, alike), {}).setdefault(box, []).append(element)
                box = outer
        lists = [boxes for boxes in rows.values() if len(boxes) >= LIST and all(map(_is_short, boxes))]
        self._rows.update(box for boxes in lists for box in boxes)
        return frozenset(element for boxes in lists for found in boxes.values() for element in found)

    def in_row(self, element: etree._Element) -> bool:
        """Tell whether an element stands in a row of a list that `listed` has found."""
        return bool(self._rows) and (element in self._rows or any(box in self._rows for box in element.iterancestors()))

    def inside_body(self, element: etree._Element) -> bool:
        """Tell whether an element is, or stands in, a paragraph of the body that is neither its first nor its last."""
        return bool(self._inner) and (element in self._inner or any(each in self._inner for each in element.iterancestors()))

    def penalty(self, element: etree._Element) -> tuple[float, str]:
        """Say how far the place of an element speaks against a date, and why."""
        parent = element.getparent()
        return (0.0, "") if parent is None else self.penalty_within(parent)

    def penalty_within(self, parent: etree._Element) -> tuple[float, str]:
        """Say how far it speaks against a text that it stands in this element, and why."""
        found = self._known.get(parent)
        if found is None:
            found = self._known[parent] = self._judge(parent)
        return found

    def against_a_day(self, element: etree._Element, moment: Moment, clock: Clock) -> tuple[float, str]:
        """Say how far it speaks against a date that it stands in the page's head, which may show the day of today, or a clock."""
        if not self.in_page_head(element):
            return 0.0, ""
        if moment.precision != DatePrecision.DAY:
            return _CLOCK_IN_HEAD, "in the page's head"
        if clock.fetched_at is not None and moment.value.date() == clock.fetched_at.astimezone(clock.zone).date():
            return 1.0, "the day of today in the page's head"
        return 0.3, "in the page's head"

    def in_page_head(self, element: etree._Element) -> bool:
        """Tell whether an element stands before the headline, together with or before a menu: six links or more."""
        box: etree._Element | None = element
        parent = element.getparent()
        while parent is not None and parent not in self._article:
            box, parent = parent, parent.getparent()
        if box is None or parent is None or box in self._article or box is self._headline:
            return False
        known = self._heads.get(box)
        if known is None:
            known = self._heads[box] = self._leads_with_links(box)
        return known

    def _leads_with_links(self, box: etree._Element) -> bool:
        """Tell whether six links or more stand in a box and those between it and the article, which follows it."""
        siblings = self._siblings_of(box)
        place = siblings.places[box]
        following = bisect_right(siblings.article, place)
        if following == len(siblings.article) or siblings.article[following] > place + _MOST_SIBLINGS:
            return False
        between = siblings.elements[place : siblings.article[following]]
        return any(links > _LINKS_OF_A_TRAIL for links in accumulate(map(self._links_in, between)))

    def _siblings_of(self, box: etree._Element) -> _Siblings:
        outer = box.getparent()
        known = self._siblings.get(outer)
        if known is None:
            children = [box] if outer is None else list(outer.iterchildren(etree.Element))
            own = [place for place, child in enumerate(children) if child in self._article or child is self._headline]
            known = self._siblings[outer] = _Siblings(children, {child: place for place, child in enumerate(children)}, own)
        return known

    def _links_in(self, box: etree._Element) -> int:
        """Count the links of a box, up to the six that matter; asked once a box."""
        known = self._link_counts.get(box)
        if known is None:
            known = self._link_counts[box] = sum(1 for _ in islice(box.iter("a"), _LINKS_OF_A_TRAIL + 1))
        return known

    def _judge(self, element: etree._Element) -> tuple[float, str]:
        node: etree._Element | None = element
        for _ in range(_DEEPEST):
            if node is None or node.tag in {"body", "html"} or node in self._article:
                return 0.0, ""
            if self._is_own_foot(node):
                return 0.0, ""
            if node.tag in NEVER_TAG:
                return _TAG_PENALTIES.get(node.tag, 0.4), f"inside {node.tag}"
            name = f"{node.get('class', '')} {node.get('id', '')}"
            if len(name) > 1 and (found := never_name(name)):
                return _weight_of(found), f"inside {found!r}"
            node = node.getparent()
        return 0.0, ""

    def _is_own_foot(self, node: etree._Element) -> bool:
        """Tell whether an element is the foot of the article, not of the page: it stands in the article's own box."""
        if node.tag != "footer" and "foot" not in (node.get("class") or "").lower():
            return False
        for box in node.iterancestors():
            if box in self._article:
                return box.tag not in {"body", "html"} and _OWN.search(f"{box.tag} {box.get('class', '')}") is not None
            if never_name(f"{box.get('class', '')} {box.get('id', '')}"):
                return False
        return False
