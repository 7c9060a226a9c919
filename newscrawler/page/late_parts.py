"""Parts of a page that stand elsewhere in its source than readers see them.

Declarative shadow roots: a template that is the inside of the element around it, whose own children show where a slot is. And
what a server sends late: React writes a part that was not ready into a hidden box at the end, and a script puts it in place.
Both are done here as a browser does them, for pages in whose source they occur.
"""

from __future__ import annotations

from lxml import etree

_SHADOW = (b"shadowrootmode", b"shadowroot=")
#: How React names the box that comes late, and the place where its content belongs.
_LATE = (b'id="S:', b"id='S:")
_MOST = 2_000


def put_in_place(root: etree._Element, source: bytes) -> None:
    """Put such parts of a tree that was just made where readers see them."""
    if any(name in source for name in _LATE):
        _put_late_parts(root)
    if any(name in source for name in _SHADOW):
        for _, template in zip(range(_MOST), list(root.iter("template")), strict=False):
            if template.get("shadowrootmode") or template.get("shadowroot"):
                _open_shadow_root(template)


def _put_late_parts(root: etree._Element) -> None:
    places = {name[2:]: place for place in root.iter("template") if (name := place.get("id") or "")[:2] in {"B:", "P:"}}
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
