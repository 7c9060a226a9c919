"""Learning: pages that the page-level extractor can read show where the portal's articles stand.

Each page is read by the page-level extractor; at every place (`newscrawler.wrappers.portal.signatures`) the probabilities of its
blocks are put together over the pages. Pages whose texts stand at the same places are one layout. Pages that would teach the wrong
thing are noticed first: those without an article are left out, and if they are the most, nothing is learned; so if the same text
stands on several pages, or a quarter of them is in another language and laid out like none of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from newscrawler.dates import DateContext, Dates, find_dates
from newscrawler.errors import PageReason
from newscrawler.extraction.body import Examination, default_extractor, retake
from newscrawler.extraction.headline import headline_block, headline_index
from newscrawler.metadata import Metadata, find_metadata
from newscrawler.metadata.language import detect_language, same_language
from newscrawler.page import Document
from newscrawler.wrappers.portal.evidence import LEAST_LIKELY, LabelledPage, learn_labels
from newscrawler.wrappers.portal.labels import shares_of
from newscrawler.wrappers.portal.lines import PageLines
from newscrawler.wrappers.portal.model import MOST_LAYOUTS, MOST_PLACES, Labels, Layout, Place
from newscrawler.wrappers.portal.refusal import WrapperFault, WrapperRefused
from newscrawler.wrappers.portal.signatures import Namer, Places, known_classes, levels

#: Share of a block from which on it is text of the article.
_IS_TEXT = 0.5
#: Share of text that two pages have in common from which on they show one text.
_ONE_TEXT = 0.6
#: Share of the places of their texts that pages of one layout have in common.
_ONE_LAYOUT = 0.25
#: Share of pages of another language and layout that are left out without a refusal.
_MOST_FOREIGN = 0.2


@dataclass(slots=True, eq=False)
class Reading:
    """A page as the page-level extractor reads it, or as its label says that it is to be read."""

    page: Document
    found: Examination
    language: str | None
    #: Of a labelled page: the share of each block that is text of the article.
    shares: Sequence[float] | None = None
    places: Places | None = None
    #: Less specific places of its text; what layouts are told apart by.
    shape: frozenset[str] = frozenset()
    metadata: Metadata = field(default_factory=Metadata)
    dates: Dates = field(default_factory=Dates)

    @property
    def is_article(self) -> bool:
        """The page-level extractor finds an article."""
        return self.found.refusal is None and self.found.body is not None and bool(self.found.taken)

    @property
    def size(self) -> int:
        """Characters of the body."""
        return sum(block.size for block in self.found.taken)


def read(page: Document, gold: Mapping[str, Any] | None = None) -> Reading:
    """Read one page to learn from; `gold` is what a person says of it."""
    found = default_extractor().examine(page)
    shares = shares_of(found, gold) if gold is not None else None
    if shares is not None:
        right = [block for block in page.layout.blocks if shares[block.index] > _IS_TEXT]
        found = replace(retake(found, right), refusal=None) if right else found
    return Reading(page, found, detect_language(found.body.text if found.body else ""), shares)


def sound_pages(
    pages: Sequence[Document], golds: Mapping[Document, Mapping[str, Any]], language: str | None
) -> tuple[list[Reading], list[Reading], list[str]]:
    """Choose the pages to learn from: articles, listings beside them, and what was left out, with reasons.

    Raises:
        WrapperRefused: the pages teach the wrong thing.
    """
    if not pages:
        raise WrapperRefused(WrapperFault.NO_PAGES, "give pages of articles of one portal, three or more if you can")
    readings = [read(page, golds.get(page)) for page in pages]
    articles, others = ([reading for reading in readings if reading.is_article is wanted] for wanted in (True, False))
    left_out = [f"{_name(reading)}: {_why(reading)}" for reading in others]
    _check_articles(articles, others)
    distinct, twins = _without_twins(articles)
    if twins and len(twins) >= len(distinct):
        shown = f"{_name(twins[0])} and {_name(distinct[0])}"
        raise WrapperRefused(
            WrapperFault.ONE_TEXT,
            f"{len(articles)} pages hold {len(distinct)} different texts (see {shown}); give pages of different articles, and look "
            "whether they show a notice in place of the article",
        )
    left_out += [f"{_name(reading)}: same text as another page" for reading in twins]
    kept = _of_one_language(distinct, language, left_out)
    listings = [reading for reading in others if reading.found.refusal and reading.found.refusal.reason == PageReason.LISTING]
    return kept, listings, left_out


def _check_articles(articles: Sequence[Reading], others: Sequence[Reading]) -> None:
    faults = [reading for reading in others if reading.found.refusal is None or reading.found.refusal.reason != PageReason.LISTING]
    if articles and len(faults) < len(articles):
        return
    count = Counter(_why(reading) for reading in others)
    reasons = ", ".join(f"{reason}: {number}" for reason, number in count.most_common(4))
    raise WrapperRefused(
        WrapperFault.NO_ARTICLES,
        f"{len(articles)} of {len(articles) + len(others)} pages hold an article ({reasons}); give pages of articles",
    )


def _name(reading: Reading) -> str:
    return (reading.page.url or reading.page.title or "page without address")[:200]


def _why(reading: Reading) -> str:
    return str(reading.found.refusal.reason) if reading.found.refusal else str(PageReason.NO_BODY)


def _without_twins(articles: Sequence[Reading]) -> tuple[list[Reading], list[Reading]]:
    """Part the pages into those of different texts and those that repeat one."""
    distinct: dict[Reading, frozenset[str]] = {}
    for reading in articles:
        own = frozenset(paragraph.text for paragraph in reading.found.body.paragraphs) if reading.found.body else frozenset()
        size = sum(map(len, own))
        if not any(sum(map(len, own & other)) >= _ONE_TEXT * min(size, sum(map(len, other))) for other in distinct.values()):
            distinct[reading] = own
    return list(distinct), [reading for reading in articles if reading not in distinct]


def _of_one_language(articles: list[Reading], language: str | None, left_out: list[str]) -> list[Reading]:
    """Leave out pages of another language that are laid out like none of the others.

    Raises:
        WrapperRefused: they are too many, or all are of another language than the portal.
    """
    spoken = Counter(reading.language for reading in articles if reading.language)
    main = language or (spoken.most_common(1)[0][0] if spoken else None)
    if main is None:
        return articles
    foreign = [reading for reading in articles if reading.language and not same_language(reading.language, main)]
    if not foreign:
        return articles
    own = [reading for reading in articles if reading not in foreign]
    name_places([*own, *foreign])
    odd = [reading for reading in foreign if not any(_alike(reading.shape, other.shape) for other in own)]
    if len(odd) > _MOST_FOREIGN * len(articles):
        found = ", ".join(sorted({reading.language or "" for reading in odd}))
        raise WrapperRefused(
            WrapperFault.OTHER_LANGUAGE,
            f"{len(odd)} of {len(articles)} pages are written in {found}, not in {main}, and laid out like none of the others "
            f"(see {_name(odd[0])}); learn from pages of one edition",
        )
    left_out += [f"{_name(reading)}: written in {reading.language}, laid out like no other page" for reading in odd]
    return [reading for reading in articles if reading not in odd]


def name_places(readings: Sequence[Reading]) -> Namer:
    """Name the places of all blocks by the classes that pages share."""
    namer = Namer(known_classes([reading.page for reading in readings]))
    for reading in readings:
        reading.places = Places(reading.page, namer)
        sizes: Counter[str] = Counter()
        for block in reading.found.taken:
            sizes[levels(reading.places.of(block))[1].partition("<")[2]] += block.size
        total = max(sum(sizes.values()), 1)
        reading.shape = frozenset(place for place, size in sizes.items() if size >= 0.05 * total)
    return namer


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _ONE_LAYOUT * max(min(len(one), len(other)), 1) and bool(one & other)


def groups_of(readings: Sequence[Reading]) -> list[list[Reading]]:
    """Pages by layout: each goes to the first group in which a page has its text at the same places; largest first."""
    groups: list[list[Reading]] = []
    for reading in readings:
        group = next((group for group in groups if any(_alike(reading.shape, other.shape) for other in group)), None)
        if group is None:
            groups.append(group := [])
        group.append(reading)
    return sorted(groups, key=len, reverse=True)[:MOST_LAYOUTS]


def layouts_of(articles: Sequence[Reading], listings: Sequence[Reading]) -> list[tuple[Layout, Sequence[Reading]]]:
    """Return the layouts of all pages, each with these, articles first; places must have been named."""
    found = [(_layout_of(f"layout {number}", group), group) for number, group in enumerate(groups_of(articles), start=1)]
    return [*found, *([(_layout_of("listing", listings, is_listing=True), listings)] if listings else [])]


def _layout_of(name: str, group: Sequence[Reading], *, is_listing: bool = False) -> Layout:
    """Put together what the pages of one layout show: of each place the mean probability, and how many blocks and pages have it."""
    found: dict[str, list[tuple[int, float]]] = {}
    for number, reading in enumerate(group):
        headline, places, shares = headline_block(reading.page), reading.places, reading.shares
        for block in reading.page.layout.blocks:
            if block is not headline and places is not None:
                share = shares[block.index] if shares is not None else reading.found.probabilities[block.index]
                found.setdefault(places.of(block), []).append((number, 0.0 if is_listing else float(share)))
    rows = {
        place: Place(round(sum(share for _, share in blocks) / len(blocks), 4), len(blocks), len({number for number, _ in blocks}))
        for place, blocks in found.items()
    }
    best = sorted(rows.items(), key=lambda item: (-item[1].pages, -item[1].probability, -item[1].blocks, item[0]))[:MOST_PLACES]
    sizes = [reading.size for reading in group]
    return Layout(
        name=name, pages=len(group), labelled=sum(reading.shares is not None for reading in group),
        is_listing=is_listing, shortest=min(sizes), longest=max(sizes), places=dict(sorted(best)),
    )  # fmt: skip


def read_fields(readings: Sequence[Reading], language: str | None, time_zone: str) -> None:
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


def lines_of(reading: Reading) -> PageLines:
    """Read the lines of a learned page; those that its label rejects are kept where the block model might take them."""
    shares, likely = reading.shares, reading.found.probabilities
    wrong = [
        block for block in reading.page.layout.blocks
        if shares is not None and shares[block.index] < _IS_TEXT and likely[block.index] >= LEAST_LIKELY
    ]  # fmt: skip
    return PageLines.of(reading.page.layout, reading.found.taken, wrong)


def labels_of(readings: Sequence[Reading]) -> Labels:
    """Put together the labels of the pages; places must have been named."""
    return learn_labels([
        LabelledPage(each.page.layout, each.places, each.shares, each.found.probabilities.tolist(), headline_index(each.page))
        for each in readings if each.shares is not None and each.places is not None
    ])  # fmt: skip
