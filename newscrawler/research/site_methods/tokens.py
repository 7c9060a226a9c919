"""A page as a sequence of tokens: the view that methods over strings of several pages share.

A token is a start tag, an end tag, or a text. Of a start tag's attributes the class counts, without digits, for many sites number
classes page by page; or all of them do, as they are written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from newscrawler.page import squeeze
from newscrawler.research.methods.outline import VOID, Outline

#: Letters that there are; tokens of more pages than are learned from share the last one.
_MOST_TOKENS = 0x10FFFF - 0xE001
_DIGITS = re.compile(r"\d+")
#: Tells texts from tags in a sequence of tokens; no tag contains it.
TEXT_MARK = "\N{SYMBOL FOR START OF TEXT}"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens in reading order."""

    names: list[str]
    #: For each token the number of the text node that it is, -1 for tags.
    texts: list[int]


def tokens_of(tree: Outline, *, with_attributes: bool = False) -> Tokens:
    """Write a page as tokens: tags as `<p.lead>` and `</p>`, texts after a mark, so that no text is taken for a tag."""
    names: list[str] = []
    texts: list[int] = []
    open_elements: list[int] = []
    text = 0
    for number in range(len(tree.elements) + 1):
        while open_elements and tree.last[open_elements[-1]] < number:
            closed = open_elements.pop()
            text = _add_texts(tree, names, texts, text, tree.end_text[closed])
            if tree.tags[closed] not in VOID:
                names.append(f"</{tree.tags[closed]}>")
                texts.append(-1)
        if number < len(tree.elements):
            text = _add_texts(tree, names, texts, text, tree.first_text[number])
            names.append(tag_source(tree, number) if with_attributes else tag_name(tree, number))
            texts.append(-1)
            open_elements.append(number)
    return Tokens(names, texts)


def tag_name(tree: Outline, number: int) -> str:
    """The start tag of an element with its classes, digits removed."""
    classes = sorted({name for word in (tree.elements[number].get("class") or "").split() if (name := _DIGITS.sub("", word))})
    return "<" + ".".join([tree.tags[number], *classes]) + ">"


def tag_source(tree: Outline, number: int) -> str:
    """The start tag of an element with all its attributes."""
    element = tree.elements[number]
    return "<" + " ".join([tree.tags[number], *(f'{name}="{element.get(name)}"' for name in map(str, element.attrib))]) + ">"


def _add_texts(tree: Outline, names: list[str], texts: list[int], start: int, end: int) -> int:
    for number in range(start, end):
        names.append(TEXT_MARK + squeeze(tree.texts[number].text))
        texts.append(number)
    return max(start, end)


class Alphabet:
    """One letter for every token, so that sequences of tokens are strings and searched as fast as those."""

    #: Stands for every token that is not in the alphabet.
    UNKNOWN = "\ue000"

    def __init__(self, names: list[str] | None = None) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        for name in names or []:
            self.add(name)

    def add(self, name: str) -> int:
        """The number of a token, which is new where it was not known."""
        number = self._numbers.setdefault(name, min(len(self.names), _MOST_TOKENS))
        if number == len(self.names):
            self.names.append(name)
        return number

    def letter(self, number: int) -> str:
        """The letter of a number: above the private letters, so that none is white space or a surrogate."""
        return chr(0xE001 + number)

    def number(self, letter: str) -> int:
        """The number of a letter."""
        return ord(letter) - 0xE001

    def write(self, names: list[str]) -> str:
        """Write tokens as letters, adding those that are new."""
        return "".join(self.letter(self.add(name)) for name in names)

    def spell(self, names: list[str]) -> str:
        """Write tokens as letters; those that are not known all have the same."""
        numbers = self._numbers
        return "".join(self.letter(numbers[name]) if name in numbers else self.UNKNOWN for name in names)

    def read(self, letters: str) -> list[str]:
        """The tokens of letters."""
        return [self.names[self.number(letter)] for letter in letters]
