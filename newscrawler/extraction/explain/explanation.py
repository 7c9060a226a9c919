"""Explain the text taken from a page, the text left out, and the cues that decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from newscrawler.article import Judgement
from newscrawler.errors import PageError
from newscrawler.extraction.body.block_class import BlockClass, classify_blocks
from newscrawler.extraction.body.block_classifier import load_block_classifier
from newscrawler.extraction.body.extractor import Examination, is_kicker, load_default_extractor
from newscrawler.extraction.body.features import NAMES
from newscrawler.extraction.body.forest import Contribution
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.body.page_kind import NAMES as PAGE_NAMES
from newscrawler.extraction.body.page_kind import Verdict, load_page_classifier, read_declared_kind
from newscrawler.extraction.body.surroundings import explain_surroundings
from newscrawler.extraction.dates import Dates
from newscrawler.extraction.explain.facts import Fact, read_authors, read_date, read_headline, read_section
from newscrawler.extraction.explain.phrases import BLOCK_PHRASES, MARKS, PAGE_PHRASES, Phrase, fill_phrase
from newscrawler.extraction.metadata import Metadata
from newscrawler.extraction.pipeline import ExtractionOptions, ExtractionState, build_options, check_page
from newscrawler.extraction.reasons import explain_fields
from newscrawler.page import Block, Document, Layout, key_of

if TYPE_CHECKING:
    from newscrawler.extraction.templates.model import TemplateFit
    from newscrawler.extraction.templates.portal_template import PortalTemplate
    from newscrawler.extraction.templates.protocol import SiteTemplate

#: Cues shown of a block or a page.
MOST_CUES = 3
#: Share of the strongest cue's weight below which a cue is not shown.
_LEAST_SHARE = 0.15
_PREFIXES = ("branch named ", "within ")
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One piece of evidence."""

    phrase: str
    #: By how much it moved the log-odds; above 0 it speaks for the article's text, or for an article.
    moved: float
    #: The feature that counted most among those with this phrase.
    feature: str

    def as_dict(self) -> dict[str, Any]:
        """Return the cue as JSON writes it."""
        return {"phrase": self.phrase, "moved": round(self.moved, 4)}


def find_block_cues(found: Examination) -> dict[int, tuple[Cue, ...]]:
    """Return, by block index, the cues that distinguish a block from the page's other blocks, the strongest first.

    Short links have none: no model looks at them.
    """
    features = found.features
    if features is None or not features.weighed.any():
        return {}
    rows = features.rows[features.weighed]
    moved = load_block_classifier().compute_contributions(features)
    taken = {block.index for block in found.taken}
    cues: dict[int, tuple[Cue, ...]] = {}
    for index, contributions, row in zip(features.weighed.nonzero()[0].tolist(), moved, rows.tolist(), strict=True):
        values = dict.fromkeys(contributions, 1.0) | dict(zip(NAMES, row, strict=True))
        cues[index] = tuple(
            _add_name(found.page.layout, index, cue) if values[cue.feature] else cue
            for cue in choose_strongest(contributions, values, BLOCK_PHRASES, taken=index in taken)
        )
    return cues


def find_page_cues(found: Examination) -> tuple[Cue, ...]:
    """Return the cues for or against an article, the strongest first."""
    if found.features is None:
        return ()
    row = load_page_classifier().describe(found.page, found.features, found.probabilities)
    values = dict(zip(PAGE_NAMES, row.tolist(), strict=True))
    return choose_strongest(load_page_classifier().explain(row), values, PAGE_PHRASES, taken=found.refusal is None)


