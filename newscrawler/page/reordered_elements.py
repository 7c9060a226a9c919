"""Parts of a page that stand elsewhere in its source than readers see them.

Declarative shadow roots: a template that is the inside of the element around it, whose own children show where a slot is. And
what a server sends late: React writes a part that was not ready into a hidden box at the end, and a script puts it in place.
Both are done here as a browser does them; of both, a template is part.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from lxml import etree

_MOST = 2_000


def put_in_place(root: etree._Element) -> None:
    """Put such parts of a tree that was just made where readers see them."""
    templates = list(islice(root.iter("template"), _MOST))
    if not templates:
        return
    _put_late_parts(root, templates)
    for template in templates:
        if template.get("shadowrootmode") or template.get("shadowroot"):
            _open_shadow_root(template)


def _put_late_parts(root: etree._Element, templates: Sequence[etree._Element]) -> None:
    """React names a place "B:1" or "P:1", and the box that comes late "S:1"."""
    places = {name[2:]: place for place in templates if (name := place.get("id") or "")[:2] in {"B:", "P:"}}
    if not places:
        return
    late = [box for box in root.iter("div") if "hidden" in box.attrib and (box.get("id") or "").startswith("S:")]
    for box in late[:_MOST]:
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
