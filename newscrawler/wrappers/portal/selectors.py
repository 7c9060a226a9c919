"""Selectors written by hand: a part of CSS and of XPath that costs one walk over the page, whatever it says.

CSS: `tag`, `#id`, `.class`, `[attribute]`, `[attribute=value]` with `=`, `~=`, `^=`, `$=` and `*=`, parted by blanks or `>`,
several by commas; `::attr(name)` at the end reads an attribute. XPath: steps with `/` and `//`, a name or `*`, and in brackets
`@name`, `@name='value'`, `contains(@name, 'value')` and `starts-with(@name, 'value')`, joined by `and`; `/@name` at the end
reads an attribute.

Everything else is refused: a file from elsewhere must not be able to keep a machine busy. Both are read into the same steps, which
are matched for all elements in one walk: an element knows which beginnings of the selector hold for it and for those around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from newscrawler.errors import ConfigError

LONGEST_SELECTOR = 300
_MOST_STEPS, _MOST_TESTS, _MOST_ALTERNATIVES = 12, 6, 6
_MOST_FOUND = 2000
_NAME = r"[A-Za-z_][\w-]*"
_CSS_PART = re.compile(
    rf"(?P<tag>\*|{_NAME})|#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)"
    rf"|\[\s*(?P<attribute>{_NAME})\s*(?:(?P<operator>[~^$*]?=)\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[\w./:-]+))\s*)?\]"
)
_CSS_END = re.compile(rf"::attr\(\s*({_NAME})\s*\)$")
_STEP = re.compile(rf"(?P<axis>//?)(?P<tag>\*|{_NAME})(?P<tests>(?:\[[^\]]*\])*)")
_XPATH_END = re.compile(rf"/@({_NAME})$")
_PREDICATE = re.compile(
    rf"@(?P<attribute>{_NAME})(?:\s*=\s*(?P<equal>'[^']*'|\"[^\"]*\"))?"
    rf"|(?P<function>contains|starts-with)\(\s*@(?P<of>{_NAME})\s*,\s*(?P<value>'[^']*'|\"[^\"]*\")\s*\)"
)


@dataclass(frozen=True, slots=True)
class Test:
    """What an attribute must be like."""

    attribute: str
    #: "", "=", "~=", "^=", "$=" or "*=".
    operator: str = ""
    value: str = ""

    def holds(self, element: etree._Element) -> bool:
        """Tell whether it is."""
        found = element.get(self.attribute)
        if found is None or not self.operator:
            return found is not None
        if self.operator == "=":
            return found == self.value
        if self.operator == "~=":
            return self.value in found.split()
        if not self.value:
            return False
        if self.operator == "^=":
            return found.startswith(self.value)
        return found.endswith(self.value) if self.operator == "$=" else self.value in found


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
        return (self.tag is None or element.tag == self.tag) and all(test.holds(element) for test in self.tests)


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
        selector = _css(rest) if kind == "css" else _xpath(rest)
    except ValueError as error:
        raise ConfigError(f"{where} is {text[:80]!r}: {error}") from error
    return selector


def _css(text: str) -> Selector:
    end = _CSS_END.search(text)
    attribute = end[1] if end else None
    text = text[: end.start()] if end else text
    pieces = _split_outside(text, ",")
    if len(pieces) > _MOST_ALTERNATIVES:
        raise ValueError(f"{len(pieces)} alternatives are too many; at most {_MOST_ALTERNATIVES}")
    return Selector(tuple(_css_steps(piece.strip()) for piece in pieces), attribute)


def _css_steps(text: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    child = False
    for word in _split_outside(text, " "):
        if word == ">":
            if child or not steps:
                raise ValueError("> stands between two elements")
            child = True
        else:
            for number, part in enumerate(_split_outside(word, ">")):
                if number and (not part or not steps):
                    raise ValueError("> stands between two elements")
                steps.append(_compound(part, child=child or number > 0))
                child = False
    if child or not steps:
        raise ValueError("it ends before an element is named")
    return _checked(steps)


def _compound(text: str, *, child: bool) -> Step:
    tag: str | None = None
    tests: list[Test] = []
    position = 0
    while position < len(text):
        part = _CSS_PART.match(text, position)
        if part is None or (part["tag"] and position):
            raise ValueError(f"{text[position : position + 30]!r} is not understood; tag, #id, .class and [attribute=value] are")
        if part["tag"]:
            tag = None if part["tag"] == "*" else part["tag"].lower()
        elif part["id"]:
            tests.append(Test("id", "=", part["id"]))
        elif part["class"]:
            tests.append(Test("class", "~=", part["class"]))
        else:
            value = next((value for value in (part["double"], part["single"], part["bare"]) if value is not None), "")
            tests.append(Test(part["attribute"].lower(), part["operator"] or "", value))
        position = part.end()
    return Step(child, tag, tuple(tests))


def _split_outside(text: str, sign: str) -> list[str]:
    """Split at a sign that does not stand in brackets or quotes; empty pieces count only between commas and arrows."""
    pieces, start, depth, quote = [], 0, 0, ""
    for position, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "[]":
            depth += 1 if letter == "[" else -1
        elif depth == 0 and letter == sign:
            pieces.append(text[start:position])
            start = position + 1
    pieces.append(text[start:])
    return [piece for piece in pieces if piece] if sign == " " else pieces


def _xpath(text: str) -> Selector:
    end = _XPATH_END.search(text)
    attribute = end[1] if end else None
    text = text[: end.start()] if end else text
    steps: list[Step] = []
    position = 0
    while position < len(text):
        step = _STEP.match(text, position)
        if step is None:
            raise ValueError(f"{text[position : position + 30]!r} is not understood; steps are /name and //name with [@attribute]")
        tests = tuple(test for inner in re.findall(r"\[([^\]]*)\]", step["tests"]) for test in _predicates(inner))
        steps.append(Step(step["axis"] == "/", None if step["tag"] == "*" else step["tag"].lower(), tests))
        position = step.end()
    if not steps:
        raise ValueError("it names no element")
    return Selector((_checked(steps),), attribute)


def _predicates(text: str) -> Iterator[Test]:
    for piece in re.split(r"\s+and\s+", text.strip()):
        found = _PREDICATE.fullmatch(piece.strip())
        if found is None:
            raise ValueError(
                f"[{text[:40]}] is not allowed; @name, @name='value', contains(@name, 'value') and starts-with(@name, 'value') are"
            )
        if found["function"]:
            yield Test(found["of"].lower(), "*=" if found["function"] == "contains" else "^=", found["value"][1:-1])
        else:
            yield Test(found["attribute"].lower(), "=" if found["equal"] else "", (found["equal"] or "")[1:-1])


def _checked(steps: Sequence[Step]) -> tuple[Step, ...]:
    if len(steps) > _MOST_STEPS:
        raise ValueError(f"{len(steps)} steps are too many; at most {_MOST_STEPS}")
    if any(len(step.tests) > _MOST_TESTS for step in steps):
        raise ValueError(f"at most {_MOST_TESTS} tests of one element are allowed")
    return tuple(steps)
