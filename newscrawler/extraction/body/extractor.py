"""From the probabilities of the blocks to headline, lead and body, or to the reason why a page holds no article."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import accumulate, pairwise, takewhile
from operator import attrgetter
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from newscrawler.article import Body, Paragraph, ParagraphKind
from newscrawler.errors import PageError, PageReason, counted
from newscrawler.extraction.body.block_classifier import (
    BlockClassifier,
    EvidenceClassifier,
    load_block_classifier,
    load_evidence_classifier,
)
from newscrawler.extraction.body.cues import DATE, LONGEST_LINE, is_furniture, is_name_alone, names_staff, opens_with, signs
from newscrawler.extraction.body.declared_body import KINDS, add_declared, find_live_posts
from newscrawler.extraction.body.features import BlockFeatures, block_features
from newscrawler.extraction.body.headline import find_headline, find_headline_block
from newscrawler.extraction.body.page_kind import (
    PageClassifier,
    PageKind,
    Verdict,
    is_brief,
    is_list_of_posts,
    load_page_classifier,
)
from newscrawler.extraction.body.parts import add_only_paragraph, add_parts
from newscrawler.extraction.body.surroundings import (
    MOST_BESIDES,
    remove_next_article,
    remove_surroundings,
    remove_teasers,
)
from newscrawler.languages import pattern
from newscrawler.page import Block, Document, Layout, Mark, find_extent, find_item_number, key_of, read_lines

#: Characters of a text within which a password is entered, and which says no more than that.
_LONGEST_PROMPT = 400
#: Probability that a block among comments needs at least.
_COMMENT, _CAPTION, _EVEN = int(Mark.COMMENT), int(Mark.CAPTION), 0.5
#: Kinds that a short news item is mistaken for.
_LIKE_BRIEFS = frozenset({PageKind.LISTING, PageKind.TOPIC, PageKind.FRONT, PageKind.PRODUCT, PageKind.ARTICLE})
_REASONS: Mapping[PageKind, PageReason] = {
    PageKind.ERROR: PageReason.ERROR_PAGE, PageKind.WALL: PageReason.WALL, PageKind.PRODUCT: PageReason.OTHER_KIND,
    PageKind.FORUM: PageReason.OTHER_KIND, PageKind.MEDIA: PageReason.OTHER_KIND, PageKind.UNKNOWN: PageReason.OTHER_KIND,
}  # fmt: skip


@dataclass(slots=True, kw_only=True)
class Examination:
    """All that was found out about a page."""

    page: Document
    features: BlockFeatures | None = None
    #: Probability of each block that it is part of the body.
    probabilities: NDArray[np.float64] = field(default_factory=partial(np.zeros, 0))
    #: The blocks of the body, in page order.
    taken: list[Block] = field(default_factory=list)
    #: What the page is taken for; None where it shows no text.
    verdict: Verdict | None = None
    #: Also set where the page is refused and holds text.
    body: Body | None = None
    refusal: PageError | None = None


@dataclass(frozen=True, slots=True)
class BodyExtractor:
    """Finds headline, lead and body of a page with classifiers for its blocks, for the page, and for evidence from other pages."""

    blocks: BlockClassifier
    pages: PageClassifier
    #: Moves the probabilities of blocks by what other pages of the portal show.
    evidence: EvidenceClassifier

    def __call__(self, page: Document, /) -> Body | None:
        """Return the body of a page; None where it holds no article."""
        found = self.examine(page)
        return None if found.refusal else found.body

    def examine(self, page: Document, prior: float = 0.0) -> Examination:
        """Find headline, lead and body, and why the page holds no article where it holds none.

        `prior`: log-odds of an article by the origin of the page.
        """
        found = Examination(page=page)
        if page.layout.blocks:
            found.features = block_features(page)
            found.probabilities = self.blocks.probabilities(found.features)
            likely = _choose(page, found.probabilities, self.blocks.find_threshold(found.probabilities))
            found.taken = deduplicate(likely, find_headline_block(page))
            verdict = self.pages.judge(self.pages.describe(page, found.features, found.probabilities))
            if _is_mistaken(found, verdict):
                verdict = replace(verdict, kind=PageKind.ARTICLE, article=max(verdict.article, _EVEN))
            found.verdict = verdict.add_prior(prior)
            if found.verdict.kind is PageKind.ARTICLE and (kind := _find_other_kind(page, found.taken)) is not None:
                found.verdict = replace(found.verdict, kind=kind, article=min(found.verdict.article, 1 - _EVEN))
        found.body = make_body(found)
        found.refusal = _find_refusal(found)
        return found

    def amend(self, found: Examination, evidence: Mapping[int, Sequence[float]], prior: float = 0.0) -> Examination:
        """Return the examination by what other pages of the portal show of the blocks; it refuses no page for its kind.

        `evidence`: of blocks by index, in the order of `block_classifier.EVIDENCE` behind the first.
        """
        if not evidence or found.features is None or found.verdict is None:
            return found
        likely = self.evidence.amended(found.probabilities, evidence)
        # that lines are left out makes no other line of the page likelier
        least = self.blocks.find_threshold(found.probabilities)
        chosen = _choose(found.page, likely, max(self.blocks.find_threshold(likely), least))
        before = _choose(found.page, found.probabilities, least)
        if chosen == before:
            return found
        chosen = _remove_lone_headings(before, chosen)
        verdict = found.verdict
        if any(row[0] for row in evidence.values()):  # labels tell what the page is, a line that is left out does not
            verdict = self.pages.judge(self.pages.describe(found.page, found.features, likely)).add_prior(prior)
            if found.verdict.kind is PageKind.ARTICLE:
                verdict = replace(verdict, kind=PageKind.ARTICLE)
        return retake(replace(found, probabilities=likely, verdict=verdict), chosen)


def _is_mistaken(found: Examination, verdict: Verdict) -> bool:
    """Return whether a page is an article after all: a short news item, or nothing but a headline and its text, without a link."""
    if verdict.article < _EVEN and verdict.kind in _LIKE_BRIEFS and is_brief(found.page, verdict, found.taken):
        return True
    blocks = found.page.layout.blocks
    bare = len(found.taken) >= len({block.text for block in blocks}) - 1 and not any(block.links for block in blocks)
    return bare and verdict.kind not in (PageKind.ERROR, PageKind.WALL) and find_headline_block(found.page) is not None


def _find_other_kind(page: Document, taken: Sequence[Block]) -> PageKind | None:
    """Return what a page is whose text is only that of posts with separate pages, or of captions; None: neither."""
    captions, texts = set[int](), list[Block]()
    for block in taken:
        around = page.layout.outer(block.box) if page.layout.boxes[block.box].within & _CAPTION else ()
        box = next((box.index for box in around if box.marks & _CAPTION), None)
        if box is None or box in captions:  # a whole article in one box is called a caption by mistake
            texts.append(block)
        else:
            captions.add(box)
    if texts and not is_list_of_posts(page, texts):
        return None
    return PageKind.MEDIA if len(captions) > 1 else PageKind.LISTING if texts else None


def _choose(page: Document, likely: NDArray[np.float64], threshold: float) -> list[Block]:
    boxes = page.layout.boxes
    found = list(map(page.layout.blocks.__getitem__, np.flatnonzero(likely >= threshold).tolist()))
    comments = [block for block in found if boxes[block.box].within & _COMMENT]
    if comments and sum(map(_get_size, comments)) <= MOST_BESIDES * sum(map(_get_size, found)):  # otherwise a forum
        found = [block for block in found if likely[block.index] >= _EVEN or not boxes[block.box].within & _COMMENT]
    headline = find_headline_block(page)
    found = remove_teasers(page.layout, headline, remove_surroundings(page.layout, found), likely)
    found = add_parts(page.layout, add_only_paragraph(page.layout, found, likely), likely)
    return remove_next_article(page.layout, headline, found)


@cache
def load_default_extractor() -> BodyExtractor:
    """Return the extractor with the models that ship with the program."""
    return BodyExtractor(load_block_classifier(), load_page_classifier(), load_evidence_classifier())


def find_body(page: Document, /) -> Body | None:
    """Return the body of a page by the models that ship with the program; None where it holds no article."""
    return load_default_extractor()(page)


def retake(found: Examination, chosen: Sequence[Block]) -> Examination:
    """Return the examination of the same page with other blocks as the body."""
    again = replace(found, taken=deduplicate(chosen, find_headline_block(found.page)))
    again.body = make_body(again)
    again.refusal = _find_refusal(again)
    return again


def _remove_lone_headings(before: Sequence[Block], chosen: Sequence[Block]) -> list[Block]:
    """Return the chosen blocks without the headings of what was chosen before and is left out now."""
    kept = {block.index for block in chosen}
    left_out = {
        block.index for block, following in pairwise(before)
        if block.kind[0] == "h" and following.kind[0] != "h" and following.index not in kept
    }  # fmt: skip
    return [block for block in chosen if block.index not in left_out]


def _find_refusal(found: Examination) -> PageError | None:
    verdict, body = found.verdict, found.body
    if found.page.root.find("frameset") is not None:
        return PageError(PageReason.EMPTY, "a page of frames: give the address of one")
    size = find_extent(body.text) if body is not None and len(body.text) < _LONGEST_PROMPT else _LONGEST_PROMPT
    if body is not None and size < 60:
        return PageError(PageReason.NO_BODY, f"hardly any text: {counted(len(body.text), 'character')}")
    if body is None:
        reason = PageReason.NO_BODY if found.page.layout.blocks else PageReason.EMPTY
        return PageError(reason, "no text reads like an article" if found.page.layout.blocks else "no text")
    if size < _LONGEST_PROMPT and _has_password(body):
        return PageError(PageReason.WALL, "its text is behind a password")
    if verdict is None or verdict.kind is PageKind.ARTICLE:
        return None
    if set(map(_get_text, found.taken)).isdisjoint(map(_get_text, body.paragraphs)):
        return None  # the classifier has not seen a text that comes from the page's own data
    looks = "looks like a page of another kind by its text and its origin"
    if verdict.kind is not PageKind.UNKNOWN:
        looks = f"looks like a page of another kind ({verdict.kind})"
    detail = f"{looks}; an article with probability {verdict.article:.2f}"
    return PageError(_REASONS.get(verdict.kind, PageReason.LISTING), detail)


def _has_password(body: Body) -> bool:
    """Return whether a password is entered in the form around a text, or beside it in its box, as WordPress protects a post."""
    for element in body.elements:
        box = next(element.iterancestors("form"), element.getparent())
        if box is not None and box.tag != "body" and any(field.get("type") == "password" for field in box.iter("input")):
            return True
    return False


def deduplicate(chosen: Sequence[Block], headline: Block | None = None) -> list[Block]:
    """Drop the headline and its kicker, what comes a second time, and headings, end marks and a name that nothing follows."""
    seen: set[str] = set()
    taken: list[Block] = []
    for block in chosen:
        if headline is not None and (block.text == headline.text or is_kicker(block, headline)):
            continue
        if _is_byline_with_dates(block) or is_furniture(block):
            continue
        if block.size > 60:  # shorter lines may come twice
            key = key_of(block.text)
            if key in seen:
                continue
            seen.add(key)
        taken.append(block)
    ends = pattern("end_marks")
    in_headings = 2 * sum(block.kind[0] == "h" and block.is_sentence for block in taken) > len(taken)  # all paragraphs are such
    while taken and (
        (taken[-1].kind[0] == "h" and not (in_headings and taken[-1].is_sentence))
        or not any(map(str.isalnum, taken[-1].text))
        or ends.fullmatch(taken[-1].text.lower().strip("#*.- "))
    ):
        taken.pop()
    return taken[: -_count_signatures(taken) or None]


def _count_signatures(taken: Sequence[Block]) -> int:
    """Return how many lines behind the last sentence, at most three, are nothing but names of who wrote and edited."""
    for count, block in enumerate(taken[:-5:-1]):
        if block.is_sentence and not names_staff(block.text):
            return count
        if block.linked or not _is_signature(block):
            return 0
    return 0


def is_kicker(block: Block, headline: Block) -> bool:
    """Return whether the block is the rubric above the headline."""
    above = 0 < headline.index - block.index <= 3  # at most a picture's credit and a date are between
    return above and len(block.text) <= 60 and not block.is_sentence


def _is_byline_with_dates(block: Block) -> bool:
    """Return whether a line is an author's label and name with two dates or times: it is not text, wherever it is."""
    if len(block.text) > LONGEST_LINE or len(DATE.findall(block.text)) <= 1 or block.is_sentence:
        return False
    return opens_with(block.text, "byline_prefixes")


