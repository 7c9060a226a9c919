"""Phrases for features of blocks and pages.

A phrase is a pair: the wording for values below the thresholds that counted, and for values above them. A single phrase serves
both, since a slot in it shows the value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Phrase = str | tuple[str, str]

_KINDS = {
    0: "a paragraph", 1: "text in an element of no special kind", 2: "a list item", 3: "a quotation", 4: "a table row",
    5: "a main heading",
}  # fmt: skip
_BEGINNINGS = {-1: "a digit or a sign", 0: "nothing but signs", 1: "a small letter", 2: "a capital letter"}
_ARTICLES = {
    -1: "in an article element without the headline",
    0: "in no article element",
    1: "in the article element of the headline",
    2: "in an article element within that of the headline",
}
_DECLARED = {
    -1: "the article text in the page's JSON-LD does not hold it",
    0: "the page's JSON-LD holds no article text to compare it with",
    1: "the article text in the page's JSON-LD holds it",
}
_RANKS = {0: "the page does not show the headline", 7: "the headline is not a heading on the page"}
_FRONTS = {
    -1: "the page has no known address",
    0: "its address is not that of a front page",
    1: "its address is that of a front page",
}
_NO_HEADLINE = -30


def _share(value: float) -> str:
    if value <= 0:
        return "none"
    return "hardly any" if value < 0.1 else "a part" if value < 0.5 else "most" if value < 1 else "all"


def _distance(value: float) -> str:
    if value <= _NO_HEADLINE:
        return "the page has no headline"
    blocks = "1 block" if abs(value) == 1 else f"{abs(value):.0f} blocks"
    return f"it is {blocks} {'above' if value < 0 else 'below'} the headline" if value else "it is the headline"


#: Functions that fill the slots of a phrase from the value of the feature.
SLOTS: Mapping[str, Callable[[float], str]] = {
    "number": lambda value: f"{value:.0f}",
    "percent": lambda value: "less than 1%" if value < 0.01 else f"{value:.0%}",
    "share": _share,
    "kind": lambda value: _KINDS.get(round(value), "a heading"),
    "items": lambda value: f"{2 ** min(value, 20):.0f}",
    "words": lambda value: "60 words or more" if value >= 60 else "1 word" if value <= 1 else f"{value:.0f} words",
    "beginning": lambda value: _BEGINNINGS.get(round(value), "a letter"),
    "article": lambda value: _ARTICLES.get(round(value), _ARTICLES[0]),
    "declared": lambda value: _DECLARED.get(round(value), _DECLARED[0]),
    "distance": _distance,
    "rank": lambda value: _RANKS.get(round(value), f"the headline is a heading of rank {value:.0f}"),
    "front": lambda value: _FRONTS.get(round(value), _FRONTS[-1]),
}


class _Slots(dict[str, str]):
    """The slots of a phrase for one value, filled on demand."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.value = value

    def __missing__(self, slot: str) -> str:
        return SLOTS[slot](self.value)


def phrase_of(phrases: Mapping[str, Phrase], name: str, value: float, *, above: bool) -> str:
    """Return the phrase of a feature, or its name if it has none."""
    phrase = phrases.get(name, name)
    return (phrase if isinstance(phrase, str) else phrase[above]).format_map(_Slots(value))
