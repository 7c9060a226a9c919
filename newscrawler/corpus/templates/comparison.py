"""Figures that show layout drift, and how good a template is.

Of a crawl run: a note per page, and the statistics of the notes. Of a template: its measurement on held-out pages, and the decision
whether a new one is better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from newscrawler.article import Article
from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, read_article
from newscrawler.extraction.templates import PortalTemplate, TemplateFit
from newscrawler.page import Document

#: Prefix of the name of a field whose place was set by hand.
OVERRIDE = "override "


@dataclass(frozen=True, slots=True)
class DriftFigure:
    """Mean and spread of a value over pages."""

    pages: int
    mean: float
    #: Standard deviation between the pages.
    spread: float

    def as_dict(self) -> dict[str, float]:
        """Return the record for the database."""
        return {name: round(value, 5) for name, value in asdict(self).items()}


def noted(
    explained: TemplateFit | None, article: Article | None, *, expected: bool, overrides: Iterable[str] = ()
) -> dict[str, Any] | None:
    """Return the note of a page; None: the page shows nothing about drift.

    `explained`: how template and page-level method agree, if there is a template; `expected`: whether the URL is that of an
    article; `overrides`: fields whose place was set by hand.
    """
    if article is None and not expected:
        return None
    note: dict[str, Any] = {"article": article is not None}
    if explained is not None:
        note |= {
            "used": explained.used, "template": explained.template, "explained": explained.explained,
            "known": round(explained.known, 4), "confidence": round(explained.confidence, 4),
        }  # fmt: skip
        if not explained.is_fast:
            note |= {"agreement": round(explained.agreement, 4), "boilerplate": round(explained.boilerplate, 4)}
        note |= {OVERRIDE + name: name not in explained.broken for name in overrides}
    if article is not None:
        note |= {
            "words": article.word_count, "lead": bool(article.lead), "date": article.published_at is not None,
            "authors": bool(article.authors), "section": bool(article.section),
        }  # fmt: skip
    return note


def figures_of(notes: Iterable[Mapping[str, Any]]) -> dict[str, DriftFigure]:
    """Compute the figures of a run from its notes; each is over the pages that have the value.

    Agreement and boilerplate count only pages that the template explains; lengths are logarithms, since they spread over
    magnitudes.
    """
    statistics: dict[str, _Statistics] = {}
    for note in notes:
        for name, value in _watched(note).items():
            statistics.setdefault(name, _Statistics()).add(float(value))
    return {name: found.figure() for name, found in sorted(statistics.items())}


def _watched(note: Mapping[str, Any]) -> dict[str, float]:
    found = {name: float(note[name]) for name in ("article", "lead", "date", "authors", "section") if name in note}
    if "words" in note:
        found["length"] = math.log2(note["words"] + 1)
    if "explained" in note and note["article"]:
        found["explained"] = float(note["explained"])
        if note["explained"]:
            found |= {name: note[name] for name in ("agreement", "boilerplate") if name in note}
        found |= {name: float(value) for name, value in note.items() if name.startswith(OVERRIDE)}
    return found


@dataclass(slots=True)
class _Statistics:
    """Running mean and variance (Welford 1962)."""

    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        before = self.total / self.number if self.number else value
        self.number += 1
        self.total += value
        self.squares += (value - before) * (value - self.total / self.number)

    def figure(self) -> DriftFigure:
        return DriftFigure(self.number, self.total / self.number, math.sqrt(max(0.0, self.squares) / self.number))


def read_figures(stored: Mapping[str, Any]) -> dict[str, DriftFigure]:
    """Read figures from the database; other values are ignored."""
    found = {}
    for name, values in stored.items():
        if isinstance(values, Mapping) and {"pages", "mean", "spread"} <= values.keys():
            found[name] = DriftFigure(int(values["pages"]), float(values["mean"]), float(values["spread"]))
    return found


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
    "article": _Rule("share of articles' addresses that give an article", -1, 0.2), "length": _Rule("length of the texts", 0, 0.8),
    "lead": _Rule("share of articles with a lead", -1, 0.3), "date": _Rule("share of articles with a date", -1, 0.2),
    "authors": _Rule("share of articles with authors", -1, 0.3), "section": _Rule("share of articles with a section", -1, 0.3),
}  # fmt: skip
_BY_HAND = _Rule("", -1, 0.2)


@dataclass(frozen=True, slots=True)
class DriftLimits:
    """The usual range of a figure."""

    low: float
    high: float


def limits(name: str, pages: int, history: Sequence[DriftFigure]) -> DriftLimits | None:
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
    return DriftLimits(mean - margin if rule.direction <= 0 else -math.inf, mean + margin if rule.direction >= 0 else math.inf)


def _variance_between(runs: Sequence[DriftFigure], mean: float, within: float) -> float:
    """Return the variance between runs that the variance within them does not explain."""
    if len(runs) < 3:
        return 0.0
    observed = sum((run.mean - mean) ** 2 for run in runs) / len(runs)
    return max(0.0, observed - sum(within / run.pages for run in runs) / len(runs))


def find_violations(figures: Mapping[str, DriftFigure], history: Sequence[Mapping[str, DriftFigure]]) -> list[str]:
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


def _sentence(name: str, figure: DriftFigure, usual: DriftLimits) -> str:
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


#: A template is used if it explains this share of the held-out pages and agrees this far with the page-level result.
MIN_EXPLAINED, MIN_AGREEMENT = 0.5, 0.7
#: Smaller differences of the score are random.
MIN_GAIN = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The figures of a template on held-out pages."""

    figures: Mapping[str, DriftFigure]

    @property
    def pages(self) -> int:
        """Return the number of articles."""
        return self.figures["explained"].pages if "explained" in self.figures else 0

    @property
    def explained(self) -> float:
        """Return the share of articles whose layout the template knows."""
        return self._mean("explained")

    @property
    def agreement(self) -> float:
        """Return the similarity to the page-level result, on pages that the template explains."""
        return self._mean("agreement")

    @property
    def score(self) -> float:
        """Return explained × agreement: the template explains a page and does not contradict the other evidence."""
        return self.explained * self.agreement

    def _mean(self, name: str) -> float:
        return self.figures[name].mean if name in self.figures else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the record for the database."""
        return {name: figure.as_dict() for name, figure in self.figures.items()}


def measure(template: PortalTemplate, pages: Sequence[Document], reading: ExtractionOptions) -> Measurement:
    """Extract pages with a template and compute its figures."""
    with_template = replace(reading, template=template.remove_fast_paths())
    return Measurement(figures=figures_of(note for page in pages if (note := _note(page, with_template))))


def _note(page: Document, reading: ExtractionOptions) -> dict[str, Any] | None:
    draft = ExtractionState(page=page)
    article: Article | None = None
    with suppress(PageError):
        article = read_article(draft, reading)
    overrides = reading.template.overrides if reading.template else {}
    return noted(draft.explained, article, expected=True, overrides=overrides)


@dataclass(frozen=True, slots=True)
class TemplateDecision:
    """Whether a template is adopted, and why."""

    adopted: bool
    reason: str


def decide(
    new: Measurement,
    old: Measurement | None,
    *,
    on_old: tuple[Measurement, Measurement] | None = None,
    has_more_labels: bool = False,
) -> TemplateDecision:
    """Decide whether to adopt a new template by its figures, and those of the one in use, on the same new held-out pages.

    `on_old`: both, the new one first, on older held-out pages; `has_more_labels`: the new one was learned from more labelled
    pages, and its figures need not be better.
    """
    figures = f"explains {new.explained:.0%} of {new.pages} held-out pages, agreement {new.agreement:.2f}"
    if new.explained < MIN_EXPLAINED or new.agreement < MIN_AGREEMENT:
        return TemplateDecision(False, f"refused: {figures}; {MIN_EXPLAINED:.0%} and {MIN_AGREEMENT:.2f} are needed")
    if old is None:
        return TemplateDecision(True, f"adopted: {figures}")
    figures += f"; the one in use {old.explained:.0%}, {old.agreement:.2f}"
    if new.score <= old.score + (-MIN_GAIN if has_more_labels else MIN_GAIN):
        return TemplateDecision(False, f"refused, for it is no better: {figures}")
    if on_old is not None and on_old[0].pages and on_old[0].score < on_old[1].score - MIN_GAIN:
        return TemplateDecision(False, f"refused, for it is worse on older pages: {figures}")
    return TemplateDecision(True, f"adopted: {figures}")
