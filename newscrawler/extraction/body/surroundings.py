"""Lines among those of the body that belong to the page: hidden parts, offers of subscriptions, headings of links, dates."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, pairwise, takewhile, zip_longest
from operator import attrgetter

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from newscrawler.extraction.body.cues import DATE, LONGEST_LINE, is_date_line, is_name_alone, names_staff, opens_with, signs
from newscrawler.languages import pattern
from newscrawler.page import BOXES_BESIDE, UNSEEN, Block, Box, Layout, Mark, holds_time, may_be_eastern_name

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
        links = len([*takewhile(_is_link, left_out[:_NEAR])])
        if (is_list and links == len(left_out[:_NEAR])) or (links and (following is None or opens_with(block.text, "read_also"))):
            orphans.add(block.index)
    return orphans


def _is_link(block: Block) -> bool:
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
    return set(map(_get_index, chosen[left:]))


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


def add_parts(layout: Layout, chosen: list[Block], likely: NDArray[np.float64]) -> list[Block]:
    """Return the blocks and others that belong to them: headings and rows between them, code, texts of headings, rest of lists.

    Nothing that is added is linked. Numbers of lines next to code are left out, and so are tables and lists of more than 60 parts.
    """
    chosen = [block for block in chosen if not _is_gutter(block)]
    if not chosen:
        return chosen
    indexes = set(map(_get_index, chosen))
    unlike = _UNLIKE & ~layout.boxes[_find_middle(chosen).box].within  # what the names of the whole article say tells nothing

    def is_part(block: Block) -> bool:
        return not block.linked and not layout.boxes[block.box].within & unlike  # highlighters number lines by empty links

    added = _find_code_and_rows(layout, chosen, is_part) | _find_headings(layout, indexes, likely)
    added |= _find_texts_of_headings(layout, indexes, likely, is_part) | _find_items(layout, indexes, likely, is_part)
    for number in {_find_group(layout, block) for block in chosen if block.kind in _GROUPS}:
        members = layout.blocks[layout.boxes[number].first : layout.boxes[number].last]
        known = sum(block.index in indexes for block in members)
        least = 1 if members[0].kind == "tr" else len(members) / 2
        if least <= known < len(members) <= 60 and all(block.kind in _GROUPS and is_part(block) for block in members):
            added.update(map(_get_index, members))
    return [block for block in layout.blocks if block.index in added or block.index in indexes]


def _find_middle(chosen: Sequence[Block]) -> Block:
    """Return the block in the middle of a text, by its size."""
    sizes = [*accumulate(map(_get_size, chosen))]
    return chosen[bisect_left(sizes, sizes[-1] / 2)]


def _find_code_and_rows(layout: Layout, chosen: list[Block], is_part: Callable[[Block], bool]) -> set[int]:
    """Return the indexes of code behind the first block, and rows between two, that an element around one of them contains."""
    first, last = chosen[0].index, chosen[-1].index
    found = {index for box in layout.boxes if box.tag == "pre" for index in range(box.first, box.last) if index > first}
    found |= {block.index for block in layout.blocks[first:last] if block.kind == "tr" and _count_filled(block) > 1}
    around = {block.element.getparent() for block in chosen} if found else set()
    parts = filter(is_part, map(layout.blocks.__getitem__, found))
    return {block.index for block in parts if not _is_gutter(block) and not around.isdisjoint(block.element.iterancestors())}


def _count_filled(row: Block) -> int:
    return sum(any(map(str.strip, map(str, cell.itertext()))) for cell in row.element.iterchildren("td", "th"))


def _find_headings(layout: Layout, indexes: set[int], likely: NDArray[np.float64]) -> set[int]:
    """Return the indexes of headings between chosen blocks that are likely enough, or of whose siblings most were chosen."""
    groups: dict[tuple[str, etree._Element | None], list[int]] = {}
    found: set[int] = set()
    for block in layout.blocks:
        if block.kind[0] == "h" and not block.links and block.index + 1 in indexes:
            groups.setdefault((block.kind, block.element.getparent()), []).append(block.index)
            if block.index - 1 in indexes and likely[block.index] >= 0.2:
                found.add(block.index)
    most = (group for group in groups.values() if sum(index in indexes for index in group) > len(group) / 2)
    return found | {index for group in most if len(group) > 2 for index in group}


def _find_texts_of_headings(
    layout: Layout, indexes: set[int], likely: NDArray[np.float64], is_part: Callable[[Block], bool]
) -> set[int]:
    """Return the indexes of headings behind chosen blocks that are probably of the text, and of the sentences that follow them."""
    found: set[int] = set()
    for block, following in pairwise(layout.blocks):
        is_next = block.kind[0] == "h" and (block.index - 1 in indexes or block.index - 1 in found)
        is_likely = likely[block.index] >= _EVEN and likely[following.index] >= _LEAST_LIKELY
        if is_next and is_likely and following.is_sentence and is_part(block) and is_part(following):
            found |= {block.index, following.index}
    return found


def _find_items(layout: Layout, indexes: set[int], likely: NDArray[np.float64], is_part: Callable[[Block], bool]) -> set[int]:
    """Return the indexes of questions and answers behind a chosen block: boxes of one name, or of two in turn, title and text."""
    first = min(indexes)
    beside = {index + step for index in indexes for step in (-1, 0, 1)}
    around = {box.parent for box in layout.boxes if box.first in beside and first < box.first and box.last - box.first <= 6}
    inner: dict[int, list[Box]] = {parent: [] for parent in around}
    for box in layout.boxes:
        if box.parent in around and box.first > first and box.last - box.first <= 6:  # a line or a few
            inner[box.parent].append(box)
    found: set[int] = set()
    for boxes in inner.values():
        items = _list_items(boxes) if len(boxes) > 1 else []
        parts = [_find_title_and_text(layout.blocks[slice(*item)]) for item in items]
        start = items[0][0] if items else first
        is_row = not indexes.isdisjoint({start - 1, start, start + 1}) and all(a[1] == b[0] for a, b in pairwise(items))
        if not items or not all(parts) or not is_row:
            continue
        is_likely = sum(likely[part[1].index] for part in parts) >= _LEAST_LIKELY * len(parts)
        if is_likely and all(map(is_part, chain(*parts))):
            found.update(map(_get_index, chain(*parts)))
    return found


def _list_items(boxes: Sequence[Box]) -> list[tuple[int, int]]:
    """Return where several items in an element begin and end: boxes that are called the same, or pairs of such boxes."""
    named: dict[tuple[str, str | None], list[Box]] = {}
    for box in boxes:
        named.setdefault((box.tag, box.element.get("class")), []).append(box)
    alike = [*named.values()]
    if len(alike) == 2 and len(alike[0]) == len(alike[1]) > 1:
        return [(title.first, text.last) for title, text in zip(*alike, strict=True)]
    return [(box.first, box.last) for box in max(alike, key=len) if box.last > box.first + 1] if len(boxes) > len(alike) else []


def _find_title_and_text(item: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks of an item from the title of its first text on; none where no title, without a date, stands before one."""
    for place, (title, text) in enumerate(pairwise(item)):
        is_title = title.size <= _LONGEST_TITLE and (not title.is_sentence or title.text[-1:] in "?？؟;")
        is_title = is_title and not DATE.search(title.text)  # the writer of a comment
        if is_title and (text.is_sentence or text.size > max(2 * title.size, _LONGEST_HEADING)):
            return item[place:]
    return ()


