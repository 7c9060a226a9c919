"""Selectors that a person may mean who points at an element: from its own names to its place below others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from lxml import etree

#: Names that a selector can hold as they are; generated ones with many digits change with the next build of a site.
_NAME = re.compile(r"-?[A-Za-z_][\w-]*")
_GENERATED = re.compile(r"\d{3}|[a-z]+[A-Z0-9]+[a-z0-9]*[A-Z0-9]")
_MOST_OUTER = 3
#: More classes together are those of one page, such as the category and the tags of an article of WordPress.
_MOST_CLASSES = 4


def propose_selectors(element: etree._Element) -> list[str]:
    """Return CSS selectors that find an element, the shortest first."""
    plain, parent = str(element.tag), element.getparent()
    outer = takewhile(lambda around: around.tag not in ("body", "html"), islice(element.iterancestors(), _MOST_OUTER))
    below = (f"{name} {plain}" for around in outer for name in _own(around) if name != around.tag)
    within = (f"{name} > {plain}" for name in _own(parent)) if parent is not None else ()
    return list(dict.fromkeys([*_own(element), *below, *within]))


def _own(element: etree._Element) -> Iterator[str]:
    """Yield what an element is called by: its id, its classes together and one by one, its tag."""
    tag = str(element.tag)
    for attribute, written in (("id", "{}#{}"), ("itemprop", '{}[itemprop="{}"]')):
        if _is_stable(name := element.get(attribute) or ""):
            yield written.format(tag, name)
    classes = [name for name in (element.get("class") or "").split() if _is_stable(name)]
    if 1 < len(classes) <= _MOST_CLASSES:
        yield tag + "".join(f".{name}" for name in classes)
    yield from (f"{tag}.{name}" for name in classes)
    yield tag


def _is_stable(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not _GENERATED.search(name)
