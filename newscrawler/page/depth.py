"""Pages that are nested more deeply than the parser goes: it gives up at about 2,046 levels, and all that follows is lost.

Such a page is written anew without the tags below a depth that nobody needs, and parsed again; its text stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from lxml import etree

#: A tree this deep was cut off by the parser.
_CUT_OFF = 2_000
#: Tags below this depth are left out.
_DEEPEST = 400
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)[^>]*>")
#: What ends by itself, or has no end; it is kept at any depth.
_UNCOUNTED = frozenset({
    "p", "li", "dt", "dd", "tr", "td", "th", "option", "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta",
    "param", "source", "track", "wbr", "html", "head", "body", "thead", "tbody", "tfoot", "colgroup", "optgroup", "rp", "rt",
})  # fmt: skip
_RAW = frozenset({"script", "style", "textarea", "title"})


def is_cut_off(root: etree._Element) -> bool:
    """Tell whether the parser gave up: the last element it made is as deep as it goes."""
    depth = 0
    while len(root):
        root = root[-1]
        depth += 1
    return depth >= _CUT_OFF


def flattened(html: str) -> str:
    """The page without its deepest tags, in time proportional to its length."""
    return "".join(_kept(html))


def _kept(html: str) -> Iterator[str]:
    stack: list[str] = []
    names: Counter[str] = Counter()
    position = 0
    while (tag := _TAG.search(html, position)) is not None:
        yield html[position : tag.start()]
        position = tag.end()
        name = tag[2].lower()
        if name in _RAW and not tag[1]:
            position = _end_of_raw(html, name, position)
            yield html[tag.start() : position]
        elif name in _UNCOUNTED or name in _RAW or tag.group().endswith("/>"):
            yield tag.group()
        elif not tag[1]:
            stack.append(name)
            names[name] += 1
            yield tag.group() if len(stack) <= _DEEPEST else " "
        elif names[name]:
            while True:
                last = stack.pop()
                names[last] -= 1
                if last == name:
                    break
            yield tag.group() if len(stack) < _DEEPEST else " "
    yield html[position:]


def _end_of_raw(html: str, name: str, position: int) -> int:
    end = re.compile(f"</{name}", re.IGNORECASE).search(html, position)
    return end.start() if end else len(html)
