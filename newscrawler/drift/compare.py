"""How well a wrapper reads pages that it has not learned from, and whether one is better than another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from newscrawler.article import Article
from newscrawler.drift.figures import Figure, figures_of, noted
from newscrawler.errors import PageError
from newscrawler.extract import Draft, Reading, detect_body, finish, read_dates, read_metadata
from newscrawler.page import Document
from newscrawler.wrappers.portal.wrapper import PortalWrapper

#: A wrapper is used if it explains so many of the pages that it has not seen, and agrees so far with the page-level answer.
LEAST_EXPLAINED, LEAST_AGREEMENT = 0.5, 0.7
#: Differences below this are chance.
LEAST_GAIN = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A wrapper on pages that it has not learned from."""

    figures: Mapping[str, Figure]

    @property
    def pages(self) -> int:
        """Articles that were read."""
        return self._pages("explained")

    @property
    def explained(self) -> float:
        """Share of them whose layout it knows."""
        return self._mean("explained")

    @property
    def agreement(self) -> float:
        """Likeness with the page-level answer, where it explains the page."""
        return self._mean("agreement")

    @property
    def worth(self) -> float:
        """What a page is read better for it: it explains the page, and does not contradict everything else that is known."""
        return self.explained * self.agreement

    def _pages(self, name: str) -> int:
        return self.figures[name].pages if name in self.figures else 0

    def _mean(self, name: str) -> float:
        return self.figures[name].mean if name in self.figures else 0.0

    def as_dict(self) -> dict[str, Any]:
        """For the database."""
        return {name: figure.as_dict() for name, figure in self.figures.items()}


def measure(wrapper: PortalWrapper, pages: Sequence[Document], reading: Reading) -> Measured:
    """Read pages with a wrapper."""
    with_it = replace(reading, wrapper=replace(wrapper, every_page=1))
    return Measured(figures=figures_of(note for page in pages if (note := _note(page, with_it))))


def _note(page: Document, reading: Reading) -> dict[str, Any] | None:
    draft = Draft(page=page)
    article: Article | None = None
    try:
        detect_body(draft, reading)
        read_metadata(draft, reading)
        read_dates(draft, reading)
        article = finish(draft, reading)
    except PageError:
        pass
    overrides = reading.wrapper.overrides if reading.wrapper else {}
    return noted(draft.explained, article, expected=True, overrides=overrides)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a wrapper is to be used, and why."""

    adopted: bool
    why: str


def judge(new: Measured, old: Measured | None, *, on_old: tuple[Measured, Measured] | None = None) -> Verdict:
    """Decide on a new wrapper.

    Args:
        new: the new one, on new pages that were held out.
        old: the one in use, on the same pages; None: there is none.
        on_old: both, the new one first, on pages from before that were held out.
    """
    told = f"explains {new.explained:.0%} of {new.pages} held-out pages, agreement {new.agreement:.2f}"
    if new.explained < LEAST_EXPLAINED or new.agreement < LEAST_AGREEMENT:
        return Verdict(False, f"refused: {told}; {LEAST_EXPLAINED:.0%} and {LEAST_AGREEMENT:.2f} are needed")
    if old is None:
        return Verdict(True, f"adopted: {told}")
    told += f"; the one in use {old.explained:.0%}, {old.agreement:.2f}"
    if new.worth <= old.worth + LEAST_GAIN:
        return Verdict(False, f"refused, for it is no better: {told}")
    if on_old is not None and on_old[0].pages and on_old[0].worth < on_old[1].worth - LEAST_GAIN:
        return Verdict(False, f"refused, for it is worse on older pages: {told}")
    return Verdict(True, f"adopted: {told}")
