"""Measurement of a template on held-out pages, and the decision whether a new one is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from newscrawler.article import Article
from newscrawler.corpus.templates.figures import DriftFigure, figures_of, noted
from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, read_article
from newscrawler.extraction.templates import PortalTemplate
from newscrawler.page import Document

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
        return self._pages("explained")

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

    def _pages(self, name: str) -> int:
        return self.figures[name].pages if name in self.figures else 0

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
