"""The stack of open elements of HTML5's tree construction, and the changes that it makes to the source of a page."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from operator import itemgetter

from newscrawler.page.elements import (
    CLOSED_BY_LIBXML2,
    HEADINGS,
    HTML_IN_FOREIGN,
    INSIDE_DD,
    INSIDE_LI,
    MARKED,
    SCOPE,
    SEALED,
    SLASH,
    SPECIAL,
    TABLE_PARTS,
    UNQUOTED_SLASH,
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
