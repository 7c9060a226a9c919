"""Which elements the styles in a page do not show: by the cascade of browsers, as far as simple rules decide it.

A rule of one class or id hides ("…{display:none}"); a later declaration, `!important`, another rule that shows the
element, or the style of the element wins over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice
from operator import itemgetter
from typing import NamedTuple

from lxml import etree

from newscrawler.limits import SHEET_CHARACTERS, SHEET_RULES

_HIDING_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
#: Other styles that leave nothing to see: no size, cut off, moved beyond the edge of the screen.
_UNSEEN_STYLE = re.compile(
    r"(?<![\w-])(?:clip\s*:\s*rect\(|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?:left|right|top|text-indent)\s*:\s*-\d{3,}|"
    r"(?:font-size|max-height|max-width|height|width)\s*:\s*[01](?:px)?\s*(?:;|!|$)|transform\s*:\s*scale\(\s*0?\s*\))",
    re.IGNORECASE,
)
#: Values that hide in rules of style sheets, by property: text that is cut off to nothing is for screen readers.
_HIDING = {
    "display": re.compile(r"none"),
    "visibility": re.compile(r"hidden"),
    "left": re.compile(r"-\d{3,}.*"),
    "text-indent": re.compile(r"-\d{3,}.*"),
    "clip": re.compile(r"rect\(\s*[01](?:px)?[\s,].*"),
    "clip-path": re.compile(r"inset\(\s*(?:50|100)%.*"),
}
_WITHOUT_ROOM = ("display", "visibility")
#: One pattern each, which begins with plain letters: such are found five times as fast as those of one pattern for all.
_HIDING_RULES = [re.compile(rf"{name}\s*:\s*{value.pattern.removesuffix('.*')}") for name, value in _HIDING.items()]
_ALL_SCREENS = re.compile(r"@(?:media\s+(?:only\s+)?(?:screen|all)|layer\b[^{};]*)\s*$", re.IGNORECASE)
_LONGEST_SELECTOR, _MOST_KNOWN = 500, 10_000
_SIMPLE_SELECTOR, _NAME = re.compile(r"([A-Za-z][A-Za-z0-9]*)?([.#][A-Za-z_][\w-]*)"), re.compile(r"[.#][A-Za-z_][\w-]*")
_END_OF_RULE = re.compile(r"[{};]")
_COMBINATOR, _ATTRIBUTE = re.compile(r"[\s>+~]"), re.compile(r"\[[^\]]*\]")
_get_weight = itemgetter(1)


class _Weight(NamedTuple):
    """The weight of a declaration against others, in this order."""

    is_important: bool
    #: Of the selector: ids, classes, tags.
    specificity: tuple[int, int, int]
    #: The number of the sheet, and the place in it.
    place: tuple[int, int]


def _read_declarations(style: str) -> Mapping[str, tuple[bool, str]]:
    """Return the last value of each property of a style, with whether it is important: those win."""
    found: dict[str, tuple[bool, str]] = {}
    for part in re.sub(r"/\*.*?\*/|url\([^)]*\)", "", style, flags=re.DOTALL | re.IGNORECASE).split(";"):
        name, colon, said = part.partition(":")
        value, mark, _ = said.strip().lower().partition("!")
        if colon and value and (mark or not found.get(name.strip().lower(), (False, ""))[0]):
            found[name.strip().lower()] = (bool(mark), value.strip())
    return found


@lru_cache(maxsize=_MOST_KNOWN)
def is_hiding_style(style: str) -> tuple[bool, bool]:
    """Return whether the value of a style attribute does not show its element, and whether it leaves no room for it."""
    if not _HIDING_STYLE.search(style) and not _UNSEEN_STYLE.search(style):
        return False, False
    declared = _read_declarations(style)
    room = ";".join(f"{name}:{value}" for name, (_, value) in declared.items())
    hiding = _find_hiding(declared)
    return hiding is not None and hiding[0] in _WITHOUT_ROOM, _UNSEEN_STYLE.search(room) is not None


def is_showing_style(style: str) -> bool:
    """Return whether the value of a style attribute shows its element where another rule does not."""
    return _find_showing(_read_declarations(style)) is not None


def _find_hiding(declared: Mapping[str, tuple[bool, str]]) -> tuple[str, bool] | None:
    """Return the property that hides, and whether it is important."""
    for name, hiding in _HIDING.items():
        if name in declared and hiding.fullmatch(declared[name][1]):
            return name, declared[name][0]
    return None


def _find_showing(declared: Mapping[str, tuple[bool, str]], name: str = "display") -> bool | None:
    """Return whether a declaration that shows is important; None: there is none."""
    is_important, value = declared.get(name, (False, ""))
    is_hiding = value in {"", "hidden", "collapse", "inherit", "unset", "revert"} or (
        name in _HIDING and _HIDING[name].fullmatch(value)
    )
    return None if is_hiding else is_important


def find_hidden_elements(
    sheets: Iterable[str], called: str, named: Iterable[tuple[str, etree._Element]]
) -> Iterable[etree._Element]:
    """Return the elements that simple rules of style sheets hide on every screen: ".note { display: none }".

    Args:
        sheets: the style sheets in the page.
        called: all classes and ids in its body.
        named: the elements of the body with classes or ids, after these.
    """
    texts = [_tidy(sheet) for sheet in sheets if len(sheet) <= SHEET_CHARACTERS]
    rules: dict[str, tuple[str, _Weight]] = {}
    for selector, rule in _find_hiding_rules(texts, called):
        rules[selector] = max(rules.get(selector, rule), rule, key=_get_weight)
    if not rules:
        return ()
    hidden: dict[etree._Element, tuple[str, _Weight]] = {}
    bare = {re.split(r"[.#]", selector)[-1] for selector in rules}
    fitting: dict[str, bool] = {"": False}
    for name, element in named:
        if name not in fitting:
            fitting[name] = not bare.isdisjoint(name.split())
        if not fitting[name]:
            continue
        found = [rules[each] for name in _list_names(element) for each in (name, f"{element.tag}{name}") if each in rules]
        if found:
            hidden[element] = max(found, key=_get_weight)
    shown = {element for element, rule in hidden.items() if _is_shown_by_style(element, *rule)}
    with_text = {element: rule for element, rule in hidden.items() if element not in shown and _has_text(element)}
    shown |= _find_shown(texts, with_text)
    return hidden.keys() - shown


def _has_text(element: etree._Element) -> bool:
    """Return whether an element contains more than a label: of others it makes no difference whether they are seen."""
    return len("".join(islice(map(str, element.itertext()), 50)).strip()) >= 20


def _tidy(sheet: str) -> str:
    """Return a style sheet without comments, and what may hide in small letters."""
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL) if "/*" in sheet else sheet
    has_capitals = "DISPLAY" in sheet or "VISIBILITY" in sheet
    return re.sub(r"(?:DISPLAY|VISIBILITY)\s*:\s*\w+", lambda match: match[0].lower(), sheet) if has_capitals else sheet


def _find_hiding_rules(sheets: Sequence[str], called: str) -> Iterator[tuple[str, tuple[str, _Weight]]]:
    """Yield selectors of one class or id that is among those of the page, with the property that hides and its weight."""
    for number, sheet in enumerate(sheets):
        nested = place = 0
        for begin in _find_brackets(sheet):
            nested += sheet.count("{", place, begin) - sheet.count("}", place, begin)
            place = begin
            before = _END_OF_RULE.split(sheet[max(0, begin - _LONGEST_SELECTOR) : begin])[-1]
            simple = list(filter(None, map(_SIMPLE_SELECTOR.fullmatch, map(str.strip, before.split(",")))))
            if not (simple := [each for each in simple if each[2][1:] in called]):
                continue
            declared = _read_declarations(sheet[begin + 1 : sheet.find("}", begin)])
            found = _find_hiding(declared)
            if found is not None and "transition" in declared and "max-height" in declared:
                continue  # a panel that opens with a movement
            if found is None or nested > 1 or (nested == 1 and not _is_for_all_screens(sheet, begin)):
                continue
            for each in simple:
                specificity = (int(each[2][0] == "#"), int(each[2][0] == "."), int(each[1] is not None))
                yield each[0], (found[0], _Weight(found[1], specificity, (number, begin)))


def _find_brackets(sheet: str) -> list[int]:
    """Return where the brackets of the rules that hide open, in order."""
    found = {sheet.rfind("{", 0, match.start()) for rule in _HIDING_RULES for match in islice(rule.finditer(sheet), SHEET_RULES)}
    return sorted(found - {-1})


def _is_for_all_screens(sheet: str, begin: int) -> bool:
    """Return whether the rule whose bracket opens there, within one for some screens, is for every screen."""
    depth, place = 0, begin
    for _ in range(400):  # brackets before it
        opening, closing = sheet.rfind("{", 0, place), sheet.rfind("}", 0, place)
        place = max(opening, closing)
        depth += -1 if place == opening else 1
        if depth < 0:
            return _ALL_SCREENS.search(sheet, max(0, place - _LONGEST_SELECTOR), place) is not None
    return False


def _list_names(element: etree._Element) -> list[str]:
    names = [f".{name}" for name in (element.get("class") or "").split()]
    return [*names, f"#{element.get('id')}"] if element.get("id") else names


def _is_shown_by_style(element: etree._Element, name: str, weight: _Weight) -> bool:
    showing = _find_showing(_read_declarations(element.get("style") or ""), name)
    return showing is not None and showing >= weight.is_important


def _find_shown(sheets: Sequence[str], hidden: Mapping[etree._Element, tuple[str, _Weight]]) -> set[etree._Element]:
    """Return those of the hidden elements that a rule of more weight shows; states such as ":hover" show nothing."""
    named = {element: frozenset(_list_names(element)) for element in hidden}
    every = re.compile("|".join(map(re.escape, sorted(frozenset[str]().union(*named.values())))))
    hiding = {name for name, _ in hidden.values()}
    shown: set[etree._Element] = set()
    left = count(200_000, -1)  # comparisons; no real page needs as many
    for number, sheet in enumerate(sheets if hidden else ()):
        for begin, (selectors, declarations) in islice(_find_rules(sheet, every).items(), 300):  # no real sheet has as many
            declared = _read_declarations(declarations)
            if not any(_find_showing(declared, name) is not None for name in hiding):
                continue
            for selector in map(str.strip, selectors.split(",")):
                names = _find_last_names(selector)
                called = [element for element, own in named.items() if names and names <= own]
                if not called or (parsed := _parse_selector(selector)) is None or _is_for_print(sheet, begin):
                    continue
                parts, specificity = parsed
                for element in called:
                    name, weight = hidden[element]
                    showing = _find_showing(declared, name)
                    if showing is not None and (showing, specificity, (number, begin + 1)) > weight:
                        shown |= {element} if _is_match(element, parts, left) else set()
    return shown


def _find_rules(sheet: str, names: re.Pattern[str]) -> dict[int, tuple[str, str]]:
    """Return the selectors and declarations of the rules whose selectors contain one of the names, by their brackets."""
    found: dict[int, tuple[str, str]] = {}
    for match in names.finditer(sheet):
        begin = sheet.find("{", match.end(), match.end() + _LONGEST_SELECTOR)
        if begin < 0 or begin in found or "}" in sheet[match.end() : begin]:
            continue
        declarations = sheet[begin + 1 : sheet.find("}", begin)]
        if any(name in declarations for name in _HIDING):
            found[begin] = _END_OF_RULE.split(sheet[max(0, begin - _LONGEST_SELECTOR) : begin])[-1], declarations
    return found


def _is_for_print(sheet: str, place: int) -> bool:
    """Return whether the rule at a place is for paper only."""
    if sheet.count("{", 0, place) == sheet.count("}", 0, place):
        return False
    return "print" in sheet[max(0, sheet.rfind("@", 0, place)) : place].partition("{")[0]


@lru_cache(maxsize=_MOST_KNOWN)
def _find_last_names(selector: str) -> frozenset[str]:
    """Return the classes and ids in the last part of a selector."""
    return frozenset(_NAME.findall(_COMBINATOR.split(_ATTRIBUTE.sub("", selector))[-1]))


@lru_cache(maxsize=_MOST_KNOWN)
def _parse_selector(selector: str) -> tuple[tuple[tuple[str, etree.XPath], ...], tuple[int, int, int]] | None:
    """Return the parts of a selector from the last on, each behind the sign before it, and its weight; None: it is not one."""
    import cssselect

    if ":" in _ATTRIBUTE.sub("", selector):
        return None  # of a state, or of a part of an element
    try:
        (parsed,) = cssselect.parse(selector)
        tree, parts = parsed.parsed_tree, list[tuple[str, cssselect.parser.Tree]]()
        while isinstance(tree, cssselect.parser.CombinedSelector):
            parts.append((tree.combinator, tree.subselector))
            tree = tree.selector
        paths = [(sign, cssselect.HTMLTranslator().xpath(part)) for sign, part in [*parts, ("", tree)]]
        found = tuple((sign, etree.XPath(f"self::{path}", smart_strings=False)) for sign, path in paths)
    except (cssselect.SelectorError, SyntaxError, ValueError):
        return None
    return found, parsed.specificity()


def _is_match(element: etree._Element, parts: Sequence[tuple[str, etree.XPath]], left: Iterator[int]) -> bool:
    """Compare an element, and those around it, with a selector from right to left; False after very many comparisons."""
    (sign, fits), *others = parts
    if next(left) < 0 or not fits(element):
        return False
    if not others:
        return True
    is_sibling = sign in {"+", "~"}
    around = element.itersiblings(etree.Element, preceding=True) if is_sibling else element.iterancestors()
    return any(_is_match(each, others, left) for each in (islice(around, 1) if sign in {"+", ">"} else around))
