"""Selectors written by hand: a part of CSS and of XPath that costs some walks over the page, whatever it says.

CSS: `tag`, `#id`, `.class`, `:root`, `[attribute]`, `[attribute=value]` with `=`, `~=`, `^=`, `$=` and `*=`, parted by blanks
or `>`, several by commas; `::attr(name)` at the end reads an attribute of whatever was found. XPath, which is written anew as CSS:
steps with `/` and `//`, a name or `*`, and in brackets `@name`, `@name='value'`, `contains(@name, 'value')` and
`starts-with(@name, 'value')`, joined by `and`; `/@name` at the end reads an attribute.

Everything else is refused: a file from elsewhere must not be able to keep a machine busy. Each step costs two walks over the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

import cssselect
from cssselect.parser import Attrib, Class, CombinedSelector, Element, Hash, Pseudo, Tree
from lxml import etree

from newscrawler.errors import ConfigError
from newscrawler.limits import SELECTED_ELEMENTS, SELECTOR_CHARACTERS

_MOST_STEPS, _MOST_TESTS, _MOST_ALTERNATIVES = 12, 6, 6
_TRANSLATOR = cssselect.HTMLTranslator()
_NAME, _QUOTED = r"[A-Za-z_][\w-]*", r"(?:'[^']*'|\"[^\"]*\")"
_TEST = rf"(?:@{_NAME}(?:\s*=\s*{_QUOTED})?|(?:contains|starts-with)\(\s*@{_NAME}\s*,\s*{_QUOTED}\s*\))"
_PATH = re.compile(rf"(?://?(?:\*|{_NAME})(?:\[\s*{_TEST}(?:\s+and\s+{_TEST})*\s*\])*)+(?:/@{_NAME})?")
#: Pieces that CSS writes otherwise: the name and value of a test, and signs.
_PIECE = re.compile(rf"/@{_NAME}$|{_TEST}|//?|\s+and\s+")
_NAMED = re.compile(rf"@(?P<name>{_NAME})[^'\"]*(?P<value>{_QUOTED})?")
_SIGNS = {"//": " ", "/": " > ", "and": "]["}
_ROOT = re.compile(rf"^/(\*|{_NAME})")
#: Ends a selector that reads an attribute.
_ATTRIBUTE = re.compile(rf"::attr\(\s*({_NAME})\s*\)$")


@dataclass(frozen=True, slots=True)
class SelectorStep:
    """One element on the way."""

    #: It must be a child of the one before.
    child: bool
    #: Finds all elements of a page that it may be.
    finds: Callable[[etree._Element], Any]


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector that was read."""

    alternatives: tuple[tuple[SelectorStep, ...], ...]
    #: Read this attribute in place of the text.
    attribute: str | None = None

    def find(self, root: etree._Element) -> list[etree._Element]:
        """Return the elements that it selects, in page order."""
        elements = list(root.iter(etree.Element))
        found = [_match_steps(steps, elements) for steps in self.alternatives]
        return [element for element in elements if any(element in each for each in found)][:SELECTED_ELEMENTS]


def _match_steps(steps: Sequence[SelectorStep], elements: Sequence[etree._Element]) -> set[etree._Element | None]:
    """Return the elements of a page, in its order, that match all steps."""
    found: set[etree._Element | None] = {None}  # parent of the root
    for step in steps:
        outer = found if step.child else _add_inner(found, elements)
        found = {element for element in step.finds(elements[0]) if element.getparent() in outer}
    return found


def _add_inner(chosen: set[etree._Element | None], elements: Sequence[etree._Element]) -> set[etree._Element | None]:
    """Return the chosen elements and all within them."""
    found = set(chosen)
    for element in elements:
        if element.getparent() in found:
            found.add(element)
    return found


def read_selector(text: str, where: str) -> Selector:
    """Read `css: …` or `xpath: …`.

    Raises:
        ConfigError: it is none, or one that is not allowed.
    """
    kind, _, rest = text.partition(":")
    kind, rest = kind.strip().lower(), rest.strip()
    if kind not in {"css", "xpath"} or not rest:
        raise ConfigError(f"{where} is {text[:80]!r}; it must begin with css: or xpath:, such as css: h1.title")
    if len(rest) > SELECTOR_CHARACTERS:
        raise ConfigError(f"{where} has {len(rest)} characters; a selector has at most {SELECTOR_CHARACTERS}")
    try:
        return _parse_css(rest if kind == "css" else _convert_to_css(rest))
    except ValueError as error:
        raise ConfigError(f"{where} is {text[:80]!r}: {error}") from error


