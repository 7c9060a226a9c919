"""From labelled pages to the dates that they state, stage by stage, with the day that is right.

Pages whose declarations agree on one day are labelled by it; they teach only what is left of them when these are taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import IntEnum
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.extractor import load_default_extractor
from newscrawler.extraction.dates.calendar import make_clock
from newscrawler.extraction.dates.candidate import DateCandidate, DateContext, DateRole, Family
from newscrawler.extraction.dates.day_candidates import DatePositions
from newscrawler.extraction.dates.decision import find_declared_dates, find_shown_dates
from newscrawler.extraction.dates.structured_data import find_script_dates
from newscrawler.extraction.metadata import choose_language
from newscrawler.page import Document
from training.date_pages import dated_pages
from training.pages import LabelledPage, load

GOLD_SETS = ("htmldate", "fundus", "wcxb", "turing", "own", "dated")
DECLARED_SETS = ("aeb", "fe", "trafilatura", "dragnet", "l3s", "waddle")
_PARTS = 4
_PUBLISHED = frozenset({Family.LD_ARTICLE, Family.LD_PAGE, Family.META_NAMED, Family.META_PUBLISHED})
#: Some data sets write a month alone where they know no day.
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Stage(IntEnum):
    """Stages of reading a page."""

    DECLARED = 0
    SHOWN = 1
    SCRIPTS = 2


@dataclass(slots=True, kw_only=True)
class DateSample:
    """One page to train on."""

    dataset: str
    id: str
    host: str
    #: The page gave its address, its body was known.
    source: str
    fetched_at: datetime | None
    #: What is right, as the data set writes it; None: no date, or, but for pages of our own, not known.
    gold: str | None
    #: The gold is what the page itself declares.
    is_declared: bool
    #: What each stage reads.
    found: tuple[tuple[DateCandidate, ...], ...]

    @property
    def gold_time(self) -> datetime | None:
        """The right time, without an offset where the data set gives none."""
        return datetime.fromisoformat(self.gold) if self.gold else None


def same_day(value: datetime, gold: datetime) -> bool:
    """Tell whether a time falls on the right day, on the clock of the gold where it has an offset."""
    return (value.astimezone(gold.tzinfo) if gold.tzinfo else value).date() == gold.date()


def collect_dates(root: Path, processes: int = 2) -> list[DateSample]:
    """Read the dates of all labelled pages."""
    with Pool(processes) as pool:
        jobs = [(dataset, part) for dataset in (*GOLD_SETS, *DECLARED_SETS) for part in range(_PARTS)]
        return [sample for part in pool.starmap(partial(_part, root), jobs, chunksize=1) for sample in part]


def _part(root: Path, dataset: str, part: int) -> list[DateSample]:
    found: list[DateSample] = []
    for number, page in enumerate(dated_pages() if dataset == "dated" else load(root, dataset)):
        if number % _PARTS == part and page.other_kind is None:
            found += _samples(page)
    return found


def _samples(page: LabelledPage) -> Iterator[DateSample]:
    document = Document.parse(page.html, page.address)
    gold, is_declared = page.gold.get("date"), page.dataset in DECLARED_SETS
    gold = gold if isinstance(gold, str) and _DAY.match(gold) else None
    if is_declared:
        gold = _agreed(find_declared_dates(document, DateContext(), make_clock(document, DateContext())))
        if gold is None:
            return
    examination = load_default_extractor().examine(document)
    body = examination.body if examination.refusal is None else None
    language = choose_language(None, document.declared_language, body.text if body else "")[0]
    context = DateContext(fetched_at=page.fetched_at, language=language)
    for source in ("whole", "bare"):
        is_whole = source == "whole"
        clock = make_clock(document, context)
        positions = DatePositions(
            document, body.headline_element if body and is_whole else None, body.elements if body and is_whole else (),
            examination.probabilities.tolist() if is_whole else (),
        )  # fmt: skip
        stages = (
            find_declared_dates(document, context if is_whole else DateContext(fetched_at=page.fetched_at), clock),
            find_shown_dates(document, clock, positions), find_script_dates(document, clock),
        )  # fmt: skip
        yield DateSample(
            dataset=page.dataset, id=page.id, host=page.host, source=source, fetched_at=page.fetched_at, gold=gold,
            is_declared=is_declared,
            found=tuple(map(tuple, stages)),
        )  # fmt: skip


def _agreed(declared: Sequence[DateCandidate]) -> str | None:
    """Return the time of publication that JSON-LD and meta elements agree on."""
    said = [c for c in declared if c.family in _PUBLISHED and c.role is DateRole.PUBLISHED and c.precision != DatePrecision.MONTH]
    days: set[date] = {c.value.astimezone(UTC).date() if c.offset_given else c.value.date() for c in said}
    if len(days) != 1:
        return None
    exact = next((c for c in said if c.offset_given), said[0])
    return exact.value.isoformat() if exact.offset_given else exact.value.replace(tzinfo=None).isoformat()
