"""Dates in the running text: close to the headline, then anywhere on the page, then in the page's scripts.

Looked at only where the page's markup says nothing. A date counts by the words before it ("Published:", "Stand:"), by
how little else stands beside it, and by its nearness to the headline; inside a sentence of the article it is an event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml import etree

from newscrawler.dates.around import BEHIND, SILENT, texts_around
from newscrawler.dates.candidate import DateCandidate, Role
from newscrawler.dates.labels import ends_a_range, is_copyright, role_of_label
from newscrawler.dates.moment import Clock, Moment, find_moments, read_machine
from newscrawler.dates.place import BESIDE, IN_A_LIST, LIST, Places
from newscrawler.dates.relative import read_relative
from newscrawler.dates.structured import addresses, candidate, meta_role
from newscrawler.dates.writing import tidy
from newscrawler.page import Document

_DIGIT = re.compile(r"\d")
_MOST_TEXTS = 3000
_LONGEST_TEXT = 4000
_HIGHEST_CARD = 5
_INSIDE_BODY = 0.2
#: Of them, those that stand directly behind it.
_BESIDE_HEADLINE = 12
#: Words in small letters that make a sentence, how long it is at least, and how far it speaks against a date.
_SMALL_WORD = re.compile(r"(?<![^\W_])(?=[^\W\d_]{2})[a-zß-öø-ÿąćčďęěğıłńňřśšťůźżžа-яёіїєґ][^\W\d_]+")
_WORDS_OF_PROSE, _SHORTEST_PROSE, _IN_PROSE = 5, 25, 0.45
#: Behind a date with which a text begins: "06.11.23 - Petersberg. ...".
_DATELINE, _LEADING = re.compile(r"\s?[-–—:|•·]"), 2
#: How far before a date a label may begin.
_LABEL, _LABEL_IN_PROSE = 50, 24
_YEARS = etree.XPath("//text()[contains(., '20') or contains(., '19')]", smart_strings=True)
_YEARS_BEFORE = etree.XPath("count(preceding::text()[contains(., '20') or contains(., '19')])")


def near_dates(headline: etree._Element | None, clock: Clock, places: Places, *, around: int = BEHIND) -> Iterator[DateCandidate]:
    """Yield the dates in the texts around the headline, worded and relative ones included."""
    if headline is None:
        return
    dated = list(_near_texts(headline, clock, around))
    listed = places.listed([element for _, element, *_ in dated]) if len(dated) >= LIST else frozenset()
    for distance, element, text, before, moments, relative in dated:
        away, why = places.penalty_within(element)
        if away <= BESIDE and distance < _BESIDE_HEADLINE:
            away /= 3
        if places.inside_body(element):
            away, why = away + _INSIDE_BODY, "inside the body"
        elif element in listed or places.in_row(element):
            away, why = away + IN_A_LIST, "in a list of the like"
        weight = 0.55 - 0.003 * distance - away
        for moment, said_role, bonus in moments:
            role = (places.noted(element, moment) or said_role) if said_role == Role.PUBLISHED else said_role
            lifted = weight + (away * 2 / 3 if bonus > 0 else 0.0)  # the words say what it is, whatever the box is called
            if (today := places.against_a_day(element, moment, clock))[0]:
                lifted, why = lifted - today[0], today[1]
            yield candidate(
                moment, "text near headline", role, lifted + bonus, text=text, place=str(element.tag), order=distance, why=why
            )
        if relative is not None:
            said = role_of_label(f"{before} {text[:40]}")
            role = said[0] if said else Role.PUBLISHED
            yield candidate(
                relative,
                "text near headline",
                role,
                weight - 0.05,
                text=text,
                place=str(element.tag),
                order=distance,
                why=why or "relative",
            )


class _Near(NamedTuple):
    """A text near the headline in which there is a date."""

    distance: int
    element: etree._Element
    text: str
    #: The label before it.
    before: str
    moments: list[tuple[Moment, str, float]]
    relative: Moment | None


def _near_texts(headline: etree._Element, clock: Clock, around: int) -> Iterator[_Near]:
    """Yield the texts around the headline in which there is a date."""
    label = ""
    for distance, (element, text) in enumerate(texts_around(headline, around)):
        digits = _DIGIT.search(text) is not None
        before, label = label, text if len(text) < 30 and not digits else ""
        if not 3 <= len(text) <= 300:
            continue
        moments = list(_dated(text, clock, before)) if digits else []
        relative = read_relative(text, clock) if not moments and len(text) < 60 else None
        if moments or relative is not None:
            yield _Near(distance, element, text, before, moments, relative)


def page_dates(page: Document, headline: etree._Element | None, clock: Clock, places: Places) -> Iterator[DateCandidate]:
    """Yield the dates with a year in the texts of the whole page; above the headline it may be the day of today."""
    own = frozenset(path for _, address in addresses(page) if len(path := _path(address)) > 1)
    before = int(float(str(_YEARS_BEFORE(headline)))) if headline is not None else 0
    for order, text in enumerate(_YEARS(page.root)[:_MOST_TEXTS]):  # type: ignore[index]
        parent = text.getparent()
        if parent is None or parent.tag in SILENT or len(text) > _LONGEST_TEXT or not _DIGIT.search(text):
            continue
        shown = tidy(str(text))
        if len(shown) < 8:
            shown = tidy(" ".join(str(t) for t in parent.itertext())) if len(parent) < 6 else shown
        away: tuple[float, str] | None = None
        for moment, role, bonus in _dated(shown, clock):
            if moment.year_guessed:
                continue
            if away is None:
                away = (0.0, "beside a link to this page") if _leads_here(parent, own) else places.penalty_within(parent)
                if places.inside_body(parent):
                    away = (away[0] + _INSIDE_BODY, "inside the body")
                elif places.in_row(parent):
                    away = (away[0] + IN_A_LIST, "in a list of the like")
            if role == Role.PUBLISHED:
                role = places.noted(parent, moment) or role  # noqa: PLW2901
            against = away[0] / 3 if bonus > 0 else away[0]
            if (today := places.against_a_day(parent, moment, clock))[0]:
                away = today
                against = today[0]
            length = len(shown) - (moment.end - moment.start)
            weight = 0.42 if length < 30 else 0.34 if length < 80 else 0.16
            if parent.tag == "a" or (parent.getparent() is not None and parent.getparent().tag == "a"):
                weight -= 0.12
            if order < before:
                weight -= 0.15
            if is_copyright(shown[max(0, moment.start - 30) : moment.start]):
                yield candidate(
                    moment, "copyright", Role.PUBLISHED, 0.13, text=shown, place=str(parent.tag), order=order, why="copyright"
                )
                continue
            yield candidate(
                moment,
                "text",
                role,
                weight + bonus - against - 0.0001 * order,
                text=shown[max(0, moment.start - 30) : moment.end],
                place=str(parent.tag),
                order=order,
                why=away[1],
            )


def _leads_here(parent: etree._Element, own: frozenset[str]) -> bool:
    """Tell whether a text stands in the card of a listing that leads to this very page, which is what the card dates.

    A link to a place within the page, or with a query, is that of a comment.
    """
    node: etree._Element | None = parent
    for _ in range(_HIGHEST_CARD):
        if node is None or not own:
            return False
        if node.tag == "a":
            href = node.get("href") or ""
            return "#" not in href and "?" not in href and _path(href) in own
        node = node.getparent()
    return False


def _path(address: str) -> str:
    try:
        return urlsplit(address).path.rstrip("/")
    except ValueError:
        return ""


def _dated(text: str, clock: Clock, before: str = "") -> Iterator[tuple[Moment, str, float]]:
    if not _DIGIT.search(text):
        return
    text = tidy(text)
    position = 0
    for count, moment in enumerate(find_moments(text, clock)):
        prose = _is_prose(text, moment)
        words = text[max(position, moment.start - (_LABEL_IN_PROSE if prose else _LABEL)) : moment.start]
        label = role_of_label(f"{before} {words}" if count == 0 and moment.start < 20 else words)
        role = label[0] if label else Role.PUBLISHED
        if ends_a_range(words, moment.value.day):
            role = Role.OTHER
        rest = len(text) - (moment.end - moment.start)
        bonus = 0.12 if label and role == Role.PUBLISHED else 0.0
        if not label:
            bonus -= _IN_PROSE if prose else 0.2 if rest > 100 else 0.06 if rest > 40 else 0.0
        if moment.year_guessed:
            bonus -= 0.15
        yield moment, role, bonus - 0.02 * count
        position = moment.end


def _is_prose(text: str, moment: Moment) -> bool:
    """Tell whether a date stands in a sentence, which tells of an event; bylines and labels have few words in small letters."""
    if len(text) - (moment.end - moment.start) < _SHORTEST_PROSE:
        return False
    if moment.start <= _LEADING and _DATELINE.match(text, moment.end):
        return False
    said = role_of_label(text[:_LABEL_IN_PROSE])
    if said is not None and said[0] == Role.PUBLISHED:
        return False
    around = f"{text[: moment.start]} {text[moment.end :]}"
    return sum(1 for _, _ in zip(range(_WORDS_OF_PROSE), _SMALL_WORD.finditer(around), strict=False)) == _WORDS_OF_PROSE


_MACHINE = re.compile(r"(?:19|20)\d\d-[01]\d-[0-3]\d(?:[T ][\d:.]{4,15})?(?:Z|[+-]\d\d:?\d\d)?(?=\\?[\"'])")
_KEY = re.compile(r"([A-Za-z_.:-]{3,40})\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"']$")
_NOT_OF_THE_ARTICLE = re.compile(r"user|member|regist|account|build|server|current|now|today", re.IGNORECASE)
_LONGEST_SCRIPT = 400_000
_MOST_SCRIPT_DATES = 60


def script_dates(page: Document, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates in the data that scripts carry: "publishedAt": "2024-05-03T15:47:00Z"."""
    count = 0
    for script in page.declarations["script"]:
        text = script.text
        if not text or len(text) > _LONGEST_SCRIPT or "ld+json" in (script.get("type") or ""):
            continue
        for match in _MACHINE.finditer(text):
            found = _KEY.search(text, max(0, match.start() - 50), match.start())
            if found is None or _NOT_OF_THE_ARTICLE.search(found[1]):
                continue
            key = found[1]
            rule = meta_role(f"{key.lower()}date" if key.endswith(("_at", "At")) else key.lower())
            moment = read_machine(match.group(), clock) if rule else None
            if rule and moment:
                count += 1
                yield candidate(
                    moment, "script", rule[0], 0.36 * rule[1] - 0.001 * count, text=match.group(), place=key, order=count
                )
            if count >= _MOST_SCRIPT_DATES:
                return


def foot_dates(clock: Clock, elements: Sequence[etree._Element]) -> Iterator[DateCandidate]:
    """Yield the dates right behind the body: "(ann, 3. 5. 2024)"."""
    if not elements:
        return
    last = elements[-1]
    text = tidy(" ".join(str(t) for t in last.itertext())[-160:])
    for moment, role, bonus in _dated(text, clock):
        if moment.end > len(text) - 30:
            yield candidate(moment, "text", role, 0.3 + bonus, text=text, place="end of the body")
