"""The default detector: evidence is gathered for every block, weighed in one place, and the page judged by what was taken."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from lxml import etree

from newscrawler.article import Body, Paragraph, ParagraphKind
from newscrawler.blocks.default.declared import KINDS, with_declared
from newscrawler.blocks.default.evidence import Evidence, gather
from newscrawler.blocks.default.forest import chance_of, load_forest
from newscrawler.blocks.default.lead import lead_of
from newscrawler.blocks.default.offers import without_last_headings, without_offer
from newscrawler.blocks.default.posts import posts_of
from newscrawler.blocks.default.replies import without_replies
from newscrawler.blocks.default.short_lists import with_short_lists
from newscrawler.blocks.default.teasers import without_teasers
from newscrawler.blocks.default.unnamed import without_controls
from newscrawler.blocks.default.verdict import Refusal, refusal
from newscrawler.errors import PageReason
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout, extent_of
from newscrawler.page.kind import declared_kind
from newscrawler.page.likeness import key_of
from newscrawler.page.signature import is_name_alone

#: Where less than this share of the mass of a page that declares an article is likely text, the odds of the page are lifted so that
#: the text at its heart has this mean. On sites that the weights had not seen it gave back one page of 134 and one of 513, and took
#: nothing from any; from a fifth on, it takes the posts of a live blog whose introduction alone was likely.
_HARDLY_ANY, _LEAST_LOG_ODDS = 0.1, 1.0
_LONGEST_LABEL = 60
#: Words of a name.
_MOST_WORDS = 4
#: Blocks above the lead, and up to the text, among which its byline stands.
_BYLINE_ABOVE = 12
#: Characters of author, date, section and the like that may stand behind a headline in its own block.
_LONGEST_BEHIND = 200
#: What agencies write below their reports, by itself: that they end here. A number may stand behind it, of who sent them.
_END = re.compile(
    r"\W*(?:-30-|the end|ends?|ende|fin|fine|konec|koniec|kraj|конец|кінець|край|slut|loppu|vége|son|انتهای پیام|پایان پیام|انتهى|"
    r"סוף|完|终|終|了|끝)\W*(?:\d{1,6}\W*)?",
    re.IGNORECASE,
)
#: Paragraphs that a block must repeat to be the whole text once more.
_FEWEST_PARTS = 3
#: Blocks between a kicker and its headline: at most a picture's credit and a date.
_KICKER_ABOVE = 3


@dataclass(slots=True, kw_only=True)
class Examination:
    """All that was found out about a page: what `explain` shows and the detector answers from."""

    body: Body | None = None
    refusal: Refusal | None = None
    evidence: Evidence | None = None
    #: Chance of each block that has a row of evidence, by its index.
    chances: dict[int, float] = field(default_factory=dict)
    taken: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DefaultDetector:
    """Finds headline, lead and body, and says why a page holds no article."""

    #: A block is taken from this chance on; 0.4 to 0.5 gave the same F1 within 0.005 on sites that the weights had not seen.
    threshold: float = 0.4
    #: Characters that a body must have; see `extent_of`.
    least_size: int = 100

    def __call__(self, page: Document, /) -> Body | None:
        """Find the body; None where the page holds no article."""
        found = self.examine(page)
        return None if found.refusal else found.body

    def examine(self, page: Document, /) -> Examination:
        """Find the body, and say why the page holds no article where it holds none."""
        found = Examination()
        if not page.layout.blocks and not with_declared(page, ()):
            found.refusal = Refusal(reason=PageReason.EMPTY, detail="no text")
            return found
        found.evidence = gather(page)
        if found.evidence is not None:
            self.weigh(page, found.evidence, found)
        found.refusal = refusal(page, found.taken)
        if found.refusal is None:
            found.taken = trimmed(page, found.taken)
        self.make_body(page, found)
        if found.refusal is None and (found.body is None or extent_of(found.body.text) < self.least_size):
            found.refusal = Refusal(reason=PageReason.NO_BODY, detail="hardly any text reads like an article")
        return found

    def weigh(self, page: Document, evidence: Evidence, found: Examination) -> None:
        """Find the chances of all blocks with a row, and take those that are likely enough."""
        forest = load_forest()
        odds = [forest.log_odds(row) - caution for row, caution in zip(evidence.rows, evidence.caution, strict=True)]
        found.chances.update(zip(evidence.indices, map(chance_of, odds), strict=True))
        if (lift := lift_of(evidence, odds, found.chances, self.threshold)) and declared_kind(page).article:
            found.chances.update((i, chance_of(value + lift)) for i, value in zip(evidence.indices, odds, strict=True))
        blocks = evidence.layout.blocks
        chosen = [blocks[index] for index in evidence.indices if found.chances[index] >= self.threshold]
        found.taken = without_labels(settle(chosen, evidence.headline), blocks)
        if found.taken and page.headline is not None and runs_on_from(page.headline.text, found.taken[0]):
            del found.taken[0]

    def make_body(self, page: Document, found: Examination) -> None:
        """Make the body of what was taken."""
        headline = page.headline
        found.taken = with_short_lists(page, found.taken)
        posts = posts_of(page, found.taken)
        paragraphs = [
            Paragraph(text=block.text, kind=KINDS.get(block.kind, ParagraphKind.PARAGRAPH), post=posts.get(block.index))
            for block in found.taken
        ]
        paragraphs = with_declared(page, paragraphs, refused=found.refusal is not None)
        if not paragraphs:
            return
        chances = [found.chances[block.index] for block in found.taken if block.index in found.chances] or [0.5]
        found.body = Body(
            paragraphs=tuple(paragraphs),
            headline=headline.text if headline else None,
            lead=" ".join(block.text for block in lead_of(page, found.taken)) or None,
            confidence=sum(chances) / len(chances),
            headline_element=headline.element if headline else None,
            elements=elements_of(page.layout, found.taken),
        )


def lift_of(evidence: Evidence, odds: Sequence[float], chances: Mapping[int, float], threshold: float) -> float:
    """What is to be added to the log-odds of all blocks of a page on which hardly any text seems likely.

    A page that is built or named like none before gets low odds throughout, while what stands out of it by far is its text still.
    0 where enough is likely, and for a page that was weighed only in part.
    """
    mass, inner = evidence.mass, evidence.layout.boxes[evidence.path[-1]]
    likely = sum(mass[i] for i in evidence.indices if chances[i] >= threshold)
    if likely >= _HARDLY_ANY * sum(mass) or 2 * sum(mass[i] for i in evidence.indices) < sum(mass):
        return 0.0
    heart = [(mass[i], value) for i, value in zip(evidence.indices, odds, strict=True) if inner.first <= i < inner.last]
    total = sum(weight for weight, _ in heart)
    return max(0.0, _LEAST_LOG_ODDS - sum(weight * value for weight, value in heart) / total) if total else 0.0


def is_kicker(block: Block, headline: Block) -> bool:
    """Tell whether the block is the rubric that stands above the headline."""
    above = 0 < headline.index - block.index <= _KICKER_ABOVE
    return above and len(block.text) <= _LONGEST_LABEL and not block.is_sentence


def runs_on_from(headline: str, block: Block) -> bool:
    """Tell whether the block is the headline with a line of author and date behind it, parted by nothing but a line break."""
    rest = len(block.text) - len(headline)
    return 0 < rest <= _LONGEST_BEHIND and block.text.startswith(headline) and not block.is_sentence


def settle(chosen: Sequence[Block], headline: Block | None) -> list[Block]:
    """Drop the headline and its kicker, what comes a second time, and headings and signs that nothing follows."""
    seen: set[str] = set()
    taken: list[Block] = []
    for block in chosen:
        if headline is not None and (block is headline or block.text == headline.text or is_kicker(block, headline)):
            continue
        if block.size > 60:
            key = key_of(block.text)
            if key in seen:
                continue
            seen.add(key)
        taken.append(block)
    while taken and (taken[-1].kind[0] == "h" or not any(map(str.isalnum, taken[-1].text)) or _END.fullmatch(taken[-1].text)):
        taken.pop()  # "# # #", too
    total = sum(block.size for block in taken)
    return [block for block in taken if 3 * block.size < total or not repeats_the_others(block, taken)]


def repeats_the_others(block: Block, taken: Sequence[Block]) -> bool:
    """Tell whether a block is the whole text once more, run together: what a page keeps for machines, or behind its barrier."""
    others = [other for other in taken if other is not block and other.size > _LONGEST_LABEL]
    rest = sum(other.size for other in others)
    if len(others) < _FEWEST_PARTS:
        return False
    whole = key_of(block.text)
    parts = [other.size for other in others if other.size < block.size and key_of(other.text) in whole]
    return len(parts) >= _FEWEST_PARTS and 2 * sum(parts) >= max(rest, block.size)


def trimmed(page: Document, taken: list[Block]) -> list[Block]:
    """Leave out what reads like text and is not the article's own: teasers, offers, comments, controls, portraits, signatures."""
    taken = without_replies(page, without_offer(page, without_teasers(page, taken)))
    return without_signature(without_portrait(page, without_controls(page, taken)))


