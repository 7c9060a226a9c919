"""Words by UAX 29: the fast way finds the same ones as the boundaries of Unicode."""

from __future__ import annotations

import random

import pytest
import regex

from newscrawler.store.search import list_forms, words

_LETTERS = "aáčďžßøşıАяЇўΑωέσςÉŽ"
_MARKS = " \u00a0\n..,,;:'’‘··-–—(\"„“”«»…/+*%€12³½_\u00ad\u0301\u200d\u202fİΐǰ漢は"


def by_boundaries(text: str) -> list[str]:
    """The definition: what lies between two boundaries, where it holds a letter or a digit."""
    places = [match.start() for match in regex.finditer(r"(?w)\b", text)]
    pieces = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
    found = []
    for piece in pieces:
        # WB4 to WB7: an apostrophe belongs to a word only between two letters; `regex` adds it to a vowel behind it
        cut = piece[1:] if piece[:1] in {"'", "’", "‘"} and piece[1:2].isalnum() else piece
        if regex.search(r"[\p{L}\p{N}]", cut):
            found.append(cut.casefold())
    return found


def test_words_found_in_one_step_are_those_between_boundaries() -> None:
    generator = random.Random(20261123)
    for share in (36, None):
        for _ in range(15_000):
            text = "".join(generator.choices(_LETTERS * 3 + _MARKS[:share], k=generator.randint(1, 14)))
            if not regex.search(r"[\p{Han}\p{Hiragana}]", text):  # a library cuts these, where it is installed
                assert list_forms(text) == by_boundaries(text), repr(text)


def test_every_character_is_segmented_as_boundaries_have_it() -> None:
    for code in [*range(0x250), *range(0x300, 0x600), *range(0x1E00, 0x2100), *range(0x900, 0x980), *range(0x10A0, 0x1100)]:
        letter = chr(code)
        for text in (
            f"a{letter}b 1{letter}2",
            f"x {letter}.{letter}",
            f"l'{letter}",
            f"'{letter} {letter}:1",
            f"1 {letter}",
            letter,
        ):
            assert list_forms(text) == by_boundaries(text), repr(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'Ano,' řekl. 'Ale ne.'", ["ano", "řekl", "ale", "ne"]),
        ("l'ami, l’État, d'Artagnan, rock'n'roll", ["l'ami", "l’état", "d'artagnan", "rock'n'roll"]),
        ("3.14 is 1,000; 10:30", ["3.14", "is", "1,000", "10", "30"]),
        ("U.S.A. co.uk e-mail", ["u.s.a", "co.uk", "e", "mail"]),
    ],
)
def test_words_are_those_of_unicode(text: str, expected: list[str]) -> None:
    assert list_forms(text) == expected
    assert [text[start:end].casefold() for start, end, is_word in words(text) if is_word] == expected
