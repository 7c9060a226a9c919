"""Reviews of articles by people: the right result of a page (gold), results of portals, and queues and samples to review.

The accuracy and the table are those of K. Ulman, K. Rzecki (see `newscrawler.research.methods.portal_crawler`), section 4: of an
article with several faults the worst counts. An article that was judged faulty counts as faulty, corrected or not.

They took at least a hundred random articles of each portal. A sample depends only on the seed and the ids of the pages: the same
seed gives the same sample in any order of the pages, and a larger sample of the same seed includes the smaller one within each
section.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from itertools import combinations
from statistics import fmean, stdev
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from newscrawler.article import Article, DatePrecision
from newscrawler.errors import ConfigError, ExportError
from newscrawler.store import Store
from newscrawler.store.archive import PagesFolder, StoredPage, keep_for_good
from newscrawler.store.articles import TERMINAL, ArticleLine, Fault, Review, ReviewerVerdict, Selection, StoredArticle

#: Of the standard normal distribution, for intervals of 95 %.
_QUANTILE = 1.959964


class ErrorClass(StrEnum):
    """The columns of table 1, the worst first."""

    NO_LEAD = "no lead"
    PART_MISSING = "part missing"
    FOREIGN = "ads or captions"
    OTHER = "other"


_CLASSES: Mapping[str, ErrorClass] = {
    Fault.LEAD_MISSING: ErrorClass.NO_LEAD, Fault.LEAD_WRONG: ErrorClass.NO_LEAD, Fault.PART_MISSING: ErrorClass.PART_MISSING,
    Fault.FOREIGN: ErrorClass.FOREIGN,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalResult:
    """One row of table 1."""

    portal: str
    #: Articles that are stored.
    collected: int
    judged: int
    right: int
    #: Faulty articles by their worst error.
    errors: Mapping[ErrorClass, int]

    @property
    def accuracy(self) -> float:
        """Return the share of the judged articles that are right."""
        return self.right / self.judged

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval of the accuracy, 95 %."""
        return compute_wilson_interval(self.right, self.judged)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The agreement of two reviewers on the articles that both have judged."""

    reviewers: tuple[str, str]
    articles: int
    #: Share of articles on which they agree whether all is right.
    share: float
    #: Cohen's kappa of right and of the worst error; None: it is not defined, as both always said the same.
    kappa: float | None


def summarise_reviews(reviews: Iterable[Review], collected: Mapping[str, int]) -> list[PortalResult]:
    """Return a row for each portal with reviews, by name."""
    by_portal: dict[str, list[Review]] = {}
    for review in reviews:
        by_portal.setdefault(review.portal, []).append(review)
    return [
        PortalResult(
            portal=portal,
            collected=collected.get(portal, len(found)),
            judged=len(found),
            right=sum(review.right for review in found),
            errors=Counter(worst for review in found if (worst := find_worst_error(review.faults)) is not None),
        )
        for portal, found in sorted(by_portal.items())
    ]


def find_worst_error(faults: Sequence[str]) -> ErrorClass | None:
    """Return the worst error of an article, or None if it is right."""
    found = {_CLASSES.get(fault, ErrorClass.OTHER) for fault in faults}
    return next((error for error in ErrorClass if error in found), None)


def compute_mean_accuracy(results: Sequence[PortalResult]) -> tuple[float, float | None] | None:
    """Return mean and standard deviation of the accuracy over portals; None: there are no results."""
    divide_in_proportion = [result.accuracy for result in results]
    if not divide_in_proportion:
        return None
    return fmean(divide_in_proportion), stdev(divide_in_proportion) if len(divide_in_proportion) > 1 else None


def compute_wilson_interval(right: int, total: int) -> tuple[float, float]:
    """Return Wilson's score interval of a share, 95 %."""
    if not total:
        return 0.0, 1.0
    share, square = right / total, _QUANTILE**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = _QUANTILE / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def compute_agreements(verdicts: Iterable[ReviewerVerdict]) -> list[Agreement]:
    """Return the agreement of every two reviewers who have judged the same articles."""
    said: dict[str, dict[int, ErrorClass | None]] = {}
    for verdict in verdicts:
        said.setdefault(verdict.reviewer, {})[verdict.article_id] = find_worst_error(verdict.faults)
    found = []
    for one, other in combinations(sorted(said), 2):
        pairs = [(worst, said[other][number]) for number, worst in said[one].items() if number in said[other]]
        if pairs:
            share = sum((first is None) == (second is None) for first, second in pairs) / len(pairs)
            found.append(Agreement(reviewers=(one, other), articles=len(pairs), share=share, kappa=compute_kappa(pairs)))
    return found


