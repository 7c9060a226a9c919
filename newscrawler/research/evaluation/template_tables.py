"""Tables 1 to 3 of S. Pogorilyy, A. Kramov (see `newscrawler.research.site_methods.trinity`), on pages grouped by portal.

Table 1: what methods need to learn a template; the growth of time, which the authors name by class, is measured.
Table 2: first and last year and number of articles, by the date in the gold or else that of the fetch; and whether any page is in
English or names an English version.
Table 3: for each portal, Trinity learns from 20 % of the pages, evenly over time, and reads all of them. A field is compared
with a selector written by hand, or with the gold.

Table 4.2 of Š. Blanár (see `newscrawler.research.methods.modified_ttr`): his wrapper on portals. Automatic: the id or class of the
body is learned from sample articles and reads the other articles of the portal; the samples are chosen as for all methods that
learn (`newscrawler.research.evaluation.run`). Manual: the id or class that agrees best with the gold of the pages of the portal,
as a person finds it who looks at them: the most that one name reaches. Dates are found by the rules of the document. Body and date
are marked as there; precision and recall are added.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import fmean
from typing import Any, TypeAlias

from newscrawler.article import Body
from newscrawler.corpus.reviews import split_words
from newscrawler.corpus.templates import PageChoice, choose_pages, spread_evenly
from newscrawler.errors import ConfigError
from newscrawler.extraction.templates import Selector
from newscrawler.page import Document, squeeze
from newscrawler.research.evaluation.answer import answer
from newscrawler.research.evaluation.data import TestPage
from newscrawler.research.evaluation.date_rules import DateRules
from newscrawler.research.evaluation.document_table import PrintedTable, percent
from newscrawler.research.evaluation.judgement import AnswerVerdict, shared
from newscrawler.research.evaluation.run import folds
from newscrawler.research.evaluation.scores import PageScore, harmonic, score
from newscrawler.research.site_methods import SITE_METHODS
from newscrawler.research.site_methods.modified_ttr_wrapper import ModifiedTextToTagRatioTemplate, ModifiedTextToTagRatioWrapper
from newscrawler.research.site_methods.trinity import TrinityTemplate
from newscrawler.research.site_methods.trinity_fields import TemplateField, name_by_samples, read_selectors, selected_text

#: The input of each method.
_INPUT: Mapping[str, str] = {"road_runner": "DOM tree", "fivatech": "DOM tree", "trinity": "string of tokens"}
_FEWEST, _MOST_LEARNED, _FEWEST_OF_PORTAL = 2, 8, 3
#: Learning is timed so often, and the shortest time counts: what else the machine does only adds to it.
_TIMINGS = 5


@dataclass(frozen=True, slots=True)
class Learning:
    """The characters of the pages that a method learned from, and the CPU time."""

    characters: int
    seconds: float


def methods_table(pages: Sequence[TestPage]) -> PrintedTable:
    """Return pages needed, input, and growth of the time of learning of each method."""
    portals = [
        [Document.parse(page.html, page.given_url) for page in found[:_MOST_LEARNED]]
        for found in by_portal(pages).values()
        if len(found) > _FEWEST
    ]
    rows = []
    for name, kind in _INPUT.items():
        method = SITE_METHODS[name]
        learned = [_learn(method, found) for found in portals]
        growth, every = exponent(learned), [item for items in learned for item in items]
        seconds = sum(item.seconds for item in every) / max(1, sum(item.characters for item in every)) * 1e6
        rows.append((name, f"{method.least_pages} or more", kind, "–" if growth is None else f"n^{growth:.2f}", f"{seconds:.3f}"))
    return PrintedTable(
        title="004 table 1: methods, and the time of learning by the length n of the pages",
        heading=("method", "pages needed", "input", "growth", "s per million characters"),
        rows=rows,
    )


def _learn(method: Any, pages: Sequence[Document]) -> list[Learning]:
    """Measure learning from two pages and more; views of the pages are computed before."""
    method.learn(pages)
    found = []
    for count in range(_FEWEST, len(pages) + 1):
        seconds = min(_seconds(method, pages[:count]) for _ in range(_TIMINGS))
        found.append(Learning(sum(page.size for page in pages[:count]), seconds))
    return found


def _seconds(method: Any, pages: Sequence[Document]) -> float:
    started = time.process_time()
    method.learn(pages)
    return time.process_time() - started


def exponent(portals: Iterable[Sequence[Learning]]) -> float | None:
    """Return the exponent of the growth of time with length, within portals, or None if all lengths are equal.

    It is the slope of a line through the logarithms, each less the mean of its portal.
    """
    points: list[tuple[float, float]] = []
    for learned in portals:
        logs = [(math.log(item.characters), math.log(item.seconds)) for item in learned if item.seconds > 0]
        mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True)) if logs else (0.0, 0.0)
        points += [(x - mean_x, y - mean_y) for x, y in logs]
    square = sum(x**2 for x, _ in points)
    return sum(x * y for x, y in points) / square if square else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalYears:
    """The articles of a portal."""

    #: Number by year; "": without a date.
    years: Mapping[str, int]
    #: There are pages in English.
    is_in_english: bool


def years_table(portals: Mapping[str, PortalYears]) -> PrintedTable:
    """Return first year, last year, number of articles, and whether there is an English version."""
    rows: list[tuple[str | int, ...]] = []
    for portal, found in sorted(portals.items()):
        years = sorted(year for year in found.years if year)
        first, last = (years[0], years[-1]) if years else ("–", "–")
        articles = sum(found.years.values())
        rows.append((portal, first, last, articles, found.years.get("", 0), "yes" if found.is_in_english else "no"))
    heading = ("portal", "first year", "last year", "articles", "without date", "English")
    return PrintedTable(title="004 table 2: articles found", heading=heading, rows=rows)


def years_of(pages: Iterable[TestPage]) -> dict[str, PortalYears]:
    """Count articles by portal and year."""
    counted: dict[str, Counter[str]] = {}
    english: dict[str, bool] = {}
    for page in pages:
        if page.gold.article:
            counted.setdefault(page.portal, Counter())[_day(page)[:4]] += 1
            english[page.portal] = english.get(page.portal) or _names_english(Document.parse(page.html, page.given_url))
    return {portal: PortalYears(years=counts, is_in_english=english[portal]) for portal, counts in counted.items()}


def _names_english(page: Document) -> bool:
    """Return whether a page is in English, or names or links to an English version of itself (`hreflang`)."""
    named = [page.root.get("lang") or ""]
    named += [element.get("hreflang") or "" for element in page.root.iter("link", "a")]
    return any(code.lower().split("-")[0] == "en" for code in named)


def templates_table(pages: Sequence[TestPage], written: Mapping[str, str]) -> PrintedTable:
    """Return groups, articles, articles that do not match, and articles with a wrong field; `written`: selectors by field.

    Raises:
        ConfigError: a selector is not allowed, or is for no field of a template.
    """
    selectors = read_selectors(written)
    portals = {portal: found for portal, found in by_portal(pages).items() if len(found) >= _FEWEST_OF_PORTAL}
    return PrintedTable(
        title="004 table 3: Trinity, learned from 20 % of the pages",
        heading=("portal", "groups", "articles", "learned", "no match", "by variety", "wrong", "fields"),
        rows=[_template_row(portal, found, selectors) for portal, found in sorted(portals.items())],
    )


def _template_row(portal: str, pages: Sequence[TestPage], selectors: Mapping[str, Selector]) -> tuple[str | int, ...]:
    read = [(page := Document.parse(item.html, item.given_url), _wanted(item, page, selectors)) for item in pages]
    samples = spread_evenly(read)
    chosen = choose_pages(list(next(zip(*read, strict=True))), share=0.2, choice=PageChoice.VARIETY, parse=lambda page: page)
    template, varied = (SITE_METHODS["trinity"].learn(learned) for learned in ([page for page, _ in samples], chosen))
    assert isinstance(template, TrinityTemplate)
    assert isinstance(varied, TrinityTemplate)
    by_variety = percent(sum(not varied.matches(page) for page, _ in read) / len(read))
    template = _named(template, samples)
    found = [(template.read_fields(page), wanted) for page, wanted in read]
    missing = sum(fields is None for fields, _ in found)
    wrong = sum(
        any(squeeze(fields.get(name)) != squeeze(value) for name, value in wanted.items() if name in template.fields)
        for fields, wanted in found
        if fields is not None
    )
    share = percent(wrong / len(read)) if template.fields else "–"
    groups = len(template.groups())
    cells = portal, groups, len(read), len(samples), percent(missing / len(read)), by_variety, share
    return (*cells, ", ".join(template.fields) or "none")


def _named(template: TrinityTemplate, samples: Sequence[tuple[Document, Mapping[str, str]]]) -> TrinityTemplate:
    """Return the names of the fields that have a separate group."""
    for name in dict.fromkeys(name for _, values in samples for name in values):
        try:
            template = name_by_samples(template, [(page, {name: values[name]}) for page, values in samples if name in values])
        except ConfigError:
            continue
    return template


def _wanted(item: TestPage, page: Document, selectors: Mapping[str, Selector]) -> dict[str, str]:
    gold = {
        TemplateField.TITLE: item.gold.title,
        TemplateField.AUTHORS: ", ".join(item.gold.authors or ()),
        TemplateField.ANNOTATION: item.gold.lead,
    }
    values: dict[str, str | None] = {str(name): value for name, value in gold.items()}
    values |= {name: selected_text(selector, page) for name, selector in selectors.items()}
    return {name: value for name, value in values.items() if value}


def by_portal(pages: Iterable[TestPage]) -> dict[str, list[TestPage]]:
    """Return the articles of each portal in the order of their days."""
    found: dict[str, list[TestPage]] = {}
    for page in sorted(pages, key=_day):
        if page.gold.article:
            found.setdefault(page.portal, []).append(page)
    return found


def _day(page: TestPage) -> str:
    return page.gold.date or (page.when.isoformat() if page.when else "")


class DocumentMark(StrEnum):
    """The marks of the document, for bodies and dates."""

    RIGHT = "right"
    OVER = "over"
    UNDER = "under"
    OTHER = "other"
    NONE = "no body"
    DATE_RIGHT = "date right"
    DATE_WRONG = "date wrong"
    DATE_NONE = "no date"


_DATES = (DocumentMark.DATE_RIGHT, DocumentMark.DATE_WRONG, DocumentMark.DATE_NONE)
_BODIES: Mapping[AnswerVerdict, DocumentMark] = {
    AnswerVerdict.RIGHT: DocumentMark.RIGHT, AnswerVerdict.FOREIGN: DocumentMark.OVER,
    AnswerVerdict.NO_LEAD: DocumentMark.UNDER, AnswerVerdict.PART_MISSING: DocumentMark.UNDER,
    AnswerVerdict.OTHER: DocumentMark.OTHER, AnswerVerdict.NOTHING: DocumentMark.NONE, AnswerVerdict.FAULT: DocumentMark.NONE,
}  # fmt: skip
_Wrapper: TypeAlias = Callable[[Document], Body | None]


class Way(StrEnum):
    """How the wrapper gets its id or class."""

    MANUAL = "manual"
    AUTOMATIC = "automatic"


@dataclass(frozen=True, slots=True)
class _WrapperReader(DateRules):
    """Reads the body by a wrapper, and the date by the rules of the document."""

    wrapper: _Wrapper

    def __call__(self, page: Document, /) -> Body | None:
        return self.wrapper(page)


@dataclass(slots=True)
class _Tally:
    """The outcomes of one kind of wrapper on some pages."""

    marks: Counter[DocumentMark] = field(default_factory=Counter)
    scores: list[PageScore] = field(default_factory=list)

    def add(self, page: TestPage, wrapper: _Wrapper) -> None:
        """Read a page and count its outcome."""
        found = answer(page, _WrapperReader(wrapper))
        made = score(page.gold, replace(found, title=None))
        if made.verdict is not None and made.verdict in _BODIES:
            self.marks[_BODIES[made.verdict]] += 1
            self.scores.append(made)
        if made.date is not None:
            self.marks[
                DocumentMark.DATE_RIGHT if made.date else DocumentMark.DATE_WRONG if found.date else DocumentMark.DATE_NONE
            ] += 1

    def join(self, other: _Tally) -> None:
        """Add the outcomes of another tally."""
        self.marks += other.marks
        self.scores += other.scores

    def cells(self) -> tuple[str | int, ...]:
        """Return the cells of a row."""
        shares = ([value for one in self.scores if (value := getattr(one, name)) is not None] for name in ("precision", "recall"))
        means = (f"{fmean(values):.3f}" if values else "–" for values in shares)
        has_dates = any(self.marks[outcome] for outcome in _DATES)
        counts = (self.marks[outcome] if has_dates or outcome not in _DATES else "–" for outcome in DocumentMark)
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
    heading = ("portal", "wrapper", *map(str, DocumentMark), "precision", "recall")
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
        gold = [split_words(text) for text in page.gold.texts]
        for name, body in method.bodies(document).items():
            sums[name] = sums.get(name, 0.0) + max((_f1(text, split_words(body.text)) for text in gold), default=0.0)
    names = (max(sums, key=sums.__getitem__),) if sums else ()
    return ModifiedTextToTagRatioTemplate(method=method, names=names)


def _f1(gold: Sequence[str], found: Sequence[str]) -> float:
    both, wanted, got = shared(gold, found)
    return harmonic(both / got, both / wanted) if got and wanted else 0.0