def _is_signature(block: Block) -> bool:
    """Return whether a line is nothing but the name of who wrote."""
    if block.kind not in {"p", "div"}:
        return False
    is_byline = len(block.text) <= 36 and not block.is_sentence and opens_with(block.text, "byline_prefixes")
    return is_byline or signs(block.text) or is_name_alone(block.text) or names_staff(block.text)


def make_body(found: Examination) -> Body | None:
    """Return the body made of the blocks that were taken, and of what the page declares beyond them."""
    page, taken = found.page, found.taken
    posts = find_live_posts(page, taken)
    shown = [Paragraph(text=block.text, post=posts.get(block.index), **describe_structure(block)) for block in taken]
    paragraphs = add_declared(page, shown)
    if not paragraphs:
        return None
    headline = page.view(find_headline)
    return Body(
        paragraphs=tuple(paragraphs),
        headline=headline.text if headline else None,
        lead=" ".join(map(_get_text, lead_of(page, taken))) or None,
        confidence=found.verdict.confidence if found.verdict else 0.5,
        headline_element=headline.element if headline else None,
        elements=collect_elements(page.layout, taken),
    )


#: Elements around an article, outside of which a list is one of articles.
_AROUND_ARTICLE = frozenset({"article", "main", "td", "blockquote"})