def compute_kappa(pairs: Sequence[tuple[object, object]]) -> float | None:
    """Return Cohen's kappa of pairs of labels (1960); None: chance alone explains full agreement."""
    observed = sum(one == other for one, other in pairs) / len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[label] * second[label] for label in first) / len(pairs) ** 2
    return None if expected >= 1 else (observed - expected) / (1 - expected)


#: With more optional paragraphs than this, only all and none of them are tried.
_MAX_OPTIONAL = 4
#: Faults that do not concern headline and text, and their fields.
_OTHER_FIELDS: Mapping[str, str] = {Fault.DATE: "date", Fault.AUTHORS: "authors"}
_WORD = re.compile(r"\w+")


def split_words(text: str | None) -> list[str]:
    """Return the words of a text, in any script, with their case."""
    return _WORD.findall(text or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedFaulty:
    """An answer that a person judged faulty without saying what would be right."""

    title: str | None
    text: str
    #: The worst error, a word of `judgement.AnswerVerdict`.
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The expected result of a page; None: not given."""

    title: str | None = None
    lead: str | None = None
    #: All texts that count as right; empty: the body is not compared.
    texts: tuple[str, ...] = ()
    date: str | None = None
    authors: tuple[str, ...] | None = None
    wanted_pieces: tuple[str, ...] = ()
    unwanted_pieces: tuple[str, ...] = ()
    #: False: there is no article on the page.
    article: bool = True
    #: A known faulty answer; other answers were not judged.
    faulty: JudgedFaulty | None = None

    @property
    def asks_for_metadata(self) -> bool:
        """Return whether headline, date or authors are compared."""
        return bool(self.title or self.date or self.authors)


def read_gold(fields: Mapping[str, Any]) -> Gold | str:
    """Return the gold, or a message if it holds nothing to compare with."""
    if fields.get("article") is False:
        return Gold(article=False)
    if isinstance(fields.get("faulty"), Mapping):
        return Gold(faulty=JudgedFaulty(**fields["faulty"]))
    lead = _read_text(fields.get("lead"))
    body = fields.get("body")
    paragraphs = _read_texts(fields.get("paragraphs"))
    if isinstance(body, list):
        body = "\n".join(_read_texts(body))
    texts = tuple("\n".join(variant) for variant in list_variants(paragraphs)) if paragraphs else (_read_text(body) or "",)
    texts = tuple(_with_lead(text, lead) for text in texts if split_words(text))
    wanted, unwanted = _read_texts(fields.get("with")), _read_texts(fields.get("without"))
    title, date, authors = _read_text(fields.get("title")), _read_text(fields.get("date")), fields.get("authors")
    if not (texts or wanted or title or date):
        return "the gold holds no body, paragraphs, with, title or date to compare with"
    names = (authors,) if isinstance(authors, str) else _read_texts(authors)
    return Gold(
        title=title, lead=lead, texts=texts, date=date, authors=names or None, wanted_pieces=wanted, unwanted_pieces=unwanted
    )


def list_variants(paragraphs: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield every choice of the paragraphs in [brackets]; of many only all and none."""
    optional = [place for place, text in enumerate(paragraphs) if text[0] == "[" and text[-1] == "]"]
    plain = tuple(text[1:-1] if place in optional else text for place, text in enumerate(paragraphs))
    sizes = range(len(optional) + 1) if len(optional) <= _MAX_OPTIONAL else (0, len(optional))
    for size in sizes:
        for left_out in combinations(optional, size):
            yield tuple(text for place, text in enumerate(plain) if place not in left_out)


def _with_lead(text: str, lead: str | None) -> str:
    if not lead:
        return text
    start = split_words(lead)
    return text if split_words(text)[: len(start)] == start else f"{lead}\n{text}"


def derive_gold(article: Article) -> dict[str, Any]:
    """Return the gold of a page whose article was judged right."""
    day_only = article.published_precision is DatePrecision.DAY
    date = article.date if day_only else article.published_at
    return {
        "title": article.title, "lead": article.lead, "body": article.body, "date": date.isoformat() if date else None,
        "authors": list(article.authors),
    }  # fmt: skip


def derive_gold_from_faults(article: Article, faults: Sequence[str]) -> dict[str, Any]:
    """Return the gold of a verdict without a correction: the fields that are right, or the text known as faulty."""
    wrong = find_worst_error([fault for fault in faults if fault not in _OTHER_FIELDS])
    if wrong is not None:
        return {"faulty": {"title": article.title, "text": article.body, "verdict": str(wrong)}}
    dropped = {_OTHER_FIELDS[fault] for fault in faults}
    return {name: value for name, value in derive_gold(article).items() if name not in dropped}


def find_first_folder(url: str | None) -> str | None:
    """Return the first part of the path of a URL that is neither its last part nor a number, as the name of the section."""
    try:
        parts = urlsplit(url or "").path.strip("/").split("/")[:-1]
    except ValueError:
        return None
    return next((part for part in parts if part and not part.isdigit()), None)


def _read_text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _read_texts(value: object) -> tuple[str, ...]:
    return tuple(text for item in value if (text := _read_text(item))) if isinstance(value, list) else ()


def save_verdict(
    store: Store,
    folder: PagesFolder,
    stored: StoredArticle,
    page: StoredPage,
    *,
    faults: Sequence[str],
    corrected: dict[str, Any] | None,
    note: str,
    now: datetime,
    reviewer: str = TERMINAL,
) -> None:
    """Store a verdict and keep its page permanently.

    Raises:
        ExportError: the page cannot be kept.
    """
    derived = {"article": False} if Fault.NO_ARTICLE in faults else derive_gold_from_faults(stored.article, faults)
    gold = derived if corrected is None and (not faults or derived.keys() & {"article", "faulty"}) else corrected
    try:
        keep_for_good(store.pages, folder, page)
    except OSError as error:
        raise ExportError(f"the reviewed page cannot be kept in {folder}: {error.strerror or error}") from error
    store.reviews.save(stored.id, page.id, faults=faults, gold=gold, note=note, now=now, reviewer=reviewer)


#: An alert is raised after the crawl that it is about.
_BEFORE_ALERT = timedelta(days=1)


class QueueOrder(StrEnum):
    """Order in which articles are chosen."""

    RANDOM = "random"
    CONFIDENCE = "confidence"
    ALERT = "alert"


@dataclass(frozen=True, slots=True)
class DrawnArticle:
    """An article in a sample."""

    line: ArticleLine

    @property
    def id(self) -> str:
        """Return the address, which seeds the random choice."""
        return self.line.url

    @property
    def portal(self) -> str:
        """The portal."""
        return self.line.portal

    @property
    def dataset(self) -> str:
        """The portal."""
        return self.line.portal

    @property
    def section(self) -> str | None:
        """Return the article's section, or else the first folder of its address."""
        return self.line.section or find_first_folder(self.line.url)


def draw_articles(store: Store, chosen: Selection, count: int, seed: int) -> list[DrawnArticle]:
    """Draw articles of a portal whose pages are kept, of every section in proportion; the same seed draws the same.

    Raises:
        ConfigError: there are none.
    """
    drawn = draw_sample([DrawnArticle(line) for line in store.article_lines.with_pages(chosen)], count, seed=seed, by_section=True)
    if not drawn:
        raise ConfigError(f"no page of an article of {chosen.portal} is kept, so articles cannot be reviewed; crawl it first")
    return drawn


def draw_most_useful(store: Store, chosen: Selection, count: int, done: Container[int] = ()) -> list[DrawnArticle]:
    """Draw the articles that are most useful as labels: of low confidence, and of the largest sections; `done`: reviewed.

    Raises:
        ConfigError: there are none.
    """
    drawn = [item for item in draw_articles(store, chosen, 2**31, 0) if item.line.id not in done]
    sections = Counter(item.section for item in drawn)
    return sorted(drawn, key=lambda item: (item.line.confidence - 1) * sections[item.section])[:count]


def order_queue(store: Store, chosen: Selection, order: QueueOrder, *, count: int, seed: int) -> list[ArticleLine]:
    """Return the articles to review, in order; the same each time until new articles are stored.

    Raises:
        ConfigError: no page of the portal is kept.
    """
    if order is QueueOrder.RANDOM:
        return [item.line for item in draw_articles(store, chosen, count, seed)]
    lines = [item.line for item in draw_articles(store, chosen, 2**31, 0)]
    if order is QueueOrder.CONFIDENCE:
        return sorted(lines, key=lambda line: (line.confidence, line.id))[:count]
    since = min((alert.began_at for alert in store.service.open_alerts(chosen.portal)), default=None)
    return [line for line in lines if since is not None and line.fetched_at >= since - _BEFORE_ALERT][:count]


class Sampled(Protocol):
    """An item that can be sampled: a page with gold, or an article to be reviewed."""

    @property
    def id(self) -> str:
        """Return an id that is unique within the dataset."""

    @property
    def dataset(self) -> str:
        """Return the name of the dataset."""

    @property
    def portal(self) -> str:
        """Return the name of the portal."""

    @property
    def section(self) -> str | None:
        """Return the name of the section; None: not known."""


S = TypeVar("S", bound=Sampled)


def draw_sample(pages: Sequence[S], count: int, *, seed: int = 0, by_section: bool = False) -> list[S]:
    """Sample `count` pages of every portal, or all if it has fewer; keep the order of the pages."""
    taken: set[int] = set()
    for places in _group(pages, lambda page: page.portal).values():
        strata = list(_group([pages[place] for place in places], lambda page: page.section or "").values()) if by_section else []
        groups = [[places[place] for place in stratum] for stratum in strata] or [places]
        for group, share in zip(groups, divide_in_proportion([len(group) for group in groups], count), strict=True):
            taken.update(sorted(group, key=lambda place: _sort_key(pages[place], seed))[:share])
    return [page for place, page in enumerate(pages) if place in taken]


def divide_in_proportion(sizes: Sequence[int], count: int) -> list[int]:
    """Divide `count` in proportion to the sizes by largest remainders; every stratum gets at least one if there are enough."""
    total = sum(sizes)
    if count >= total:
        return list(sizes)
    exact = [count * size / total for size in sizes]
    given = [max(int(share), min(1, size)) for size, share in zip(sizes, exact, strict=True)]
    while sum(given) != count:
        step = 1 if sum(given) < count else -1
        # a stratum loses its only one last
        places = [place for place in range(len(sizes)) if (given[place] < sizes[place] if step > 0 else given[place] > 0)]
        given[max(places, key=lambda place: ((step > 0) or given[place] > 1, step * (exact[place] - given[place]), -place))] += step
    return given


def _group(pages: Sequence[S], name: Callable[[S], str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, page in enumerate(pages):
        found.setdefault(name(page), []).append(place)
    return found


def _sort_key(page: Sampled, seed: int) -> str:
    return sha256(f"{seed}\0{page.dataset}\0{page.id}".encode("utf-8", "replace")).hexdigest()
