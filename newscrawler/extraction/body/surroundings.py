"""Lines among those of the body that belong to the page: hidden parts, offers of subscriptions, headings of links, dates."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise, takewhile, zip_longest
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.cues import DATE, LONGEST_LINE, is_date_line, is_name_alone, names_staff, opens_with, signs
from newscrawler.languages import pattern
from newscrawler.page import UNSEEN, Block, Box, Layout, Mark, holds_time, may_be_eastern_name

#: Share of the text from which on a hidden part is the article itself.
MOST_BESIDES = 0.4
_OFFER = int(Mark.POPUP | Mark.PROMOTION)
#: Blocks behind a heading that may be its links, and characters of a line that is set as a heading.
_NEAR, _LONGEST_HEADING = 4, 60
_get_size, _get_index = attrgetter("size"), attrgetter("index")


def remove_surroundings(layout: Layout, chosen: list[Block]) -> list[Block]:
    """Return the blocks without hidden parts, offers of subscriptions, lines around the text and headings of links."""
    left_out = explain_surroundings(layout, chosen)
    return [block for block in chosen if block.index not in left_out]


def explain_surroundings(layout: Layout, chosen: list[Block]) -> dict[int, str]:
    """Return by index why `remove_surroundings` leaves blocks out; each rule sees what the rules before it left."""
    notes: dict[int, str] = {}
    for find, why in _RULES:
        if found := find(layout, chosen):
            chosen = [block for block in chosen if block.index not in found]
            notes |= dict.fromkeys(found, why)
    return notes


def _find_unseen(layout: Layout, chosen: list[Block]) -> set[int]:
    """Return the indexes of blocks that nobody sees, unless they are most of the text, which a script then shows."""
    unseen = [block for block in chosen if layout.boxes[block.box].within & UNSEEN]
    is_text = sum(map(_get_size, unseen)) > MOST_BESIDES * sum(map(_get_size, chosen))
    return set() if is_text else set(map(_get_index, unseen))


def _find_orphans(layout: Layout, chosen: list[Block]) -> set[int]:
    """Return the indexes of headings of links that were left out: "See also" and its like, wherever they are."""
    orphans: set[int] = set()
    for block, following in zip_longest(chosen, chosen[1:]):
        left_out = layout.blocks[block.index + 1 : following.index if following is not None else block.index + 1 + _NEAR]
        if not left_out or not _is_heading(block):
            continue
        is_list = len(left_out) > 1 and any(other.kind == "li" for other in left_out[:_NEAR])
        links = len([*takewhile(is_link, left_out[:_NEAR])])
        if (is_list and links == len(left_out[:_NEAR])) or (links and (following is None or opens_with(block.text, "read_also"))):
            orphans.add(block.index)
    return orphans


def is_link(block: Block) -> bool:
    """Return whether most of a block is linked."""
    return 2 * block.linked > len(block.text)


def _is_heading(block: Block) -> bool:
    """Return whether a block is a heading, or a short line that is set as one."""
    is_bold = block.bold >= len(block.text) - 1 and len(block.text) <= _LONGEST_HEADING
    return block.kind[0] == "h" or (is_bold and not block.is_sentence)


def _find_offers(layout: Layout, chosen: list[Block]) -> set[int]:
    """Return the indexes of blocks in boxes below a teaser that offer a subscription, as their names and their words say.

    A box of more than 1,200 characters is an article.
    """
    boxes: dict[int, list[Block]] = {}
    for block in chosen:
        if layout.boxes[block.box].within & _OFFER:
            outermost = [box.index for box in layout.outer(block.box) if box.marks & _OFFER]
            if outermost:
                boxes.setdefault(outermost[-1], []).append(block)
    offers: set[int] = set()
    for number, blocks in boxes.items():
        whole = layout.blocks[layout.boxes[number].first : layout.boxes[number].last]
        words = " ".join(block.text for block in whole[:20] if len(block.text) <= LONGEST_LINE).lower()
        if _says(words, "subscribe", "paywall", "sign_in") and sum(map(_get_size, blocks)) <= 1200:
            offers.update(map(_get_index, blocks))
    offers.update(map(_get_index, _find_last_offer(chosen)))
    return offers if len(offers) < len(chosen) else set()


_WALL_TOPICS = ("subscribe", "sign_in", "register")


def _find_last_offer(chosen: list[Block]) -> list[Block]:
    """Return the last blocks where, whatever their boxes are called, they say that the rest is for subscribers or members."""
    last: list[Block] = []
    for block in reversed(chosen[-8:]):  # lines of an offer
        if len(block.text) > LONGEST_LINE or not _says(block.text.lower(), *_WALL_TOPICS, "paywall", "read_on"):
            break
        last.append(block)
    words = " ".join(block.text for block in last).lower()
    return last if _says(words, "paywall") or (_says(words, "read_on") and _says(words, *_WALL_TOPICS)) else []


def _says(text: str, *topics: str) -> bool:
    """Return whether a text has a word of the topics, whose patterns are built one by one: other lines need some of them."""
    return any(pattern(topic).search(text) for topic in topics)


_PERSON, _TEXTUAL = int(Mark.BYLINE), int(Mark.BODY | Mark.LEAD | Mark.MAIN)
_RELATED, _LEGAL = int(Mark.RELATED), int(Mark.FOOTER)


def _find_biography(layout: Layout, chosen: list[Block]) -> set[int]:
    """Return the indexes of blocks in a box about the author above the text, named so, with the name or a link to a page."""
    boxes: dict[int, list[Block]] = {}
    for block in chosen:
        for box in layout.outer(block.box) if layout.boxes[block.box].within & _PERSON else ():
            if box.marks & _PERSON and not box.marks & _TEXTUAL:
                boxes.setdefault(box.index, []).append(block)
    for number, blocks in sorted(boxes.items()):
        is_above = blocks[0] is chosen[0] and len(blocks) < len(chosen) and blocks[-1].index < chosen[len(blocks)].index
        is_small = sum(map(_get_size, blocks)) <= 0.3 * sum(map(_get_size, chosen))
        if is_above and is_small and _shows_person(layout, number):
            return set(map(_get_index, blocks))
    return set()


def _shows_person(layout: Layout, number: int) -> bool:
    box = layout.boxes[number]
    lines = [block for block in layout.blocks[box.first : box.last] if not block.is_sentence]
    if any(block.kind == "h1" or holds_time(block) or DATE.search(block.text) for block in lines):
        return False  # a byline, in which the lead may be
    links = (link.get("rel") or "" for link in box.element.iter("a"))
    return any(is_name_alone(block.text) for block in lines) or any("author" in rel.split() for rel in links)


def _find_head(layout: Layout, chosen: list[Block]) -> set[int]:
    """Return the indexes of lines above the text, or below its lead: byline, date, path from the front page, list of its data."""
    head = [*takewhile(lambda block: not _is_text(block), chosen)]
    if len(head) == len(chosen):
        return set()
    below = [*takewhile(lambda block: not _is_text(block), chosen[len(head) + 1 : -1])]
    has_days = any(is_date_line(block.text) for block in chosen[len(head) + 1 + len(below) :])  # those of a chronicle
    found = {block.index for block in head if is_path(block) or _is_data(layout, block) or _is_byline(block)}
    found |= {block.index for block in below if _is_byline(block)}
    return found if has_days else found | {block.index for block in (*head, *below) if is_date_line(block.text)}


def _is_byline(block: Block) -> bool:
    """Return whether a line consists of a label of authors and a name."""
    return block.kind in {"p", "div"} and not block.is_sentence and (names_staff(block.text) or signs(block.text))


def _is_text(block: Block) -> bool:
    return (block.size >= 100 and not is_path(block)) or (block.is_sentence and not is_date_line(block.text))


def is_path(block: Block) -> bool:
    """Return whether a line is a path from the front page: "Home » News » Harbour bridge", all steps but the last as links."""
    text = block.text
    if len(text) > 160 or not block.links or block.kind[0] == "h":
        return False
    label = re.match(r"[^:»›→>/|]{3,24}:\s+", text)
    steps = [step for step in re.split(r"\s*[»›→▸▶❯]\s*|\s+[/>|·•]\s+", text[label.end() :] if label else text) if step]
    return 2 <= len(steps) <= block.links + 1 and sum(map(len, steps[:-1])) <= block.linked


def _is_data(layout: Layout, block: Block) -> bool:
    """Return whether an item belongs to a list of data about the article, one of which is its date."""
    box = next((box for box in layout.outer(block.box) if box.tag in {"dl", "ul", "ol"}), None) if block.kind == "li" else None
    items = layout.blocks[box.first : box.last] if box is not None else []
    if any(item.is_sentence or len(item.text) > _LONGEST_HEADING for item in items):
        return False
    return any(is_date_line(item.text) or holds_time(item) for item in items)


def _find_tail(layout: Layout, chosen: list[Block]) -> set[int]:
    """Return the indexes of lines below the text: who its author is, legal notes, its address, only its date."""
    left = len(chosen)
    if left > 1 and _is_about_author(layout, chosen):
        left -= 1
    while left > 1 and left > len(chosen) - 2 and _is_legal(layout, chosen[left - 1]):
        left -= 1
    if left > 1 and re.fullmatch(r"https?://\S+", chosen[left - 1].text):
        left -= 1
    if left > 1 and is_date_line(chosen[left - 1].text):
        left -= 1
    while left > 1 and _is_notice(chosen[left - 1]):
        left -= 1
    return set(map(_get_index, chosen[left:]))


def _is_notice(block: Block) -> bool:
    """Return whether a line is nothing but a notice of copyright, or links to topics behind a label."""
    if len(block.text) > LONGEST_LINE or block.is_sentence:
        return False
    return block.text[0] == "©" or (is_link(block) and block.linked < len(block.text) and opens_with(block.text, "tags"))


def _is_about_author(layout: Layout, chosen: list[Block]) -> bool:
    """Return whether the last line, in slanted type, opens with a name that a line near the beginning has."""
    last, start = chosen[-1], chosen[0].index
    if last.slanted < 0.9 * len(last.text) or not last.is_sentence or last.size > 500:  # longer ones are text
        return False
    words = re.findall(r"[^\s,，、.:：;()（）\u3000]+", last.text)[:_FIRST_WORDS]
    names = [words[0], *map(" ".join, pairwise(words))] if may_be_eastern_name(words[0]) else [*map(" ".join, pairwise(words))]
    lines = [block.text for block in layout.blocks[max(0, start - _NEAR_START) : start + _NEAR_START] if not block.is_sentence]
    return any(name in line for line in lines if len(line) <= LONGEST_LINE for name in names if name[0] == name[0].upper())


_FIRST_WORDS, _NEAR_START = 5, 8


def _is_legal(layout: Layout, block: Block) -> bool:
    """Return whether a line is a legal note: its words say so, and it is set apart, opens with a label, or says two such things."""
    text = block.text.lower().replace("’", "'")
    if len(text) > 700 or block.kind in {"li", "tr"} or not (found := pattern("disclaimers").findall(text)):
        return False
    is_apart = block.slanted >= 0.9 * len(text) or (layout.boxes[block.box].within | block.marks) & _LEGAL
    return bool(is_apart or len({*found}) > 1 or ":" in text[:30] or text[0] in "*©(")


def _find_related(layout: Layout, chosen: list[Block]) -> set[int]:
    """Return the indexes of blocks in a box that is named so and opens with a heading of other articles, after the first."""
    related: set[int] = set()
    for block in chosen[1:]:
        if layout.boxes[block.box].within & _RELATED:
            boxes = [box for box in layout.outer(block.box) if box.marks & _RELATED and box.first > chosen[0].index]
            titles = (layout.blocks[box.first] for box in boxes)
            if any(opens_with(title.text, "read_also") and not title.is_sentence for title in titles):
                related.add(block.index)
    return related


def may_be_text(block: Block) -> bool:
    """Return whether a block is a sentence that may be a paragraph; shorter ones are captions and the like."""
    return block.is_sentence and block.size >= 40 and not is_link(block)


def find_middle(chosen: Sequence[Block]) -> Block:
    """Return the block in the middle of a text, by its size."""
    sizes = [*accumulate(map(_get_size, chosen))]
    return chosen[bisect_left(sizes, sizes[-1] / 2)]


#: How many teasers make a list.
_FEWEST_TEASERS = 2
#: Probability from which on a block may be part of the text by its place.
LEAST_LIKELY = 0.08
#: Blocks around headline and text in which their date may be.
_BESIDE = 2


def find_common_box(layout: Layout, headline: Block, first: Block) -> Box:
    """Return the smallest box that contains a headline and the first line of a text."""
    return next(box for box in layout.outer(headline.box) if box.first <= headline.index and first.index < box.last)


def remove_teasers(layout: Layout, headline: Block | None, chosen: list[Block], likely: NDArray[np.float64]) -> list[Block]:
    """Return the blocks without teasers at their end: boxes that open with a linked heading, outside of that of the article.

    Where nothing but teasers was chosen, other sentences between headline and teasers are the text.
    """
    if headline is None or len(chosen) < _FEWEST_TEASERS or headline.index >= chosen[0].index:
        return chosen
    if _find_teaser(layout, chosen[0]) is not None:
        above = layout.blocks[headline.index + 1 : chosen[0].index]
        chosen = [*(block for block in above if may_be_text(block) and likely[block.index] >= LEAST_LIKELY), *chosen]
    around = find_common_box(layout, headline, chosen[0])
    own = [*takewhile(lambda block: block.index < around.last, chosen)]
    found = [_find_teaser(layout, block) for block in chosen[len(own) :]]
    is_list = len({*found}) >= _FEWEST_TEASERS and None not in found
    return own if is_list and has_date(layout, headline, own) else chosen


def remove_next_article(layout: Layout, headline: Block | None, chosen: list[Block]) -> list[Block]:
    """Return the blocks without those of the next article: behind a heading that opens one.

    It is outside the box of headline and text, and of the headline's kind or a link; or three blocks are before it, it is the only
    one of its place, and opens an article by its surroundings.
    """
    if headline is None or not chosen or headline.index >= chosen[0].index:
        return chosen
    headings = [block for block in layout.blocks[chosen[0].index + 1 : chosen[-1].index] if block.kind in {"h1", "h2", "h3"}]
    around = find_common_box(layout, headline, find_middle(chosen)) if headings else layout.boxes[0]
    places = Counter(map(_name_place, headings))
    for heading in headings:
        own = chosen[: bisect_left(chosen, heading.index, key=_get_index)]
        is_outside = heading.index >= around.last and (heading.kind == "h1" == headline.kind or is_link(heading))
        is_only = len(own) >= _FEWEST_BEFORE and places[_name_place(heading)] == 1
        if is_outside or (is_only and _opens_article(layout, heading, headline, own)):
            return own
    return chosen


_FEWEST_BEFORE = 3


def _name_place(block: Block) -> tuple[str, ...]:
    """Return the kind and the class of a heading, and the names of the element around it."""
    parent = block.element.getparent()
    around = block.element if parent is None else parent
    return block.kind, block.element.get("class", ""), f"{around.get('class', '')}{around.get('id', '')}", str(around.tag)


def _opens_article(layout: Layout, heading: Block, headline: Block, own: Sequence[Block]) -> bool:
    """Return whether a heading has the place of the headline; or is outside the box of the text before it, and opens an article.

    It is of the headline's kind, or a link outside the headline's box, a byline follows, or its box is an `article` as the
    headline's is, or gives another address.
    """
    if _name_place(heading) == _name_place(headline) and (headline.kind == "h1" or any(_name_place(headline)[1:-1])):
        return True
    text = find_common_box(layout, own[len(own) // 2 - 1], own[-1])
    if heading.index < text.last:
        return False
    around = find_common_box(layout, headline, find_middle(own))
    if heading.kind == "h1" == headline.kind or (heading.index >= around.last and is_link(heading)):
        return True
    below = layout.blocks[heading.index + 1 : heading.index + 1 + _BESIDE]
    if any(
        opens_with(block.text, "byline_prefixes") and not block.is_sentence and block.size <= _LONGEST_HEADING for block in below
    ):
        return True
    boxes = [*takewhile(lambda box: box.first >= text.last, layout.outer(heading.box))]
    if any(box.tag == "article" and box.first == heading.index for box in boxes):
        articles = (box for box in layout.outer(own[-1].box) if box.tag == "article")
        if any(box.first <= headline.index and box.last <= heading.index for box in articles):
            return True
    return any(_ADDRESS.search(key) for box in boxes for key in map(str, box.element.attrib))


_ADDRESS = re.compile(r"^data-.*(?:url|href|link|path)$")


#: When a place is open.
_HOURS = re.compile(r"\d{1,2}[:.h]\d\d\s?[-–—]\s?\d{1,2}[:.h]\d\d")


def has_date(layout: Layout, headline: Block, taken: Sequence[Block]) -> bool:
    """Return whether a short line at a headline, or between it and the end of a text, has a date, or a time and not only hours."""
    near = layout.blocks[max(headline.index - _BESIDE, 0) : taken[-1].index + 1 + _BESIDE]
    return any(holds_time(block) or DATE.search(_HOURS.sub("", block.text)) for block in near if block.size < 60)


def _find_teaser(layout: Layout, block: Block) -> int | None:
    for box in layout.outer(block.box):
        if box.last - box.first > 5:  # more than a teaser
            return None
        opening = layout.blocks[box.first : block.index + 1]
        if any(other.kind[0] == "h" and is_link(other) for other in opening):
            return box.index
    return None


_BELOW = "it is a line of the page below the text"
_RULES = (
    (_find_unseen, "it is hidden"), (_find_offers, "it offers a subscription"), (_find_biography, "it is about an author"),
    (_find_head, "it is a line of the page above the text"), (_find_tail, _BELOW), (_find_related, _BELOW),
    (_find_orphans, "it is the heading of links that were left out"),
)  # fmt: skip
