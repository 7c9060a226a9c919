"""Who signs the article: names under a label behind its text, and the user of the site whose page is linked beside the date.

Both are asked last, where nothing above the text names anybody: "Author: Jane Doe" may end a text, and many publishing systems
put "by <a href="/user/7">Jane Doe</a>, 3 May 2026 – 10:20" above or below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from lxml import etree

from newscrawler.extraction.headline import headline_block
from newscrawler.extraction.signed_names import is_name_alone, signs
from newscrawler.languages import alternatives
from newscrawler.metadata.bylines import begins_with_by, byline_text, shown_names
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.marks import Mark

_COMMENT = int(Mark.COMMENT)
#: Where other articles are announced: "Interview: Jane Doe" over a link is their headline.
_OTHERS = int(Mark.COMMENT | Mark.RELATED | Mark.NAVIGATION | Mark.PROMOTION)
_LONGEST_LINE = 120
#: Characters in which the lines of an element are looked for, all in all: more than pages have in use.
_MOST_COMPARED = 40_000_000
#: Lines below the headline, and behind the text, that may tell who wrote; lines of the text itself that may.
_BELOW, _BEHIND, _WITHIN = 6, 5, 2
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\d{1,2}\. ?\d{1,2}\.")
#: Lines behind the last sentence, of tools and the like, and characters of a sentence.
_LINES_OF_TOOLS, _SENTENCE = 12, 40
_ONLY_LINK, _SHORTEST_TITLE = 0.9, 15
_TO_THE_RIGHT = re.compile(r"text-align:\s*right|font-style:\s*italic", re.IGNORECASE)
_COLONS = frozenset(":：")
_LABELLED = re.compile(r"[^\W\d][\w .]{1,25}\s?[:：]")
_USER_PAGE = re.compile(rf"/{alternatives('user_pages')}/[^/?#]", re.IGNORECASE)


def lines_of(block: Block) -> list[str]:
    """Give the lines of a block as line breaks part them.

    Where its element holds more than the block, those that the block holds, too; one line where that is none, or takes too long.
    """
    element = block.element
    if not any(child.tag == "br" for child in element):
        return [block.text]
    lines: list[list[str]] = [[element.text or ""]]
    for child in element:
        if child.tag == "br":
            lines.append([])
        elif isinstance(child.tag, str):
            lines[-1].append("".join(map(str, child.itertext())))
        lines[-1].append(child.tail or "")
    said = [text for line in lines if (text := " ".join("".join(line).split()))]
    if " ".join(said) == block.text:
        return said
    if len(said) * len(block.text) > _MOST_COMPARED:
        return [block.text]
    return [line for line in said if line in block.text] or [block.text]


def signed_behind(page: Document, body: Sequence[etree._Element]) -> list[str]:
    """Give the names that stand behind a label, as in "Author: Jane Doe", where the text ends."""
    last = _end_of(page, body)
    if last is None:
        return []
    for block in page.layout.blocks[max(last - _WITHIN + 1, 0) : last + _BEHIND]:
        announces = block.kind[0] == "h" and 2 * block.linked > len(block.text)
        if announces or page.layout.boxes[block.box].within & _OTHERS:
            continue
        if signs(block.text):
            return shown_names(block.text)
        if not _COLONS.intersection(block.text):
            continue
        for line in chain.from_iterable(line.split(" | ") for line in lines_of(block)):
            if len(line) <= _LONGEST_LINE and _LABELLED.match(line) and begins_with_by(line) and (names := shown_names(line)):
                return names
    return []


def name_alone_behind(page: Document, body: Sequence[etree._Element]) -> list[str]:
    """Give the full name that stands alone in the line behind the last sentence, and announces no list of links."""
    end = _end_of(page, body)
    if end is None:
        return []
    blocks, boxes = page.layout.blocks, page.layout.boxes
    near = range(end, max(end - _LINES_OF_TOOLS, 0), -1)
    last = next((blocks[n] for n in near if blocks[n].is_sentence and blocks[n].size >= _SENTENCE and not blocks[n].linked), None)
    if last is None or last.index + 1 >= len(blocks):
        return []
    line = blocks[last.index + 1]
    if line.linked or line.kind in ("li", "tr") or not is_name_alone(line.text) or boxes[line.box].within & _OTHERS:
        return []
    around = {last.box, boxes[last.box].parent}
    if around.isdisjoint({line.box, boxes[line.box].parent}):
        return []
    below = blocks[line.index + 1] if line.index + 1 < len(blocks) else None
    announces = below is not None and below.links == 1 and below.link_density > _ONLY_LINK and below.linked >= _SHORTEST_TITLE
    if (line.kind[0] == "h" or announces) and not _is_set_apart(line.element):
        return []
    name = line.text.strip(" ()[]–—-,")
    return [name] if shown_names(name) == [name] else []


def _is_set_apart(element: etree._Element) -> bool:
    """Tell whether a line is set as signatures are: to the right, or in italics."""
    for each in (element, *element.iterchildren(), *islice(element.iterancestors(), 1)):
        if each.tag in ("i", "em", "cite", "address") or each.get("align", "").lower() == "right":
            return True
        if _TO_THE_RIGHT.search(each.get("style", "")):
            return True
    return False


def users_beside_date(page: Document, body: Sequence[etree._Element]) -> list[str]:
    """Give the full names that link to pages of the site's users, in the line of the date under the headline or behind the text."""
    heading = headline_block(page)
    if heading is None or not any(_USER_PAGE.search(link.get("href") or "") for _, link in page.names.tagged["a"]):
        return []
    blocks = page.layout.blocks
    above = blocks[heading.index + 1 : heading.index + 1 + _BELOW]
    last = _end_of(page, body)
    behind = blocks[last + 1 : last + 1 + _BEHIND] if last is not None else ()
    for block in chain(above, behind):
        if len(block.text) <= _LONGEST_LINE and _DATED.search(block.text) and not page.layout.boxes[block.box].within & _COMMENT:
            names = [name for name in _users(block) if " " in name]
            if names:
                return names
    return []


def _users(block: Block) -> Iterator[str]:
    for link in block.element.iter("a"):
        if _USER_PAGE.search(link.get("href") or ""):
            said = byline_text(link)
            if said and said in block.text:
                yield from shown_names(said)


def _end_of(page: Document, body: Sequence[etree._Element]) -> int | None:
    """Number of the last block of the text."""
    if not body:
        return None
    boxes = frozenset(body)
    for block in reversed(page.layout.blocks):
        if block.element in boxes or any(outer in boxes for outer in block.element.iterancestors()):
            return block.index
    return None
