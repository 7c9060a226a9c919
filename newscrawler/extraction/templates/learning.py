"""Learning: pages that the page-level extractor can read show the places of the portal's articles.

Each page is read by the page-level extractor, and its text is put together by place over the pages. Pages with their texts at the
same places are one layout. Pages that would teach the wrong thing are noticed first: those without an article are left out, and if
they are the most, nothing is learned; so if several pages have the same text, or a quarter of them is in another language and laid
out like none of the others.

A page's own declarations (`articleBody` in its JSON-LD, microdata) are not labels. Compared with gold texts, cross-validated by
host, they made pages of the same host worse: they agree where the block model is right anyway, and err in their own ways elsewhere.
Nor are full texts of feeds and of WordPress's API: they contain captions, advertisements and related links as the page does
(`python -m training.free_labels`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from newscrawler.errors import ConfigError, PageReason
from newscrawler.extraction.body.details import measure_shares_in_gold
from newscrawler.extraction.body.extractor import Examination, load_default_extractor, retake
from newscrawler.extraction.body.headline import find_headline_index
from newscrawler.extraction.dates import DateContext, Dates, find_dates
from newscrawler.extraction.metadata import Metadata, find_metadata
from newscrawler.extraction.metadata.language import detect_language, is_same_language
from newscrawler.extraction.templates.evidence import LabelledPage, learn_labels
from newscrawler.extraction.templates.model import MOST_LAYOUTS, LearnedLabels, LearnedLayout
from newscrawler.extraction.templates.places import Namer, Places, learn_places, split_levels
from newscrawler.page import Document


class TemplateFault(StrEnum):
    """Why a template is refused: a fixed vocabulary, counted, logged and stored."""

    NO_PAGES = "no pages"
    NO_ARTICLES = "pages without articles"
    ONE_TEXT = "one text on several pages"
    OTHER_LANGUAGE = "pages of another language"


class TemplateRefused(ConfigError):  # noqa: N818  a refusal, not a fault of the program
    """Nothing can be learned of these pages for a `reason`; the message names the pages and a remedy."""

    def __init__(self, reason: TemplateFault, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


def compute_shares(found: Examination, places: Places, gold: Mapping[str, Any]) -> Sequence[float] | None:
    """Return the share of each block that is text of the article; None: the gold or the page has no text, or teaches nothing.

    Of an answer that a person judged faulty without a correction, the blocks at one place change sides: those that the block model
    doubts most, if they are less than half of the answer.
    """
    faulty = gold.get("faulty")
    lines = list(_list_gold_lines(gold if faulty is None else {"body": faulty["text"]}))
    if found.features is None or not lines:
        return None
    blocks, headline = found.page.layout.blocks, find_headline_index(found.page)
    shares = measure_shares_in_gold([block.text for block in blocks], lines, found.features.mass.tolist(), headline)
    if faulty is None:
        return shares
    if faulty["verdict"] not in _IS_MISSING:
        return None
    is_missing = _IS_MISSING[faulty["verdict"]]
    weights, sums = Counter[str](), Counter[str]()
    sides: dict[str, list[int]] = {}
    for block in blocks:
        if block.index != headline and block.kind[0] != "h" and (shares[block.index] <= _IS_TEXT) is is_missing:
            place = places.find(block)
            sides.setdefault(place, []).append(block.index)
            weights[place] += block.size
            sums[place] += block.size * found.probabilities[block.index]
    whole = sum(block.size for block in blocks if shares[block.index] > _IS_TEXT)
    likely = {place: sums[place] / weight for place, weight in weights.items() if 0 < 2 * weight < whole}
    doubted = (max if is_missing else min)(likely, key=likely.__getitem__, default=None)
    if doubted is None or (is_missing and likely[doubted] < _LEAST_MISSING):
        return None
    return [float(is_missing) if number in sides[doubted] else share for number, share in enumerate(shares)]


#: Whether text is missing or too much, by the verdict on an answer; the least probability of text that is missing.
_IS_MISSING, _LEAST_MISSING = {"no lead": True, "part missing": True, "ads or captions": False}, 0.05


def _list_gold_lines(gold: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paragraphs of a gold text; optional ones, in brackets, count."""
    lead, body = gold.get("lead"), gold.get("paragraphs") or gold.get("body") or ()
    texts = body.split("\n") if isinstance(body, str) else body
    for text in ([lead] if lead else []) + list(texts):
        if isinstance(text, str) and text.strip():
            yield text[1:-1] if text[0] == "[" and text[-1] == "]" else text


