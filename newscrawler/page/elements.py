"""Kinds of HTML elements, by the rules of HTML5's tree construction, and patterns for tags."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from operator import itemgetter


def _split_names(words: str) -> frozenset[bytes]:
    return frozenset(words.encode().split())


HEADINGS = _split_names("h1 h2 h3 h4 h5 h6")
VOID = _split_names("area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr")
RAW = _split_names("script style textarea title xmp iframe noembed noframes")
CELLS = _split_names("td th")
ROW_GROUPS = _split_names("tbody thead tfoot")
TABLE_PARTS = CELLS | ROW_GROUPS | _split_names("tr caption colgroup")
#: Elements whose start tag ends an open paragraph, and whose end tag ends all that is open inside.
BLOCKS = _split_names(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main"
    " menu nav ol pre search section summary ul"
)
ENDS_PARAGRAPH = BLOCKS | HEADINGS | _split_names("p hr xmp plaintext")
SEALED = _split_names("noscript template")
#: Elements that limit how far an end tag reaches, outside and inside of SVG and MathML.
SCOPE = CELLS | SEALED | _split_names("table caption applet marquee object")
HTML_IN_FOREIGN = _split_names("foreignobject desc mi mo mn ms mtext annotation-xml")
SPECIAL = (
    BLOCKS
    | HEADINGS
    | SCOPE
    | TABLE_PARTS
    | RAW
    | VOID
    | _split_names("p li dd dt form button body frameset head html plaintext select")
)
IMPLIED_END = _split_names("dd dt li optgroup option p rb rp rt rtc")
#: Start tags before which an open link is not reopened.
OUTSIDE_LINKS = (
    (ENDS_PARAGRAPH - {b"xmp"})
    | TABLE_PARTS
    | RAW
    | SEALED
    | _split_names("li dd dt form table html head body base link meta param source track col")
)
HEAD = _split_names("html head base basefont bgsound link meta title style script") | SEALED
#: Start tags that end SVG and MathML.
ENDS_FOREIGN = HEADINGS | _split_names(
    "b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta nobr ol p pre ruby s small span"
    " strong strike sub sup table tt u ul var"
)
#: What libxml2 closes at a start tag, where HTML5 does not.
_FORMATTING = _split_names("b i big s small strike tt u")
_PREFORMATTED = _split_names("listing pre xmp")
_DIRECTORIES = _split_names("dir menu")
CLOSED_BY_LIBXML2 = {
    b"a": _split_names("a"),
    b"address": _split_names("ul"),
    b"center": _split_names("b i font"),
    b"dd": _split_names("address") | _DIRECTORIES | _PREFORMATTED,
    b"dl": _split_names("address dt") | _DIRECTORIES | _PREFORMATTED,
    b"dt": _split_names("address") | _DIRECTORIES | _PREFORMATTED,
    b"fieldset": _split_names("a legend") | HEADINGS | _PREFORMATTED,
    b"form": _split_names("address dl ol ul") | _DIRECTORIES | HEADINGS | _PREFORMATTED,
    b"li": _split_names("address dl") | HEADINGS | _PREFORMATTED,
    b"menu": _split_names("ul"),
    b"p": _FORMATTING | HEADINGS,
    b"pre": _split_names("ul"),
    b"table": _split_names("a") | HEADINGS | _PREFORMATTED,
    b"td": _split_names("a b font i span u"),
    b"th": _split_names("a b font i span u"),
    b"ul": _split_names("address") | _DIRECTORIES | _PREFORMATTED,
}

ENDS_ALL_INSIDE = BLOCKS | _split_names("button dd dt select applet marquee object")
MARKED = CELLS | SEALED | _split_names("caption applet marquee object")
#: Elements out of which the start tag of an item leads.
INSIDE_LI = _split_names("address div p li")
INSIDE_DD = _split_names("address div p dd dt")
#: Elements that an end tag ends in any case, where they are the innermost.
PLAIN = BLOCKS | HEADINGS | _split_names("p li dd dt button span b i em strong small label select option")
#: Elements whose start tag does nothing but end a paragraph.
PLAIN_START = BLOCKS | _split_names("p span b i em strong small label")
TABLE_CONTEXT = ROW_GROUPS | _split_names("table tr")
SLASH = ord("/")
TABLE_LEVELS = {b"caption": 1, b"colgroup": 1, b"tr": 2, b"td": 3, b"th": 3} | dict.fromkeys(ROW_GROUPS, 1)

VALUE = rb"""=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+)?+"""
ATTRIBUTES = rb"""[^>=]*+(?:="[^"]*+"[^>=]*+)*+(?:""" + VALUE + rb"[^>=]*+)*+"
_TAG = rb"<(/?)([a-zA-Z][^\s/>]*+)" + ATTRIBUTES + rb">"
_COMMENT = rb"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z|-))|<(?:[!?]|/[^a-zA-Z])[^>]*+(?:>|\Z)"
_TEXT = rb"[^<]++|<(?![a-zA-Z/!?])"
#: An element that holds nothing but text; no link may be open around it.
_PLAIN_REST = rb"""(?=[\s>])[^<>"'/]*+(?:(?:"[^"<>]*+"|'[^'<>]*+'|/(?!>))[^<>"'/]*+)*+"""
_LEAF = rb"<(a|span|b|i|em|strong|small|sup|sub|u|label|time|abbr|cite|code)" + _PLAIN_REST + rb">[^<]*+</\2\s*+>"
_VOID_LEAF = rb"<(?:br|img|wbr|meta|link)" + _PLAIN_REST + rb"/?>"
#: The next tag, with text and comments in front of it; and with leaves, too.
NEXT = re.compile(rb"((?:" + _TEXT + rb"|" + _COMMENT + rb")*+)()" + _TAG)
NEXT_BRANCH = re.compile(rb"((?:" + _TEXT + rb"|" + _COMMENT + rb"|" + _VOID_LEAF + rb"|" + _LEAF + rb")*+)" + _TAG)
COMMENTS = re.compile(rb"(?:" + _COMMENT + rb")*+")
UNQUOTED_SLASH = re.compile(rb"""=\s*(?:[^\s"'>][^\s>]*)?/>\Z""")
RAW_ENDS = {name: re.compile(rb"</" + name + rb"(?=[\s/>])[^>]*+>", re.IGNORECASE) for name in RAW}
SCRIPT_PARTS = re.compile(rb"<!--|-->|<(/?)script(?=[\s/>])[^>]*+>", re.IGNORECASE)
#: All tags but those of paragraphs and scripts; what is kept is named so.
BOXES = re.compile(
    rb"(?P<kept><(script|style|textarea|title)\b(?s:.*?)</\2[^>]*+>|" + _COMMENT + rb")|</?(?!(?:p|br|hr|img)\b)[a-z][^>]*+>",
    re.IGNORECASE,
)