def without_labels(taken: Sequence[Block], blocks: Sequence[Block]) -> list[Block]:
    """Drop short lines that only announce a list of links which was not taken ("Read also")."""
    numbers = {block.index for block in taken}
    kept = []
    for block in taken:
        following = blocks[block.index + 1] if block.index + 1 < len(blocks) else None
        announces = (
            following is not None
            and (following.kind == "li" or block.text[-1] in ":：")
            and following.index not in numbers
            and 5 * following.linked >= 4 * len(following.text)
        )
        if not (announces and len(block.text) <= _LONGEST_LABEL and block.kind != "li" and not block.is_sentence):
            kept.append(block)
    return kept


def without_portrait(page: Document, taken: list[Block]) -> list[Block]:
    """Drop the last paragraph where it says who the author is, begun with the name that stands as a label of its own right above.

    A name that is no link, and that the page names nowhere as who wrote, is that of somebody of whom the text speaks; and a heading
    that is not the only one of the text may head one of its parts.
    """
    blocks = page.layout.blocks
    if len(taken) < 3:
        return taken
    last, label = taken[-1], blocks[taken[-1].index - 1]
    words = label.text.split()
    if not (1 < len(words) <= _MOST_WORDS and last.text.startswith(f"{label.text} ") and all(word[0].isupper() for word in words)):
        return taken
    if label.link_density <= 0.9 and not is_said_to_write(page, label.text, taken):
        return taken
    if label is not taken[-2]:
        return without_last_headings(taken[:-1])
    return taken if any(block.kind[0] == "h" for block in taken[:-2]) else taken[:-2]


