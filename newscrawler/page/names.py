"""The elements of a page that have a name: class, id, itemprop, property or rel; read in one walk, for all who look for names.

The same walk reads what the names, roles and attributes of each element say it is, for the layout: reading attributes is
what costs most. All elements are held, since lxml would make them, and read their tags, anew for each further walk.

And the text of small ones: a byline, a date. An element with more in it than that is given up early, so that thousands of
nested boxes cost no more than one walk over each other's first few elements.

Class names, ids and roles become marks, a small vocabulary, each one bit. Names are split at everything that is not a letter and
at camel case; a word counts wherever it is. The words are those that publishing systems share, not those of a publisher. A mark is
evidence, not a verdict: it is weighed elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from functools import lru_cache, reduce
from itertools import pairwise
from operator import or_
from typing import NamedTuple, cast

from lxml import etree

from newscrawler.languages import load_class_names
from newscrawler.page.style_sheets import find_hidden_elements, is_hiding_style, is_showing_style


class Mark(IntFlag):
    """What a name claims."""

    NAVIGATION = 1
    FOOTER = 2
    ASIDE = 4
    RELATED = 8
    PROMOTION = 16
    SOCIAL = 32
    COMMENT = 64
    CAPTION = 128
    BYLINE = 256
    TAGS = 512
    POPUP = 1024
    WIDGET = 2048
    HIDDEN = 4096
    PULL_QUOTE = 8192
    LEAD = 16384
    BODY = 32768
    ARTICLE = 65536
    HEADER = 131072
    EMBED = 262144
    MAIN = 524288
    FORM = 1048576
    FIGURE = 2097152
    CONSENT = 4194304


#: What stands beside an article, where nothing is its headline.
BOXES_BESIDE = int(
    Mark.NAVIGATION
    | Mark.FOOTER
    | Mark.ASIDE
    | Mark.RELATED
    | Mark.PROMOTION
    | Mark.COMMENT
    | Mark.POPUP
    | Mark.HIDDEN
    | Mark.SOCIAL
)

#: Words by the sum of their marks; those long enough to be recognised inside a longer one, as in "relatedposts"; pairs that only
#: together mean something. Filled from the files of languages.
_BITS: dict[str, int] = {}
_INSIDE: dict[str, int] = {}
_PAIRS: dict[tuple[str, str], int] = {}
for _name, _phrases in load_class_names().items():
    _bit = int(Mark[_name.upper()])
    for _phrase in _phrases:
        _first, _, _second = _phrase.partition(" ")
        if _second:
            _PAIRS[_first, _second] = _PAIRS.get((_first, _second), 0) | _bit
        elif _phrase.startswith("*"):
            _INSIDE[_phrase.strip("*")] = _INSIDE.get(_phrase.strip("*"), 0) | _bit
        else:
            _BITS[_phrase] = _BITS.get(_phrase, 0) | _bit

_FIRST_OF_PAIR = frozenset(first for first, _ in _PAIRS)
#: Beside the marks of a word.
_BEGINS_PAIR = 1 << 40
_BODY, _ARTICLE, _FOOTER = int(Mark.BODY), int(Mark.ARTICLE), int(Mark.FOOTER)
_FOREIGN_NAMES = int(
    Mark.RELATED
    | Mark.PROMOTION
    | Mark.SOCIAL
    | Mark.COMMENT
    | Mark.CAPTION
    | Mark.BYLINE
    | Mark.TAGS
    | Mark.CONSENT
    | Mark.PULL_QUOTE
)

#: A bit beyond those of `Mark`, which are evidence on boxes: nobody sees the text of this element, so it is not part of a line.
UNSEEN = 1 << 45
#: Another one: a short word before a line, which is set apart from it: "Live".
BADGE = 1 << 46
#: And one more: its role says that it is a part of a table or a list, whose elements these are.
PART = 1 << 47
PARTS = {
    "table": "table", "grid": "table", "rowgroup": "tbody", "row": "tr", "cell": "td", "gridcell": "td", "columnheader": "th",
    "rowheader": "th", "list": "ul", "listitem": "li",
}  # fmt: skip
_OF_LINES = UNSEEN | BADGE
_BADGE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:badge|flag|pill|count(?:er)?|live-?(?:dot|icon|label|tag)|(?:dot|icon|label|tag)-?live)(?=$|[\s_-])",
    re.IGNORECASE,
)
#: Classes by which text is for screen readers only, or is shown while the mouse is above something, or numbers the lines of code.
_UNSEEN_CLASS = re.compile(
    r"(?:^|[\s_-])(?:(?:visually|element|a11y|accessibly|accessibility)[_-]?(?:hidden|invisible)|(?:hidden|hide)[_-]?visually|sr[_-]?only|"
    r"elementor-screen-only|(?:screen[_-]?reader|for[_-]sr|sr)(?:[_-]?(?:only|text|hint|note))?|assistive[_-]?text|off[_-]?screen|"
    r"tooltip[_-]?(?:text|content|body)|line[_-]?(?:no|number)s?)(?=$|[\s_-])",
    re.IGNORECASE,
)

#: Bootstrap's class for elements that no screen shows, without one that shows it on some.
_NOT_DISPLAYED = re.compile(r"^(?!.*\bd-(?:\w+-)?(?:block|inline|flex|grid|table)).*(?:^|\s)d-none(?:$|\s)")
#: Each class that these patterns find has such a word.
_OF_LINE = re.compile(
    r"(?:badge|flag|pill|count(?:er)?|off|line|none|only)$|live|linen|sr|assist|offscreen|tooltip|.*(?:hid|invisib|reader)"
)

#: Words of letters; a capital behind a small letter begins a new one.
_PARTS = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
#: Names in which something else is hidden: what overflows, a label (of every field in Drupal), on some screens or on paper.
_OF_LOOKS = re.compile(r"overflow(?:-[xy])?-hidden|label-(?:hidden|visually_hidden|above|inline)|(?:sm|md|lg|xl|print):hidden")
#: Names that are kept with what they say.
_MOST_KNOWN = 4_096
#: A class list this long is a list of utilities (Tailwind and the like), whose words describe looks.
_MOST_WORDS = 40


#: All but small letters as blanks: parts names in small letters, as most are, in half the time of a pattern.
_SMALL = "".join(sign if sign.islower() else " " for sign in map(chr, range(128)))


@lru_cache(maxsize=_MOST_KNOWN)
def split_name(name: str) -> tuple[str, ...]:
    """Return the words of a class or id in small letters, split at capitals, digits and signs; at most 40."""
    name = name[:400]
    if name.islower() and name.isascii():
        return tuple(name.translate(_SMALL).split()[:_MOST_WORDS])
    return tuple([part.lower() for part in _PARTS.findall(name)[:_MOST_WORDS]])


@lru_cache(maxsize=_MOST_KNOWN)
def find_marks(name: str) -> int:
    """Return the marks of a class or id: a sum of bits of `Mark`, with `UNSEEN` and `BADGE`."""
    words = split_name(_OF_LOOKS.sub(" ", name) if "hidden" in name or "label-" in name else name)
    found = reduce(or_, map(_read_bits, words), 0)
    if found & _BEGINS_PAIR:
        found &= ~_BEGINS_PAIR
        for pair in pairwise(words):
            found |= _PAIRS.get(pair, 0)
    if found & _FOOTER and "head" in name.lower():
        found &= ~_FOOTER  # "headline__footer"
    if found & _FOREIGN_NAMES and not found & _ARTICLE:
        found &= ~_BODY  # "comment-body", "caption-text": what kind of text it is counts for more than that it is text
    if found & _OF_LINES:
        is_unseen = _UNSEEN_CLASS.search(_OF_LOOKS.sub(" ", name)) or (
            ("d-none" in name or "hidden" in name) and _NOT_DISPLAYED.search(name)
        )
        is_badge = _BADGE_CLASS.search(name)
        found = found & ~_OF_LINES | (UNSEEN if is_unseen else 0) | (BADGE if is_badge else 0)
    return found


@lru_cache(maxsize=32_768)
def _read_bits(word: str) -> int:
    """Return what a word says by itself, and whether it may begin a pair."""
    bits = _BITS.get(word, 0)
    if len(word) > 7:
        for inside, bit in _INSIDE.items():
            if inside in word:
                bits |= bit
    if word in _FIRST_OF_PAIR:
        bits |= _BEGINS_PAIR
    return bits | UNSEEN if _OF_LINE.match(word) else bits


SILENT = frozenset({"script", "style", "noscript", "template", "svg", "path", "option", "source", "link", "iframe", "br", "g"})
_UNSEEN = SILENT - {"br"}


class Named(NamedTuple):
    """One element with what it is called; headings and time elements stand here without a name, too."""

    #: Place among the elements of the body, in page order.
    place: int
    element: etree._Element
    tag: str
    #: Class and id, parted by a blank.
    name: str
    #: itemprop, or else property, in lower case.
    prop: str
    rel: str
    #: It has an attribute that holds a time: datetime, pubdate, data-datetime, data-timestamp.
    timed: bool


@dataclass(frozen=True, slots=True)
class Names:
    """What the elements of a body are called."""

    #: All elements, in page order; held, since lxml would make them anew for each further walk.
    elements: Sequence[etree._Element]
    #: Places of those of them that have a name, or are headings or times, in page order.
    places: Sequence[int]
    #: Class and id of each of these, parted by a blank.
    calls: Sequence[str]
    #: Property, rel and whether there is a time, of the few that have any of them, by their place.
    said: Mapping[int, tuple[str, str, bool]]
    #: Classes and ids, each once.
    called: Sequence[str]
    #: The elements of some tags that are looked for or counted by their tag, in page order.
    tagged: Mapping[str, Sequence[tuple[int, etree._Element]]]
    #: What class, id, role, itemprop and the attributes that hide say of an element, as a sum of `Mark` bits; only where they do,
    #: and not of links and pictures, which are not boxes.
    marks: Mapping[etree._Element, int]
    #: Types of microdata, as they are written.
    types: Sequence[str]

    def named(self, numbers: Iterable[int]) -> list[Named]:
        """Those with these numbers among the elements that have a name."""
        found = []
        for number in numbers:
            place = self.places[number]
            element = self.elements[place]
            found.append(Named(place, element, element.tag, self.calls[number], *self.said.get(place, ("", "", False))))
        return found


TIMED = frozenset({"datetime", "pubdate", "data-datetime", "data-timestamp"})
_LOOKED_FOR = (
    "a", "article", "button", "form", "h1", "h2", "h3", "iframe", "img", "input", "label", "nav", "select",
    "textarea", "time", "video",
)  # fmt: skip
#: What elements are called where classes are made by a machine.
_PARTS_OF_PROGRAMS = frozenset({"data-component", "data-testid"})
_MARKING = frozenset({"role", "itemprop", "hidden", "style", "aria-hidden"}) | _PARTS_OF_PROGRAMS
#: What is read beside class, id and href: not one attribute in ten.
_READ = TIMED | _MARKING | {"rel", "property", "itemtype"}
#: What these are called says nothing to the layout, to which they are never boxes.
_NO_BOXES = frozenset({"a", "b", "strong", "img", "picture", "button", "input", "textarea", "select"})
_ROLE_MARKS: dict[str, int] = {
    "navigation": Mark.NAVIGATION, "menu": Mark.NAVIGATION, "menubar": Mark.NAVIGATION, "complementary": Mark.ASIDE,
    "contentinfo": Mark.FOOTER, "banner": Mark.HEADER, "dialog": Mark.POPUP, "alertdialog": Mark.POPUP, "search": Mark.FORM,
    "main": Mark.MAIN, "article": Mark.ARTICLE, "form": Mark.FORM, "tablist": Mark.NAVIGATION, "tooltip": Mark.POPUP,
    "alert": Mark.POPUP, "note": Mark.ASIDE,
}  # fmt: skip
_ITEM_MARKS: dict[str, int] = {
    "articlebody": Mark.BODY | Mark.ARTICLE, "author": Mark.BYLINE, "datepublished": Mark.BYLINE, "comment": Mark.COMMENT,
    "caption": Mark.CAPTION, "description": Mark.LEAD, "keywords": Mark.TAGS, "publisher": Mark.BYLINE, "text": Mark.BODY,
}  # fmt: skip
for _table in (_ROLE_MARKS, _ITEM_MARKS):  # plain integers: the arithmetic of flags is ten times slower
    _table.update({_name: int(_marks) for _name, _marks in _table.items()})
_HIDDEN = int(Mark.HIDDEN)


def read_names(body: etree._Element, sheets: Iterable[str] = ()) -> Names:
    """Walk over a body once; of each element the names of its attributes are read, and of these the values of a few.

    `sheets`: the style sheets in the page, which hide elements.
    """
    elements = list(body.iter(etree.Element))
    places: list[int] = []
    calls: list[str] = []
    said: dict[int, tuple[str, str, bool]] = {}
    tagged: dict[str, list[tuple[int, etree._Element]]] = {tag: [] for tag in _LOOKED_FOR}
    marked: dict[etree._Element, int] = {}
    known: dict[str, int] = {}
    types: list[str] = []
    for place, element in enumerate(elements):
        tag = element.tag
        if tag in tagged:
            tagged[tag].append((place, element))
        if tag in SILENT:
            continue
        useful = tag in {"h1", "h2", "h3", "time"}
        boxed = tag not in _NO_BOXES
        name = item = prop = rel = ""
        says = timed = False
        marks = 0
        get = element.get
        for key in element.keys():  # noqa: SIM118  an element is not a mapping: to iterate over it gives its children
            if key == "class" or key == "id":  # noqa: PLR1714  twice as fast as a set of two
                value = get(key, "")
                name = f"{name} {value}" if name else value
                useful = True
                bits = known.get(value)
                if bits is None:
                    bits = known[value] = find_marks(value)
                marks |= bits
            elif key == "href":
                useful = True
            elif key in _READ:
                value = get(key, "")
                if key in _MARKING:
                    marks |= _read_marks(key, value, element)
                    if key != "itemprop":
                        continue
                    item = value.lower()
                elif key == "itemtype":
                    types.append(value)
                    continue
                elif key == "rel":
                    rel = value.lower() if tag == "a" else ""
                elif key == "property":
                    prop = value.lower()
                else:
                    timed = True
                useful = says = True
        if useful:
            places.append(place)
            calls.append(name)
        if says:
            said[place] = (item or prop, rel, timed)
        if marks and (boxed or marks & _OF_LINES):
            marked[element] = marks if boxed else marks & _OF_LINES
    named = zip(calls, map(elements.__getitem__, places), strict=True)
    for element in find_hidden_elements(sheets, " ".join(known), named):
        marked[element] = marked.get(element, 0) | (UNSEEN if element.tag in _NO_BOXES else _HIDDEN | UNSEEN)
    return Names(elements, places, calls, said, list(known), tagged, marked, types)


def _read_marks(key: str, value: str, element: etree._Element) -> int:
    """Return the marks that an attribute other than class and id gives, as a sum of bits."""
    if key in _PARTS_OF_PROGRAMS:
        return find_marks(value) & ~_OF_LINES
    if key == "role":
        return _ROLE_MARKS.get(value, 0) | (UNSEEN if value == "tooltip" else PART if value in PARTS else 0)
    if key == "itemprop":
        return _ITEM_MARKS.get(value.lower(), 0)
    if key == "style":
        is_hidden, is_unseen = is_hiding_style(value)
        return _HIDDEN | UNSEEN if is_hidden else UNSEEN if is_unseen else 0
    if key == "hidden":  # a panel that can be searched is text
        return 0 if value == "until-found" or ((style := element.get("style")) and is_showing_style(style)) else _HIDDEN | UNSEEN
    return _HIDDEN if key == "aria-hidden" and value == "true" else 0


class MarksOnDemand:
    """The same marks, read on request: for a layout that passes most of the page over."""

    def get(self, element: etree._Element, default: int = 0) -> int:
        """What the names and attributes of an element say."""
        if element.tag in SILENT:
            return default
        marks = 0
        for key, value in cast("list[tuple[str, str]]", element.items()):
            if key in {"class", "id"}:
                marks |= find_marks(value)
            elif key in _MARKING:
                marks |= _read_marks(key, value, element)
        return (marks if element.tag not in _NO_BOXES else marks & _OF_LINES) or default

    def __contains__(self, element: etree._Element) -> bool:
        return bool(self.get(element))


def short_text(element: etree._Element, longest: int) -> str | None:
    """Give the text of a small element as a reader sees it; None where it is longer, or holds more elements."""
    pieces = collect_small_pieces(element, 4 * longest)
    shown = " ".join("".join(pieces).split()) if pieces is not None else ""
    return shown if pieces is not None and len(shown) <= longest else None


def collect_small_pieces(element: etree._Element, longest: int) -> list[str] | None:
    """Give the pieces of text in an element, blanks as they stand there; None where it is longer, or has over 60 elements."""
    pieces: list[str] = []
    length = elements = 0
    stack: list[etree._Element | str] = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            text: str | None = node
        else:
            elements += 1
            tag = node.tag
            if tag in _UNSEEN or not isinstance(tag, str):
                elements += sum(1 for _ in node.iterdescendants()) if len(node) else 0
                text = None
            else:
                text = node.text
                for child in reversed(node):
                    if tail := child.tail:
                        stack.append(tail)
                    stack.append(child)
            if elements > 60:
                return None
        if text:
            pieces.append(text)
            length += len(text)
            if length > longest:
                return None
    return pieces
