"""Stored articles whose publisher has withdrawn them since: what a page says by now, what its origin says, what has passed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from newscrawler.article import Reservation, Reserved
from newscrawler.rights.decide import decide
from newscrawler.rights.tdm import TdmRules, tdm_choice


def withdrawal(
    url: str,
    reservations: Sequence[Reservation],
    *,
    origin: str,
    files: Mapping[str, TdmRules],
    disregard: Collection[str],
    now: datetime,
) -> Reservation | None:
    """Why the text of a stored article is not to be kept any more; None: it may be.

    Args:
        url: of the article's page.
        reservations: what the page said the last time that it was fetched.
        origin: of the URL.
        files: tdmrep.json by origin, as they are by now.
        disregard: words of DISREGARDABLE that do not count for its portal.
        now: unavailable_after holds from its date on.
    """
    heard = list(reservations)
    if Reserved.TDM not in {item.word for item in heard} and origin in files:  # the page itself stands above the file
        choice = tdm_choice(url, files[origin], {}, {})
        heard += [choice] if choice is not None else []
    elif origin in files:
        heard = [_renewed(item, url, files[origin]) for item in heard]
    return decide(heard, disregard, now).because


def _renewed(item: Reservation, url: str, rules: TdmRules) -> Reservation:
    """What the file said when the page was fetched gives way to what it says now."""
    if item.word is not Reserved.TDM or item.place != "tdmrep.json":
        return item
    free = Reservation(word=Reserved.TDM, said=item.said, place=item.place, granted=True)
    return tdm_choice(url, rules, {}, {}) or free
