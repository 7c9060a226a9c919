"""ReLIE: improve a rough regular expression by transformations, as long as it finds labelled examples better.

Source: Y. Li, R. Krishnamurthy, S. Raghavan, S. Vaithyanathan, H. V. Jagadish: Regular Expression Learning for Information
Extraction, EMNLP 2008, as section 2.1.1.1 of Š. Blanár's master's thesis Extrakcia správ z webových stránok describes it.

Its input is an expression that finds too much. Each round applies every transformation once in every place: an alternative is
dropped, a character class is narrowed, a quantifier is narrowed, or what only wrong matches say is shut out by a negative
dictionary, which grows greedily. The candidate with the best F1 on the training examples is taken (hill climbing). It ends when
no candidate is better there, or when the best is worse on the validation examples.

Where the paper is silent:
- Which quantifiers are tried: the bounds one closer on either side, exact numbers up to 12, and at least or at most 1 to 4.
- Of several candidates with the same F1 the shortest is taken.
- Every second text is for validation. The negative dictionary holds 8 words at most.
- A candidate with nested repetitions that takes too long is dropped: `regex` stops it after a tenth of a second.

Known failures: the ones that the thesis names: it needs many examples, and cannot find what the first expression does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import regex

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


_NARROWER = {
    ".": (r"\w", r"\d", r"\S", "[^,;]"), r"\w": (r"\d", "[a-z]", "[A-Z]", "[A-Za-z]", r"[^\W\d_]", r"\p{Lu}", r"\p{Ll}"),
    r"\S": (r"\w", r"\d"), r"\W": (r"\s", "[-./]", "[-. ]"), r"\D": ("[A-Za-z]", "[-./ ]"), r"\s": (" ",),
    r"[^\W\d_]": (r"\p{Lu}", r"\p{Ll}"), "[A-Za-z]": ("[A-Z]", "[a-z]"), "[^,;]": (r"\w", r"\d", "[-. \\w]"),
}  # fmt: skip
_MOST_WORDS, _MOST_CANDIDATES, _MOST_EXACT = 8, 400, 12
_SECONDS = 0.1
#: In a class in brackets: an escape, a range or a character.
_MEMBER = regex.compile(r"\\p\{\w+\}|\\.(?:-\\?.)?|.-\\?.|.", regex.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A text, and the matches to find in it."""

    text: str
    wanted: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Learned:
    """An expression, and words that none of its matches may be."""

    root: Part
    excluded: tuple[str, ...] = ()

    @cached_property
    def pattern(self) -> str:
        """Return it as a regular expression of the library `regex`."""
        shut_out = f"(?!(?:{'|'.join(map(regex.escape, self.excluded))})(?!\\w))" if self.excluded else ""
        return rf"(?<!\w){shut_out}(?:{self.root.write()})(?!\w)"

    def find(self, text: str) -> list[str]:
        """Return all matches in a text; none where the search takes too long."""
        try:
            return find_all(self.pattern, text)
        except (TimeoutError, regex.error):
            return []


@dataclass(frozen=True, slots=True)
class Relie:
    """Learns an expression from a first one and from examples."""

    most_rounds: int = 20

    def learn(self, first: str, examples: Sequence[Example]) -> Learned:
        """Improve an expression.

        Raises:
            ConfigError: the first expression cannot be read, or finds none of what is wanted.
        """
        training, validation = examples[::2], examples[1::2] or examples
        best = Learned(root=read_expression(first))
        score, checked = f1_of(best, training), f1_of(best, validation)
        if not score:
            raise ConfigError(f"{first} finds nothing of what the examples want; begin with one that finds too much")
        for _ in range(self.most_rounds):
            found = max(candidates(best, training), key=lambda one: (f1_of(one, training), -len(one.pattern)), default=best)
            new_score, new_checked = f1_of(found, training), f1_of(found, validation)
            if new_score <= score or new_checked < checked:
                break
            best, score, checked = found, new_score, new_checked
        return best


def checked_expression(pattern: str) -> str:
    """Return an expression that can be searched for.

    Raises:
        ConfigError: it cannot.
    """
    try:
        regex.compile(pattern)
    except (TypeError, regex.error, RecursionError) as error:
        raise ConfigError(f"{pattern} is not a regular expression: {error}") from error
    return pattern


