"""Computed styles of a page, as far as VIPS needs them: from style elements and style attributes, without what is loaded.

The cascade is short: defaults of browsers, then rules in the order of their specificity, then style attributes. Media queries,
variables and pseudo-elements are left out. Work is bounded: rules that name none of the page's classes, ids or tags are skipped
unread, and 150 selectors are matched at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import tinycss2
from cssselect import GenericTranslator, SelectorError, parse
from lxml import etree

from newscrawler.page import Document
from newscrawler.research.methods.outline import INLINE, Outline

_PROPERTIES = frozenset({"display", "visibility", "font-size", "font-weight", "background-color", "background"})
_MOST_SELECTORS = 150
_LONGEST_SHEET = 100_000
_NAME = re.compile(r"[.#]?[A-Za-z_-][\w-]*")
_SIZES = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67, "small": 0.83, "big": 1.17}
_BOLD = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "th"})
_UNITS = {"px": 1.0, "pt": 4 / 3, "rem": 16.0}
_WORDS = {"small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0, "x-small": 10.0}


@dataclass(frozen=True, slots=True)
class Style:
    """What an element looks like."""

    #: In pixels.
    font_size: float = 16.0
    is_bold: bool = False
    is_inline: bool = False
    is_visible: bool = True
    #: Of the nearest element around it that has one, as written; empty: none has.
    background: str = ""


def computed_styles(page: Document, tree: Outline) -> list[Style]:
    """Return the style of every element of an outline."""
    declared = _declared(page, tree)
    found: list[Style] = []
    inherited: dict[tuple[int, str], Style] = {}  # of the children of an element, by their tag
    for number, tag in enumerate(tree.tags):
        parent = tree.parents[number]
        above = found[parent] if number else Style()
        style = inherited.get((parent, tag))
        if style is None:
            style = inherited[parent, tag] = Style(
                font_size=above.font_size * _SIZES.get(tag, 1.0), is_bold=above.is_bold or tag in _BOLD,
                is_inline=tag in INLINE, is_visible=above.is_visible, background=above.background,
            )  # fmt: skip
        written = tree.elements[number].get("style")
        own = declared.get(number, {}) | (dict(_declarations(written)) if written else {})
        found.append(_applied(style, own, above) if own else style)
    return found


def _applied(style: Style, own: Mapping[str, str], above: Style) -> Style:
    size, weight = own.get("font-size"), own.get("font-weight", "")
    display = own.get("display", "")
    background = own.get("background-color") or own.get("background", "")
    return replace(
        style,
        font_size=_pixels(size, above.font_size) if size else style.font_size,
        is_bold=(weight in {"bold", "bolder"} or (weight.isdigit() and int(weight) >= 600)) if weight else style.is_bold,
        is_inline=display.startswith("inline") if display else style.is_inline,
        is_visible=above.is_visible and display != "none" and own.get("visibility") != "hidden",
        background=background if background not in {"", "none", "transparent", "inherit"} else above.background,
    )


def _pixels(written: str, above: float) -> float:
    found = re.fullmatch(r"([\d.]{1,8})(px|pt|em|rem|%)", written)
    if found is None:
        return _WORDS.get(written, above)
    try:
        value = float(found[1])
    except ValueError:
        return above
    return value * (above if found[2] == "em" else above / 100 if found[2] == "%" else _UNITS[found[2]])


def _declarations(content: Any) -> Iterator[tuple[str, str]]:
    for item in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if item.type == "declaration" and item.lower_name in _PROPERTIES:
            yield item.lower_name, tinycss2.serialize(item.value).strip().lower()


def _declared(page: Document, tree: Outline) -> dict[int, dict[str, str]]:
    """Return what the rules of style elements declare, by element."""
    rules = list(_rules(page, tree))
    if not rules:
        return {}
    numbers = {element: number for number, element in enumerate(tree.elements)}
    found: dict[int, dict[str, str]] = {}
    for _, path, declared in sorted(rules, key=lambda rule: rule[0]):
        matched: Any = etree.XPath(path)(page.root)
        for element in matched:
            if (number := numbers.get(element)) is not None:
                found.setdefault(number, {}).update(declared)
    return found


def _rules(page: Document, tree: Outline) -> Iterator[tuple[tuple[int, int, int], str, dict[str, str]]]:
    """Yield specificity, path and declarations of the rules that may match an element."""
    sheets = [element.text or "" for element in page.root.iter("style")]
    if not any(sheets):
        return
    names = _names(tree)
    left = _MOST_SELECTORS
    for rule in tinycss2.parse_stylesheet("\n".join(sheets)[:_LONGEST_SHEET], skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        written = tinycss2.serialize(rule.prelude)
        declared = dict(_declarations(rule.content))
        for selector in written.split(",") if declared else ():
            if left <= 0 or not set(_NAME.findall(selector)) <= names or ":" in selector:
                continue
            left -= 1
            try:
                (parsed,) = parse(selector)
                yield parsed.specificity(), GenericTranslator().selector_to_xpath(parsed), declared
            except (SelectorError, ValueError):
                continue


def _names(tree: Outline) -> set[str]:
    names = set(tree.tags) | {"html"}
    for element in tree.elements:
        names.update(f".{word}" for word in (element.get("class") or "").split())
        names.add(f"#{element.get('id')}")
    return names
