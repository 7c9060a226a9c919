"""Which figures of a night are out of the usual: the limits are derived from the portal's own nights.

A figure breaks when it is further from its mean over the nights before than four standard errors (of a night of as many pages,
with the spread between pages and that between nights), and by more than what anyone would call a change. Shares get one page's
doubt on either side, so that a portal on which everything was right for some nights may have a single odd page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from newscrawler.drift.figures import OVERRIDE, Figure

#: Standard errors; a thousand figures a night would break one by chance in some months.
_ERRORS = 4.0
#: Fewer pages than this in a night say nothing; of figures that every page has, so many are enough.
_FEWEST, _FEWEST_CERTAIN = 5, 3
#: Fewer pages than this before make no history.
_SHORTEST_HISTORY = 8
_SHARES = frozenset({"article", "explained", "lead", "date", "authors", "section"})
_CERTAIN = frozenset({"explained"})


@dataclass(frozen=True, slots=True)
class _Rule:
    """What is told of a figure."""

    told: str
    #: Which way is bad: -1 down, 1 up, 0 both.
    way: int
    #: Smaller changes are none.
    least: float


_RULES: Mapping[str, _Rule] = {
    "explained": _Rule("share of articles whose layout the wrapper knows", -1, 0.15),
    "agreement": _Rule("likeness of the wrapper's texts and the page-level ones", -1, 0.08),
    "furniture": _Rule("share of furniture in the texts", 1, 0.08),
    "article": _Rule("share of articles' addresses that give an article", -1, 0.2),
    "length": _Rule("length of the texts", 0, 0.8),
    "lead": _Rule("share of articles with a lead", -1, 0.3),
    "date": _Rule("share of articles with a date", -1, 0.2),
    "authors": _Rule("share of articles with authors", -1, 0.3),
    "section": _Rule("share of articles with a section", -1, 0.3),
}
_BY_HAND = _Rule("", -1, 0.2)


@dataclass(frozen=True, slots=True)
class Limits:
    """What is still usual."""

    low: float
    high: float


def limits(name: str, pages: int, history: Sequence[Figure]) -> Limits | None:
    """The limits of a figure in a night of so many pages; None: too little is known."""
    fewest = _FEWEST_CERTAIN if name in _CERTAIN or name.startswith(OVERRIDE) else _FEWEST
    known = [figure for figure in history if figure.pages]
    total = sum(figure.pages for figure in known)
    rule = _rule(name)
    if rule is None or pages < fewest or total < _SHORTEST_HISTORY:
        return None
    mean = sum(figure.mean * figure.pages for figure in known) / total
    within = sum((figure.spread**2 + (figure.mean - mean) ** 2) * figure.pages for figure in known) / total
    if name in _SHARES or name.startswith(OVERRIDE):
        doubted = (mean * total + 1) / (total + 2)
        within = max(within, doubted * (1 - doubted))
    between = _between([figure for figure in known if figure.pages >= fewest], mean, within)
    margin = max(rule.least, _ERRORS * math.sqrt(within / pages + between))
    return Limits(mean - margin if rule.way <= 0 else -math.inf, mean + margin if rule.way >= 0 else math.inf)


def _between(nights: Sequence[Figure], mean: float, within: float) -> float:
    """The variance between nights beyond what so few pages explain by themselves."""
    if len(nights) < 3:
        return 0.0
    seen = sum((night.mean - mean) ** 2 for night in nights) / len(nights)
    return max(0.0, seen - sum(within / night.pages for night in nights) / len(nights))


def broken(figures: Mapping[str, Figure], history: Sequence[Mapping[str, Figure]]) -> list[str]:
    """Tell what is out of its limits, in sentences; nothing where there is no history yet."""
    found = []
    for name, figure in figures.items():
        usual = limits(name, figure.pages, [night[name] for night in history if name in night])
        if usual is not None and not usual.low <= figure.mean <= usual.high:
            found.append(_sentence(name, figure, usual))
    return found


def _rule(name: str) -> _Rule | None:
    return _BY_HAND if name.startswith(OVERRIDE) else _RULES.get(name)


def _sentence(name: str, figure: Figure, usual: Limits) -> str:
    low = figure.mean < usual.low
    limit = usual.low if low else usual.high
    rule = _rule(name)
    told = f"share of pages on which the {name.removeprefix(OVERRIDE)} stands where it was set by hand"
    told = rule.told if rule is not None and rule.told else told
    if name == "length":
        return (
            f"{told}: {2**figure.mean - 1:.0f} words in the middle, the usual is {'above' if low else 'below'} {2**limit - 1:.0f}"
        )
    return f"{told}: {figure.mean:.2f}, the usual is {'above' if low else 'below'} {max(limit, 0.0):.2f} (of {figure.pages} pages)"
