"""How a page becomes boxes and blocks of text.

One walk over the tree. Inline elements join the text around them; two line breaks end a block, or one between paragraphs
(`line_breaks`). A row of a data table is one block (`table_rows`); a table that only arranges the page is taken apart like any
other box.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from lxml import etree

from newscrawler.languages import pattern
from newscrawler.limits import PAGE_BLOCKS, PAGE_BOXES, TREE_DEPTH
from newscrawler.page.blocks import PICTURES, WIDE, Block, Box, Layout
from newscrawler.page.layout_rules import (
    is_data_row,
    is_panel,
    is_parting_paragraphs,
    is_title_of_panel,
    split_paragraphs_as_written,
    take_role,
)
from newscrawler.page.names import BADGE, PART, UNSEEN, Mark, MarksOnDemand
from newscrawler.page.text import INLINE, iterate_text_pieces

SILENT = frozenset({
    "script", "style", "noscript", "template", "svg", "head", "iframe", "object", "embed", "textarea", "select", "option",
    "button", "input", "video", "audio", "canvas", "map", "area", "progress", "meter", "datalist", "source", "track", "param",
    "meta", "link", "title", "base", "rp", "rt", "amp-ad", "amp-embed", "amp-analytics", "amp-sidebar", "amp-iframe",
    "amp-state", "amp-consent", "amp-sticky-ad", "amp-auto-ads", "amp-user-notification",
})  # fmt: skip
_INLINE = INLINE - {"button", "img", "input", "link", "meta", "picture", "rp", "rt", "source"}
#: How text is set, as bits: bold, in small or slanted type, in an element that says nothing.
_BOLD, _SLANTED, _SPANNED = 1, 2, 4
_STYLES = {
    "b": _BOLD, "strong": _BOLD, "em": _SLANTED, "i": _SLANTED, "small": _SLANTED, "cite": _SLANTED, "span": _SPANNED,
    "big": _BOLD,
}  # fmt: skip
#: A paragraph lies in another where the markup of a line was left open: "<p><font>One.<p>Two.</font>".
_ENDS_PARAGRAPH = frozenset({
    "br", "img", "picture", "amp-img", "div", "ul", "ol", "dl", "figure", "aside", "section", "table", "blockquote", "form",
    "nav", "p", "h1", "h2", "h3", "h4", "h5", "h6", "center", "hr", "pre",
})  # fmt: skip
#: Kind of the text in an element and in the elements in it; "p" counts only outside of the others.
_KINDS: dict[str, str] = {
    **{tag: tag for tag in ("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "p")},
    **dict.fromkeys(("li", "dd", "dt"), "li"),
    "summary": "h3",
    **dict.fromkeys(("section", "article", "main", "table", "body", "aside", "header", "footer"), "div"),
}
_TAG_MARKS: dict[str, int] = {
    "nav": Mark.NAVIGATION, "menu": Mark.NAVIGATION, "footer": Mark.FOOTER, "aside": Mark.ASIDE, "header": Mark.HEADER,
    "figure": Mark.FIGURE, "figcaption": Mark.FIGURE | Mark.CAPTION, "caption": Mark.CAPTION, "form": Mark.FORM,
    "dialog": Mark.POPUP, "fieldset": Mark.FORM, "article": Mark.ARTICLE, "main": Mark.MAIN, "address": Mark.BYLINE,
}  # fmt: skip
_HIDDEN = int(Mark.HIDDEN)
_NOT_SEEN = _HIDDEN | UNSEEN
# plain integers: the arithmetic of flags is ten times slower
_TAG_MARKS.update({_tag: int(_marks) for _tag, _marks in _TAG_MARKS.items()})

_IN_LINE, _PASSED, _BREAK, _IMAGE, _MENU, _BOX = range(6)
#: What is done with a child, by its tag: inside a paragraph whatever is not listed stays in the line, elsewhere it is a box.
_WAYS: dict[str, int] = {
    **dict.fromkeys(SILENT, _PASSED), **dict.fromkeys(PICTURES, _IMAGE), **dict.fromkeys(_INLINE, _IN_LINE), "br": _BREAK,
    "nav": _MENU,
}  # fmt: skip
_WAYS_IN_PARAGRAPH: dict[str, int] = {
    **dict.fromkeys(SILENT, _PASSED),
    **{tag: _WAYS.get(tag, _BOX) for tag in _ENDS_PARAGRAPH},
    **dict.fromkeys(_INLINE, _IN_LINE),
}
_NOT_NAMED = (0, 0)
_NOT_WEIGHED = (0, 0)
#: Makes a named tuple in half of the time that its own constructor takes.
_make = tuple.__new__
#: What names and attributes say of elements, as a sum of `Mark` bits.
Marks = Mapping[etree._Element, int] | MarksOnDemand  # noqa: SLF001  lxml names its class so


def read_layout(body: etree._Element, marks: Marks, *, repeated: Container[str] = frozenset()) -> Layout:
    """Walk the body of a page once.

    Args:
        body: its body.
        marks: what names and attributes say of its elements.
        repeated: texts that the head of the page holds; hidden inline elements that repeat one are meant for machines.
    """
    return _Walk(marks, repeated).run(body)


class _Walk:
    """The state of one walk; what runs for every element is written for speed."""

    __slots__ = (
        "blocks", "bold", "box", "boxes", "images", "linked", "links", "marks", "named", "opening", "pictured", "pieces",
        "repeated", "root", "slanted", "spanned", "weighed", "within",
    )  # fmt: skip

    def __init__(self, marks: Marks, repeated: Container[str]) -> None:
        self.marks = marks
        self.repeated = repeated
        self.boxes: list[Box] = []
        self.blocks: list[Block] = []
        self.pieces: list[str] = []
        self.linked = 0
        self.links = 0
        self.bold = self.slanted = self.spanned = 0
        #: Characters of the first piece where it is linked or set apart by its type.
        self.opening = 0
        #: Marks and number of pieces of a named inline element with which the block begins.
        self.named = _NOT_NAMED
        #: Number of pieces whose characters are counted, and how many these are.
        self.weighed = _NOT_WEIGHED
        #: Images so far, and before the last block.
        self.images = self.pictured = 0
        #: The innermost box: its index, and the marks of it and of all around it.
        self.box = self.within = 0

    def run(self, body: etree._Element) -> Layout:
        self.within = self.marks.get(body, 0) & int(Mark.ARTICLE)
        self.root = Box(0, -1, body, "body", self.within, self.within, 0, 0, 0)
        self.boxes.append(self.root)
        self._read_inside(body, "div", False, 0, 0)
        self._flush("div", body)
        self.boxes[0] = self.root._replace(last=len(self.blocks), images=self.images)
        return Layout(self.boxes, self.blocks)

    def _read_inside(self, element: etree._Element, kind: str, link: bool, style: int, depth: int) -> None:  # noqa: FBT001
        """Walk over the text and the children of an element."""
        pieces, marks = self.pieces, self.marks
        if depth > TREE_DEPTH:  # nested too deep to be meant: its text counts, its elements do not
            pieces.extend(iterate_text_pieces(element))
            return
        if (text := element.text) and (pieces or not text.isspace()):
            pieces.append(text)
            if link or style:
                self._set(link, style, len(text.strip()))
        ways, usual = (_WAYS_IN_PARAGRAPH, _IN_LINE) if kind == "p" else (_WAYS, _BOX)
        for child in element[:]:  # type: ignore[index]  # a list of all is made in half the time of iterating
            tag = child.tag
            way = ways.get(tag, usual)
            if way == _BOX:
                if pieces:
                    self._flush(kind, element)
                self._block_level(child, tag, kind, link, depth)
            elif way == _IN_LINE:
                if tag in _NOTE_TAGS and pieces and _is_note_mark(child):
                    pass
                elif tag == "a" and (href := child.get("href")) is not None:
                    if kind[0] == "h" and href[:1] == "#":  # of the heading itself, or of the text that it opens
                        if not _is_sign(child):
                            self._read_inside(child, kind, link, style, depth + 1)
                    elif child not in marks or not self._leave_out(child):
                        self.links += 1
                        if len(child):
                            self._read_inside(child, kind, True, style, depth + 1)
                        elif (text := child.text) and (pieces or not text.isspace()):  # three of four: no walk is needed
                            pieces.append(text)
                            self._set(True, style, len(text.strip()))
                else:
                    own = style | (_STYLES.get(tag, 0) if tag != "font" else _read_style(child))
                    if child in marks:
                        self._read_named_inline(child, kind, link, own, depth)
                    elif len(child):
                        self._read_inside(child, kind, link, own, depth + 1)
                    elif (text := child.text) and (pieces or not text.isspace()):
                        pieces.append(text)
                        if link or own:
                            self._set(link, own, len(text.strip()))
            elif way == _BREAK:
                if pieces and (pieces[-1] == "\n" or (not style and self._is_set_apart()) or is_parting_paragraphs(child, pieces)):
                    self._flush(kind, element)
                pieces.append("\n")
            elif way == _IMAGE:
                self.images += 1
            elif tag == "button":
                if self._is_in_sentence(child, kind):
                    self._read_inside(child, kind, link, style, depth + 1)
                elif is_title_of_panel(child):
                    if pieces:
                        self._flush(kind, element)
                    self._block_level(child, "summary", kind, link, depth)
            elif way == _MENU:
                if pieces:
                    self._flush(kind, element)
                # A menu: a third of a page's elements, none of its text.
                if next(child.iter("p", "h1", "h2", "article"), None) is not None:
                    self._block_level(child, tag, kind, link, depth)
            if (text := child.tail) and (not text.isspace() or (pieces and pieces[-1] != "\n")):
                pieces.append(text)
                if link or style:
                    self._set(link, style, len(text.strip()))

    def _is_in_sentence(self, button: etree._Element, kind: str) -> bool:
        """Return whether the text of a button is part of a sentence, or the heading that opens a part."""
        if kind[0] == "h":  # also the whole heading
            is_alone = not self.pieces and not (button.tail or "").strip() and button.getnext() is None
            return is_alone or "aria-expanded" in button.attrib or "aria-controls" in button.attrib
        is_begun = bool(self.pieces) and self.pieces[-1].rstrip()[-1:].isalpha() and kind in {"p", "li", "blockquote"}
        return is_begun and (button.tail or "").lstrip()[:1].isalpha()

    def _set(self, link: bool, style: int, length: int) -> None:  # noqa: FBT001
        """Count characters by how they are set."""
        if len(self.pieces) == 1:
            self.opening = length
        if link:
            self.linked += length
        if style & _BOLD:
            self.bold += length
        if style & _SLANTED:
            self.slanted += length
        if style & _SPANNED:
            self.spanned += length

    def _read_named_inline(self, child: etree._Element, kind: str, link: bool, style: int, depth: int) -> None:  # noqa: FBT001
        marks = self.marks.get(child, 0)
        if self._leave_out(child) or (marks & _HIDDEN and " ".join("".join(iterate_text_pieces(child)).split()) in self.repeated):
            return
        begins = not self.pieces
        if begins and marks & BADGE and len("".join(iterate_text_pieces(child)).strip()) <= 16:
            following = child.getnext()
            if (child.tail or "").strip() or (following is not None and following.tag in _INLINE):
                return
        self._read_inside(child, kind, link, style, depth + 1)
        marks &= ~BADGE
        if marks and begins:
            self.named = (marks, len(self.pieces))

    def _leave_out(self, child: etree._Element) -> bool:
        """Leave out an inline element that nobody sees, and keep the words around it apart; return whether it is one."""
        if not self.marks.get(child, 0) & UNSEEN or next(child.iter("math"), None) is not None:
            return False  # a formula that is not seen itself is shown as a picture
        text = "".join(iterate_text_pieces(child))
        if not self.pieces:
            # "Posted by", for screen readers, is the label of the line
            return not pattern("by", "published", "modified").search(text.lower())
        if text != text.strip() and (child.tail or "")[:1].isalnum():
            self.pieces.append(" ")
        return True

    def _block_level(self, child: etree._Element, tag: str, kind: str, link: bool, depth: int) -> None:  # noqa: FBT001
        blocks, boxes = self.blocks, self.boxes
        first = len(blocks)
        if first >= PAGE_BLOCKS or len(boxes) >= PAGE_BOXES:
            return
        marks = _TAG_MARKS.get(tag, 0) | self.marks.get(child, 0) & ~BADGE
        if marks & PART:
            tag, marks = take_role(child), marks & ~PART
        if tag == "tr" and is_data_row(child):
            self._add_row(child)
            return
        if marks & _NOT_SEEN and is_panel(child):
            marks &= ~_NOT_SEEN
        if tag == "dialog" and "open" not in child.attrib:
            marks |= UNSEEN
        if tag == "figure" and next(child.iter("table"), None) is not None:
            marks &= ~int(Mark.FIGURE)  # a table, as WordPress sets them, is not a picture
        outer, around, images = self.box, self.within, self.images
        box, within = len(boxes), marks | around
        boxes.append(self.root)  # until it is read
        self.box, self.within = box, within
        if tag != "p" or kind == "div":
            kind = _KINDS.get(tag, kind)
        if tag != "pre" or not self._add_as_written(child, kind):
            self._read_inside(child, kind, link, 0, depth + 1)
        if self.pieces:
            self._flush(kind, child)
        if len(blocks) == first:  # one box in five: without text it is none
            del boxes[box:]
        else:
            boxes[box] = _make(Box, (box, outer, child, tag, marks, within, first, len(blocks), self.images - images))
        self.box, self.within = outer, around

    def _add_as_written(self, child: etree._Element, kind: str) -> bool:
        """Take the paragraphs of a text without markup that is shown as it is written; say whether it is one."""
        parts = split_paragraphs_as_written(child)
        for part in parts:
            self.pieces.append(part)
            self._flush(kind, child)
        return bool(parts)

    def _is_set_apart(self) -> bool:
        """Return whether the whole line is bold, a heading whatever it is written in, or slanted below a picture, a caption."""
        standing_out = max(self.bold, self.slanted if self.images > self.pictured else 0)
        if not standing_out:
            return False
        counted, characters = self.weighed  # at each break only what came since the last is counted
        characters += sum(len(piece.strip()) for piece in self.pieces[counted:])
        self.weighed = len(self.pieces), characters
        return standing_out >= characters

    def _flush(self, kind: str, element: etree._Element) -> None:
        pieces, blocks = self.pieces, self.blocks
        words = "".join(pieces).split()
        if words and len(blocks) < PAGE_BLOCKS:
            text = " ".join(words)
            if blocks and len(blocks[-1].text) == 1 and (text[0].islower() or text[0] in "'’"):
                text = self._make_initial() + text
            length = len(text)
            size = length if text.isascii() else length + 2 * len(WIDE.findall(text))
            linked = min(self.linked, length)
            marks, named = self.named
            if marks and len(pieces) > named and not "".join(pieces[named:]).isspace():
                marks = 0
            opening, pictures = self.opening if self.opening < length else 0, self.images - self.pictured
            blocks.append(_make(Block, (
                len(blocks), self.box, text, kind, element, size, linked, self.links,
                self.bold, self.slanted, self.spanned, opening, marks, pictures,
            )))  # fmt: skip
            self.pictured = self.images
        pieces.clear()
        self.linked = self.links = self.bold = self.slanted = self.spanned = self.opening = 0
        self.named, self.weighed = _NOT_NAMED, _NOT_WEIGHED

    def _make_initial(self) -> str:
        """The large letter with which a text begins, where it stands in a box of its own within that of the text."""
        last = self.blocks[-1]
        if self.boxes[last.box].parent != self.box or not last.text.isupper():
            return ""
        self.blocks.pop()
        return last.text

    def _add_row(self, row: etree._Element) -> None:
        outer, first = self.box, len(self.blocks)
        self.box = len(self.boxes)
        for cell in row.iterchildren("td", "th"):
            begins = not self.pieces
            self.pieces.extend(iterate_text_pieces(cell))
            if begins:
                self.opening = len("".join(self.pieces).strip())
            self.pieces.append(" ")
        for link in row.iter("a"):
            self.linked += len("".join(map(str, link.itertext())).strip())
            self.links += 1
        self._flush("tr", row)
        if len(self.blocks) > first:
            marks = self.marks.get(row, 0)
            self.boxes.append(Box(self.box, outer, row, "tr", marks, marks | self.within, first, len(self.blocks), 0))
        self.box = outer


def _read_style(font: etree._Element) -> int:
    """Return how an element of old pages sets its text."""
    size = font.get("size")
    return _BOLD if size in {"5", "6", "7", "+2", "+3", "+4"} else _SLANTED if size in {"1", "-1", "-2"} else _SPANNED


#: Elements that a mark of a footnote is.
_NOTE_TAGS, _NOTE_MARK = frozenset({"a", "sup"}), re.compile(r"\s*[\[(]?(?:\d{1,3}|[a-z*†‡§]{1,2})[\])]?\s*")


def _is_note_mark(element: etree._Element) -> bool:
    """Return whether an element is the mark of a footnote, which links to it within the page."""
    link = element if element.tag == "a" else next(element.iter("a"), None)
    if link is None or not (link.get("href") or "").startswith("#"):
        return False
    if element.tag == "a" and next(element.iter("sup"), None) is None and "note" not in (link.get("rel") or link.get("role") or ""):
        return False
    return _NOTE_MARK.fullmatch("".join(iterate_text_pieces(element))) is not None


def _is_sign(link: etree._Element) -> bool:
    """Return whether a link in a heading is the sign that links to the heading itself: "Headline¶"."""
    return not any(map(str.isalnum, "".join(map(str, link.itertext()))))
