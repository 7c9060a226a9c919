"""Copy a page without scripts and external resources: only elements and attributes of an allowlist are kept.

`render_html` explains how it was read, `render_saved_page` shows it in its own style, on request with its parts in colour.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from lxml import etree

from newscrawler.extraction.body.block_class import BlockClass
from newscrawler.extraction.explain.explanation import BlockDecision, Explanation
from newscrawler.extraction.explain.facts import Fact
from newscrawler.extraction.explain.text_view import describe_candidates, describe_cues, describe_verdict, list_facts
from newscrawler.page import Document

#: Elements that run or load something, or that change how others are read, with all that is in them.
_REMOVED = (
    "script", "style", "link", "base", "meta", "object", "embed", "applet", "iframe", "frame", "frameset", "portal", "noscript",
    "template", "svg", "math", "audio", "video", "canvas", "source", "track", "param", "title",
)  # fmt: skip
#: Elements whose content a browser reads as plain text; as other elements it reads it as it was parsed.
_PLAIN = frozenset({"xmp", "plaintext", "noembed", "noframes", "listing"})
#: How ids of our own begin.
RESERVED = "explained"
_KEPT = frozenset(
    {"class", "id", "lang", "dir", "alt", "datetime", "colspan", "rowspan", "start", "reversed", "type", "value", "content"}
)
_FOLLOWED = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
#: Resources of a style; the policy refuses them, too, however they are written.
_LOADING = re.compile(r"url\s*\(|@import", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def sanitize(
    page: Document, shown: Collection[etree._Element], *, styled: bool = False
) -> tuple[etree._Element, Mapping[etree._Element, etree._Element]]:
    """Return a copy of a page without scripts, event handlers and anything external, and each element's copy.

    Elements that are shown, and those around them, are not hidden in the copy; `styled`: with the styles that are in the page.
    """
    root = copy.deepcopy(page.root)
    copies = dict(zip(page.root.iter(), root.iter(), strict=True))
    visible = {outer for element in shown for outer in (element, *element.iterancestors())}
    for original, element in copies.items():
        if isinstance(element.tag, str):
            hidden = original.get("hidden") is not None or _HIDDEN.search(original.get("style") or "") is not None
            _keep_what_is_allowed(page, element, hidden=hidden and original not in visible, styled=styled)
    for element in list(root.iter(*_REMOVED, etree.Comment, etree.ProcessingInstruction)):
        if styled and element.tag == "style" and "<" not in (element.text or ""):
            element.text = _LOADING.sub("none(", element.text or "")
            continue
        if (parent := element.getparent()) is not None:
            _keep_tail(element)
            parent.remove(element)
    for element in root.iter(*_PLAIN):
        element.tag = "div"
    return root, copies


def _keep_what_is_allowed(page: Document, element: etree._Element, *, hidden: bool, styled: bool) -> None:
    href = element.get("href") if element.tag == "a" else None
    for name in element.attrib:
        if styled and name == "style":
            element.set(name, _LOADING.sub("none(", element.get(name, "")))
            continue
        if name not in _KEPT or (name == "id" and element.get(name, "").startswith(RESERVED)):
            del element.attrib[name]
    address = page.resolve(href) if href else None
    if address and _FOLLOWED.match(address):
        element.set("href", address)
        element.set("rel", "noreferrer noopener")
    if hidden:
        element.set("hidden", "")
    if element.tag in ("details", "dialog"):
        element.set("open", "")


def _keep_tail(element: etree._Element) -> None:
    parent, before = element.getparent(), element.getprevious()
    if not element.tail or parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + element.tail
    else:
        parent.text = (parent.text or "") + element.tail


_TAKEN = (BlockClass.HEADLINE, BlockClass.LEAD, BlockClass.BODY)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
#: Colour and line of each class, and of the elements with date and authors.
_STYLES: Mapping[str, tuple[str, str]] = {
    BlockClass.HEADLINE: ("#cfe4ff", "4px double #123"),
    BlockClass.LEAD: ("#b5ecc0", "4px solid #123"),
    BlockClass.BODY: ("#e2f7e0", "2px solid #123"),
    BlockClass.BYLINE: ("#fff", "2px dotted #345"),
    BlockClass.CAPTION: ("#fdf3d0", "2px dashed #654"),
    BlockClass.COMMENT: ("#f3e3f7", "1px dashed #546"),
    BlockClass.TEASER: ("#fbe3dc", "1px dotted #654"),
    BlockClass.BOILERPLATE: ("#f1f1f1", "1px dotted #777"),
    "date": ("#ffe9a8", "3px double #640"),
    "author": ("#ffd9b0", "3px double #640"),
}
_PAGE_STYLE = (
    "html{background:#fff}"
    "body{max-width:62em;margin:0 auto;padding:0 1em 3em;color:#111;background:#fff;font:16px/1.5 sans-serif}"
    "a{color:#123a7a}dialog{position:static;width:auto}table{border-spacing:2px}"
    "[data-role],[data-fact]{outline-offset:1px;scroll-margin-top:12em}[data-label]{margin-top:5px;margin-bottom:5px}"
    "[data-label]::before{content:attr(data-label);display:inline-block;margin-right:.5em;padding:0 .4em;border:1px solid #111;"
    "border-radius:3px;background:#fff;color:#111;font:11px/1.5 sans-serif;vertical-align:middle}"
    "[data-cues]:focus::after{content:attr(data-cues);display:block;padding:.3em .6em;border:2px solid #111;background:#fff;"
    "color:#111;font:13px/1.5 sans-serif;white-space:pre-line}"
    "#explained{position:sticky;top:0;z-index:9;max-height:11em;overflow:auto;background:#fff;color:#111;border:2px solid #111;"
    "border-top:0;padding:.3em .6em;font:13px/1.5 sans-serif}#explained p{margin:0 0 .2em}"
    "#explained a,#explained span{display:inline-block;padding:0 .4em;margin:.25em .3em;color:#111}"
    "@media print{#explained{position:static;max-height:none}}"
)


def render_html(explanation: Explanation) -> str:
    """Return the page with its parts marked. It runs no scripts and loads nothing."""
    facts = [fact for _, fact in list_facts(explanation) if fact is not None]
    fact_elements = [element for fact in facts for element in fact.elements]
    root, copies = sanitize(explanation.page, [*(piece.block.element for piece in explanation.pieces), *fact_elements])
    by_element: dict[etree._Element, list[BlockDecision]] = {}
    for piece in explanation.pieces:
        by_element.setdefault(copies[piece.block.element], []).append(piece)
    for element, pieces in by_element.items():
        _mark_block(element, pieces)
    for name, fact in (("date", explanation.date), ("author", explanation.authors)):
        for element in fact.elements if fact is not None else ():
            _mark_fact(copies[element], name)
    _put_head(root, explanation)
    return etree.tostring(root, method="html", encoding="unicode", doctype="<!DOCTYPE html>")


def _mark_block(element: etree._Element, pieces: Iterable[BlockDecision]) -> None:
    """Mark an element with the class of its text; of an element with several texts, with each of their classes."""
    pieces = list(pieces)
    order = list(BlockClass)
    classes = sorted({piece.block_class for piece in pieces}, key=order.index)
    element.set("data-role", classes[0])
    weighed = [piece for piece in pieces if piece.probability is not None]
    if not weighed and classes[0] not in _TAKEN:
        return  # menus are made of short links, which no model looks at
    shown = [f"{piece.probability:.2f}" for piece in weighed]
    span = "" if not shown else f" {shown[0]}" if len(weighed) == 1 else f" {min(shown)}–{max(shown)}"
    element.set("data-label", " + ".join(classes) + span)
    cues = "\n".join(_list_reasons(pieces[0]))
    if cues:
        element.set("data-cues", cues)
        element.set("title", f"{element.get('data-label')}\n{cues}")
        element.set("tabindex", "0")


def _list_reasons(piece: BlockDecision) -> Iterator[str]:
    if piece.note:
        yield f"left out: {piece.note}"
    yield from describe_cues(piece.cues, taken=piece.is_taken)


def _mark_fact(element: etree._Element, name: str) -> None:
    element.set("data-fact", f"{element.get('data-fact', '')} {name}".strip())
    label = element.get("data-label")
    element.set("data-label", f"{label} · {name}" if label else name)


def _put_head(root: etree._Element, explanation: Explanation) -> None:
    head = _find_head(root)
    title = etree.Element("title")
    title.text = f"Explained: {explanation.page.title}"
    policy = etree.Element("meta", {"http-equiv": "Content-Security-Policy", "content": _POLICY})
    style = _make_style(_PAGE_STYLE + "".join(_write_rules()))
    for number, element in enumerate((etree.Element("meta", charset="utf-8"), policy, title, style)):
        head.insert(number, element)
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    body.insert(0, _make_legend(body, explanation))


def _write_rules() -> Iterable[str]:
    for name, (colour, line) in _STYLES.items():
        attribute = "data-fact~" if name in ("date", "author") else "data-role"
        yield f'[{attribute}="{name}"],#explained .{_make_slug(name)}{{background:{colour};outline:{line}}}'


def _make_slug(name: str) -> str:
    return f"explained-{name.replace(' ', '-')}"


def _make_legend(body: etree._Element, explanation: Explanation) -> etree._Element:
    """Return the box at the top: the verdict, what was read, and a link to the first part of each class."""
    legend = etree.Element("nav", {"id": "explained", "aria-label": "What was found on this page"})
    _put_links(legend, body)
    said = describe_verdict(explanation)
    cues = describe_cues(explanation.page_cues, taken=explanation.refusal is None)
    _put_line(legend, f"{said[0].upper()}{said[1:]}.", " ".join(f"{line[0].upper()}{line[1:]}." for line in cues))
    for name, fact in list_facts(explanation):
        _put_line(legend, f"{name.capitalize()}:", _describe_fact(fact, explanation.explain_lack(name)))
    if explanation.from_data:
        _put_line(legend, "Body:", f"paragraphs from the page's own data, not shown here: {explanation.from_data}.")
    _put_candidates(legend, explanation)
    return legend


def _put_links(legend: etree._Element, body: etree._Element) -> None:
    row = etree.SubElement(legend, "p")
    row.text = "First of each (number): "
    for name in _STYLES:
        marked = _find_marked(body, name)
        entry = etree.SubElement(row, "a" if marked else "span", {"class": _make_slug(name)})
        entry.text = f"{name} ({len(marked)})"
        if marked:
            if not (marked[0].get("id") or "").startswith("explained-"):
                marked[0].set("id", f"explained-first-{name.replace(' ', '-')}")
            entry.set("href", f"#{marked[0].get('id')}")


def _find_marked(body: etree._Element, name: str) -> list[etree._Element]:
    if name in ("date", "author"):
        return [element for element in body.iter(etree.Element) if name in (element.get("data-fact") or "").split()]
    return [element for element in body.iter(etree.Element) if element.get("data-role") == name and element.get("data-label")]


def _put_candidates(legend: etree._Element, explanation: Explanation) -> None:
    """Add the candidates of the fields, folded up."""
    details = etree.SubElement(legend, "details")
    etree.SubElement(details, "summary").text = f"Candidates for these fields ({len(explanation.reasons)})"
    for line in describe_candidates(explanation.reasons):
        etree.SubElement(details, "p").text = line


def _describe_fact(fact: Fact | None, lack: str) -> str:
    if fact is None:
        return f"none: {lack}."
    return f"{fact.text} (from {fact.source}{'' if fact.elements else '; not shown on the page'})."


def _put_line(legend: etree._Element, strong: str, rest: str) -> None:
    line = etree.SubElement(legend, "p")
    bold = etree.SubElement(line, "strong")
    bold.text = strong
    bold.tail = f" {rest}" if rest else None


_STYLE = (
    "body{max-width:62em;margin:0 auto;padding:1em;color:#111;background:#fff;font:16px/1.5 sans-serif}"
    "[data-pick]{outline:1px dotted #777;outline-offset:1px}[data-pick]:hover{outline:3px solid #0b4f94;background:#e5f0fb}"
    ".pick{display:inline-block;margin-right:.5em;padding:0 .5em;border:1px solid #0b4f94;border-radius:3px;color:#0b4f94;"
    "background:#fff;font:12px/1.6 sans-serif;text-decoration:none}.pick:focus{outline:3px solid #0b4f94}"
)


def render_pick_view(page: Document, address: Callable[[int], str], *, label: str) -> str:
    """Return the page with a link at each block, to the address of its index. It runs no scripts and loads nothing."""
    blocks = page.layout.blocks
    root, copies = sanitize(page, [block.element for block in blocks])
    for link in root.iter("a"):
        link.attrib.pop("href", "")
    for block in reversed(blocks):
        element = copies[block.element]
        if element.get("data-pick") is None:
            element.set("data-pick", str(block.index))
            link = etree.Element("a", {"class": "pick", "href": address(block.index), "target": "_top"})
            link.text, link.tail = label, element.text
            element.text = None
            element.insert(0, link)
    _find_head(root).append(_make_style(_STYLE))
    return etree.tostring(root, method="html", encoding="unicode", doctype="<!DOCTYPE html>")


#: Word and colour of each class on a saved page; the words are those of the key below it.
_WASHES: Mapping[str, tuple[str, str]] = {
    BlockClass.HEADLINE: ("headline", "#dfe5fb"), BlockClass.LEAD: ("lead", "#e1efe4"), BlockClass.BODY: ("text", "#e1efe4"),
    BlockClass.BYLINE: ("byline", "#faeccb"), "date": ("date", "#faeccb"), "author": ("author", "#faeccb"),
    BlockClass.CAPTION: ("caption", ""), BlockClass.COMMENT: ("comment section", ""), BlockClass.TEASER: ("teaser", ""),
    BlockClass.BOILERPLATE: ("left out", ""),
}  # fmt: skip
_LEFT_OUT = "repeating-linear-gradient(135deg,#eeebe5 0 8px,#f6f4ef 8px 16px)"
_UNSTYLED = (
    "body{max-width:46rem;margin:0 auto;padding:1rem;color:#1a1917;background:#fff;font:16px/1.5 Georgia,serif}img{max-width:100%}"
)
_MARKS = (
    "[data-wash]{position:relative!important;outline:3px solid transparent;color:#1a1917!important}"
    "[data-wash]::before{content:attr(data-wash);display:block;width:max-content;margin:2px 0;padding:0 5px;border:1px solid #777;"
    "border-radius:3px;background:#fff;color:#524e47;font:600 11px/15px sans-serif;letter-spacing:0;text-transform:none}"
    "span[data-wash]::before,time[data-wash]::before{display:inline-block;margin-right:5px}"
)


def render_saved_page(page: Document, explanation: Explanation | None = None) -> str:
    """Return the page in the style that it has in itself; `explanation`: with its parts in colour, each with its name."""
    elements = [piece.block.element for piece in explanation.pieces] if explanation else []
    root, copies = sanitize(page, elements, styled=True)
    washes: dict[etree._Element, str] = {}
    for piece in explanation.pieces if explanation else ():
        if piece.is_taken or piece.block_class in _TAKEN or piece.probability is not None:
            washes.setdefault(copies[piece.block.element], piece.block_class)
    for name, fact in (("date", explanation.date), ("author", explanation.authors)) if explanation else ():
        for element in fact.elements if fact is not None else ():
            washes.setdefault(copies[element], name)
    for element, name in washes.items():
        element.set("data-wash", _WASHES[name][0])
    head, is_styled = _find_head(root), next(root.iter("style"), None) is not None
    rules = (f'[data-wash="{word}"]{{background:{colour or _LEFT_OUT}!important}}' for word, colour in _WASHES.values())
    policy = etree.Element("meta", {"http-equiv": "Content-Security-Policy", "content": _POLICY})
    base = _make_style("" if is_styled else _UNSTYLED)
    for number, element in enumerate((etree.Element("meta", charset="utf-8"), policy, base)):
        head.insert(number, element)
    if explanation:
        head.append(_make_style(_MARKS + "".join(rules)))
    return etree.tostring(root, method="html", encoding="unicode", doctype="<!DOCTYPE html>")


def _find_head(root: etree._Element) -> etree._Element:
    """Return the head of a page, which it gets if it has none."""
    head = root.find("head")
    if head is None:
        head = etree.Element("head")
        root.insert(0, head)
    return head


def _make_style(rules: str) -> etree._Element:
    style = etree.Element("style")
    style.text = rules
    return style