def choose_strongest(
    moved: Mapping[str, Contribution], values: Mapping[str, float], phrases: Mapping[str, Phrase], *, taken: bool
) -> tuple[Cue, ...]:
    """Return the cues that moved most, at least one of them in favour of the decision; features of the same phrase count as one.

    A feature without a sentence of its own is shown by its name and by how far it moved the log-odds.
    """
    merged: dict[str, Cue] = {}
    for name, (change, above) in sorted(moved.items(), key=lambda item: -abs(item[1].moved)):
        phrase = fill_phrase(phrases, name, values[name], above=above)
        known = merged.get(phrase, Cue(phrase=phrase, moved=0.0, feature=name))
        merged[phrase] = replace(known, moved=known.moved + change)
    ranked = sorted((cue for cue in merged.values() if cue.moved), key=lambda cue: -abs(cue.moved))
    chosen = [cue for cue in ranked[:MOST_CUES] if abs(cue.moved) >= _LEAST_SHARE * abs(ranked[0].moved)]
    in_favour = next((cue for cue in ranked if (cue.moved > 0) == taken), None)
    if in_favour is not None and in_favour not in chosen:
        chosen = [*chosen[: MOST_CUES - 1], in_favour]
    return tuple(cue if cue.feature in phrases else replace(cue, phrase=f"{cue.feature} ({cue.moved:+.1f})") for cue in chosen)