def find_all(pattern: str, text: str) -> list[str]:
    """Return all matches of an expression in a text, in reading order.

    Raises:
        TimeoutError: it takes too long.
        regex.error: it is not an expression.
    """
    return [found[0] for found in regex.compile(pattern).finditer(text, timeout=_SECONDS) if found[0]]


def f1_of(learned: Learned, examples: Sequence[Example]) -> float:
    """Return the F1 of what is found, over all examples."""
    right = found = wanted = 0
    for example in examples:
        texts = set(learned.find(example.text))
        right += len(texts & example.wanted)
        found += len(texts)
        wanted += len(example.wanted)
    return 2 * right / (found + wanted) if found + wanted else 0.0


def candidates(learned: Learned, examples: Sequence[Example]) -> list[Learned]:
    """Return the results of every transformation of an expression in every place."""
    made = [replace(learned, root=root) for root in _changed(learned.root)][:_MOST_CANDIDATES]
    return [*made, _with_dictionary(learned, examples)]


def _with_dictionary(learned: Learned, examples: Sequence[Example]) -> Learned:
    """Shut out wrong matches, the most frequent first, as long as the F1 does not fall."""
    right = {found for example in examples for found in example.wanted}
    wrong = Counter(found for example in examples for found in learned.find(example.text) if found not in right)
    best, score = learned, f1_of(learned, examples)
    for word, _ in wrong.most_common(_MOST_WORDS - len(learned.excluded)):
        grown = replace(best, excluded=(*best.excluded, word))
        if (new := f1_of(grown, examples)) >= score:
            best, score = grown, new
    return best


def _changed(part: Part) -> Iterator[Part]:
    """Yield the part with one change, its own or of a part in it."""
    if part.atom is not None:
        yield from (replace(part, atom=narrower) for narrower in _narrower_atoms(part.atom))
    yield from (replace(part, least=least, most=most) for least, most in _narrower_bounds(part.least, part.most))
    for place, choice in enumerate(part.choices):
        if len(part.choices) > 1:
            yield replace(part, choices=part.choices[:place] + part.choices[place + 1 :])
        for number, inner in enumerate(choice):
            for changed in _changed(inner):
                sequence = (*choice[:number], changed, *choice[number + 1 :])
                yield replace(part, choices=(*part.choices[:place], sequence, *part.choices[place + 1 :]))


def _narrower_atoms(atom: str) -> Iterator[str]:
    """Yield narrower characters: for a class in brackets one member less, or one of its members narrowed."""
    yield from _NARROWER.get(atom, ())
    members = _MEMBER.findall(_inside(atom))
    for number, member in enumerate(members):
        before, after = "".join(members[:number]), "".join(members[number + 1 :])
        if before or after:
            yield f"[{before}{after}]"
        narrowed = _NARROWER.get(member, ()) if member.startswith("\\") else ()
        yield from (f"[{before}{_inside(one) or one}{after}]" for one in narrowed if not one.startswith("[^"))


def _inside(atom: str) -> str:
    """Return the members of a class in brackets that excludes nothing, or nothing."""
    if not atom.startswith("[") or atom.startswith("[^"):
        return ""
    return rf"\-{atom[2:-1]}" if atom.startswith("[-") else atom[1:-1]


def _narrower_bounds(least: int, most: int | None) -> list[tuple[int, int | None]]:
    if least == most:
        return []
    high = _MOST_EXACT if most is None else min(most, _MOST_EXACT)
    exact: list[tuple[int, int | None]] = [(count, count) for count in range(max(least, 0), high + 1) if count]
    lower: list[tuple[int, int | None]] = [(count, most) for count in range(least + 1, min(least + 4, high) + 1)]
    upper: list[tuple[int, int | None]] = [(least, count) for count in range(max(least, 1), high + 1)] if most is None else []
    closer: list[tuple[int, int | None]] = [(least, most - 1)] if most is not None and most - 1 > least else []
    return [*exact, *lower, *upper, *closer]