def describe_structure(block: Block) -> dict[str, Any]:
    """Return kind, level and list of the paragraph that a block is, by the names of fields of `Paragraph`."""
    kind, element = KINDS.get(block.kind, ParagraphKind.PARAGRAPH), block.element
    if element.tag == "pre" and (lines := read_lines(element)) and "".join("".join(lines).split()) == "".join(block.text.split()):
        return {"kind": ParagraphKind.PREFORMATTED, "lines": lines}
    if kind is ParagraphKind.HEADING:
        return {"kind": kind, "level": int(block.kind[1])}
    if kind is ParagraphKind.LIST_ITEM:
        lists = takewhile(lambda outer: outer.tag not in _AROUND_ARTICLE, element.iterancestors("ul", "ol", "dl", *_AROUND_ARTICLE))
        level = sum(1 for _ in lists)
        item = element if element.tag == "li" else next(element.iterancestors("li", "dl"), element)
        number = find_item_number(item)
        return {"kind": kind, "level": level or 1, "is_numbered": number is not None, "number": number}
    if kind is ParagraphKind.TABLE_ROW:
        cells = [cell.tag for cell in element.iterchildren("td", "th")]
        return {"kind": kind, "is_header": "th" in cells and "td" not in cells}
    return {"kind": kind}


def collect_elements(layout: Layout, taken: Sequence[Block]) -> tuple[etree._Element, ...]:
    """Return the smallest boxes that hold what was taken: one where one holds most of it without more, else several."""
    if not taken:
        return ()
    sizes = list(accumulate(map(_get_size, taken)))
    total = sizes[-1]
    middle = taken[bisect_left(sizes, total / 2)]
    sums = ((box, sum(block.size for block in taken if box.first <= block.index < box.last)) for box in layout.outer(middle.box))
    inner = next((box for box, size in sums if size >= 0.9 * total), layout.boxes[0])
    outside = [block.element for block in taken if not inner.first <= block.index < inner.last]
    return (*outside[:3], inner.element)