def without_signature(taken: list[Block]) -> list[Block]:
    """Drop the name that stands alone behind the last sentence."""
    if len(taken) < 2:
        return taken
    last, before = taken[-1], taken[-2]
    signs = last.kind in ("p", "div") and not last.linked and before.is_sentence and is_name_alone(last.text)
    return taken[:-1] if signs else taken


def is_said_to_write(page: Document, name: str, taken: Sequence[Block]) -> bool:
    """Tell whether the page's head gives the name as its author's, or a line above the text or its lead that is no sentence."""
    said = [
        page.first_meta("author", "article:author", "dc.creator") or "",
        *(str(item.get("author")) for item in page.json_ld[:40]),
    ]
    headline = page.headline.block if page.headline else None
    above = page.layout.blocks[max(0, taken[0].index - _BYLINE_ABOVE) : taken[1].index]
    said += [block.text for block in above if block not in (headline, taken[0]) and block.kind[0] != "h" and not block.is_sentence]
    return any(name in text for text in said)


def elements_of(layout: Layout, taken: Sequence[Block]) -> tuple[etree._Element, ...]:
    """The smallest boxes that hold what was taken, in page order: one where one holds most of it without more, else several."""
    if not taken:
        return ()
    total = sum(block.size for block in taken)
    middle = next(block for block, held in zip(taken, accumulate(block.size for block in taken), strict=True) if 2 * held >= total)
    inner = 0
    for box in layout.outer(middle.box):
        if sum(block.size for block in taken if box.first <= block.index < box.last) >= 0.9 * total:
            inner = box.index
            break
    outside = [block.element for block in taken if not layout.boxes[inner].first <= block.index < layout.boxes[inner].last]
    return (*outside[:3], layout.boxes[inner].element)
