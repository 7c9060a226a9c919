"""Table 4.2 of Š. Blanár: his wrapper on portals, given by hand or learned.

Automatic: the id or class of the body is learned from sample articles and reads the other articles of the portal; the samples are
chosen as for all methods that learn (`newscrawler.research.evaluation.run`). Manual: of all ids and classes the one that agrees
best with the
gold of the portal's pages, as a person finds it who looks at them: the most that one name reaches. Dates are found by the rules of
the document. Body and date are marked as there; precision and recall are added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import fmean
from typing import TypeAlias

from newscrawler.article import Body
from newscrawler.page import Document
from newscrawler.research.evaluation.answer import answer
from newscrawler.research.evaluation.data import TestPage
from newscrawler.research.evaluation.date_rules import DateRules
from newscrawler.research.evaluation.document_table import PrintedTable
from newscrawler.research.evaluation.judgement import Verdict
from newscrawler.research.evaluation.run import folds
from newscrawler.research.evaluation.scores import PageScore, harmonic, score
from newscrawler.research.evaluation.template_tables import by_portal
from newscrawler.research.evaluation.words import shared, words
from newscrawler.research.site_methods.modified_ttr_wrapper import ModifiedTextToTagRatioTemplate, ModifiedTextToTagRatioWrapper

_FEWEST = 2


class Outcome(StrEnum):
    """The marks of the document, for bodies and dates."""

    RIGHT = "right"
    OVER = "over"
    UNDER = "under"
    OTHER = "other"
    NONE = "no body"
    DATE_RIGHT = "date right"
    DATE_WRONG = "date wrong"
    DATE_NONE = "no date"


_DATES = (Outcome.DATE_RIGHT, Outcome.DATE_WRONG, Outcome.DATE_NONE)
_BODIES: Mapping[Verdict, Outcome] = {
    Verdict.RIGHT: Outcome.RIGHT,
    Verdict.FOREIGN: Outcome.OVER,
    Verdict.NO_LEAD: Outcome.UNDER,
    Verdict.PART_MISSING: Outcome.UNDER,
    Verdict.OTHER: Outcome.OTHER,
    Verdict.NOTHING: Outcome.NONE,
    Verdict.FAULT: Outcome.NONE,
}
_Wrapper: TypeAlias = Callable[[Document], Body | None]


class Way(StrEnum):
    """How the wrapper gets its id or class."""

    MANUAL = "manual"
    AUTOMATIC = "automatic"


@dataclass(frozen=True, slots=True)
class _Reader(DateRules):
    """Reads the body by a wrapper, and the date by the rules of the document."""

    wrapper: _Wrapper

    def __call__(self, page: Document, /) -> Body | None:
        return self.wrapper(page)


@dataclass(slots=True)
class _Tally:
    """The outcomes of one kind of wrapper on some pages."""

    marks: Counter[Outcome] = field(default_factory=Counter)
    scores: list[PageScore] = field(default_factory=list)

    def add(self, page: TestPage, wrapper: _Wrapper) -> None:
        """Read a page and count its outcome."""
        found = answer(page, _Reader(wrapper))
        made = score(page.gold, replace(found, title=None))
        if made.verdict is not None and made.verdict in _BODIES:
            self.marks[_BODIES[made.verdict]] += 1
            self.scores.append(made)
        if made.date is not None:
            self.marks[Outcome.DATE_RIGHT if made.date else Outcome.DATE_WRONG if found.date else Outcome.DATE_NONE] += 1

    def join(self, other: _Tally) -> None:
        """Add the outcomes of another tally."""
        self.marks += other.marks
        self.scores += other.scores

    def cells(self) -> tuple[str | int, ...]:
        """Return the cells of a row."""
        shares = ([value for one in self.scores if (value := getattr(one, name)) is not None] for name in ("precision", "recall"))
        means = (f"{fmean(values):.3f}" if values else "–" for values in shares)
        has_dates = any(self.marks[outcome] for outcome in _DATES)
        counts = (self.marks[outcome] if has_dates or outcome not in _DATES else "–" for outcome in Outcome)
        return (*counts, *means)


def wrapper_table(pages: Sequence[TestPage]) -> PrintedTable:
    """Return for each portal how many bodies and dates are right, by hand and learned."""
    totals = {way: _Tally() for way in Way}
    rows: list[tuple[str | int, ...]] = []
    for portal, found in sorted(by_portal(pages).items()):
        if len(found) >= _FEWEST:
            for way, tally in _tallies(found).items():
                rows.append((portal, way.value, *tally.cells()))
                totals[way].join(tally)
    rows += [("total", way.value, *tally.cells()) for way, tally in totals.items()]
    heading = ("portal", "wrapper", *map(str, Outcome), "precision", "recall")
    return PrintedTable(title="002 table 4.2: the wrapper by portal, pages", heading=heading, rows=rows)


def _tallies(pages: Sequence[TestPage]) -> dict[Way, _Tally]:
    method = ModifiedTextToTagRatioWrapper()
    documents = [Document.parse(page.html, page.given_url) for page in pages]
    found = {way: _Tally() for way in Way}
    by_hand = _best_name(method, pages, documents)
    for samples, read in folds(list(enumerate(pages))):
        learned = method.learn([documents[number] for number, _ in samples])
        for _, page in read:
            found[Way.MANUAL].add(page, by_hand)
            found[Way.AUTOMATIC].add(page, learned)
    return found


def _best_name(method: ModifiedTextToTagRatioWrapper, pages: Sequence[TestPage], documents: Sequence[Document]) -> _Wrapper:
    """Return the wrapper of the id or class with the greatest sum of F1 over the pages."""
    sums: dict[str, float] = {}
    for page, document in zip(pages, documents, strict=True):
        gold = [words(text) for text in page.gold.texts]
        for name, body in method.bodies(document).items():
            sums[name] = sums.get(name, 0.0) + max((_f1(text, words(body.text)) for text in gold), default=0.0)
    names = (max(sums, key=sums.__getitem__),) if sums else ()
    return ModifiedTextToTagRatioTemplate(method=method, names=names)


def _f1(gold: Sequence[str], found: Sequence[str]) -> float:
    both, wanted, got = shared(gold, found)
    return harmonic(both / got, both / wanted) if got and wanted else 0.0