def _parse_css(text: str) -> Selector:
    attribute = _ATTRIBUTE.search(text)
    try:
        parsed = cssselect.parse(_ATTRIBUTE.sub("", text))
    except (cssselect.SelectorError, SyntaxError) as error:
        advice = '; put it in quotes, as in [data-id="1"]' if "string or ident" in str(error) else ""
        raise ValueError(f"{error}{advice}") from error
    if len(parsed) > _MOST_ALTERNATIVES:
        raise ValueError(f"{len(parsed)} alternatives are too many; at most {_MOST_ALTERNATIVES}")
    if any(selector.pseudo_element for selector in parsed):
        raise ValueError("only ::attr(name), at its end, reads anything but text")
    found = tuple(tuple(_read_css_steps(selector.parsed_tree)) for selector in parsed)
    if (longest := max(map(len, found))) > _MOST_STEPS:
        raise ValueError(f"{longest} steps are too many; at most {_MOST_STEPS}")
    return Selector(found, attribute[1].lower() if attribute else None)


def _read_css_steps(tree: Tree, *, child: bool = False) -> Iterator[SelectorStep]:
    """Yield the elements that a part of a selector names; `child`: the first of them is a child of the one before."""
    if isinstance(tree, CombinedSelector):
        if tree.combinator not in (" ", ">"):
            raise ValueError(f"{tree.combinator!r} is not allowed between two elements; a blank and > are")
        yield from _read_css_steps(tree.selector)
        yield from _read_css_steps(tree.subselector, child=tree.combinator == ">")
        return
    parts: list[Any] = [tree]
    while not isinstance(parts[-1], Element):
        parts.append(parts[-1].selector)
    for part in parts:
        if not isinstance(part, Element | Hash | Class | Attrib) and not (isinstance(part, Pseudo) and part.ident == "root"):
            raise ValueError(f"{part.canonical()!r} is not understood; tag, #id, .class and [attribute=value] are")
        if isinstance(part, Element | Attrib) and part.namespace is not None:
            raise ValueError("namespaces are not understood")
    if len(parts) > _MOST_TESTS + 1:
        raise ValueError(f"at most {_MOST_TESTS} tests of one element are allowed")
    yield SelectorStep(child, etree.XPath(_TRANSLATOR.selector_to_xpath(cssselect.Selector(tree)), smart_strings=False))


def _convert_to_css(path: str) -> str:
    """Return an XPath as CSS."""
    if not _PATH.fullmatch(path):
        raise ValueError(
            "an XPath has steps /name and //name, with [@name], [@name='value'], [contains(@name, 'value')] or "
            "[starts-with(@name, 'value')], and /@name at its end"
        )
    return _PIECE.sub(_convert_piece, _ROOT.sub(r"\1:root", path)).strip()


def _convert_piece(piece: re.Match[str]) -> str:
    text, named = piece[0], _NAMED.search(piece[0])
    if named is None:
        return _SIGNS[text.strip()]
    if text[0] == "/":
        return f"::attr({named['name']})"
    value = (named["value"] or "").replace("\\", "\\\\")
    sign = "*=" if text[0] == "c" else "^=" if text[0] == "s" else "=" if value else ""
    return f"{named['name']}{sign}{value}"


#: Names that a selector can contain as they are; generated ones with many digits change with the next build of a site.
_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*")
_GENERATED = re.compile(r"\d{3}|[a-z]+[A-Z0-9]+[a-z0-9]*[A-Z0-9]")
_MOST_OUTER = 3
#: More classes together are those of one page, such as the category and the tags of an article of WordPress.
_MOST_CLASSES = 4


def propose_selectors(element: etree._Element) -> list[str]:
    """Return CSS selectors that find an element, the shortest first."""
    plain, parent = str(element.tag), element.getparent()
    outer = takewhile(lambda around: around.tag not in ("body", "html"), islice(element.iterancestors(), _MOST_OUTER))
    below = (f"{name} {plain}" for around in outer for name in _list_own_selectors(around) if name != around.tag)
    within = (f"{name} > {plain}" for name in _list_own_selectors(parent)) if parent is not None else ()
    return list(dict.fromkeys([*_list_own_selectors(element), *below, *within]))


def _list_own_selectors(element: etree._Element) -> Iterator[str]:
    """Yield selectors of an element: by its id, its classes together and one by one, its tag."""
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
    return bool(_PLAIN_NAME.fullmatch(name)) and not _GENERATED.search(name)
