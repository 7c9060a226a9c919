"""The text of an element, as a reader sees it: for cells, captions, titles, links, whatever is not a block of the layout.

And how two texts are compared as headlines: by their letters and digits, whatever stands between these.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice

from lxml import etree

from newscrawler.languages import alternatives
from newscrawler.page.layout_rules import count_span
from newscrawler.page.names import UNSEEN, MarksOnDemand

_SILENT = frozenset({"script", "style", "noscript", "template", "svg", "head", "iframe", "object", "textarea", "select"})
#: Elements that stay in the line; all others part the text around them.
INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "math", "q", "ruby", "rb", "rp", "rt", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time",
    "tt", "u", "var", "wbr", "nobr", "o:p", "img", "picture", "source", "button", "input", "meta", "link",
})  # fmt: skip
#: Signs that take no room and part no words: soft hyphen, zero-width space, word joiner, BOM, marks of direction, and overrides of
#: direction, which make a name look like another. The joiners of Persian, of the scripts of India and of emoji (U+200C, U+200D)
#: belong to the spelling.
INVISIBLE = "\u00ad\u200b\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
INVISIBLE_ENTITIES = re.compile(
    r"&(?:shy\b|ZeroWidthSpace|NoBreak|lrm\b|rlm\b|#0*(?:173|8203|8288|65279|8206|8207|823[4-8]|829[4-7])(?!\d)|#[xX]0*(?:[aA][dD]|200[bBeEfF]|2060|"
    r"202[a-eA-E]|206[6-9]|[fF][eE][fF]{2})(?![\da-fA-F]));?"
)
_MARKS = MarksOnDemand()


#: Tags in a text that was written for machines: those that stay in the line, and all others.
_LINE_TAGS = re.compile(rf"</?(?:{'|'.join(sorted(INLINE))})\b[^<>]{{0,300}}>", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]{1,300}>")


def clean_text(text: object) -> str | None:
    """Return a declared text without tags, entities, surplus blanks and signs that nobody sees; None where nothing is left."""
    if not isinstance(text, str):
        return None
    text = html.unescape(html.unescape(text)) if "&" in text else text  # some sites escape twice
    text = _TAGS.sub(" ", _LINE_TAGS.sub("", text)) if "<" in text else text
    text = squeeze(remove_invisible_signs(text))
    return text if text and not is_template_value(text) else None


def squeeze(text: str | None) -> str:
    """Join white space of any kind into single blanks, none at the ends."""
    return " ".join(text.split()) if text else ""


def has_eastern_letters(text: str) -> bool:
    """Return whether a text has Chinese, Japanese or Korean letters."""
    return not text.isascii() and any(map(_is_eastern_letter, text))


def may_be_eastern_name(text: str) -> bool:
    """Return whether a text is two to five Chinese, Japanese or Korean letters, as a name is."""
    return 1 < len(text) < 6 and all(map(_is_eastern_letter, text))


def _is_eastern_letter(sign: str) -> bool:
    return "\u3040" <= sign <= "\u30ff" or "\u3400" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af" or sign == "\u3005"


def remove_invisible_signs(text: str) -> str:
    """Remove the signs of `INVISIBLE`, and their entities."""
    if not text.isascii():
        for sign in INVISIBLE:
            text = text.replace(sign, "")
    return INVISIBLE_ENTITIES.sub("", text) if "&" in text else text


#: The same signs as JSON and JavaScript write them.
_ESCAPES = re.compile(r"(?<!\\)\\u(?:00ad|200[bef]|2060|202[a-e]|206[6-9]|feff)", re.IGNORECASE)


def remove_escaped_signs(script: str) -> str:
    """Remove the signs of `INVISIBLE` that a script writes as escapes."""
    return _ESCAPES.sub("", script) if "\\u" in script else script


def join_text(element: etree._Element) -> str:
    """Return all text below an element, hidden parts included, on one line."""
    return squeeze("".join(map(str, element.itertext())))


def extract_visible_text(element: etree._Element) -> str:
    """Return the text below an element as a reader sees it, on one line."""
    return squeeze("".join(iterate_text_pieces(element)))


def iterate_text_pieces(element: etree._Element, *, apart: bool = False) -> Iterator[str]:
    """Yield the text below an element without hidden parts, with a blank at line breaks and at the ends of blocks.

    `apart`: with a blank, too, between neighbours that have classes, which a style sheet sets apart.
    """
    if not len(element) and element.tag not in _SILENT:  # nine cells of ten
        yield element.text or ""
        return
    is_named = False
    for event, node in (walk := etree.iterwalk(element, events=("start", "end"))):
        if event == "start":
            if not isinstance(node.tag, str) or node.tag in _SILENT or (node is not element and _MARKS.get(node) & UNSEEN):
                walk.skip_subtree()
                continue
            if node is not element and (node.tag not in INLINE or (apart and is_named and node.get("class"))):
                yield " "
            if node.text:
                yield node.text
        elif node is not element:
            if node.tag not in INLINE and isinstance(node.tag, str):
                yield " "
            if node.tail:
                yield node.tail
        is_named = event == "end" and not node.tail and bool(node.get("class"))


def read_lines(element: etree._Element) -> tuple[str, ...]:
    """Return the lines of an element that shows its text as it is written, without empty ones at the ends."""
    pieces: list[str] = []
    for event, node in (walk := etree.iterwalk(element, events=("start", "end"))):
        if event == "start":
            if node is not element and _MARKS.get(node) & UNSEEN:
                walk.skip_subtree()
                continue
            pieces.append("\n" if node.tag == "br" else node.text or "")
        elif node is not element:
            pieces.append(node.tail or "")
    return tuple(line.rstrip() for line in "".join(pieces).strip("\n").rstrip().split("\n"))


def read_rows(group: etree._Element) -> dict[etree._Element, tuple[str, ...]]:
    """Return the rows in a table or a part of it with the texts of their cells: empty where a cell above or before reaches."""
    rows: dict[etree._Element, tuple[str, ...]] = {}
    below: dict[int, int] = {}
    for row in group.iterchildren("tr"):
        covered, cells, after = below, list[str](), 0
        below = {column: rest - 1 for column, rest in covered.items() if rest > 1}
        for cell in row.iterchildren("td", "th"):
            cells += [""] * after
            while len(cells) in covered:
                cells.append("")
            columns = min(max(1, count_span(cell, "colspan")), 20)
            if (height := count_span(cell, "rowspan") or len(group)) > 1:
                below |= dict.fromkeys(range(len(cells), len(cells) + columns), height - 1)
            cells.append(extract_visible_text(cell))
            after = columns - 1
        rows[row] = tuple(cells)
    return rows


def find_item_number(item: etree._Element) -> int | None:
    """Return the number of an item of a numbered list, as browsers count; None: it is in no such list."""
    numbered = item.getparent()
    if numbered is None or numbered.tag != "ol" or item.tag != "li":
        return None
    step, before = (-1 if "reversed" in numbered.attrib else 1), 0
    for each in chain((item,), item.itersiblings("li", preceding=True)):
        if (number := _read_number(each.get("value"))) is not None:
            return number + step * before
        before += 1
    start = _read_number(numbered.get("start"))
    first = start if start is not None else 1 if step > 0 else sum(1 for _ in numbered.iterchildren("li"))
    return first + step * (before - 1)


def _read_number(said: str | None) -> int | None:
    return int(said) if said and re.fullmatch(r"\s*[+-]?\d{1,6}\s*", said) else None


#: Counters of galleries, in their own element or before a mark: "1 / 3", "Bild 1 von 3", "Photo 2 of 9:".
_COUNT = rf"(?:[^\W\d_]{{2,12}}\.?\s)?\(?\d{{1,3}}\s?(?:/|{alternatives('number_of')})\s?\d{{1,3}}\)?"
_COUNTER, _COUNTER_BEFORE = re.compile(rf"\s*{_COUNT}\s*", re.IGNORECASE), re.compile(rf"\A{_COUNT}\s*[:|–—-]\s+", re.IGNORECASE)


def read_caption(element: etree._Element) -> str:
    """Return the text of a caption, its parts kept apart, without the counter of a gallery."""
    pieces = [element.text or ""]
    for child in element:
        text = "".join(iterate_text_pieces(child, apart=True)) if isinstance(child.tag, str) and child.tag not in _SILENT else ""
        if not _COUNTER.fullmatch(text) and not _MARKS.get(child) & UNSEEN:
            is_apart = child.tag not in INLINE or (child.get("class") and child.getprevious() is not None and not pieces[-1])
            pieces += [" " if is_apart else "", text]
        pieces.append(child.tail or "")
    return _COUNTER_BEFORE.sub("", squeeze("".join(pieces)), count=1)


#: Variables that a system left in place: ${author}, %author_name%, [category], {{ title }}, #{name}, @Model.Name, *|NAME|*; and
#: how programs write that there is no value.
_TEMPLATE_VALUE = re.compile(
    r"[$#]\{[^{}]*\}|\{\{.*\}\}|\{%|<%|\*\|\w+\|\*|"
    r"^(?:%+[\w.-]+%+|\[{1,2}[+*~]?[\w:. -]{2,40}\]{1,2}|\{[\w.-]+\}|#+[\w.-]+#+|@@?[\w.-]+@@?|\$+[\w.-]+\$+|__\w+__|"
    r"@[A-Z]\w*(?:\.\w+)+)$"
)
_NO_VALUE = re.compile(r"(?:(?:undefined|null|nan|nil|none|\(null\)|n/a|\[object object\])(?:\s+|$))+", re.IGNORECASE)


def is_template_value(text: str) -> bool:
    """Return whether a value is a variable of a template that nothing was put in for, or says that there is none."""
    return (not text[:1].isalnum() and _TEMPLATE_VALUE.search(text) is not None) or (
        len(text) <= 40 and text[:1] in "uUnN([" and _NO_VALUE.fullmatch(text) is not None
    )


_WORDS = re.compile(r"\w+")
#: Likeness of a text to a much longer one that begins with it.
BEGINNING = 0.85
#: Anything but ASCII, and the dashes and quotes that stand in texts otherwise written in it.
_OTHER_LETTER = re.compile("[^\x00-\x7f\u2010-\u203a]")
#: ASCII in small letters, and what of it is not a part of a key.
_FOLDED = bytes(range(256)).lower()
_LEFT_OUT = bytes(code for code in range(128) if not chr(code).isalnum() and chr(code) != "_")


def key_of(text: str) -> str:
    """What two ways to write the same text have in common: its letters and digits, folded."""
    return _short_key(text) if len(text) <= 300 else _make_key(text)  # longer texts are not headlines


def _make_key(text: str) -> str:
    if _OTHER_LETTER.search(text) is None:
        return text.encode("ascii", "ignore").translate(_FOLDED, _LEFT_OUT).decode()
    return "".join(_WORDS.findall(text.casefold()))


_short_key = lru_cache(maxsize=1024)(_make_key)  # a page's headline is compared with all of its headings


def likeness(one: str, other: str) -> float:
    """Likeness of two headlines, 0 to 1: 1 for the same letters, near 1 where one begins with most of the other."""
    first, second = key_of(one), key_of(other)
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    short, long = (first, second) if len(first) < len(second) else (second, first)
    if short in long and 2 * len(short) >= len(long):
        return 0.95 if long.startswith(short) else 0.9
    if len(short) >= 12 and short in long:
        return BEGINNING if long.startswith(short) else 0.5
    words, others = _split_pieces(one), _split_pieces(other)
    return 0.85 * len(words & others) / max(len(words), len(others), 1)


def begins_alike(lines: Iterable[str], other: str) -> bool:
    """Return whether a text contains the beginning of one of the first four lines of another."""
    beginnings = (key_of(line)[:60] for line in islice(lines, 4))
    key = key_of(other)
    return any(len(beginning) >= 15 and beginning in key for beginning in beginnings)


@lru_cache(maxsize=512)
def _split_pieces(text: str) -> frozenset[str]:
    words = _WORDS.findall(text.casefold())
    if len(words) < 3:  # a script that parts no words
        joined = "".join(words)
        return frozenset(joined[i : i + 2] for i in range(len(joined) - 1))
    return frozenset(words)
