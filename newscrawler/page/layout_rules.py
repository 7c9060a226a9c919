"""Rules of layout: parts of a page that readers see elsewhere than in its source, paragraphs parted by lines, rows of tables.

Declarative shadow roots: a template that is the inside of the element around it, whose own children appear at a slot. Late parts:
React writes a part that was not ready into a hidden box at the end, and a script puts it in place. Both as in a browser. An article
in a `noscript` is put where a script would show it. Boxes with the roles of a table or a list are the elements of one.

Paragraphs are also parted by a line break between long lines or before an indented one, or by lines as they are written. Rows of
tables with figures or words are read as one line; other tables arrange the page, and are boxes like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from lxml import etree

from newscrawler.languages import pattern
from newscrawler.limits import MOVED_ELEMENTS
from newscrawler.page.blocks import find_extent
from newscrawler.page.names import PARTS


def put_in_place(root: etree._Element) -> None:
    """Put such parts of a tree that was just made where readers see them, and make boxes of inline elements set as such."""
    for span in root.iter("span"):
        if (style := span.get("style")) and _SET_AS_BOX.search(style):
            span.tag = "div"
    found = list(islice(root.iter("template", "noscript"), MOVED_ELEMENTS))
    templates = [element for element in found if element.tag == "template"]
    for element in found:
        if element.tag == "noscript" and _has_article(element):
            element.tag = "div"
    if not templates:
        return
    _put_late_parts(root, templates)
    for template in templates:
        if template.get("shadowrootmode") or template.get("shadowroot"):
            _open_shadow_root(template)


_SET_AS_BOX = re.compile(r"display\s*:\s*block")


def _has_article(element: etree._Element) -> bool:
    """Return whether an element for readers without scripts contains paragraphs of text, not only a message."""
    sizes = [len("".join(map(str, paragraph.itertext())).strip()) for paragraph in islice(element.iter("p"), MOVED_ELEMENTS)]
    return sum(size >= _LONG_LINE // 2 for size in sizes) > 1 and sum(sizes) >= 250


def _put_late_parts(root: etree._Element, templates: Sequence[etree._Element]) -> None:
    """React names a place "B:1" or "P:1", and the box that comes late "S:1"."""
    places = {name[2:]: place for place in templates if (name := place.get("id") or "")[:2] in {"B:", "P:"}}
    if not places:
        return
    late = [box for box in root.iter("div") if "hidden" in box.attrib and (box.get("id") or "").startswith("S:")]
    for box in late[:MOVED_ELEMENTS]:
        del box.attrib["hidden"]
        place = places.get((box.get("id") or "")[2:])
        around = place.getparent() if place is not None else None
        if place is not None and around is not None and all(outer is not box for outer in place.iterancestors()):
            around.insert(around.index(place), box)


def _open_shadow_root(template: etree._Element) -> None:
    """Make a shadow root an ordinary box, with the children of its host in its slots."""
    host = template.getparent()
    template.tag = "div"
    if host is None:
        return
    slots: dict[str, etree._Element] = {}
    for slot in template.iter("slot"):
        slots.setdefault(slot.get("name") or "", slot)
    if "" in slots and template.tail:
        slots[""].text = f"{slots[''].text or ''} {template.tail}"
        template.tail = None
    for child in [child for child in host if child is not template] if slots else ():
        named = slots.get(child.get("slot") or "") if isinstance(child.tag, str) else None
        if named is not None:
            named.append(child)


#: How the first line of a paragraph is set in: two blanks that do not break, or one as wide as a letter.
_INDENTED = re.compile("[ \\t\\r\\n]*(?:\xa0[ \\t]*\xa0|[\u2003\u3000])\\s*\\S")
_ENDS_OF_PROSE = frozenset(".!?…\"'”’»“)。！？」")
#: Lines of so many characters are none of a poem, an address or a letter that was broken at the width of a screen.
_LONG_LINE = 100


def is_parting_paragraphs(line_break: etree._Element, pieces: list[str]) -> bool:
    """Return whether a line break stands between two paragraphs.

    The line behind it is set in, or both lines are as long as paragraphs are and the one before ends as they do.
    """
    below = line_break.tail
    if not below:
        return False
    if _INDENTED.match(below):
        return True
    if find_extent(below) < _LONG_LINE or pieces[-1].rstrip()[-1:] not in _ENDS_OF_PROSE:
        return False
    length = 0
    for piece in reversed(pieces):
        if piece == "\n":
            break
        length += find_extent(piece)
    return length >= _LONG_LINE and find_extent(below.strip()) >= _LONG_LINE


def split_paragraphs_as_written(element: etree._Element) -> list[str]:
    """The paragraphs of a pre element that holds prose without any markup: behind a blank line, or set in; none where it is not.

    Half of it must be long sentences.
    """
    if len(element) or not element.text:
        return []
    # parted by an empty line, or before an indented one
    parts = [part for part in re.split(r"\n[ \t\r]*\n\s*|\n(?=[ \t]{2,}\S)", element.text) if part and not part.isspace()]
    prose = sum(len(part) for part in parts if find_extent(part) >= 80 and part.rstrip()[-1] in _ENDS_OF_PROSE)
    return parts if len(parts) > 1 and prose >= 0.5 * len(element.text) else []


def take_role(element: etree._Element) -> str:
    """Make a box with the role of a part of a table or a list, and the cells in it, such elements; return its tag."""
    for part in (element, *element):
        role = part.get("role", "")
        if part.tag in {"div", "span", "section"} or (part.tag in {"ul", "ol", "li"} and not role.startswith("list")):
            part.tag = PARTS.get(role, str(part.tag))
    return str(element.tag)


#: Characters of a cell with boxes or lists, in which data has neither links nor pictures.
_MOST_IN_BOXES = 60
#: A cell with as many characters, a link and a line break is running text; behind a blank line there is another paragraph.
_STORY = 80


def is_data_row(row: etree._Element) -> bool:
    """Tell a row of figures or words from a row that arranges parts of a page: paragraphs, stories side by side, a menu."""
    paragraphs = cells = filled = characters = breaks = lines = 0
    stories = links = broken = parted = start = boxes = others = 0
    nested = False
    for element in row.iter():
        tag = element.tag
        if tag in {"h1", "h2", "h3", "form", "section", "article", "blockquote", "figure", "center", "pre"}:
            return False
        if tag in {"div", "ul", "ol", "table"}:
            boxes += 1
            nested = nested or tag == "table"
        elif tag in {"a", "img", "button", "input", "h4", "h5", "h6", "svg", "iframe"}:
            others += 1
        if tag == "p":
            paragraphs += 1
        elif tag == "a":
            links += 1
        elif tag == "br":
            breaks += 1
            below = element.getnext()
            if below is not None and not (element.tail and element.tail.strip()):
                if below.tag == "br" and characters - start >= _STORY:
                    return False
                lines += below.tag == "a" and _is_link_alone(element.getprevious())  # two part three links: a menu
        elif tag in ("td", "th") and (not nested or element.getparent() is row):
            size = characters - start
            filled += size > 0
            stories += size >= _STORY and (paragraphs > parted or (links > 0 and breaks > broken))
            cells, links, broken, parted, start = cells + 1, 0, breaks, paragraphs, characters
        for text in (element.text, element.tail):
            if text and not text.isspace():
                characters += find_extent(text)
    size = characters - start
    filled += size > 0
    stories += size >= _STORY and (paragraphs > parted or (links > 0 and breaks > broken))
    if boxes and (others or filled < cells or characters > _MOST_IN_BOXES * cells):
        return False
    if stories > 1 or lines > 1 or (filled == 1 and cells > 1 and characters >= _STORY):
        return False
    has_short = not links and filled == cells and characters <= _MOST_IN_BOXES * cells
    is_short = (paragraphs <= cells or has_short) and characters < 250 * cells and breaks <= 2 * cells
    return is_short and (cells > 1 or (cells == 1 and filled == 1 and _is_below_span(row)))


#: Rows above in which a cell is searched that reaches down to a row.
_MOST_ABOVE = 40


def _is_below_span(row: etree._Element) -> bool:
    """Return whether a cell of a data row above reaches down to a row."""
    for number, above in enumerate(islice(row.itersiblings("tr", preceding=True), _MOST_ABOVE), 1):
        if any(number < (count_span(cell, "rowspan") or _MOST_ABOVE) for cell in above):
            return is_data_row(above)
    return False


def count_span(cell: etree._Element, name: str) -> int:
    """Return how many rows or columns a cell takes; 0: all that follow."""
    said = cell.get(name)
    return int(said) if said is not None and said.isdecimal() and len(said) < 5 else 1


def _is_link_alone(element: etree._Element | None) -> bool:
    return element is not None and element.tag == "a" and not (element.tail and element.tail.strip())


#: Names of parts that readers open: hidden until then, and shown whole.
_PANEL = re.compile(
    r"accordion|answer|collaps|faq|toggle[_-]?(?:content|body|panel)|(?:^|[\s_-])panel(?:$|[\s_-])|tab[_-]?(?:pane|content)",
    re.IGNORECASE,
)


def is_panel(element: etree._Element) -> bool:
    """Return whether a hidden element is opened by the heading or the button above it, as in an accordion."""
    if element.get("role") in {"tabpanel", "region"}:
        return True
    previous = element.getprevious()
    if previous is None:
        return False
    if any(opener.get("aria-expanded", opener.get("aria-controls")) is not None for opener in previous.iter("*")):
        return True
    is_named = bool(_PANEL.search(f"{element.get('class') or ''} {element.get('id') or ''} {element.get('itemprop') or ''}"))
    role = previous.get("role", previous.tag)
    return (previous.tag in _OPENERS or role in _OPENERS) and (is_named or (role == "button" and _has_text_only(element)))


#: Elements and roles that open a panel.
_OPENERS = frozenset({"h2", "h3", "h4", "h5", "h6", "button", "dt", "summary", "heading"})


def is_title_of_panel(button: etree._Element) -> bool:
    """Return whether a button opens the text behind it, and is its title: not only a word for more."""
    following = button.getnext()
    if following is None or not is_panel(following) or not _has_text_only(following):
        return False
    said = " ".join("".join(map(str, button.itertext())).split()).lower().strip(" .…:»›>+")
    return any(map(str.isalpha, said)) and not pattern("read_also", "read_on", extent="all").fullmatch(said)


def _has_text_only(element: etree._Element) -> bool:
    """Return whether an element has paragraphs, and no heading of parts, and nothing to choose or to fill in."""
    has_others = next(element.iter("form", "input", "nav", "button", "select", "h1", "h2", "h3"), None) is not None
    return not has_others and any(find_extent("".join(map(str, part.itertext()))) >= _SHORTEST_TEXT for part in element.iter("p"))


#: Characters of a paragraph in a panel.
_SHORTEST_TEXT = 30
