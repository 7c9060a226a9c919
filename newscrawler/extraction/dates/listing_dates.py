"""Dates that a listing shows next to its links: in the card of a link, or before or behind it in a list.

Read only for links with a separate card or place in a row; a date above several links counts only in a list that has
several such dates, for a single one is often today's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import timedelta
from functools import cache, partial
from itertools import islice, takewhile

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.calendar import make_clock
from newscrawler.extraction.dates.candidate import Clock, DateContext, Moment
from newscrawler.extraction.dates.relative_dates import read_relative
from newscrawler.extraction.dates.text_dates import read_moment
from newscrawler.extraction.dates.visible_dates import classify_name
from newscrawler.page import Document, squeeze

#: Children of an element, each with its wanted URL or else its date.
_Row = list[tuple[str | None, Moment | None]]


def find_link_dates(
    page: Document, wanted: Collection[str], resolve: Callable[[str | None], str | None], context: DateContext
) -> dict[str, str]:
    """Return for each wanted URL the date that the page shows next to its link, as ISO 8601; with an offset only if given.

    `wanted`: canonical URLs, as `resolve` makes them.
    """
    links = [(a, url) for a in page.body.iter("a") if (url := resolve(a.get("href"))) in wanted and url]
    ways = [(list(_iterate_up(a, page.body)), url) for a, url in links[:2_000]]
    #: Of elements that lead to wanted URLs the one; empty where there are several.
    owners: dict[etree._Element, str] = {}
    for nodes, url in ways:
        owners.update((node, url if owners.get(node, url) == url else "") for node in nodes)
    clock = make_clock(page, context)
    read_row = cache(partial(_read_row, owners=owners, clock=clock))
    found: dict[str, Moment | None] = {}
    for nodes, url in ways:
        if url not in found:
            own = list(takewhile(owners.get, nodes))
            found[url] = _find_date(own[-1] if own else nodes[0], clock, read_row)
    return {url: _format_moment(moment) for url, moment in found.items() if moment is not None}


def _iterate_up(link: etree._Element, body: etree._Element) -> Iterator[etree._Element]:
    """Yield a link and the elements around it, up to the highest that may be its card."""
    return takewhile(lambda node: node is not body, islice((link, *link.iterancestors()), 7))


def _read_row(parent: etree._Element, owners: Mapping[etree._Element, str], clock: Clock) -> _Row:
    """Return of each child its wanted URL, or else its date."""
    return [(owners.get(child), None if child in owners else _find_in_element(child, clock)) for child in parent]


def _find_date(card: etree._Element, clock: Clock, read_row: Callable[[etree._Element], _Row]) -> Moment | None:
    """Find the date in a card, the largest element that leads to one wanted URL only, or else among its neighbours."""
    found, parent = _find_in_element(card, clock), card.getparent()
    if found is not None or parent is None or len(parent) > 600:
        return found
    row, place = read_row(parent), parent.index(card)
    dates = [moment for _, moment in row if moment]
    if next((moment for url, moment in row if moment or url is not None), None) is not None:
        before = (moment for _, moment in reversed(row[:place]) if moment)
        return next(before, None) if len({moment.value.date() for moment in dates}) > 1 else None
    if len(dates) < 0.6 * len({url for url, _ in row if url is not None}):  # behind links, most of them must have one
        return None
    behind = takewhile(lambda each: each[0] is None, row[place + 1 : place + 4])
    return next((moment for _, moment in behind if moment), None)


def _find_in_element(card: etree._Element, clock: Clock) -> Moment | None:
    """Find the date in an element: of a time element first, then of one that its name calls a date, then of a bare text."""
    found: dict[int, Moment] = {}
    for element in islice(card.iter(etree.Element), 80):
        name = f"{element.get('class', '')} {element.get('id', '')}"
        rank = 0 if element.tag == "time" else 1 if classify_name(name) == "strong" else 2
        if element.tag in {"script", "style", "noscript", "template", "svg"} or rank in found:
            continue
        texts = [element.text or "", *((child.tail or "") for child in element)] if rank else [element.get("datetime") or ""]
        if rank < 2 and len(element) < 6:
            texts.append("".join(map(str, element.itertext())))
        moment = next(filter(None, (_read_text(squeeze(text), clock, is_named=rank < 2) for text in texts)), None)
        if moment is not None:
            found[rank] = moment
    return found[min(found)] if found else None


def _read_text(text: str, clock: Clock, *, is_named: bool) -> Moment | None:
    """Read a text that is nothing but a date, or one that contains a date and is named as one."""
    if not 4 <= len(text) <= 60:
        return None
    moment = read_moment(text, clock)
    if moment is not None and not is_named and len(text) - (moment.end - moment.start) > 14:  # more than a date
        return None
    # "3 days ago", "il y a 3 jours" and nothing else; within a title, more words come before it
    if moment is None and (is_named or re.fullmatch(r"(?:[^\W\d_]{1,7} |il y a )?\d{1,3} ?\D{1,20}", text, re.IGNORECASE)):
        moment = read_relative(text, clock)
    if moment is None or moment.precision == DatePrecision.MONTH or moment.ambiguous:
        return None
    return moment if clock.fetched_at is None or moment.value <= clock.fetched_at + timedelta(days=1) else None


def _format_moment(moment: Moment) -> str:
    if moment.precision == DatePrecision.DAY:
        return moment.value.date().isoformat()
    value = moment.value if moment.offset_given else moment.value.replace(tzinfo=None)
    return value.isoformat(timespec="minutes")
