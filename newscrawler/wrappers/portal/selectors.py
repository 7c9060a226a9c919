"""Selectors written by hand: a part of CSS and of XPath that costs one walk over the page, whatever it says.

CSS: `tag`, `#id`, `.class`, `:root`, `[attribute]`, `[attribute=value]` with `=`, `~=`, `^=`, `$=` and `*=`, parted by blanks
or `>`, several by commas; `::attr(name)` at the end reads an attribute of whatever was found. XPath, which is written anew as CSS:
steps with `/` and `//`, a name or `*`, and in brackets `@name`, `@name='value'`, `contains(@name, 'value')` and
`starts-with(@name, 'value')`, joined by `and`; `/@name` at the end reads an attribute.

Everything else is refused: a file from elsewhere must not be able to keep a machine busy. The steps of a selector are matched for
all elements in one walk: an element knows which beginnings of the selector hold for it and for those around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cssselect
from cssselect.parser import Attrib, Class, CombinedSelector, Element, FunctionalPseudoElement, Hash, Pseudo, Tree
from lxml import etree

from newscrawler.errors import ConfigError

LONGEST_SELECTOR = 300
_MOST_STEPS, _MOST_TESTS, _MOST_ALTERNATIVES = 12, 6, 6
_MOST_FOUND = 2000
#: How an attribute may be compared with a value; "": it is there.
_HOLDS: Mapping[str, Callable[[str, str], bool]] = {
    "": lambda _found, _value: True, "=": str.__eq__, "~=": lambda found, value: value in found.split(),
    "^=": lambda found, value: value != "" and found.startswith(value),
    "$=": lambda found, value: value != "" and found.endswith(value), "*=": lambda found, value: value != "" and value in found,
}  # fmt: skip
_NAME, _QUOTED = r"[A-Za-z_][\w-]*", r"'[^']*'|\"[^\"]*\""
_STEP = re.compile(rf"/@(?P<attribute>{_NAME})$|(?P<axis>//?)(?P<tag>\*|{_NAME})(?P<tests>(?:\[[^\]]*\])*)")
_PREDICATE = re.compile(
    rf"@(?P<name>{_NAME})(?:\s*=\s*(?P<equal>{_QUOTED}))?"
    rf"|(?P<function>contains|starts-with)\(\s*@(?P<of>{_NAME})\s*,\s*(?P<value>{_QUOTED})\s*\)"
)


class Test(NamedTuple):
    """What an attribute must be like."""

    attribute: str
    #: "", "=", "~=", "^=", "$=" or "*=".
    operator: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One element on the way."""

    #: It must be a child of the one before; at the beginning: the root of the page.
    child: bool
    #: None: any.
    tag: str | None
    tests: tuple[Test, ...] = ()

    def holds(self, element: etree._Element) -> bool:
        """Tell whether tag and attributes of an element fit."""
        if self.tag is not None and element.tag != self.tag:
            return False
        found = ((element.get(name), operator, value) for name, operator, value in self.tests)
        return all(own is not None and _HOLDS[operator](own, value) for own, operator, value in found)


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector that was read."""

    alternatives: tuple[tuple[Step, ...], ...]
    #: Read this attribute in place of the text.
    attribute: str | None = None

    def find(self, root: etree._Element) -> list[etree._Element]:
        """The elements that it selects, in page order."""
        found: list[etree._Element] = []
        above: dict[etree._Element, tuple[list[int], list[int]]] = {}
        none = [0] * len(self.alternatives)
        for element in root.iter(etree.Element):
            parent = element.getparent()
            of_parent, around = above[parent] if parent is not None and parent in above else (none, none)
            own = [
                _matched(steps, element, before, outer, top=parent is None)
                for steps, before, outer in zip(self.alternatives, of_parent, around, strict=True)
            ]
            above[element] = (own, [mask | outer for mask, outer in zip(own, around, strict=True)])
            if any(mask >> (len(steps) - 1) & 1 for mask, steps in zip(own, self.alternatives, strict=True)):
                found.append(element)
                if len(found) >= _MOST_FOUND:
                    break
        return found


def _matched(steps: Sequence[Step], element: etree._Element, before: int, around: int, *, top: bool) -> int:
    """Bits of the steps up to which a selector holds at an element; `before`: at its parent, `around`: at all around it."""
    mask = 0
    for number, step in enumerate(steps):
        if number == 0:
            possible = top or not step.child
        else:
            possible = bool((before if step.child else around) >> (number - 1) & 1)
        if possible and step.holds(element):
            mask |= 1 << number
    return mask


def read_selector(text: str, where: str) -> Selector:
    """Read `css: …` or `xpath: …`.

    Args:
        text: what was written.
        where: file and key, for the error.

    Raises:
        ConfigError: it is none, or one that is not allowed.
    """
    kind, _, rest = text.partition(":")
    kind, rest = kind.strip().lower(), rest.strip()
    if kind not in {"css", "xpath"} or not rest:
        raise ConfigError(f"{where} is {text[:80]!r}; it must begin with css: or xpath:, such as css: h1.title")
    if len(rest) > LONGEST_SELECTOR:
        raise ConfigError(f"{where} has {len(rest)} characters; a selector has at most {LONGEST_SELECTOR}")
    try:
        return _css(rest if kind == "css" else _as_css(rest))
    except ValueError as error:
        raise ConfigError(f"{where} is {text[:80]!r}: {error}") from error


def _css(text: str) -> Selector:
    try:
        parsed = cssselect.parse(text)
    except (cssselect.SelectorError, SyntaxError) as error:
        advice = '; put it in quotes, as in [data-id="1"]' if "string or ident" in str(error) else ""
        raise ValueError(f"{error}{advice}") from error
    if len(parsed) > _MOST_ALTERNATIVES:
        raise ValueError(f"{len(parsed)} alternatives are too many; at most {_MOST_ALTERNATIVES}")
    *before, end = (selector.pseudo_element for selector in parsed)
    if any(before) or (end is not None and not _is_attribute(end)):
        raise ValueError("only ::attr(name), at its end, reads anything but text")
    attribute = str(end.arguments[0].value).lower() if isinstance(end, FunctionalPseudoElement) else None
    found = tuple(tuple(_css_steps(selector.parsed_tree)) for selector in parsed)
    if (longest := max(map(len, found))) > _MOST_STEPS:
        raise ValueError(f"{longest} steps are too many; at most {_MOST_STEPS}")
    return Selector(found, attribute)


def _is_attribute(end: object) -> bool:
    if not isinstance(end, FunctionalPseudoElement) or end.name != "attr":
        return False
    return [token.type for token in end.arguments] == ["IDENT"]


def _css_steps(tree: Tree, *, child: bool = False) -> Iterator[Step]:
    """Yield the elements that a part of a selector names; `child`: the first of them is a child of what comes before."""
    if isinstance(tree, CombinedSelector):
        if tree.combinator not in (" ", ">"):
            raise ValueError(f"{tree.combinator!r} is not allowed between two elements; a blank and > are")
        yield from _css_steps(tree.selector)
        yield from _css_steps(tree.subselector, child=tree.combinator == ">")
        return
    tests: list[Test] = []
    while not isinstance(tree, Element):
        if isinstance(tree, Hash):
            tests.append(Test("id", "=", tree.id))
        elif isinstance(tree, Class):
            tests.append(Test("class", "~=", tree.class_name))
        elif isinstance(tree, Attrib) and (sign := tree.operator.replace("exists", "")) in _HOLDS and tree.namespace is None:
            value = str(tree.value.value) if tree.value is not None else ""
            tests.append(Test(tree.attrib.lower(), sign, value))
        elif isinstance(tree, Pseudo) and tree.ident == "root":
            child = True
        else:
            raise ValueError(f"{tree.canonical()!r} is not understood; tag, #id, .class and [attribute=value] are")
        tree = tree.selector
    if tree.namespace is not None:
        raise ValueError("namespaces are not understood")
    if len(tests) > _MOST_TESTS:
        raise ValueError(f"at most {_MOST_TESTS} tests of one element are allowed")
    yield Step(child, tree.element.lower() if tree.element else None, tuple(tests))


def _as_css(path: str) -> str:
    """Return an XPath as CSS."""
    written, position = "", 0
    while position < len(path):
        step = _STEP.match(path, position)
        if step is None:
            raise ValueError(f"{path[position : position + 30]!r} is not understood; steps are /name and //name with [@attribute]")
        position = step.end()
        if step["attribute"]:
            return f"{written}::attr({step['attribute']})"
        sign = " " if step["axis"] == "//" else " > " if written else ""
        root = ":root" if not written and step["axis"] == "/" else ""
        written += sign + step["tag"] + root + "".join(map(_tests_as_css, re.findall(r"\[([^\]]*)\]", step["tests"])))
    return written


def _tests_as_css(text: str) -> str:
    written = ""
    for piece in re.split(r"\s+and\s+", text.strip()):
        test = _PREDICATE.fullmatch(piece)
        if test is None:
            raise ValueError(
                f"[{text[:40]}] is not allowed; @name, @name='value', contains(@name, 'value') and starts-with(@name, 'value') are"
            )
        sign = {"contains": "*=", "starts-with": "^="}.get(test["function"], "=" if test["equal"] else "")
        value = (test["value"] or test["equal"] or "").replace("\\", "\\\\")
        written += f"[{test['of'] or test['name']}{sign}{value}]"
    return written