_get_text, _get_size = attrgetter("text"), attrgetter("size")


def lead_of(page: Document, taken: Sequence[Block]) -> tuple[Block, ...]:
    """Say which of the first three blocks of the body are its lead; none where nothing sets them apart."""
    texts = [block for block in taken if block.kind != "tr"]
    if not texts:
        return ()
    layout = page.layout
    described = key_of(page.get_first_meta("description", "og:description", "twitter:description") or "")
    lead: list[Block] = []
    for block in texts[:3]:
        rest = texts[len(lead) + 1 :]
        if block.size > 1000 or not _is_apart(layout, block, rest, described):  # a lead is seldom longer
            break
        lead.append(block)
    return tuple(lead) if sum(map(_get_size, lead)) >= 20 else ()


def _is_apart(layout: Layout, block: Block, rest: Sequence[Block], described: str) -> bool:
    # a name that all blocks have sets nothing apart
    if _is_named_lead(layout, block) and 10 * sum(_is_named_lead(layout, other) for other in rest) < 3 * max(len(rest), 1):
        return True
    key = key_of(block.text)
    if min(len(key), len(described)) > 25 and (key.startswith(described[:80]) or described.startswith(key)):
        return True
    if not rest:
        return False
    if block.kind[0] == "h":
        return block.size >= 60 and block.is_sentence
    if block.bold > 0.9 * len(block.text) and sum(other.bold > 0.9 * len(other.text) for other in rest) * 4 <= len(rest):
        return True
    if block.size < 60:
        return False
    return _is_outside(layout, block, rest)


def _is_outside(layout: Layout, block: Block, rest: Sequence[Block]) -> bool:
    """Return whether a box holds the text that follows, or most of it, and not this block.

    A box around each paragraph alone, as many systems make them, sets nothing apart.
    """
    if len(rest) == 1:
        around = [*layout.outer(rest[0].box)]
        return len([*layout.outer(block.box)]) < len(around) and around[1].first > block.index
    middle = rest[len(rest) // 2].index
    holding = next(box for box in layout.outer(rest[0].box) if box.last > middle)
    return holding.first > block.index


def _is_named_lead(layout: Layout, block: Block) -> bool:
    box = layout.boxes[block.box]
    return bool((box.marks | (layout.boxes[box.parent].marks if box.parent >= 0 else 0)) & Mark.LEAD)