#: By number of labelled pages: gain in F1 of one more, cross-validated by host (`python -m training.sites --validate`, hosts with
#: four pages or more of four data sets, read with 0, 1, 2, 3, 5 and 10 labelled pages; from there on nothing is known).
_GAINS = (0.014, 0.002, 0.0025, 0.001, 0.001, 0.0005, 0.0005, 0.0005, 0.0005, 0.0005)


def estimate_gain(labelled: int) -> float:
    """Return by how much one more labelled page raised the F1 of other portals that had as many."""
    return _GAINS[labelled] if labelled < len(_GAINS) else 0.0


#: Share of a block from which on it is text of the article.
_IS_TEXT = 0.5
#: Share of text that two pages have in common from which on they show one text.
_ONE_TEXT = 0.6
#: Share of the places of their texts that pages of one layout have in common; share of a text that stands at one of them.
_ONE_LAYOUT, _LEAST_AT_PLACE = 0.25, 0.05
#: Share of pages of another language and layout from which on pages are refused.
_MOST_FOREIGN = 0.2


@dataclass(slots=True, eq=False, kw_only=True)
class LearnedPage:
    """A page as the page-level extractor reads it, or as its label says that it is to be read."""

    page: Document
    found: Examination
    places: Places
    #: Of a labelled page: the share of each block that is text of the article.
    shares: Sequence[float] | None = None
    metadata: Metadata = field(default_factory=Metadata)
    dates: Dates = field(default_factory=Dates)

    @property
    def is_article(self) -> bool:
        """The page-level extractor finds an article."""
        return self.found.refusal is None and self.found.body is not None and bool(self.found.taken)

    @property
    def fault(self) -> str:
        """Reason why it is not an article."""
        return str(self.found.refusal.reason if self.found.refusal else PageReason.NO_BODY)

    @property
    def name(self) -> str:
        """Name of the page in messages."""
        return (self.page.url or self.page.title or "page without address")[:200]

    @property
    def likely(self) -> Sequence[float]:
        """How much of each block is text of the article, as its label says, or as the block model expects."""
        return self.found.probabilities.tolist() if self.shares is None else self.shares

    @property
    def text(self) -> str:
        """Its text, a paragraph a line."""
        return self.found.body.text if self.found.body else ""


def read(page: Document, namer: Namer, gold: Mapping[str, Any] | None = None) -> LearnedPage:
    """Read one page to learn from; `gold` is its label by a person."""
    found, places = load_default_extractor().examine(page), Places(page, namer)
    shares = compute_shares(found, places, gold) if gold is not None else None
    if shares is not None and (right := [block for block in page.layout.blocks if shares[block.index] > _IS_TEXT]):
        found = replace(retake(found, right), refusal=None)
    return LearnedPage(page=page, found=found, places=places, shares=shares)


def select_sound_pages(readings: Sequence[LearnedPage], language: str | None) -> tuple[list[LearnedPage], list[str]]:
    """Return the articles to learn from, and the pages left out, with reasons.

    Raises:
        TemplateRefused: the pages teach the wrong thing.
    """
    if not readings:
        raise TemplateRefused(TemplateFault.NO_PAGES, "give pages of articles of one portal, three or more if you can")
    articles, others = ([reading for reading in readings if reading.is_article is wanted] for wanted in (True, False))
    _check_articles(articles, others)
    distinct: dict[LearnedPage, frozenset[str]] = {}
    for reading in articles:
        paragraphs = frozenset(reading.text.split("\n"))
        if not any(_are_one_text(paragraphs, other) for other in distinct.values()):
            distinct[reading] = paragraphs
    twins = [reading for reading in articles if reading not in distinct]
    if twins and len(twins) >= len(distinct):
        raise TemplateRefused(
            TemplateFault.ONE_TEXT,
            f"{len(articles)} pages hold {len(distinct)} different texts (see {twins[0].name} and {next(iter(distinct)).name}); "
            "give pages of different articles, and look whether they show a notice in place of the article",
        )
    _check_languages(list(distinct), language)
    left_out = [f"{reading.name}: {reading.fault}" for reading in others]
    return list(distinct), left_out + [f"{reading.name}: same text as another page" for reading in twins]