def _add_name(layout: Layout, index: int, cue: Cue) -> Cue:
    """Add to a cue about a name the full name of the innermost element around the block that has it."""
    word = next((cue.feature.removeprefix(prefix) for prefix in _PREFIXES if cue.feature.startswith(prefix)), None)
    mark = next((int(mark) for mark in MARKS if str(mark.name).lower() == word), 0)
    for box in layout.outer(layout.blocks[index].box):
        if box.marks & mark:
            name = " ".join((box.element.get("class") or box.element.get("id") or "").split())[:_LONGEST_NAME]
            said = f'<{box.tag} "{name}">' if name else f"<{box.tag}>"
            return replace(cue, phrase=f"{cue.phrase} ({said})")
    return cue


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockDecision:
    """One block of the page and the decision on it."""

    block: Block
    block_class: BlockClass
    #: Probability that it is part of the body; None where another method decided, or for a short link.
    probability: float | None
    #: The cues that counted most for the body or against it, the strongest first; none for the headline.
    cues: tuple[Cue, ...]
    #: Why it was left out although it is likely enough; empty where it was not.
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the decision as JSON writes it."""
        return {
            "text": self.block.text, "kind": self.block.kind, "class": str(self.block_class), "probability": self.probability,
            "cues": [cue.as_dict() for cue in self.cues], "note": self.note or None,
        }  # fmt: skip

    @property
    def is_taken(self) -> bool:
        """Return whether the block is part of the lead or the body."""
        return self.block_class in (BlockClass.LEAD, BlockClass.BODY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The results of a page, and the reasons."""

    page: Document
    method: str
    #: Why the page has no article; None if it has one.
    refusal: str | None
    #: The verdict of the page-kind model; None where it was not used.
    verdict: Verdict | None
    #: The cues for or against an article.
    page_cues: tuple[Cue, ...]
    headline: Fact | None
    date: Fact | None
    authors: Fact | None
    section: Fact | None
    #: Every candidate for these four, and why it was chosen or not.
    reasons: tuple[Judgement, ...]
    #: The kinds that the page declares.
    declared: tuple[str, ...]
    pieces: tuple[BlockDecision, ...]
    #: Paragraphs that were read from the page's own data since the page does not show them.
    from_data: int = 0
    #: How a portal's template fits the page; None without one.
    explained: TemplateFit | None = None

    def explain_lack(self, field: str) -> str:
        """Return why a field is empty."""
        return next((each.reason for each in self.reasons if each.field == field and each.text is None), "")

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON writes it."""
        return {
            "url": self.page.url, "method": self.method, "article": self.refusal is None, "reason": self.refusal,
            "probability": self.verdict.article if self.verdict else None,
            "cues": [cue.as_dict() for cue in self.page_cues],
            "reasons": [each.as_dict() for each in self.reasons],
            "blocks": [piece.as_dict() for piece in self.pieces],
        }  # fmt: skip


def explain_page(
    page: Document, *, method: str = "default", template: PortalTemplate | SiteTemplate | None = None,
    language: str | None = None, time_zone: str = "UTC", fetched_at: datetime | None = None,
    ignore_authors: Iterable[str] = (),
) -> Explanation:  # fmt: skip
    """Explain the result of a page method on a page, with a portal's template if given; that of a site method replaces the method.

    Raises:
        ConfigError: there is no such method.
    """
    reading = build_options(method=method, template=template, language=language, time_zone=time_zone, ignore_authors=ignore_authors)
    found, explained = _examine(page, reading)
    page = found.page
    classes = classify_blocks(found)
    draft = ExtractionState(page=page, fetched_at=fetched_at, body=None if found.refusal else found.body, explained=explained)
    authors = read_authors(draft, reading, classes)
    date, every = read_date(draft, reading, classes)
    headline = read_headline(found)
    metadata, dates = draft.metadata or Metadata(), draft.dates or Dates()
    kind = read_declared_kind(page)
    return Explanation(
        page=page,
        method=method if reading.method is None else reading.method_name,
        refusal=_get_refusal(found),
        verdict=found.verdict,
        page_cues=find_page_cues(found),
        headline=headline,
        date=date,
        authors=authors,
        section=read_section(draft),
        reasons=explain_fields(found.page, headline.text if headline else None, metadata, dates, unread=every),
        declared=tuple(name for name in ("article", "listing", "other") if getattr(kind, name)),
        pieces=tuple(_list_decisions(found, classes, by_template=explained is not None)),
        from_data=_count_from_data(found),
        explained=explained,
    )  # fmt: skip


def _count_from_data(found: Examination) -> int:
    """Count the paragraphs of the body that the page does not show: they come from its own data."""
    shown = {block.text for block in found.taken}
    return sum(paragraph.text not in shown for paragraph in found.body.paragraphs) if found.body else 0


def _examine(page: Document, options: ExtractionOptions) -> tuple[Examination, TemplateFit | None]:
    """Return the examination of the page, with a template in full, as only then every block has a probability, and how it fits."""
    if options.method is not None:
        body = options.method(page)
        texts = {paragraph.text for paragraph in body.paragraphs} if body else set()
        return Examination(page=page, body=body, taken=[block for block in page.layout.blocks if block.text in texts]), None
    if options.template is not None:
        applied = options.template.remove_fast_paths().apply(page)
        return applied.found, applied.explained
    return load_default_extractor().examine(page), None


def _get_refusal(found: Examination) -> str | None:
    try:
        check_page(found.page)
    except PageError as error:
        return error.detail or str(error.reason)
    if found.refusal is not None:
        return found.refusal.detail or str(found.refusal.reason)
    return "no body" if found.body is None else None


def _list_decisions(found: Examination, classes: Sequence[BlockClass], *, by_template: bool) -> list[BlockDecision]:
    cues, notes = find_block_cues(found), _explain_omissions(found, by_template=by_template)
    return [
        BlockDecision(
            block=block,
            block_class=classes[block.index],
            probability=float(found.probabilities[block.index]) if block.index in cues else None,
            cues=cues.get(block.index, ()) if classes[block.index] is not BlockClass.HEADLINE else (),
            note=notes.get(block.index, ""),
        )
        for block in found.page.layout.blocks
    ]


def _explain_omissions(found: Examination, *, by_template: bool) -> dict[int, str]:
    """Return by index why blocks were left out although they are likely enough."""
    if found.features is None:
        return {}
    headline = found.page.view(find_headline)
    block_of_headline = headline.block if headline is not None else None
    taken = {block.index for block in found.taken}
    likely = [block for block in found.page.layout.blocks if found.probabilities[block.index] >= load_block_classifier().threshold]
    of_page = explain_surroundings(found.page.layout, likely)
    known: set[str] = set()
    notes: dict[int, str] = {}
    for block in found.page.layout.blocks:
        key = key_of(block.text)
        if found.probabilities[block.index] >= load_block_classifier().threshold and block.index not in taken:
            if block_of_headline is not None and block.text == block_of_headline.text:
                notes[block.index] = "it is the headline" if block is block_of_headline else "it repeats the headline"
            elif block_of_headline is not None and is_kicker(block, block_of_headline):
                notes[block.index] = "it is the kicker above the headline"
            elif block.index in of_page:
                notes[block.index] = of_page[block.index]
            elif key in known:
                notes[block.index] = "it repeats an earlier text"
            elif not taken or block.index > max(taken):
                notes[block.index] = "nothing follows it"
            else:
                notes[block.index] = "the portal repeats it on its pages" if by_template else "it is a byline, a label or a comment"
        known.add(key)
    return notes
