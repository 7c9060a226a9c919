r"""A small model of regular expressions, whose parts can be exchanged: what ReLIE transforms.

Literals, \d \w \s and their opposites, ., classes in brackets, groups (never capturing), alternatives and quantifiers are read;
lookaround, backreferences and anchors are not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from newscrawler.errors import ConfigError

_ATOM = re.compile(r"\\[dwsDWS]|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\.|[^\\\[\](){}|?*+.^$]", re.DOTALL)
_QUANTIFIER = re.compile(r"(?P<word>[?*+])|\{(?P<least>\d{1,3})(?:(?P<comma>,)(?P<most>\d{1,3})?)?\}")
_LONGEST, _DEEPEST = 300, 8


@dataclass(frozen=True, slots=True)
class Part:
    """An atom or a group, with its number of repetitions."""

    #: A character or class; None: a group.
    atom: str | None = None
    #: Of a group: alternatives, each a sequence of parts.
    choices: tuple[tuple[Part, ...], ...] = ()
    least: int = 1
    #: None: without bound.
    most: int | None = 1

    def write(self) -> str:
        """Write the part as a regular expression."""
        inner = self.atom if self.atom is not None else "(?:" + write_choices(self.choices) + ")"
        match self.least, self.most:
            case 1, 1:
                return inner
            case 0, 1:
                return inner + "?"
            case 0, None:
                return inner + "*"
            case 1, None:
                return inner + "+"
            case least, most if least == most:
                return f"{inner}{{{least}}}"
        return f"{inner}{{{self.least},{'' if self.most is None else self.most}}}"


def write_choices(choices: tuple[tuple[Part, ...], ...]) -> str:
    """Write alternatives."""
    return "|".join("".join(part.write() for part in choice) for choice in choices)


def read_expression(text: str) -> Part:
    """Read an expression as one group.

    Raises:
        ConfigError: it is not an expression of these parts.
    """
    if len(text) > _LONGEST:
        raise ConfigError(f"the expression has {len(text)} characters; {_LONGEST} are the most")
    choices, end = _read_choices(text, 0, 0)
    if end < len(text):
        raise ConfigError(f"{text} is not an expression that can be learned from: unexpected {text[end]} at {end}")
    return Part(choices=choices)


def _read_choices(text: str, place: int, depth: int) -> tuple[tuple[tuple[Part, ...], ...], int]:
    choices: list[tuple[Part, ...]] = []
    sequence: list[Part] = []
    while place < len(text) and text[place] != ")":
        if text[place] == "|":
            choices.append(tuple(sequence))
            sequence = []
            place += 1
            continue
        part, place = _read_part(text, place, depth)
        sequence.append(part)
    return (*choices, tuple(sequence)), place


def _read_part(text: str, place: int, depth: int) -> tuple[Part, int]:
    if text[place] == "(":
        if depth >= _DEEPEST:
            raise ConfigError(f"groups are nested deeper than {_DEEPEST}")
        begin = place + (3 if text.startswith("(?:", place) else 1)
        choices, end = _read_choices(text, begin, depth + 1)
        if end >= len(text):
            raise ConfigError(f"{text} is not an expression: a bracket is not closed")
        part, place = Part(choices=choices), end + 1
    else:
        found = _ATOM.match(text, place)
        if found is None:
            raise ConfigError(f"{text} is not an expression that can be learned from: unexpected {text[place]} at {place}")
        part, place = Part(atom=found[0]), found.end()
    quantifier = _QUANTIFIER.match(text, place)
    if quantifier is None:
        return part, place
    least, most = _bounds(quantifier)
    return Part(atom=part.atom, choices=part.choices, least=least, most=most), quantifier.end()


def _bounds(quantifier: re.Match[str]) -> tuple[int, int | None]:
    if word := quantifier["word"]:
        return {"?": (0, 1), "*": (0, None), "+": (1, None)}[word]
    least = int(quantifier["least"])
    if not quantifier["comma"]:
        return least, least
    return least, int(quantifier["most"]) if quantifier["most"] else None
