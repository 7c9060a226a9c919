"""What was taken from a page, what was left out and which evidence decided: the tool to improve the extractor with.

For the terminal as text, and as a page that shows the original with its parts marked. That page loads nothing from anywhere.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from lxml import etree

from newscrawler.blocks.default.beside import is_byline, letters_asked_for, letters_of_readers
from newscrawler.blocks.default.detector import DefaultDetector, Examination, settle, without_labels
from newscrawler.blocks.default.evidence import NAMES, Evidence
from newscrawler.blocks.default.forest import load_forest
from newscrawler.extraction.lead import lead_of
from newscrawler.blocks.default.teasers import without_teasers
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.extraction.declared_kind import declared_kind
from newscrawler.page.marks import Mark
from newscrawler.page_methods import find_page_method
from newscrawler.extraction.headline import headline_of

if TYPE_CHECKING:
    from newscrawler.wrappers import PortalWrapper

_MOST_REASONS = 4


class Role(StrEnum):
    """What a piece of the page was taken for."""

    HEADLINE = "headline"
    LEAD = "lead"
    BODY = "body"
    LEFT_OUT = "left out"


_COLOURS: Mapping[Role, str] = {Role.HEADLINE: "#9ec9ff", Role.LEAD: "#8fe3a0", Role.BODY: "#c9f2c7", Role.LEFT_OUT: "#f6d3d3"}
_SIGNS: Mapping[Role, str] = {Role.HEADLINE: "H", Role.LEAD: "L", Role.BODY: "+", Role.LEFT_OUT: "-"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One block of the page and what was decided about it."""

    block: Block
    role: Role
    #: How likely it is part of the body; None where it was not weighed, being nothing but a link, or by another method.
    chance: float | None
    #: Evidence that moved the chance most, and by how much: for the body above 0, against it below.
    reasons: tuple[tuple[str, float], ...]
    #: What the names of the elements around it say.
    names: tuple[str, ...]
    #: The rule that left it out whatever its chance is; empty where none did.
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What was found on a page and why."""

    page: Document
    method: str
    headline: str | None
    headline_source: str | None
    #: Why the page holds no article; None where it holds one.
    refusal: str | None
    #: What the page says of itself.
    declared: tuple[str, ...]
    pieces: tuple[Piece, ...]
    #: Paragraphs that were read from the page's JSON-LD since the page does not show them.
    from_json_ld: int = 0
    #: What a wrapper decided, in lines; empty without one.
    wrapper: tuple[str, ...] = ()

    def as_text(self, *, width: int = 100, everything: bool = False) -> str:
        """The explanation for a terminal; `everything` also shows links that nobody would take for text."""
        lines = [
            f"address   {self.page.url or 'unknown'}",
            f"verdict   {'no article: ' + self.refusal if self.refusal else 'article'}   (method: {self.method})",
            f"headline  {self.headline or 'none'}   (from: {self.headline_source or 'nothing'})",
            f"declared  {', '.join(self.declared) or 'nothing'}",
            *([f"body      {self.from_json_ld} paragraphs from the page's JSON-LD"] if self.from_json_ld else []),
            *self.wrapper,
            "",
            "H headline, L lead, + body, - left out; the number is the chance that the block belongs to the body",
        ]
        for piece in self.pieces:
            if piece.chance is None and piece.role is Role.LEFT_OUT and not piece.rule and not everything:
                continue
            chance = "    " if piece.chance is None else f"{piece.chance:.2f}"
            head = f"{_SIGNS[piece.role]} {chance} {piece.block.kind:<10} "
            text = piece.block.text
            lines.append(head + (text if len(text) <= width - len(head) else text[: width - len(head) - 1] + "…"))
            if piece.rule:
                lines.append(" " * len(head) + f"left out: {piece.rule}")
            if piece.reasons:
                lines.append(" " * len(head) + ", ".join(f"{name} {value:+.1f}" for name, value in piece.reasons))
        return "\n".join(lines)

    def as_html(self) -> str:
        """The page with its parts marked; a tooltip on each tells its chance and the evidence."""
        root = copy.deepcopy(self.page.root)
        twins = dict(zip(self.page.root.iter(), root.iter(), strict=True))
        for element in list(root.iter("script", "iframe", "link", "base", "object", "embed", "noscript", "style")):
            parent = element.getparent()
            if parent is not None:
                _keep_tail(element)
                parent.remove(element)
        for element in root.iter("meta"):
            if element.get("http-equiv") is not None:
                del element.attrib["http-equiv"]
        for piece in self.pieces:
            twin = twins.get(piece.block.element)
            if twin is not None and not (piece.role is Role.LEFT_OUT and twin.get("data-role")):
                _paint(twin, piece)
        _put_legend(root, self)
        return etree.tostring(root, method="html", encoding="unicode", doctype="<!DOCTYPE html>")


def explain_page(page: Document, *, method: str = "default", wrapper: PortalWrapper | None = None) -> Explanation:
    """Explain what a block-detection method finds on a page, or what comes of it with what was learned of the portal.

    Raises:
        ConfigError: there is no such method.
    """
    detector = find_page_method(method)
    told: tuple[str, ...] = ()
    if isinstance(detector, DefaultDetector) and wrapper is not None:
        applied, told = wrapper.tell(page)
        found = applied.found
    elif isinstance(detector, DefaultDetector):
        found = detector.examine(page)
    else:
        body = detector(page)
        texts = {paragraph.text for paragraph in body.paragraphs} if body else set()
        found = Examination(body=body, taken=[block for block in page.layout.blocks if block.text in texts])
    return replace(_explanation(page, method, found), wrapper=told)


def _explanation(page: Document, method: str, found: Examination) -> Explanation:
    headline = page.view(headline_of)
    refusal = None
    if found.refusal is not None:
        refusal = f"{found.refusal.reason} ({found.refusal.detail})"
    elif found.body is None:
        refusal = "no body"
    kind = declared_kind(page)
    declared = [name for name in ("article", "listing", "error", "root") if getattr(kind, name)]
    return Explanation(
        page=page,
        method=method,
        headline=(found.body.headline if found.body else None) or (headline.text if headline else None),
        headline_source=headline.source if headline else None,
        refusal=refusal,
        declared=tuple(declared),
        pieces=tuple(_pieces(page, found)),
        from_json_ld=len(found.body.paragraphs) - len(found.taken) if found.body and (found.evidence or not found.taken) else 0,
    )


def _pieces(page: Document, found: Examination) -> list[Piece]:
    taken = {block.index for block in found.taken}
    lead = {block.index for block in lead_of(page, found.taken)}
    headline = page.view(headline_of).block if page.view(headline_of) else None
    rows = dict(zip(found.evidence.indices, found.evidence.rows, strict=True)) if found.evidence else {}
    caution = dict(zip(found.evidence.indices, found.evidence.caution, strict=True)) if found.evidence else {}
    rules = _rules(page, found.evidence, found) if found.evidence else {}
    pieces = []
    for block in page.layout.blocks:
        role = Role.LEFT_OUT
        if block is headline:
            role = Role.HEADLINE
        elif block.index in taken:
            role = Role.LEAD if block.index in lead else Role.BODY
        reasons = _reasons(rows[block.index], caution[block.index]) if block.index in rows else ()
        within = page.layout.boxes[block.box].within
        names = tuple(mark.name.lower().replace("_", " ") for mark in Mark if within & mark and mark.name)
        rule = rules.get(block.index, "") if role is Role.LEFT_OUT else ""
        chance = found.chances.get(block.index)
        pieces.append(Piece(block=block, role=role, chance=chance, reasons=reasons, names=names, rule=rule))
    return pieces


def _reasons(row: list[float], caution: float) -> tuple[tuple[str, float], ...]:
    moved = load_forest().reasons(row)
    values = dict(zip(NAMES, row, strict=True))
    strongest = sorted(moved.items(), key=lambda item: -abs(item[1]))[:_MOST_REASONS]
    said = (("a plain name on a small branch" if caution > 0 else "a table amid the text", -caution),) if caution else ()
    return (*said, *((f"{name}={values[name]:g}", value) for name, value in strongest))


def _rules(page: Document, evidence: Evidence, found: Examination) -> dict[int, str]:
    """Which rule left out a block that was not weighed, or that was likely enough; by its index."""
    layout, headline = page.layout, evidence.headline
    heavy = [sum(evidence.mass[box.first : box.last]) for box in layout.boxes]
    rules = {b.index: "a line of author and date" for b in layout.blocks if is_byline(layout, b, headline)}
    rules |= dict.fromkeys(letters_asked_for(layout, heavy), "beside a form that asks for an address")
    rules |= dict.fromkeys(letters_of_readers(layout, headline), "letters of readers")
    chosen = [layout.blocks[i] for i in evidence.indices if found.chances[i] >= DefaultDetector().threshold]
    settled = settle(chosen, headline)
    labelled = without_labels(settled, layout.blocks)
    own = without_teasers(page, labelled) if found.refusal is None else labelled
    steps = [
        ("the headline again, a text that comes twice, or a heading of nothing", chosen, settled),
        ("it announces links that were left out", settled, labelled),
        ("a summary of another page", labelled, own),
        ("an offer to subscribe", own, found.taken),
    ]
    for rule, before, after in steps:
        kept = {block.index for block in after}
        for block in before:
            if block.index not in kept:
                rules.setdefault(block.index, rule)
    return rules


def _paint(element: etree._Element, piece: Piece) -> None:
    element.set("data-role", str(piece.role))
    element.set("style", f"background:{_COLOURS[piece.role]};outline:1px solid #888")
    chance = "not weighed" if piece.chance is None else f"chance {piece.chance:.2f}"
    reasons = ", ".join(f"{name} {value:+.1f}" for name, value in piece.reasons)
    left = f", {piece.rule}" if piece.rule else ""
    element.set("title", f"{piece.role}, {chance}{left}; {reasons or 'no evidence'}; names: {', '.join(piece.names) or 'none'}")


def _put_legend(root: etree._Element, explanation: Explanation) -> None:
    head = root.find("head")
    if head is None:
        head = etree.Element("head")
        root.insert(0, head)
    policy = etree.Element("meta")
    policy.set("http-equiv", "Content-Security-Policy")
    policy.set("content", "default-src 'none'; style-src 'unsafe-inline'")
    charset = etree.Element("meta", charset="utf-8")
    head.insert(0, policy)
    head.insert(0, charset)
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    legend = etree.Element(
        "div", style="position:sticky;top:0;z-index:99999;background:#fff;border:2px solid #333;padding:6px;font:14px sans-serif"
    )
    legend.text = f"{'No article: ' + explanation.refusal if explanation.refusal else 'Article'}. "
    for role, colour in _COLOURS.items():
        sample = etree.SubElement(legend, "span", style=f"background:{colour};color:#000;padding:2px 6px;margin:2px")
        sample.text = str(role)
        first = next((element for element in body.iter(etree.Element) if element.get("data-role") == str(role)), None)
        if first is not None:  # menus often fill the first screens: a click leads past them
            first.set("id", f"first-{role.name.lower()}")
            first.set("style", f"{first.get('style')};scroll-margin-top:4em")
            sample.tag = "a"
            sample.set("href", f"#first-{role.name.lower()}")
    body.insert(0, legend)


def _keep_tail(element: etree._Element) -> None:
    parent, before = element.getparent(), element.getprevious()
    if not element.tail or parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + element.tail
    else:
        parent.text = (parent.text or "") + element.tail
