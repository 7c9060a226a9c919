"""Table 4.2 of T. Blanár (see `newscrawler.wrappers.modified_ttr_wrapper`): his wrapper on portals, given by hand or learned.

Automatic: the id or class of the body is learned from sample articles. Manual: it is the one whose elements agree best with the
gold of the same samples, as a person takes it from the source of a page. Either reads the other articles of the portal; the samples
are chosen as for all methods that learn (`newscrawler.evaluate.run`). Dates are found by the rules of the document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from newscrawler.article import Body
from newscrawler.evaluate.answer import answer
from newscrawler.evaluate.data import TestPage
from newscrawler.evaluate.date_rules import DateRules
from newscrawler.evaluate.document_table import PrintedTable
from newscrawler.evaluate.judgement import Verdict
from newscrawler.evaluate.run import folds
from newscrawler.evaluate.scores import harmonic, score
from newscrawler.evaluate.template_tables import by_portal
from newscrawler.evaluate.words import shared, words
from newscrawler.page import Document
from newscrawler.wrappers.modified_ttr_wrapper import ModifiedTextToTagRatioTemplate, ModifiedTextToTagRatioWrapper

_FEWEST = 2


class Outcome(StrEnum):
    """The marks of the document, for bodies and dates."""

    RIGHT = "body right"
    OVER = "over"
    UNDER = "under"
    OTHER = "other"
    NONE = "none"
    DATE_RIGHT = "date right"
    DATE_WRONG = "wrong"
    DATE_NONE = "none "


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


@dataclass(frozen=True, slots=True)
class _Reader(DateRules):
    """Reads the body by a wrapper, and the date by the rules of the document."""

    wrapper: _Wrapper

    def __call__(self, page: Document, /) -> Body | None:
        return self.wrapper(page)


def wrapper_table(pages: Sequence[TestPage]) -> PrintedTable:
    """Return for each portal how many bodies and dates are right, by hand and learned."""
    totals: dict[str, Counter[Outcome]] = {"manual": Counter(), "automatic": Counter()}
    rows = []
    for portal, found in by_portal(pages).items():
        if len(found) >= _FEWEST:
            for way, outcomes in _outcomes(found).items():
                rows.append((portal, way, *(outcomes[outcome] for outcome in Outcome)))
                totals[way] += outcomes
    rows = sorted(rows, key=lambda row: row[0]) + [
        ("total", way, *(outcomes[outcome] for outcome in Outcome)) for way, outcomes in totals.items()
    ]
    return PrintedTable(
        title="002 table 4.2: the wrapper by portal, pages", heading=("portal", "wrapper", *map(str, Outcome)), rows=rows
    )


def _outcomes(pages: Sequence[TestPage]) -> dict[str, Counter[Outcome]]:
    method = ModifiedTextToTagRatioWrapper()
    documents = [Document.parse(page.html, page.given_url) for page in pages]
    agreements = [_agreements(method, page, document) for page, document in zip(pages, documents, strict=True)]
    found: dict[str, Counter[Outcome]] = {"manual": Counter(), "automatic": Counter()}
    place = {id(page): number for number, page in enumerate(pages)}
    for samples, read in folds(list(enumerate(pages))):
        numbers = [place[id(page)] for _, page in samples]
        by_hand = sum((agreements[number] for number in numbers), Counter[str]())
        names = tuple(name for name, _ in by_hand.most_common(1))
        learned = method.learn([documents[number] for number in numbers])
        for _, page in read:
            found["manual"].update(_outcome(page, ModifiedTextToTagRatioTemplate(method=method, names=names)))
            found["automatic"].update(_outcome(page, learned))
    return found


def _agreements(method: ModifiedTextToTagRatioWrapper, page: TestPage, document: Document) -> Counter[str]:
    """Return how well what each id or class gives agrees with the gold: F1 by shingles, in millionths."""
    gold = [words(text) for text in page.gold.texts]
    return Counter({
        name: round(1e6 * max((_f1(text, words(body.text)) for text in gold), default=0.0))
        for name, body in method.bodies(document).items()
    })  # fmt: skip


def _f1(gold: Sequence[str], found: Sequence[str]) -> float:
    both, wanted, got = shared(gold, found)
    return harmonic(both / got, both / wanted) if got and wanted else 0.0


def _outcome(page: TestPage, wrapper: _Wrapper) -> Iterator[Outcome]:
    found = answer(page, _Reader(wrapper))
    made = score(page.gold, replace(found, title=None))
    if made.verdict in _BODIES:
        yield _BODIES[made.verdict]
    if made.date is not None:
        yield Outcome.DATE_RIGHT if made.date else Outcome.DATE_WRONG if found.date else Outcome.DATE_NONE
