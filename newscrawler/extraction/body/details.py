"""Optional details of an article, read from the blocks of its paragraphs: links, emphasis, table cells, pictures, comments."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from operator import itemgetter

from lxml import etree

from newscrawler.article import Image, Paragraph, ParagraphKind, ReaderComment, Span, SpanKind
from newscrawler.extraction.body.block_class import BlockClass, classify_blocks
from newscrawler.extraction.body.extractor import load_default_extractor
from newscrawler.extraction.body.headline import find_headline
from newscrawler.languages import alternatives, compile_late, pattern
from newscrawler.page import (
    BOXES_BESIDE,
    PICTURES,
    SILENT,
    UNSEEN,
    Block,
    Box,
    Document,
    Layout,
    Mark,
    extract_visible_text,
    key_of,
    read_caption,
    read_rows,
    squeeze,
)

_KINDS: Mapping[str, SpanKind] = {
    "a": SpanKind.LINK, "b": SpanKind.STRONG, "strong": SpanKind.STRONG, "i": SpanKind.EMPHASIS, "em": SpanKind.EMPHASIS,
}  # fmt: skip


def blocks_of(page: Document, paragraphs: Iterable[Paragraph]) -> list[Block | None]:
    """Return for each paragraph the block of the same text; None: the text stands only in the data of the page, or was changed."""
    waiting: dict[str, deque[Block]] = {}
    for block in page.layout.blocks:
        waiting.setdefault(block.text, deque()).append(block)
    return [found.popleft() if (found := waiting.get(paragraph.text)) else None for paragraph in paragraphs]


def add_cells(paragraphs: Iterable[Paragraph], blocks: Sequence[Block | None]) -> Iterator[Paragraph]:
    """Yield the paragraphs, rows of tables with their cells."""
    rows: dict[etree._Element, tuple[str, ...]] = {}
    for paragraph, block in zip(paragraphs, blocks, strict=True):
        if paragraph.kind is ParagraphKind.TABLE_ROW and block is not None:
            if block.element not in rows and (group := block.element.getparent()) is not None:
                rows |= read_rows(group)
            yield replace(paragraph, cells=rows.get(block.element, ()))
        else:
            yield paragraph


def add_spans(page: Document, paragraphs: Iterable[Paragraph], blocks: Sequence[Block | None]) -> Iterator[Paragraph]:
    """Yield the paragraphs with their links and emphasis."""
    lines: dict[etree._Element, _Line] = {}
    for paragraph, block in zip(paragraphs, blocks, strict=True):
        if block is None:
            yield paragraph
            continue
        if block.element not in lines:
            lines[block.element] = _Line(page, block.element)
        yield replace(paragraph, spans=lines[block.element].spans_of(paragraph.text))


class _Line:
    """The text of an element without white space, in which places do not depend on how that is joined."""

    def __init__(self, page: Document, element: etree._Element) -> None:
        pieces: list[str] = []
        spans: list[Span | None] = []
        here = 0
        open_elements: list[tuple[int, int]] = []
        for event, node in (walk := etree.iterwalk(element, events=("start", "end"))):
            is_start, is_inner = event == "start", node is not element
            if is_start and (not isinstance(node.tag, str) or node.tag in SILENT):
                walk.skip_subtree()
                continue
            if is_inner and node.tag in _KINDS and is_start:
                open_elements.append((here, len(spans)))
                spans.append(None)  # outer spans come first
            elif is_inner and node.tag in _KINDS:
                start, number = open_elements.pop()
                spans[number] = _make_span(page, node, start, here)
            if is_start or is_inner:
                bare = "".join(((node.text if is_start else node.tail) or "").split())
                pieces.append(bare)
                here += len(bare)
        self._text, self._spans = "".join(pieces), [span for span in spans if span is not None]
        #: Where the search for the next block of the element begins.
        self._searched = 0

    def spans_of(self, text: str) -> tuple[Span, ...]:
        """Return the spans of a block with this text; none where the text of the element reads otherwise."""
        places = [place for place, sign in enumerate(text) if not sign.isspace()]
        bare = "".join(text.split())
        begin = self._text.find(bare, self._searched)
        if begin < 0 or not bare:
            return ()
        self._searched = end = begin + len(bare)
        return tuple(
            replace(span, start=places[max(span.start, begin) - begin], end=places[min(span.end, end) - begin - 1] + 1)
            for span in self._spans
            if span.start < end and span.end > begin
        )


def _make_span(page: Document, node: etree._Element, start: int, end: int) -> Span | None:
    kind = _KINDS[str(node.tag)]
    if end == start:
        return None
    if kind is not SpanKind.LINK:
        return Span(kind=kind, start=start, end=end)
    url = page.resolve(node.get("href") or "")
    if not node.get("href") or url is None or not url.startswith(("http://", "https://", "mailto:")):
        return None
    return Span(kind=kind, start=start, end=end, url=url)


#: Attributes in which pages that load pictures late keep the address, in the order in which they are tried.
_SOURCES = ("data-src", "data-original", "data-lazy-src")
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+(\d{1,5}(?:\.\d{1,3})?)[wx])?(?:\s*,|\s*$)")
_IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|webp|gif|avif|svg)(?:[?#]|$)", re.IGNORECASE)


def read_comments(page: Document) -> tuple[ReaderComment, ...]:
    """Return the comments of readers on a page, without the buttons around them."""
    layout = page.layout
    classes = classify_blocks(load_default_extractor().examine(page))
    seen = [block for block in layout.blocks if not layout.boxes[block.box].within & UNSEEN]
    blocks = [block for block in seen if classes[block.index] is BlockClass.COMMENT and block.kind[0] != "h"]
    named = [block for block in blocks if layout.boxes[block.box].within & _COMMENT]
    blocks = named or blocks  # where the page names its comments, nothing else is one
    if not blocks:
        return ()
    common = set.intersection(*({box.index for box in layout.outer(block.box)} for block in blocks))
    common -= {number for number in common if _is_entry(layout.boxes[number])}  # the only comment
    entries = _list_repeated(layout, [block for block in blocks if block.is_sentence] or blocks)
    grouped: dict[int, list[Block]] = {}
    for block in seen:
        inner = [box for box in layout.outer(block.box) if box.index not in common]
        own = next((box.index for box in inner if _is_entry(box)), None)
        if own is None:  # the outermost of several that are called the same, with the boxes around this one only
            several = [box for box in inner if box.index in entries]
            own = _widen(inner, several[-1], entries[several[-1].index]) if several else None
        if own is not None and classes[block.index] not in {BlockClass.HEADLINE, BlockClass.LEAD, BlockClass.BODY}:
            grouped.setdefault(own, []).append(block)
        elif block in blocks:
            grouped.setdefault(inner[-1].index if inner else -1 - block.index, []).append(block)
    found = (_read_comment(layout, number, group) for number, group in grouped.items())
    return tuple(comment for comment in found if comment is not None)


def _list_repeated(layout: Layout, texts: list[Block]) -> dict[int, list[int]]:
    """Return the boxes of comments that are called as one around a text is, each with where those of its name begin."""
    named: dict[tuple[str, str | None], list[Box]] = {}
    for box in layout.boxes:
        if box.marks & _COMMENT:
            named.setdefault((box.tag, box.element.get("class")), []).append(box)
    around = {box.index for block in texts for box in layout.outer(block.box)}
    found: dict[int, list[int]] = {}
    for alike in named.values():
        if len(alike) > 1 and any(box.index in around for box in alike):
            found |= dict.fromkeys((box.index for box in alike), sorted(box.first for box in alike))
    return found


def _widen(inner: list[Box], entry: Box, starts: list[int]) -> int:
    """Return the index of the outermost box around the entry of a comment without other entries, which begin at `starts`."""
    found = entry
    for box in inner[inner.index(entry) + 1 :]:
        if bisect_left(starts, box.last) - bisect_left(starts, box.first) != 1:
            break
        found = box
    return found.index


def _is_entry(box: Box) -> bool:
    """Return whether a box is one comment, without the answers to it."""
    return box.tag in {"article", "li"} and bool(box.marks & _COMMENT)


def _read_comment(layout: Layout, number: int, group: list[Block]) -> ReaderComment | None:
    """Return a comment from its blocks: the short lines before its text say who wrote it, and when."""
    head: list[Block] = []
    while len(group) > 1 and not group[0].is_sentence and len(group[0].text) <= _LONGEST_HEAD:
        head.append(group.pop(0))
    while len(group) > 1 and not group[-1].is_sentence and len(group[-1].text) <= 20:  # buttons
        group.pop()
    if number >= 0:  # lines that are not taken for a comment's text may be its author's
        box = layout.boxes[number]
        head = [*layout.blocks[box.first : group[0].index]] if group[0].index > box.first else head
    buttons = pattern("reply", "share", "comments", extent="all")  # with numbers and signs around them
    texts = [block.text for block in group if not buttons.fullmatch(_NO_LETTERS.sub("", block.text.lower()))]
    time = next((each for block in head for each in block.element.iter("time")), None)
    shown = extract_visible_text(time) if time is not None else None
    names = [block.text.replace(shown or "\0", "").strip(" ·|,–-") for block in head if len(block.text) <= _LONGEST_HEAD]
    called = (each for block in head for each in block.element.iter("b", "strong", "span", "a", "cite", "div"))
    named = filter(None, (extract_visible_text(each) for each in called if _AUTHOR_NAME.search(each.get("class") or "")))
    author = min(named, key=len, default=None) or next((name for name in names if name and not _DIGITS.search(name)), None)
    author = author or next(filter(None, map(_read_opening, head)), None)
    when = (time.get("datetime") or shown) if time is not None else next(filter(_DIGITS.search, names), None)
    return ReaderComment(text="\n".join(texts), author=author, time=when or None) if texts else None


def _read_opening(block: Block) -> str | None:
    """Return the first words of a line where they are in a separate element, as names are, and no time."""
    inner = (extract_visible_text(each) for each in block.element.iter("b", "strong", "span", "a", "cite"))
    opening = next((text for text in inner if text and block.text.startswith(text)), "")
    return opening if opening and not re.search(r"^\d|\d\W+\d|\d\s", opening) and len(opening) <= _LONGEST_HEAD else None


_COMMENT = int(Mark.COMMENT)
_NO_LETTERS = re.compile(r"^[\W\d]+|[\W\d]+$")
#: Names of the element with the name of the writer of a comment.
_AUTHOR_NAME = re.compile(r"(?:^|[\s_-])(?:fn|author|user(?:name)?|nick(?:name)?|name)(?:$|[\s_-])", re.IGNORECASE)
#: Characters of a line with the author and the time of a comment.
_LONGEST_HEAD, _DIGITS = 60, re.compile(r"\d")


def find_images(page: Document, blocks: Sequence[Block | None]) -> tuple[Image, ...]:
    """Return the images of an article, whose paragraphs were made of these blocks, where they are known."""
    shown = [block.element for block in blocks if block is not None]
    if not shown:
        return ()
    order = {element: place for place, element in enumerate(page.body.iter())}
    headline = page.view(find_headline)
    if headline is not None and headline.element in order:
        shown.append(headline.element)
    first = order.get(_find_common(shown), 0)
    last = max(order[deep] for element in shown for deep in [_find_last_inside(element)] if deep in order)
    known, places = 0, list[int]()
    for block in blocks:  # paragraphs without a block stand where the one before does
        known = order.get(block.element, known) if block is not None else known
        places.append(known)
    places.sort()
    captions = _find_captions(page, order)
    middle = next((block for block in blocks[len(blocks) // 2 :] if block is not None), None)
    beside = BOXES_BESIDE & ~(page.layout.boxes[middle.box].within if middle is not None else 0)
    found: dict[str, Image] = {}
    for element in page.body.iter(*PICTURES):
        place = order[element]
        if element.tag == "picture" or not first <= place <= last or _is_beside(page, element, beside) or _is_small(element):
            continue
        url, caption = _find_url(page, element), _find_caption(element, place, places, captions)
        if _is_replaced(element):
            continue
        if url is not None and url not in found and (caption is not None or not _is_link_elsewhere(element)):
            alt, credit = squeeze(element.get("alt")) or None, _find_credit(element)
            found[url] = Image(url=url, alt=alt, caption=caption, credit=credit, position=bisect_left(places, place))
    return tuple(found.values())


def _find_captions(page: Document, order: Mapping[etree._Element, int]) -> list[tuple[int, str]]:
    """Return where the captions of a page stand, and what they say, in page order."""
    layout = page.layout
    classified = [*zip(layout.blocks, classify_blocks(load_default_extractor().examine(page)), strict=True)]
    text = [block.index for block, kind in classified if kind is BlockClass.BODY]
    captions = (
        block
        for block, kind in classified
        if kind is BlockClass.CAPTION
        or (kind in _PERHAPS_CAPTION and not 2 * block.linked > len(block.text) and _stands_with_picture(layout, block, text))
    )
    return [(order[_find_last_inside(block.element)], _read_caption_block(block)) for block in captions if block.element in order]


def _stands_with_picture(layout: Layout, block: Block, text: Sequence[int]) -> bool:
    """Return whether a line follows a picture between two paragraphs, or a box contains both, and at most one more line."""
    if block.pictures and text and text[0] < block.index < text[-1]:
        return True
    boxes = takewhile(lambda box: box.last - box.first <= _LINES_OF_PICTURE, layout.outer(block.box))
    return any(next(box.element.iter(*PICTURES), None) is not None for box in boxes)


def _read_caption_block(block: Block) -> str:
    return read_caption(block.element) if squeeze("".join(map(str, block.element.itertext()))) == block.text else block.text


#: Classes of a line that may be the caption of the picture in its box, and how many such a box has.
_PERHAPS_CAPTION, _LINES_OF_PICTURE = frozenset({BlockClass.BOILERPLATE, BlockClass.TEASER}), 2


def _find_url(page: Document, element: etree._Element) -> str | None:
    others = (name for name in map(str, element.keys()) if name.startswith("data-") and _is_image_file(element.get(name, "")))
    names = (*_SOURCES, *others, "src")
    written = next((said for name in names if (said := squeeze(element.get(name))) and not said.startswith("data:")), None)
    if written is None:
        outer = next(element.iterancestors("picture"), element)
        several = (
            squeeze(str(said))
            for each in (element, *outer.iter("source"))
            for name, said in each.items()
            if str(name).endswith("srcset")
        )
        written = next(filter(None, map(_choose_largest, several)), None)
    url = page.resolve(written) if written else None
    return url if url and url.startswith(("http://", "https://")) else None


def _choose_largest(srcset: str) -> str | None:
    """Return the address of the widest or densest picture of a `srcset`; commas may be within addresses."""
    found = [(float(size or 1), address) for address, size in _CANDIDATE.findall(srcset) if not address.startswith("data:")]
    return max(found, key=itemgetter(0))[1] if found else None


def _is_image_file(value: str) -> bool:
    """Return whether the value of an attribute is the address of a file with a picture, and not several."""
    return _IMAGE_FILE.search(value) is not None and not re.search(r"[\s{\[]", value.strip())


def _find_caption(element: etree._Element, place: int, places: Sequence[int], captions: Sequence[tuple[int, str]]) -> str | None:
    """Return the caption of a picture: that of its figure, or the next one before the next of the paragraphs at `places`."""
    figure = next(element.iterancestors("figure"), None)
    if figure is not None:
        caption = next(figure.iter("figcaption"), None)
        return (read_caption(caption) or None) if caption is not None else None
    at, text = next(iter(captions[bisect_right(captions, place, key=itemgetter(0)) :]), (-1, None))
    return text if bisect_left(places, at) == bisect_left(places, place) else None


def _find_credit(element: etree._Element) -> str | None:
    """Return who made a picture, or whose it is, by an element of its figure that is named so."""
    figure = next(element.iterancestors("figure"), None)
    if figure is None:
        return None
    for part in figure.iter("span", "small", "cite", "em", "i", "p", "div"):
        named = f"{part.get('class') or ''} {part.get('itemprop') or ''}"
        if _CREDIT_NAME.search(named) and (text := extract_visible_text(part)) and len(text) <= _LONGEST_CREDIT:
            return text
    caption = next(figure.iter("figcaption"), None)
    parts = () if caption is None else caption.iter("span", "small", "cite", "em", "i", "b", "strong", "p", "div")
    texts = filter(_CREDIT.match, map(extract_visible_text, parts))
    found = next((text for text in texts if len(text) <= _LONGEST_CREDIT), None)
    if found is None and caption is not None and (match := _CREDIT_AT_END.search(extract_visible_text(caption))):
        found = match[0]
    return found.strip("()（） ") if found else None


#: The beginning of a credit, and one in brackets at the end of a caption.
_CREDIT = compile_late(
    lambda: rf"[(（]?\s*(?:(?:{alternatives('photo')})\s*(?:[:：=/.]|{alternatives('by')}\s)|©|\(c\))", re.IGNORECASE
)
_CREDIT_AT_END = compile_late(lambda: rf"(?=[(（]){_CREDIT.pattern}[^()（）]{{2,80}}[)）]\s*$", re.IGNORECASE)
_CREDIT_NAME = re.compile(
    r"credit|copyright|photograph|(?:^|[\s_-])(?:source|attribution|byline|quelle|author)(?:$|[\s_-])", re.IGNORECASE
)
_LONGEST_CREDIT = 120


def _find_common(elements: Sequence[etree._Element]) -> etree._Element:
    """Return the innermost element that holds all."""
    lines = [[*reversed([element, *element.iterancestors()])] for element in elements]
    same: list[etree._Element] = [each[0] for each in zip(*lines, strict=False) if all(one is each[0] for one in each)]
    return same[-1]


def _find_last_inside(element: etree._Element) -> etree._Element:
    while len(element):
        element = element[-1]
    return element


def _is_beside(page: Document, element: etree._Element, beside: int) -> bool:
    """Return whether a box without text around an element, or the innermost one with text, has one of the marks."""
    for outer in element.iterancestors():
        if (box := page.box_of.get(outer)) is not None:
            return bool(box.within & beside)
        if outer.tag in {"nav", "menu", "footer", "aside"} or page.names.marks.get(outer, 0) & beside:
            return True
    return False


def _is_replaced(element: etree._Element) -> bool:
    """Return whether a picture stands for the one behind it, for readers without scripts."""
    following = element.getnext()
    other = next(following.iter("img"), None) if following is not None and following.tag == "noscript" else None
    return other is not None and not _is_small(other)


def _is_small(element: etree._Element) -> bool:
    # in AMP the numbers may be those of the shape
    sizes = [element.get(name, "") for name in ("width", "height")] if element.get("layout") != "responsive" else []
    is_person = "avatar" in element.get("class", "").lower()
    return is_person or any(size.isdecimal() and int(size) < 64 for size in sizes)  # an icon or a counter


def _is_link_elsewhere(element: etree._Element) -> bool:
    link = next(element.iterancestors("a"), None)
    return link is not None and bool(link.get("href")) and not _IMAGE_FILE.search(link.get("href") or "")


def _make_shingles(text: str) -> Counter[tuple[str, ...]]:
    """Return the sequences of four words in a text, folded."""
    words = re.findall(r"\w+", text.casefold())
    return Counter(tuple(words[i : i + 4]) for i in range(max(1, len(words) - 3))) if words else Counter()


def measure_shares_in_gold(texts: Sequence[str], lines: Sequence[str], mass: Sequence[float], headline: int | None) -> list[float]:
    """Return the share of each block that the gold text holds; of a repeated text only one block counts.

    Args:
        texts: of the blocks, in page order.
        lines: the gold text, a paragraph each.
        mass: of the blocks; see `newscrawler.extraction.body.features`.
        headline: index of the block of the headline, which is not part of the body.
    """
    gold, whole, known = key_of("\n".join(lines)), {key_of(line) for line in lines}, _make_shingles("\n".join(lines))
    keys = [key_of(text) for text in texts]
    found = []
    for i, (text, key) in enumerate(zip(texts, keys, strict=True)):
        if len(key) < 20:
            before = keys[i - 1][-25:] if i else ""
            after = keys[i + 1][:25] if i + 1 < len(keys) else ""
            beside = (len(before) > 8 and before + key in gold) or (len(after) > 8 and key + after in gold)
            found.append(float(bool(key) and (key in whole or beside)))
        elif key in gold:
            found.append(1.0)
        else:
            own = _make_shingles(text)
            found.append(sum((own & known).values()) / max(sum(own.values()), 1))
    if headline is not None:
        found[headline] = 0.0
    _deduplicate(keys, gold, mass, found)
    return found


def _deduplicate(keys: Sequence[str], gold: str, mass: Sequence[float], found: list[float]) -> None:
    suspects = [i for i, key in enumerate(keys) if found[i] > 0.5 and len(key) >= 15]
    long = [i for i in range(len(keys)) if len(keys[i]) > 15]
    for i in suspects:
        key = keys[i]
        if found[i] <= 0.5:
            continue
        holders = [j for j in long if key in keys[j]]
        if len(holders) <= max(1, gold.count(key)):
            continue
        longer = [j for j in holders if len(keys[j]) > len(key)]
        heaps = [j for j in longer if sum(keys[m] in keys[j] for m in long if m != j) >= 3]
        if heaps:
            for j in heaps:
                found[j] = 0.0
        elif longer or i != max(holders, key=lambda j: (sum(mass[max(0, j - 3) : j + 4]), -j)):
            found[i] = 0.0