#: Characters of the title of an item.
_EVEN, _LONGEST_TITLE = 0.5, 160
#: Elements whose parts belong together, by the kind of these.
_GROUPS = {"tr": ("table",), "li": ("ul", "ol", "dl")}


def _find_group(layout: Layout, block: Block) -> int:
    return next((box.index for box in layout.outer(block.box) if box.tag in _GROUPS[block.kind]), block.box)


def _is_gutter(block: Block) -> bool:
    return block.element.tag == "pre" and all(map(str.isdecimal, block.text.split()))


#: Parts of a page that are never the text.
_UNLIKE = UNSEEN | int(
    Mark.RELATED | Mark.NAVIGATION | Mark.FOOTER | Mark.COMMENT | Mark.PROMOTION | Mark.FORM | Mark.SOCIAL | Mark.POPUP
)
#: Of a lead that is followed by one paragraph: characters of both, and probability at least and blocks before the paragraph.
_LONGEST_LEAD, _LEAST_LIKELY, _FAR = 600, 0.08, 8
_BODY = int(Mark.BODY)


def add_only_paragraph(layout: Layout, chosen: list[Block], likely: NDArray[np.float64]) -> list[Block]:
    """Return the blocks with the paragraphs of the next box that is named as the body, where only a short lead was chosen."""
    if not chosen or sum(map(_get_size, chosen)) > _LONGEST_LEAD:
        return chosen
    start = chosen[-1].index + 1
    named = (box for block in layout.blocks[start : start + _FAR] for box in layout.outer(block.box) if box.marks & _BODY)
    for box in named:
        inside = layout.blocks[box.first : box.last]
        found = [block for block in inside if block.kind == "p" and _may_be_text(block)]
        if found and box.first >= start and not box.within & BOXES_BESIDE and sum(map(_get_size, inside)) <= _LONGEST_LEAD:
            return [*chosen, *found] if all(likely[block.index] >= _LEAST_LIKELY for block in found) else chosen
    return chosen