def _check_articles(articles: Sequence[LearnedPage], others: Sequence[LearnedPage]) -> None:
    reasons = Counter(reading.fault for reading in others)
    if articles and len(others) - reasons[PageReason.LISTING] < len(articles):
        return
    shown = ", ".join(f"{reason}: {number}" for reason, number in reasons.most_common(4))
    raise TemplateRefused(
        TemplateFault.NO_ARTICLES,
        f"{len(articles)} of {len(articles) + len(others)} pages hold an article ({shown}); give pages of articles",
    )


def _are_one_text(one: frozenset[str], other: frozenset[str]) -> bool:
    return sum(map(len, one & other)) >= _ONE_TEXT * min(sum(map(len, one)), sum(map(len, other)))


def _check_languages(articles: Sequence[LearnedPage], language: str | None) -> None:
    """Refuse pages if many are of another language than the portal or most of them, and laid out like none of the others."""
    spoken = {each: found for each in articles if (found := detect_language(each.text))}
    main = language or next((name for name, _ in Counter(spoken.values()).most_common(1)), "")
    foreign = {each: found for each, found in spoken.items() if not is_same_language(found, main)}
    own = [find_shape(each) for each in articles if each not in foreign]
    odd = [each for each in foreign if not any(_are_alike(find_shape(each), shape) for shape in own)]
    if len(odd) > _MOST_FOREIGN * len(articles):
        found = ", ".join(sorted({foreign[each] for each in odd}))
        raise TemplateRefused(
            TemplateFault.OTHER_LANGUAGE,
            f"{len(odd)} of {len(articles)} pages are written in {found}, not in {main}, and laid out like none of the others "
            f"(see {odd[0].name}); learn from pages of one edition",
        )


def find_shape(reading: LearnedPage) -> frozenset[str]:
    """Return the less specific places of a text, without those with little of it."""
    sizes: Counter[str] = Counter()
    for block in reading.found.taken:
        sizes[split_levels(reading.places.find(block))[1].partition("<")[2]] += block.size
    return frozenset(place for place, size in sizes.items() if size >= _LEAST_AT_PLACE * max(sizes.total(), 1))


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _ONE_LAYOUT * max(min(len(one), len(other)), 1) and bool(one & other)


def group_layouts(readings: Sequence[LearnedPage]) -> list[tuple[LearnedLayout, Sequence[LearnedPage]]]:
    """Return the layouts of the pages, each with these: a page goes to the first in which one has its text at the same places."""
    groups: list[dict[LearnedPage, frozenset[str]]] = []
    for reading in readings:
        shape = find_shape(reading)
        group = next((each for each in groups if any(_are_alike(shape, other) for other in each.values())), None)
        if group is None:
            groups.append(group := {})
        group[reading] = shape
    largest = sorted(map(list, groups), key=len, reverse=True)[:MOST_LAYOUTS]
    return [(_make_layout(f"layout {number}", group), group) for number, group in enumerate(largest, start=1)]


def _make_layout(name: str, group: Sequence[LearnedPage]) -> LearnedLayout:
    sizes = [sum(block.size for block in reading.found.taken) for reading in group]
    return LearnedLayout(
        name=name, pages=len(group), labelled=sum(reading.shares is not None for reading in group), shortest=min(sizes),
        longest=max(sizes), places=learn_places((reading.page, reading.places, reading.likely) for reading in group),
    )  # fmt: skip


def collect_labels(readings: Sequence[LearnedPage]) -> LearnedLabels:
    """Return the amounts of text at the places of the labelled pages among these."""
    return learn_labels([LabelledPage(each.found, each.places, each.shares) for each in readings if each.shares is not None])


def read_fields(readings: Sequence[LearnedPage], language: str | None, time_zone: str) -> None:
    """Read date and metadata of the pages, page by page."""
    for reading in readings:
        body = reading.found.body
        assert body is not None
        reading.metadata = find_metadata(
            reading.page, language=language, body_text=body.text, headline=body.headline, body_elements=body.elements
        )
        context = DateContext(time_zone=time_zone, language=reading.metadata.language)
        reading.dates = find_dates(
            reading.page, context, headline_element=body.headline_element, body_elements=body.elements,
            likely=reading.found.probabilities.tolist(),
        )  # fmt: skip
