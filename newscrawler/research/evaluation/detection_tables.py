"""Detectors of news measured on labelled pages: the two-by-two tables of 002 (5.1 to 5.3).

Pages are divided into five parts by host. Each part is measured three times: at the start, without any keywords; after extractions
of the other parts, whose keywords the detector has collected by its own decisions; and with additional keywords of known news pages
of other hosts that declare NewsArticle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b

from newscrawler.corpus import KnownKeywords
from newscrawler.errors import ConfigError
from newscrawler.extraction.body import load_default_extractor
from newscrawler.page import Document
from newscrawler.research.detection import DETECTORS, Detector, PageEvidence, detect, gather_evidence
from newscrawler.research.evaluation.data import TestPage
from newscrawler.research.evaluation.document_table import PrintedTable, percent

#: Pages of known news whose keywords count, as in the document.
MOST_KNOWN = 100
_PARTS = 5
_HEADING = ("detector", "keywords", "found: news", "found: other", "left: news", "left: other", "right")


class Collected(StrEnum):
    """The keywords that a detector has at the beginning."""

    NONE = "at the start"
    EXTRACTIONS = "after other extractions"
    KNOWN_NEWS = "with known news"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledEvidence:
    """The evidence about a page, and whether it is news."""

    evidence: PageEvidence
    is_news: bool
    host: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionTable:
    """How many pages were found and how many are news."""

    detector: str
    collected: Collected
    news_found: int
    other_found: int
    news_left: int
    other_left: int

    @property
    def accuracy(self) -> float:
        """Return the share of correct decisions, 0 to 1."""
        pages = self.news_found + self.other_found + self.news_left + self.other_left
        return (self.news_found + self.other_left) / pages if pages else 0.0


def find_detectors(names: Iterable[str]) -> dict[str, Detector]:
    """Return detectors by name; "all": every one.

    Raises:
        ConfigError: there is no such detector.
    """
    found: dict[str, Detector] = {}
    for name in names:
        if name != "all" and name not in DETECTORS:
            raise ConfigError(f"There is no detector {name}. Choose one of: {', '.join(DETECTORS)}.")
        found |= DETECTORS if name == "all" else {name: DETECTORS[name]}
    return found


def labelled_evidence(pages: Iterable[TestPage]) -> list[LabelledEvidence]:
    """Return the evidence of pages, including that of the page-kind model."""
    found = []
    for page in pages:
        document = Document.parse(page.html, page.given_url)
        verdict = load_default_extractor().examine(document).verdict
        evidence = gather_evidence(document, article=verdict.article if verdict is not None else 0.0)
        found.append(LabelledEvidence(evidence=evidence, is_news=page.gold.article, host=page.portal))
    return found


def detection_tables(
    pages: Sequence[LabelledEvidence], known: Sequence[LabelledEvidence], detectors: Iterable[tuple[str, Detector]]
) -> list[DetectionTable]:
    """Measure detectors, each with the three kinds of collections; without known news, with two."""
    kinds = [kind for kind in Collected if known or kind is not Collected.KNOWN_NEWS]
    return [_table(name, detector, kind, pages, known) for name, detector in detectors for kind in kinds]


def printed(tables: Iterable[DetectionTable]) -> PrintedTable:
    """Return a line for each table: the news and the other pages among those that were found, and among the rest."""
    rows = [
        (
            table.detector, str(table.collected), table.news_found, table.other_found, table.news_left, table.other_left,
            percent(table.accuracy),
        )
        for table in tables
    ]  # fmt: skip
    return PrintedTable(title="002 tables 5.1 to 5.3: news among mixed pages", heading=_HEADING, rows=rows)


def _table(
    name: str, detector: Detector, collected: Collected, pages: Sequence[LabelledEvidence], known: Sequence[LabelledEvidence]
) -> DetectionTable:
    counts = {(found, news): 0 for found in (True, False) for news in (True, False)}
    for part in range(_PARTS):
        measured = [page for page in pages if part_of(page.host) == part]
        collections = collections_for(part, detector, collected, pages, known)
        verdicts = detect(detector, [page.evidence for page in measured], collections)
        for page, verdict in zip(measured, verdicts, strict=True):
            counts[verdict.is_news, page.is_news] += 1
    return DetectionTable(
        detector=name, collected=collected, news_found=counts[True, True], other_found=counts[True, False],
        news_left=counts[False, True], other_left=counts[False, False],
    )  # fmt: skip


def collections_for(
    part: int, detector: Detector, collected: Collected, pages: Sequence[LabelledEvidence], known: Sequence[LabelledEvidence]
) -> KnownKeywords:
    """Return the keywords that a detector has before it sees a part of the pages."""
    collections = KnownKeywords()
    if collected is Collected.NONE:
        return collections
    if collected is Collected.KNOWN_NEWS:
        other_hosts = [page.evidence for page in known if part_of(page.host) != part and page.evidence.declares_news]
        for evidence in other_hosts[:MOST_KNOWN]:
            detector.collect_keywords(evidence, collections)
    detect(detector, [page.evidence for page in pages if part_of(page.host) != part], collections)
    return collections


def part_of(host: str) -> int:
    """Return the part of a host, by its name alone."""
    return blake2b(host.encode("utf-8", "surrogatepass"), digest_size=4).digest()[0] % _PARTS