#: An element that keeps libxml2 from closing the element around it; the caller strips it from the tree.
WRAPPER = "newscrawler-wrapper"
WRAPPER_START = b"<newscrawler-wrapper>"
WRAPPER_END = b"</newscrawler-wrapper>"
#: Tags below this depth are left out: libxml2 gives up at 2,046 levels.
DEEPEST = 400


#: An open element: its name, the end tag that it needs, and where its start tag begins and ends in the source.
Open = tuple[bytes, bytes, int, int]


@dataclass(slots=True)
class Link:
    """A link that has no end tag yet, and its place on the stack; -1 where another end tag has closed it."""

    tag: bytes
    place: int


class OpenElements:
    """The stack of open elements. Their places are kept by kind, so that no look-up walks the stack."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.stack: list[Open] = []
        #: Places on the stack that HTML5 has taken off it while something inside was open.
        self.dead: set[int] = set()
        #: Position, rank, end of what is replaced, replacement.
        self.edits: list[tuple[int, int, int, bytes]] = []
        self.places: dict[bytes, list[int]] = {}
        self.registers: dict[bytes, tuple[list[int], ...]] = {}
        self.paragraphs = self.places.setdefault(b"p", [])
        self.specials: list[int] = []
        self.scopes: list[int] = []
        self.button_scopes: list[int] = []
        self.list_scopes: list[int] = []
        self.table_scopes: list[int] = []
        self.table_parts: list[int] = []
        self.li_limits: list[int] = []
        self.dd_limits: list[int] = []
        self.headings: list[int] = []
        self.foreign: list[int] = []
        self.html_in_foreign: list[int] = []
        #: The open link, outermost table cell first.
        self.links: list[Link | None] = [None]
        self.cloned = 0
        self.has_form = False
        self.form = -1
        self.in_body = False

    def edited(self, source: bytes) -> bytes:
        """Return the source with all changes made."""
        self.edits.sort(key=itemgetter(0, 1))
        pieces: list[bytes] = []
        position = 0
        for at, _, end, text in self.edits:
            if at > position:
                pieces.append(source[position:at])
            pieces.append(text)
            position = max(position, at, end)
        pieces.append(source[position:])
        return b"".join(pieces)

    def register(self, name: bytes) -> tuple[list[int], ...]:
        """Return the lists in which the places of an element are kept."""
        lists = [self.places.setdefault(name, [])]
        inner = name[1:] if name[:1] == b" " else None
        for kept, wanted in (
            (self.specials, inner in HTML_IN_FOREIGN if inner else name in SPECIAL),
            (self.scopes, inner in HTML_IN_FOREIGN if inner else name in SCOPE),
            (self.button_scopes, inner in HTML_IN_FOREIGN if inner else name in SCOPE or name == b"button"),
            (self.list_scopes, inner in HTML_IN_FOREIGN if inner else name in SCOPE or name in {b"ol", b"ul"}),
            (self.li_limits, inner in HTML_IN_FOREIGN if inner else name in SPECIAL and name not in INSIDE_LI),
            (self.dd_limits, inner in HTML_IN_FOREIGN if inner else name in SPECIAL and name not in INSIDE_DD),
            (self.table_scopes, name in SEALED or name == b"table"),
            (self.table_parts, name in SEALED or name in TABLE_PARTS or name == b"table"),
            (self.headings, name in HEADINGS),
            (self.foreign, inner in {b"svg", b"math"}),
            (self.html_in_foreign, inner in HTML_IN_FOREIGN),
        ):
            if wanted:
                lists.append(kept)
        self.registers[name] = tuple(lists)
        return self.registers[name]

    def push(self, name: bytes, begin: int, end: int, *, foreign: bool = False) -> None:
        """Open an element whose start tag stands in the source from begin to end."""
        closed = CLOSED_BY_LIBXML2.get(name)
        if closed is not None and self.stack and self.stack[-1][0].strip() in closed:
            self.edits.append((begin, 0, begin, WRAPPER_START))
            self.dead.add(len(self.stack))
            self.stack.append((b"", WRAPPER_END, begin, begin))
        place = len(self.stack)
        closer = b"</" + name + b">"
        if place >= DEEPEST and name != b"p":
            closer = b""
            self.edits.append((begin, 0, end, b" "))
        elif end > begin and self.source[end - 2] == SLASH and not foreign and not UNQUOTED_SLASH.search(self.source, begin, end):
            self.edits.append((end - 2, 0, end - 1, b""))
        if foreign:
            name = b" " + name
        self.stack.append((name, closer, begin, end))
        for kept in self.registers.get(name) or self.register(name):
            kept.append(place)
        if name in MARKED:
            self.links.append(None)

    def pop(self, at: int, *, silent: bool = False) -> None:
        """End the innermost element; silently where the page has its end tag."""
        name, closer, _, _ = self.stack.pop()
        place = len(self.stack)
        if closer and not silent:
            self.edits.append((at, 0, at, closer))
        if place in self.dead:
            self.dead.discard(place)
            return
        for kept in self.registers[name]:
            kept.pop()
        if name == b"a":
            link = self.links[-1]
            if link is not None and link.place == place:
                link.place = -1
        elif name in MARKED:
            self.links.pop()
        elif place == self.form:
            self.form = -1

    def pop_through(self, place: int, at: int) -> None:
        """End the element at a place and all inside."""
        while len(self.stack) > place:
            self.pop(at)
        self.pop_dead(at)

    def pop_dead(self, at: int) -> None:
        """End the innermost elements that HTML5 has taken off the stack before."""
        while len(self.stack) - 1 in self.dead:
            self.pop(at)

    def kill(self, place: int, closer: bytes) -> None:
        """Take an element off the stack with something open inside."""
        name, _, begin, end = self.stack[place]
        for kept in self.registers[name]:
            del kept[bisect_left(kept, place)]
        self.stack[place] = (name, closer, begin, end)
        self.dead.add(place)

    def top(self) -> bytes:
        """Return the name of the innermost element."""
        return self.stack[-1][0] if self.stack else b""

    def place(self, name: bytes, limits: list[int]) -> int:
        """Return the place of the innermost element of a name, -1 where there is none above the last limit."""
        places = self.places.get(name)
        return places[-1] if places and (not limits or places[-1] >= limits[-1]) else -1

    def end_through(self, name: bytes, place: int, begin: int, end: int) -> None:
        """End the element at a place with the end tag that the page has."""
        if place < 0:
            self.edits.append((begin, 0, end, b""))
            return
        while len(self.stack) > place + 1:
            self.pop(begin)
        kept = self.stack[place][1] == b"</" + name + b">"
        if not kept:
            self.edits.append((begin, 0, end, b" "))
        self.pop(begin, silent=kept)
        self.pop_dead(end)
