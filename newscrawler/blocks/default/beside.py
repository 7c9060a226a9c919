"""Blocks that are no text of the article whatever they read like: letters of readers, forms, bylines, references, credits.

Letters of readers are sentences, and under short news there are more of them than of the article; no weighing of words or masses
tells them apart then. What does: they stand behind the headline and some text, in a box that is named so or under a heading
that says so. A box of that name around the text itself (a commentary, a "comment" page) holds the text behind the headline and
is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from lxml import etree

from newscrawler.page.blocks import PICTURES, Block, Box, Layout, extent_of
from newscrawler.page.marks import Mark
from newscrawler.page.signature import is_name_behind_label, signs

_COMMENT, _BYLINE = int(Mark.COMMENT), int(Mark.BYLINE)
#: Characters of text that stand between the headline and the letters of readers.
_LEAST_TEXT = 100
#: Headings over letters of readers, alone or with their number.
_HEADING = re.compile(
    r"[\W\d]*(?:(?:reader|user|leser|lezers?)[- ]?)?"
    r"(?:join the (?:conversation|discussion|debate)|réagir|vos réactions|diskutieren sie mit|(?:ihre|deine) meinung|opiniones|"
    r"(?:únete a|participa en) la (?:conversación|discusión)|participez à la (?:conversation|discussion)|"
    r"(?:partecipa|unisciti) alla (?:conversazione|discussione)|zapojte se do (?:diskuse|diskuze)|zapojte sa do diskusie|"
    r"dołącz do (?:dyskusji|rozmowy)|присоединя(?:йтесь|йся) к (?:обсуждению|беседе)|приєднуйтесь до (?:обговорення|розмови)|"
    r"delta i (?:diskusjonen|samtalet|debatten)|praat mee|コメント(?:する|を書く|を投稿する)|发表评论|發表評論|댓글 (?:쓰기|달기)|"
    r"comments?|discussion|commenta|komentarze|komentarzy|komentáře|komentáre|komentare|diskuse|diskuze|diskusia|kommentare?|kommentarer|"
    r"commentaires?|réactions?|comentarios?|comentários?|commenti|reacties|коментарі|коментари|комментарии|обсуждение|обговорення|"
    r"دیدگاه‌?ها|نظرات|ความคิดเห็น|bình luận|टिप्पणियाँ?|"
    r"תגובות|התגובות|تعليقات|التعليقات|yorumlar|yorum|hozzászólások|komentari|comentarii|σχόλια|kommentit|kommentaarid|komentāri|"
    r"komentarai|コメント|评论|評論|留言|댓글)[\W\d]*",
    re.IGNORECASE,
)
_LONGEST_HEADING = 40
#: Before the headline in the title of a letter to it: "Re: ", "AW: ", "Odp.: ".
_ANSWER, _LONGEST_ANSWER = re.compile(r"\W{0,3}[^\W\d_]{2,4}\.?\s?:\s"), 10
#: Characters of a label before a link, and of a link that is a title.
_LONGEST_LABEL, _SHORTEST_TITLE = 35, 15
_BEHIND_LABEL = frozenset(":：|»›>→►▶➡")
#: A sign before a line that points somewhere, with a link that is a part of it; as a quotation mark, no blank follows the sign.
_LONGEST_POINTER = 160
_POINTING = re.compile(r"(?:>{1,3}|[»›→►▶➡➔➜👉⇒☞|])\ufe0f?\s")
#: Kinds of blocks that a row of links may be, and the share of it that is linked.
_KINDS_OF_ROWS, _LEAST_LINKED = frozenset({"p", "div", "li"}), 0.4
_LONGEST_BYLINE = 200
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\d{1,2}[:.]\d\d\b")
#: A day with its year, however it is written; the blocks in which it is looked for, and what may stand beside it: names, a place.
_DAY = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th|er|º|\.)?[\s./-]{1,2}(?:de )?(?:\d{1,2}|[^\W\d_]{3,12})\.?[\s,./-]{1,2}(?:de )?(?:19|20)\d\d\b|"
    r"\b[^\W\d_]{3,12}\.? \d{1,2}, (?:19|20)\d\d\b|(?:19|20)\d\d\s?[-/.年년]\s?\d{1,2}\s?[-/.月월]\s?\d{1,2}"
)
#: A time of day that stands alone, as before the posts of a live blog.
_CLOCK = re.compile(
    r"\W*(?:[01]?\d|2[0-3])[:.h][0-5]\d(?::[0-5]\d)?\s?(?:[ap]\.?m\.?|uhr|h|hs|CET|CEST|GMT|BST|UTC|[EPC][SD]?T)?\W*", re.IGNORECASE
)
_LONGEST_CLOCK = 16
_UNDER_HEADLINE = 6
#: "3 мая 2014 г." is no sentence.
_YEAR_SHORTENED = re.compile(r"\d\s?[гр]\.$")
#: How long it takes to read the text.
_READING_TIME = re.compile(
    r"(?:[^\W\d]|[ :：~≈·-]){0,25}\d{1,2}\s?(?:min(?:s|\.|ut\w{0,4}|uten)?|мин\w{0,4}\.?|хв\w{0,4}\.?|λεπτ\w{1,3}|dakika|perc|"
    r"分钟?|分鐘|분|דקות|دقيقة|دقائق|دقیقه)(?:[^\W\d]|[ .-]){0,15}",
    re.IGNORECASE,
)
_LONGEST_READING_TIME = 40
#: Characters of what stands under a picture, and paragraphs beside the box of both that show that text stands otherwise.
_LONGEST_CAPTION, _LEAST_PARAGRAPHS = 300, 2
#: Characters of a paragraph beside a small table with a picture.
_LEAST_BESIDE = 80
#: The greatest width or height of a bullet, and of a blank picture that holds a place.
_LARGEST_BULLET = 12
_MOST_LETTERS, _LETTERS_OF_WEEKDAY = 60, 12
#: Characters and words of the line under a name: for whom somebody writes.
_LONGEST_OFFICE, _WORDS_OF_OFFICE = 30, 3
#: What a line begins with that tells whose picture it is.
CREDIT = re.compile(
    r"©|(?:photos?|pictures?|images?|fotos?|foto's|bild(?:er|rechte)?|grafik|imagen|imágenes|crédito|credits?|crédits?|zdjęci[ae]|zdj|фото|"
    r"снимка|снимки|светлина|תמונה|תמונות|צילום|الصورة|صورة|عکس|写真|画像|图片|圖片|사진|görsel|fotoğraf|kuva|bilde|billede|kép|φωτογραφία|ảnh)"
    r"(?:\.|\s?\(cc\)| credits?| source| courtesy)?\s?[:：©]|(?:fot|zdj)\.\s",
    re.IGNORECASE,
)
_LONGEST_CREDIT, _MOST_PIECES = 120, 16
#: Of summaries that are cut off, with a link each, so many in a box are a list of other pages; and their share of its blocks.
_LEAST_SUMMARIES, _MOST_OF_BOX = 3, 0.5
_LEAST_SUMMARY = 40
#: What counts the results of a search.
_BEFORE_RESULT = "0123456789.)#"
_BEHIND_ELLIPSIS = " ])»›>→"
#: Characters of a box that asks for something, as an address.
_LARGEST_SIGN_UP = 400


def letters_of_readers(layout: Layout, headline: Block | None) -> frozenset[int]:
    """Numbers of the blocks that readers wrote; none where no headline shows where the article begins."""
    if headline is None:
        return frozenset()
    blocks, boxes = layout.blocks, layout.boxes
    start = text = headline.index + 1
    size = 0
    while text < len(blocks) and size < _LEAST_TEXT:
        block = blocks[text]
        size += extent_of(block.text) if block.kind[0] != "h" and 2 * block.linked < len(block.text) and block.is_sentence else 0
        text += 1
    if size < _LEAST_TEXT or text <= start:
        return frozenset()
    found: set[int] = set()
    until = 0  # behind the last of what was found: boxes and headings come in page order
    for box in boxes:
        if box.marks & _COMMENT and box.first >= text and box.last > until:
            found.update(range(max(box.first, until), box.last))
            until = box.last
    until = 0
    for block in blocks[text:]:
        if ":" in block.text[:_LONGEST_ANSWER] and block.index >= until and _answers(block, headline):
            around = next(box for box in layout.outer(block.box) if box.last - box.first > 1)
            until = boxes[max(around.parent, 0)].last if around.first == block.index else around.last
            found.update(range(block.index, until))
        if len(block.text) <= _LONGEST_HEADING and not block.linked and _HEADING.fullmatch(block.text):
            outer = boxes[max(boxes[block.box].parent, 0)]
            while outer.last - outer.first == 1 and outer.parent >= 0:  # a box, or the row of a table, around the heading alone
                outer = boxes[outer.parent]
            if outer.last > until and (block.kind[0] == "h" or outer.first == block.index):
                found.update(range(max(block.index, until), outer.last))
                until = outer.last
    return frozenset(found)


def is_heading_of_comments(text: str) -> bool:
    """Tell whether a text is what stands over letters of readers, as "Comments (3)"."""
    return len(text) <= _LONGEST_HEADING and _HEADING.fullmatch(text) is not None


def _answers(block: Block, headline: Block) -> bool:
    """Tell whether a block begins with the headline behind the sign of an answer to it."""
    match = _ANSWER.match(block.text)
    return match is not None and block.text.startswith(headline.text, match.end())


def summaries_cut_off(layout: Layout) -> frozenset[int]:
    """Numbers of the blocks of lists whose pieces are cut off and lead on: "The bridge was closed on Monday after the …"."""
    held: dict[int, list[int]] = {}
    boxes = layout.boxes
    for block in layout.blocks:
        if block.links and block.kind[0] != "h" and block.size > _LEAST_SUMMARY:
            if not block.text.rstrip(_BEHIND_ELLIPSIS).endswith(("...", "…")) or not _leads_on(block):
                continue
            box = boxes[block.box]
            while box.last - box.first < 2 and box.parent >= 0:
                box = boxes[box.parent]
            held.setdefault(box.index, []).append(block.index)
    found: set[int] = set()
    for number, summaries in held.items():
        if len(summaries) >= max(_LEAST_SUMMARIES, _MOST_OF_BOX * (boxes[number].last - boxes[number].first)):
            found.update(summaries)
    return frozenset(found)


def _leads_on(block: Block) -> bool:
    """Tell whether a block begins or ends with a link, as what announces a page does, or stands in one."""
    links = ["".join("".join(map(str, link.itertext())).split()) for link in block.element.iter("a")]
    text = "".join(block.text.split())
    starts = text, text.lstrip(_BEFORE_RESULT)
    return not any(links) or any(link and (text.endswith(link) or any(each.startswith(link) for each in starts)) for link in links)


def letters_asked_for(layout: Layout, heavy: Sequence[float]) -> frozenset[int]:
    """Numbers of the blocks in a form, and beside one that asks for an address ("Sign up for our newsletter", in any language).

    Args:
        layout: the page.
        heavy: the mass below each box; a box that holds much of the page's asks for nothing.
    """
    found: set[int] = set()
    for box in layout.boxes:
        if box.tag != "form":
            continue
        small, light = box.characters <= _LARGEST_SIGN_UP, 4 * heavy[box.index] <= heavy[0]
        if not small and not light:  # some systems set all of a page into one form
            continue
        if small and light:
            found.update(range(box.first, box.last))
        if not _asks_for_address(box.element):
            continue
        around = box
        for outer in layout.outer(box.parent):
            if outer.characters > _LARGEST_SIGN_UP or outer.parent < 0 or 4 * heavy[outer.index] > heavy[0]:
                break
            around = outer
        found.update(range(around.first, around.last))
    return frozenset(found)


def _asks_for_address(form: etree._Element) -> bool:
    """Tell whether a form has a field for a mail address, and none for a letter."""
    if next(form.iter("textarea"), None) is not None:
        return False
    return any(field.get("type") == "email" or "mail" in (field.get("name") or "").lower() for field in form.iter("input"))


def is_byline(layout: Layout, block: Block, headline: Block | None) -> bool:
    """Tell whether the block is a line of author and date: named so, or the like of it under the headline; or a time alone."""
    if len(block.text) <= _LONGEST_CLOCK and block.kind != "tr" and _CLOCK.fullmatch(block.text):
        return True
    if signs(block.text):
        return True
    if headline is not None and 0 < block.index - headline.index <= _UNDER_HEADLINE and tells_reading_time(block):
        return True
    if len(block.text) > _LONGEST_BYLINE or (block.is_sentence and not _YEAR_SHORTENED.search(block.text)):
        return False
    if (layout.boxes[block.box].marks | block.marks) & _BYLINE and len(_DATED.findall(block.text)) > 1:
        return True
    if headline is None or abs(block.index - headline.index) > _UNDER_HEADLINE or block.kind[0] == "h":
        return False
    rest, dates = _DAY.subn("", _with_blanks(block))
    if block.index < headline.index:
        return dates > 0 and sum(map(str.isalpha, rest)) <= _LETTERS_OF_WEEKDAY
    if block.kind in ("p", "div", "tr") and not block.links and is_name_behind_label(block.text):
        return True
    below = layout.blocks[block.index + 1 : block.index + 2]
    if any(is_under_bold_line(layout, each, headline) for each in (block, *below)):
        return True
    if block.kind != "tr" and not any(map(str.isalpha, block.text)):  # "13.11.26, 13:28"
        return True
    return dates > 0 and sum(map(str.isalpha, rest)) <= _MOST_LETTERS


def _with_blanks(block: Block) -> str:
    """The text of a small block with blanks between its elements, which style sheets set apart: "Ann Lee3 May 2026"."""
    pieces = list(map(str, islice(block.element.itertext(), _MOST_PIECES))) if len(block.element) else []
    said = " ".join(pieces)
    return said if pieces and len(said) <= len(block.text) + 2 * _MOST_PIECES else block.text


def is_under_bold_line(layout: Layout, block: Block, headline: Block) -> bool:
    """Tell whether a few words stand in one paragraph under a bold line, as for whom somebody writes does under the name."""
    above = layout.blocks[block.index - 1]
    few = len(block.text) <= _LONGEST_OFFICE and len(block.text.split()) <= _WORDS_OF_OFFICE
    if not few or block.bold or above is headline or above.box != block.box or above.is_sentence:
        return False
    return above.bold == len(above.text) <= _MOST_LETTERS


def tells_reading_time(block: Block) -> bool:
    """Tell whether the block says how long it takes to read the text, and nothing else, as in "5 min read"."""
    return len(block.text) <= _LONGEST_READING_TIME and block.kind[0] != "h" and _READING_TIME.fullmatch(block.text) is not None


def is_reference(block: Block) -> bool:
    """Tell whether the block is a label and one link ("Read also: The bridge is closed"), or several ("Share: Mail Print").

    Or a line with a link behind a sign that points there: "→ All about the bridge".
    """
    label = len(block.text) - block.linked
    if block.links > 1:
        return block.link_density >= _LEAST_LINKED and block.kind in _KINDS_OF_ROWS and _is_row_of_links(block)
    if block.links != 1 or block.kind not in ("p", "div"):
        return False
    if _POINTING.match(block.text) and len(block.text) <= _LONGEST_POINTER and 4 * block.linked >= len(block.text):
        return True
    return label <= _LONGEST_LABEL and block.linked >= _SHORTEST_TITLE and block.text[:label].rstrip()[-1:] in _BEHIND_LABEL


def _is_row_of_links(block: Block) -> bool:
    """Tell whether nothing but signs stands between and behind the links of a block, and nothing but a label before them."""
    label, parted, rest = block.text.partition(":")
    if "://" in block.text or "@" in rest:
        return False
    return bool(parted) and len(label) <= _LONGEST_LABEL and block.linked + 2 * block.links >= len(rest.strip())


def is_credit(block: Block) -> bool:
    """Tell whether the block is a line that tells whose picture it is, as in "Photo: Ann Lee"."""
    text = block.text
    if len(text) > _LONGEST_CREDIT or block.kind[0] == "h":
        return False
    found = CREDIT.match(text)
    return found is not None and (text[0] != "©" or not block.is_sentence)


def is_caption(block: Block) -> bool:
    """Tell whether the block, in whose box there is a picture, begins with it and is else in italics or small."""
    element = block.element
    if (element.text and not element.text.isspace()) or not len(element):
        return False
    first = element[0]
    if first.tag not in PICTURES and not (first.tag == "a" and len(first) and first[0].tag in PICTURES):
        return False
    slanted = sum(len("".join(map(str, child.itertext())).strip()) for child in element.iterchildren("em", "i", "small"))
    return 10 * slanted >= 9 * len(block.text)


def is_under_picture(layout: Layout, block: Block) -> bool:
    """Tell whether the block is no paragraph, and shares a box, or a small table, with a picture alone between paragraphs."""
    if block.size > _LONGEST_CAPTION or not (block.kind == "div" or layout.boxes[block.box].tag == "dt"):
        return False
    small = table = None
    for box in layout.outer(block.box):
        if box.last - box.first > 2:
            break
        small = box
        table = box if box.tag == "table" else table
    if table is not None and shows_picture(table) and table.characters <= _LONGEST_CAPTION:
        return _stands_amid_text(layout, table)
    if small is None or small.index == block.box or layout.boxes[block.box].images or not shows_picture(small):
        return False
    return _stands_between_paragraphs(layout, small)


def shows_picture(box: Box) -> bool:
    """Tell whether there is a picture in a box that is more than a bullet, or a blank that holds a place."""
    if not box.images:
        return False
    sizes = ((image.get("width") or "", image.get("height") or "") for image in box.element.iter(*PICTURES))
    return any(not any(size.isdecimal() and int(size) <= _LARGEST_BULLET for size in both) for both in sizes)


def _stands_amid_text(layout: Layout, table: Box) -> bool:
    """Tell whether longer paragraphs than a table holds stand beside it, directly in the box around it or in boxes of their own."""
    if table.parent < 0:
        return False
    around, beside = layout.boxes[table.parent], 0
    for block in layout.blocks[around.first : around.last]:
        box = layout.boxes[block.box]
        near = around.index in (box.index, box.parent) and not table.first <= block.index < table.last
        if near and block.is_sentence and block.size >= _LEAST_BESIDE and 2 * block.linked < len(block.text):
            beside += 1
            if beside == _LEAST_PARAGRAPHS:
                return True
    return False


def _stands_between_paragraphs(layout: Layout, box: Box) -> bool:
    """Tell whether paragraphs stand beside a box, directly in the box around it or each in a box of its own."""
    if box.parent < 0:
        return False
    around = layout.boxes[box.parent]
    beside = 0
    for block in layout.blocks[around.first : around.last]:
        box_of_text = layout.boxes[layout.boxes[block.box].parent]
        long = block.kind == "div" and block.is_sentence and block.size >= _LEAST_BESIDE and box_of_text.index == around.index
        if long or (block.kind == "p" and around.index in (box_of_text.index, box_of_text.parent)):
            beside += 1
            if beside == _LEAST_PARAGRAPHS:
                return True
    return False