def _may_be_text(block: Block) -> bool:
    """Return whether a block is a sentence that may be a paragraph; shorter ones are captions and the like."""
    return block.is_sentence and block.size >= 40 and not _is_link(block)


#: How many teasers make a list.
_FEWEST_TEASERS = 2
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
        chosen = [*(block for block in above if _may_be_text(block) and likely[block.index] >= _LEAST_LIKELY), *chosen]
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
    around = find_common_box(layout, headline, _find_middle(chosen)) if headings else layout.boxes[0]
    places = Counter(map(_name_place, headings))
    for heading in headings:
        own = chosen[: bisect_left(chosen, heading.index, key=_get_index)]
        is_outside = heading.index >= around.last and (heading.kind == "h1" == headline.kind or _is_link(heading))
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

    It is of the headline's kind, or a link outside the headline's box, a byline follows, or its box gives another address.
    """
    if _name_place(heading) == _name_place(headline) and (headline.kind == "h1" or any(_name_place(headline)[1:-1])):
        return True
    text = find_common_box(layout, own[len(own) // 2 - 1], own[-1])
    if heading.index < text.last:
        return False
    around = find_common_box(layout, headline, _find_middle(own))
    if heading.kind == "h1" == headline.kind or (heading.index >= around.last and _is_link(heading)):
        return True
    below = layout.blocks[heading.index + 1 : heading.index + 1 + _BESIDE]
    if any(
        opens_with(block.text, "byline_prefixes") and not block.is_sentence and block.size <= _LONGEST_HEADING for block in below
    ):
        return True
    boxes = takewhile(lambda box: box.first >= text.last, layout.outer(heading.box))
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
        if any(other.kind[0] == "h" and _is_link(other) for other in opening):
            return box.index
    return None


_BELOW = "it is a line of the page below the text"
_RULES = (
    (_find_unseen, "it is hidden"), (_find_offers, "it offers a subscription"), (_find_biography, "it is about an author"),
    (_find_head, "it is a line of the page above the text"), (_find_tail, _BELOW), (_find_related, _BELOW),
    (_find_orphans, "it is the heading of links that were left out"),
)  # fmt: skip
