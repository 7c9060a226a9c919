"""Learning: pages that the page-level extractor can read show where the portal's articles stand.

Each page is read by the page-level extractor; what it takes for text is put together by place over the pages. Pages whose texts
stand at the same places are one layout. Pages that would teach the wrong thing are noticed first: those without an article are left
out, and if they are the most, nothing is learned; so if the same text stands on several pages, or a quarter of them is in another
language and laid out like none of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from newscrawler.errors import PageReason
from newscrawler.extraction.body.extractor import Examination, default_extractor, retake
from newscrawler.extraction.dates import DateContext, Dates, find_dates
from newscrawler.extraction.metadata import Metadata, find_metadata
from newscrawler.extraction.metadata.language import detect_language, same_language
from newscrawler.extraction.templates.evidence import LabelledPage, learn_labels
from newscrawler.extraction.templates.labels import shares_of
from newscrawler.extraction.templates.model import MOST_LAYOUTS, Labels, Layout
from newscrawler.extraction.templates.refusal import TemplateFault, TemplateRefused
from newscrawler.extraction.templates.signatures import Namer, Places, learn_places, levels
from newscrawler.page import Document

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
        """Why it holds no article."""
        return str(self.found.refusal.reason if self.found.refusal else PageReason.NO_BODY)

    @property
    def name(self) -> str:
        """What the page is called in messages."""
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
    """Read one page to learn from; `gold` is what a person says of it."""
    found = default_extractor().examine(page)
    shares = shares_of(found, gold) if gold is not None else None
    if shares is not None and (right := [block for block in page.layout.blocks if shares[block.index] > _IS_TEXT]):
        found = replace(retake(found, right), refusal=None)
    return LearnedPage(page=page, found=found, places=Places(page, namer), shares=shares)


def sound_pages(readings: Sequence[LearnedPage], language: str | None) -> tuple[list[LearnedPage], list[str]]:
    """Return the articles to learn from, and what was left out, with reasons.

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
    foreign = {each: found for each, found in spoken.items() if not same_language(found, main)}
    own = [shape_of(each) for each in articles if each not in foreign]
    odd = [each for each in foreign if not any(_are_alike(shape_of(each), shape) for shape in own)]
    if len(odd) > _MOST_FOREIGN * len(articles):
        found = ", ".join(sorted({foreign[each] for each in odd}))
        raise TemplateRefused(
            TemplateFault.OTHER_LANGUAGE,
            f"{len(odd)} of {len(articles)} pages are written in {found}, not in {main}, and laid out like none of the others "
            f"(see {odd[0].name}); learn from pages of one edition",
        )


def shape_of(reading: LearnedPage) -> frozenset[str]:
    """Return the less specific places of a text, without those that hold little of it."""
    sizes: Counter[str] = Counter()
    for block in reading.found.taken:
        sizes[levels(reading.places.of(block))[1].partition("<")[2]] += block.size
    return frozenset(place for place, size in sizes.items() if size >= _LEAST_AT_PLACE * max(sizes.total(), 1))


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _ONE_LAYOUT * max(min(len(one), len(other)), 1) and bool(one & other)


def layouts_of(readings: Sequence[LearnedPage]) -> list[tuple[Layout, Sequence[LearnedPage]]]:
    """Return the layouts of the pages, each with these: a page goes to the first in which one has its text at the same places."""
    groups: list[dict[LearnedPage, frozenset[str]]] = []
    for reading in readings:
        shape = shape_of(reading)
        group = next((each for each in groups if any(_are_alike(shape, other) for other in each.values())), None)
        if group is None:
            groups.append(group := {})
        group[reading] = shape
    largest = sorted(map(list, groups), key=len, reverse=True)[:MOST_LAYOUTS]
    return [(_layout_of(f"layout {number}", group), group) for number, group in enumerate(largest, start=1)]


def _layout_of(name: str, group: Sequence[LearnedPage]) -> Layout:
    sizes = [sum(block.size for block in reading.found.taken) for reading in group]
    return Layout(
        name=name, pages=len(group), labelled=sum(reading.shares is not None for reading in group), shortest=min(sizes),
        longest=max(sizes), places=learn_places((reading.page, reading.places, reading.likely) for reading in group),
    )  # fmt: skip


def labels_of(readings: Sequence[LearnedPage]) -> Labels:
    """Return what the labelled pages among these have at their places."""
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
