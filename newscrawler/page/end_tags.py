"""The end tags that a page leaves out, written by the rules of HTML5's tree construction.

libxml2 builds trees by HTML 4: an end tag is ignored while a `div` or a table inside its element is open, so that the rest of the
page ends up in a `button` or a `nav`. A source with all its end tags, and without those that end nothing, leaves it no choice.

https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody. Differences: among formatting elements only links are
reopened; misplaced content of tables stays in the table; the content of `noscript` and `template` does not reach outside.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import ClassVar

from newscrawler.page.elements import (
    BOXES,
    CLOSED_BY_LIBXML2,
    COMMENTS,
    DEEPEST,
    ENDS_ALL_INSIDE,
    ENDS_FOREIGN,
    ENDS_PARAGRAPH,
    HEAD,
    HEADINGS,
    IMPLIED_END,
    NEXT,
    NEXT_BRANCH,
    OUTSIDE_LINKS,
    PLAIN,
    PLAIN_START,
    RAW,
    RAW_ENDS,
    SCRIPT_PARTS,
    SEALED,
    SLASH,
    TABLE_CONTEXT,
    TABLE_LEVELS,
    TABLE_PARTS,
    VOID,
    WRAPPER_END,
    WRAPPER_START,
    Link,
    OpenElements,
)

#: Tags behind as many are not looked at.
_MOST_TAGS = 200_000
#: A link of more bytes is reopened without its attributes.
_LONGEST_LINK = 2_000


def add_end_tags(source: bytes) -> bytes:
    """Return the source with an end tag for each element, where a browser ends it."""
    return _Balancer(source).balance_tags()


class _Balancer(OpenElements):
    """The rules by which tags open and end elements."""

    def balance_tags(self) -> bytes:
        source, stack, position = self.source, self.stack, 0
        for _ in range(_MOST_TAGS):
            link = self.links[-1]
            found = (NEXT if link is not None or self.foreign else NEXT_BRANCH).match(source, position)
            if found is None:
                self._reopen_before_text(position, len(source))
                return self.edited(source)
            begin, end = found.end(1), found.end()
            if link is not None and link.place < 0 and begin > position:
                self._reopen_before_text(position, begin)
            slash, name = found.group(3, 4)
            name = name.lower()
            if slash:
                if stack and stack[-1][0] == name and name in PLAIN and stack[-1][1]:
                    stack.pop()
                    for kept in self.registers[name]:
                        kept.pop()
                    if self.dead:
                        self.pop_dead(end)
                else:
                    self._end(name, begin, end)
            elif link is None and name in PLAIN_START and self.in_body and not self.foreign and source[end - 2] != SLASH:
                if self.paragraphs and name in ENDS_PARAGRAPH:
                    self._end_paragraph(begin)
                place = len(stack)
                closed = CLOSED_BY_LIBXML2.get(name)
                if place < DEEPEST and (closed is None or not stack or stack[-1][0] not in closed):
                    stack.append((name, b"</" + name + b">", begin, end))
                    for kept in self.registers.get(name) or self.register(name):
                        kept.append(place)
                else:
                    self.push(name, begin, end)
            else:
                self._start(name, begin, end)
                if name in RAW and source[end - 2] != SLASH:
                    end = self._find_end_of_raw(name, end)
                if name == b"plaintext" or end < 0:
                    return self.edited(source)
            position = end
        rest = source[position:]
        return self.edited(source[:position] + (BOXES.sub(rb"\g<kept> ", rest) if len(stack) >= DEEPEST else rest))

    def _find_end_of_raw(self, name: bytes, position: int) -> int:
        """Return where the end tag of a script or the like ends, -1 where there is none."""
        if name != b"script":
            found = RAW_ENDS[name].search(self.source, position)
            return found.end() if found else -1
        in_comment = in_script = False
        for part in SCRIPT_PARTS.finditer(self.source, position):
            if part[1] is None:
                in_comment = part.group() == b"<!--"
                in_script &= in_comment
            elif part[1] and not in_script:
                return part.end()
            else:
                in_script = in_comment and not part[1]
        return -1

    # -- links

    def _reopen_before_text(self, begin: int, end: int) -> None:
        match = COMMENTS.match(self.source, begin)
        begin = match.end() if match else begin
        if begin == end or self.links[-1] is None or (self.top() in TABLE_CONTEXT and self.source[begin:end].isspace()):
            return
        self._reopen_link(begin)

    def _reopen_link(self, at: int) -> None:
        link = self.links[-1]
        if link is None or link.place >= 0:
            return
        link.place = len(self.stack)
        self.push(b"a", at, at)
        if self.stack[-1][1]:
            self.edits.append((at, 0, at, self._clone_tag(link)))

    def _clone_tag(self, link: Link) -> bytes:
        self.cloned += len(link.tag)
        return link.tag if len(link.tag) <= _LONGEST_LINK and self.cloned <= len(self.source) else b"<a>"

    def _close_link(self, link: Link, at: int) -> None:
        """End the open link; boxes that are open inside are taken out of it, each with a link of its own inside."""
        self.links[-1] = None
        if link.place < 0:
            return
        if self.scopes and self.scopes[-1] > link.place:
            self.kill(link.place, self.stack[link.place][1])
            return
        closer = self.stack[link.place][1]
        if closer:
            self._move_boxes_out(link, closer, at)
        self.kill(link.place, b"")
        self.pop_dead(at)

    def _move_boxes_out(self, link: Link, closer: bytes, at: int) -> None:
        boxes = set(self.specials[bisect_right(self.specials, link.place) :])
        closers = [closer]
        taken: list[int] = []
        for place in range(link.place - 1, -1, -1):
            if place not in self.dead:
                break
            closers.insert(0, self.stack[place][1])
            taken.insert(0, place)
        for place in range(link.place + 1, len(self.stack)):
            _, own, begin, end = self.stack[place]
            if place not in boxes:
                closers.append(own)
                taken.append(place)
            elif own:
                self.edits.append((begin, 0, begin, b"".join(reversed(closers))))
                self.edits.append((end, -1, end, self._clone_tag(link) + WRAPPER_START))
                closers = [WRAPPER_END + closer]
        self.edits.append((at, 0, at, b"".join(reversed(closers))))
        for place in reversed(taken):
            if place in self.dead:
                self.stack[place] = (b"", b"", 0, 0)
            else:
                self.kill(place, b"")

    # -- start tags

    def _start(self, name: bytes, begin: int, end: int) -> None:
        if self.foreign and self._is_foreign():
            if name not in ENDS_FOREIGN:
                if self.source[end - 2] != SLASH and name not in RAW:
                    self.push(name, begin, end, foreign=True)
                return
            self._end_foreign(begin)
        if not self.in_body and name not in HEAD and not self.table_scopes:
            self.in_body = True
            if name not in {b"body", b"frameset"}:
                self.edits.append((begin, 0, begin, b"</head>"))
        if name in ENDS_PARAGRAPH:
            if self.paragraphs:
                self._end_paragraph(begin)
        elif self.links[-1] is not None and name not in OUTSIDE_LINKS:
            self._reopen_link(begin)
        special = self._SPECIAL_STARTS.get(name)
        if special is not None:
            special(self, name, begin, end)
        elif name in HEADINGS:
            if self.top() in HEADINGS:
                self.pop_through(len(self.stack) - 1, begin)
            self.push(name, begin, end)
        elif name not in VOID and name not in RAW:
            self.push(name, begin, end)

    def _is_foreign(self) -> bool:
        return bool(self.foreign) and (not self.html_in_foreign or self.foreign[-1] > self.html_in_foreign[-1])

    def _end_foreign(self, at: int) -> None:
        inner = bisect_right(self.foreign, self.html_in_foreign[-1]) if self.html_in_foreign else 0
        self.pop_through(self.foreign[inner], at)

    def _end_paragraph(self, at: int) -> None:
        place = self.place(b"p", self.button_scopes)
        if place >= 0:
            self.pop_through(place, at)

    def _start_document(self, _name: bytes, begin: int, end: int) -> None:
        """A second html, head or body is none; libxml2 ends a paragraph at it."""
        if self.stack:
            self.edits.append((begin, 0, end, b""))

    def _start_svg(self, name: bytes, begin: int, end: int) -> None:
        if self.source[end - 2] != SLASH:
            self.push(name, begin, end, foreign=True)

    def _start_link(self, name: bytes, begin: int, end: int) -> None:
        link = self.links[-1]
        if link is not None:
            self._close_link(link, begin)
        self.push(name, begin, end)
        self.links[-1] = Link(self.source[begin:end], len(self.stack) - 1)

    def _start_item(self, name: bytes, begin: int, end: int) -> None:
        if name == b"li":
            place = self.place(name, self.li_limits)
        else:
            place = max(self.place(b"dd", self.dd_limits), self.place(b"dt", self.dd_limits))
        if place >= 0:
            self.pop_through(place, begin)
        self._end_paragraph(begin)
        self.push(name, begin, end)

    def _start_button(self, name: bytes, begin: int, end: int) -> None:
        place = self.place(b"button", self.scopes)
        if place >= 0:
            self.pop_through(place, begin)
            self._reopen_link(begin)
        self.push(name, begin, end)

    def _start_form(self, name: bytes, begin: int, end: int) -> None:
        if self.has_form:
            self.edits.append((begin, 0, end, b""))
            return
        self.has_form = True
        self._end_paragraph(begin)
        self.push(name, begin, end)
        if self._choose_mode() in TABLE_CONTEXT:
            self.pop_through(len(self.stack) - 1, end)
        else:
            self.form = len(self.stack) - 1

    def _start_option(self, name: bytes, begin: int, end: int) -> None:
        if self.top() == b"option":
            self.pop_through(len(self.stack) - 1, begin)
        self.push(name, begin, end)

    def _start_select(self, name: bytes, begin: int, end: int) -> None:
        place = self.place(b"select", self.scopes)
        if place >= 0:
            self.pop_through(place, begin)
        if name == b"select" and place < 0:
            self.push(name, begin, end)
        elif name == b"select":
            self.edits.append((begin, 0, end, b""))

    # -- tables

    def _choose_mode(self) -> bytes:
        """Return the innermost open part of a table."""
        return self.stack[self.table_parts[-1]][0] if self.table_parts else b""

    def _start_table(self, name: bytes, begin: int, end: int) -> None:
        if self._choose_mode() in TABLE_CONTEXT and (tables := self.places.get(b"table")):  # a template may begin with a row
            self.pop_through(tables[-1], begin)
        self._end_paragraph(begin)
        self.push(name, begin, end)

    def _start_table_part(self, name: bytes, begin: int, end: int) -> None:
        mode = self._choose_mode()
        if not mode or mode == b"noscript":
            self.edits.append((begin, 0, end, b""))
            return
        level = TABLE_LEVELS[name]
        while TABLE_LEVELS.get(mode, 0) >= level or mode in {b"caption", b"colgroup"}:
            self.pop_through(self.table_parts[-1], begin)
            mode = self._choose_mode()
        self.pop_through(self.table_parts[-1] + 1, begin)
        if mode == b"table" and level > 1:
            self._insert(b"tbody", begin)
        if mode != b"tr" and level > 2:
            self._insert(b"tr", begin)
        self.push(name, begin, end)

    def _insert(self, name: bytes, at: int) -> None:
        self.edits.append((at, 0, at, b"<" + name + b">"))
        self.push(name, at, at)

    # -- end tags

    def _end(self, name: bytes, begin: int, end: int) -> None:
        if self.top()[:1] == b" ":
            limits = self.html_in_foreign
            place = self.place(b" " + name, limits if self._is_foreign() else limits[:-1])
            if place >= 0:
                self.end_through(name, place, begin, end)
                return
            if name == b"p":
                self._end_foreign(begin)
        special = self._SPECIAL_ENDS.get(name)
        if special is not None:
            special(self, name, begin, end)
        elif name in ENDS_ALL_INSIDE:
            self.end_through(name, self.place(name, self.scopes), begin, end)
        elif name not in VOID:
            self.end_through(name, self.place(name, self.specials), begin, end)

    def _end_document(self, name: bytes, begin: int, end: int) -> None:
        """Behind the end of the body, the body goes on."""
        if name != b"head" or self.in_body:
            self.edits.append((begin, 0, end, b""))

    def _end_link(self, _name: bytes, begin: int, end: int) -> None:
        link = self.links[-1]
        if link is not None and 0 <= link.place == len(self.stack) - 1 and self.stack[-1][1]:
            self.pop(begin, silent=True)
            self.links[-1] = None
            self.pop_dead(end)
            return
        self.edits.append((begin, 0, end, b""))
        if link is not None and not (self.scopes and self.scopes[-1] > link.place >= 0):
            self._close_link(link, begin)

    def _handle_paragraph_end(self, name: bytes, begin: int, end: int) -> None:
        self.end_through(name, self.place(name, self.button_scopes), begin, end)

    def _end_item(self, name: bytes, begin: int, end: int) -> None:
        self.end_through(name, self.place(name, self.list_scopes), begin, end)

    def _end_heading(self, name: bytes, begin: int, end: int) -> None:
        inside = self.headings and (not self.scopes or self.headings[-1] > self.scopes[-1])
        self.end_through(name, self.headings[-1] if inside else -1, begin, end)

    def _end_form(self, name: bytes, begin: int, end: int) -> None:
        place, self.form, self.has_form = self.form, -1, False
        if place < 0 or (self.scopes and self.scopes[-1] > place):
            self.edits.append((begin, 0, end, b""))
            return
        while self.top() in IMPLIED_END:
            self.pop_through(len(self.stack) - 1, begin)
        if place == len(self.stack) - 1:
            self.end_through(name, place, begin, end)
        else:
            self.edits.append((begin, 0, end, b""))
            self.kill(place, self.stack[place][1])

    def _end_sealed(self, name: bytes, begin: int, end: int) -> None:
        self.end_through(name, self.place(name, []), begin, end)

    def _end_table_part(self, name: bytes, begin: int, end: int) -> None:
        self.end_through(name, self.place(name, self.table_scopes), begin, end)

    _SPECIAL_STARTS: ClassVar[Mapping[bytes, Callable[[_Balancer, bytes, int, int], None]]] = {
        b"a": _start_link,
        b"button": _start_button,
        b"form": _start_form,
        b"input": _start_select,
        b"select": _start_select,
        b"table": _start_table,
        **dict.fromkeys((b"li", b"dd", b"dt"), _start_item),
        **dict.fromkeys((b"option", b"optgroup"), _start_option),
        **dict.fromkeys((b"svg", b"math"), _start_svg),
        **dict.fromkeys((b"html", b"head", b"body"), _start_document),
        **dict.fromkeys(TABLE_PARTS, _start_table_part),
    }
    _SPECIAL_ENDS: ClassVar[Mapping[bytes, Callable[[_Balancer, bytes, int, int], None]]] = {
        b"a": _end_link, b"form": _end_form, b"li": _end_item, b"p": _handle_paragraph_end, b"table": _end_table_part,
        **dict.fromkeys(HEADINGS, _end_heading), **dict.fromkeys(SEALED, _end_sealed),
        **dict.fromkeys((b"html", b"head", b"body"), _end_document), **dict.fromkeys(TABLE_PARTS, _end_table_part),
    }  # fmt: skip
