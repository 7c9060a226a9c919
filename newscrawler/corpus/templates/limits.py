"""Limits of the figures of a crawl run, derived from earlier runs of the same portal.

A figure violates its limits if it differs from its mean over earlier runs by more than four standard errors (of a run of as many
pages, from the variance between pages and that between runs) and by more than a minimal change. One page is added to either side
of a share, so that a single odd page is not a violation on a portal on which all pages were right for some runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from newscrawler.corpus.templates.figures import OVERRIDE, Figure

#: Standard errors; of a thousand figures a day, one violates this by chance every few months.
_STANDARD_ERRORS = 4.0
#: Runs of fewer pages are not checked; the second number is for figures that every page has.
_MIN_PAGES, _MIN_PAGES_CERTAIN = 5, 3
#: A history of fewer pages is too short.
_MIN_HISTORY_PAGES = 8
#: Fields that some articles lack on any portal (agency copy is not signed): as many more than usual must lack them.
_OPTIONAL, _FEWEST_WITHOUT = frozenset({"lead", "authors", "section"}), 5
_SHARES = frozenset({"article", "explained", "lead", "date", "authors", "section"})
_CERTAIN = frozenset({"explained"})


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a figure is checked and described."""

    description: str
    #: Which direction is bad: -1 down, 1 up, 0 both.
    direction: int
    #: Smaller changes are ignored.
    min_change: float


_RULES: Mapping[str, _Rule] = {
    "explained": _Rule("share of articles whose layout the template knows", -1, 0.15),
    "agreement": _Rule("agreement of the learned places with the texts", -1, 0.08),
    "boilerplate": _Rule("share of boilerplate in the texts", 1, 0.08),
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
    """The usual range of a figure."""

    low: float
    high: float


def limits(name: str, pages: int, history: Sequence[Figure]) -> Limits | None:
    """Return the limits of a figure in a run of this many pages; None: too few pages."""
    min_pages = _MIN_PAGES_CERTAIN if name in _CERTAIN or name.startswith(OVERRIDE) else _MIN_PAGES
    known = [figure for figure in history if figure.pages]
    total = sum(figure.pages for figure in known)
    rule = _rule(name)
    if rule is None or pages < min_pages or total < _MIN_HISTORY_PAGES:
        return None
    mean = sum(figure.mean * figure.pages for figure in known) / total
    within = sum((figure.spread**2 + (figure.mean - mean) ** 2) * figure.pages for figure in known) / total
    if name in _SHARES or name.startswith(OVERRIDE):
        smoothed = (mean * total + 1) / (total + 2)
        within = max(within, smoothed * (1 - smoothed))
    between = _variance_between([figure for figure in known if figure.pages >= min_pages], mean, within)
    margin = max(rule.min_change, _STANDARD_ERRORS * math.sqrt(within / pages + between))
    return Limits(mean - margin if rule.direction <= 0 else -math.inf, mean + margin if rule.direction >= 0 else math.inf)


def _variance_between(runs: Sequence[Figure], mean: float, within: float) -> float:
    """Return the variance between runs that the variance within them does not explain."""
    if len(runs) < 3:
        return 0.0
    observed = sum((run.mean - mean) ** 2 for run in runs) / len(runs)
    return max(0.0, observed - sum(within / run.pages for run in runs) / len(runs))


def find_violations(figures: Mapping[str, Figure], history: Sequence[Mapping[str, Figure]]) -> list[str]:
    """Return a sentence for every figure outside its limits; none without a history."""
    found = []
    for name, figure in figures.items():
        usual = limits(name, figure.pages, [run[name] for run in history if name in run])
        if usual is None or usual.low <= figure.mean <= usual.high:
            continue
        if name in _OPTIONAL and (1 - figure.mean) * figure.pages < _FEWEST_WITHOUT:
            continue
        found.append(_sentence(name, figure, usual))
    return found


def _rule(name: str) -> _Rule | None:
    return _BY_HAND if name.startswith(OVERRIDE) else _RULES.get(name)


def _sentence(name: str, figure: Figure, usual: Limits) -> str:
    low = figure.mean < usual.low
    limit = usual.low if low else usual.high
    rule = _rule(name)
    description = f"share of pages whose {name.removeprefix(OVERRIDE)} is at the place set by hand"
    description = rule.description if rule is not None and rule.description else description
    if name == "length":
        words = f"{2**figure.mean - 1:.0f} words in the middle"
        return f"{description}: {words}, the usual is {'above' if low else 'below'} {2**limit - 1:.0f}"
    usual_side = f"the usual is {'above' if low else 'below'} {max(limit, 0.0):.2f}"
    return f"{description}: {figure.mean:.2f}, {usual_side} (of {figure.pages} pages)"
