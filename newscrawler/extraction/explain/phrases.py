"""Sentences for the twenty cues that decide most; the others are shown by name and weight.

Measured on 992 pages of ten public datasets: those of blocks (names of elements as one) make up 86 % of the
weight of the cues shown, those of pages 87 %.
A sentence is a pair: the wording for values below the thresholds that counted, and for values above them. A single one serves both,
since a slot in it shows the value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from newscrawler.extraction.body.block_classifier import NETWORK
from newscrawler.extraction.body.features import NAMES
from newscrawler.page import Mark

Phrase = str | tuple[str, str]

_KINDS = {
    0: "a paragraph", 1: "text in an element of no special kind", 2: "a list item", 3: "a quotation", 4: "a table row",
    5: "a main heading",
}  # fmt: skip
_NO_HEADLINE = -30


def _describe_share(value: float) -> str:
    if value <= 0:
        return "none"
    return "hardly any" if value < 0.1 else "a part" if value < 0.5 else "most" if value < 1 else "all"


def _describe_distance(value: float) -> str:
    if value <= _NO_HEADLINE:
        return "the page has no headline"
    blocks = "1 block" if abs(value) == 1 else f"{abs(value):.0f} blocks"
    return f"it is {blocks} {'above' if value < 0 else 'below'} the headline" if value else "it is the headline"


#: Functions that fill the slots of a sentence from the value of the feature.
_SLOTS: Mapping[str, Callable[[float], str]] = {
    "number": lambda value: f"{value:.0f}",
    "percent": lambda value: "less than 1%" if value < 0.01 else f"{value:.0%}",
    "share": _describe_share,
    "kind": lambda value: _KINDS.get(round(value), "a heading"),
    "distance": _describe_distance,
}


class _Slots(dict[str, str]):
    """The slots of a sentence for one value, filled on demand."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.value = value

    def __missing__(self, slot: str) -> str:
        return _SLOTS[slot](self.value)


def fill_phrase(phrases: Mapping[str, Phrase], name: str, value: float, *, above: bool) -> str:
    """Return the sentence of a feature, or its name if it has none."""
    phrase = phrases.get(name, name)
    return (phrase if isinstance(phrase, str) else phrase[above]).format_map(_Slots(value))


#: Of features of pages (`page_kind.NAMES`).
PAGE_PHRASES: Mapping[str, Phrase] = {
    "headline size": ("the headline is missing or short ({number} characters)", "the headline has {number} characters"),
    "doubt": ("it is clear which blocks are text", "it is doubtful which blocks are text"),
    "count button": "buttons on the page: {number}",
    "page words": ("its words and names are those of other pages", "its words and names are those of articles"),
    "prices": "prices on the page: {number}",
    "title likeness": ("the page's title and its headline differ", "the page's title and its headline agree"),
    "likely size": ("little of the page reads like an article's text", "much of the page reads like an article's text"),
    "published time": ("the page declares no time of publication", "the page declares its time of publication"),
}


#: Kinds of content that the names of an element claim.
MARKS: Mapping[Mark, str] = {
    Mark.NAVIGATION: "navigation", Mark.FOOTER: "footer", Mark.ASIDE: "sidebar", Mark.RELATED: "related articles",
    Mark.PROMOTION: "advertisement or newsletter", Mark.SOCIAL: "sharing", Mark.COMMENT: "comment section", Mark.CAPTION: "caption",
    Mark.BYLINE: "byline or date line", Mark.TAGS: "tags", Mark.POPUP: "pop-up or sign-in", Mark.WIDGET: "widget",
    Mark.HIDDEN: "hidden", Mark.PULL_QUOTE: "pull quote", Mark.LEAD: "lead", Mark.BODY: "body text", Mark.ARTICLE: "article",
    Mark.HEADER: "header", Mark.EMBED: "embedded post", Mark.MAIN: "main content", Mark.FORM: "form", Mark.FIGURE: "figure",
    Mark.CONSENT: "cookie consent",
}  # fmt: skip


def _mark_phrases() -> dict[str, Phrase]:
    found: dict[str, Phrase] = {}
    for mark, name in MARKS.items():
        word = str(mark.name).lower()
        present = f'an element around it is named "{name}"'
        found[f"branch named {word}"] = (f'no element between it and the main text is named "{name}"', present)
        found[f"within {word}"] = (f'no element around it is named "{name}"', present)
    return {name: phrase for name, phrase in found.items() if name in NAMES}


#: Of features of blocks (`features.NAMES`, `cues.NAMES`).
BLOCK_PHRASES: Mapping[str, Phrase] = {
    NETWORK: ("it and the blocks around it look like other content", "it and the blocks around it look like an article's text"),
    "beside": ("little text with the same signature is next to it", "much text with the same signature is next to it"),
    "gap": ("it is in or close to the element with the main text", "it is far from the element with the main text"),
    "alike outer": ("elements like the one around its own have little text", "elements like the one around its own have much text"),
    "sentences alike": "{share} of the blocks like it end as sentences do",
    "siblings alike": ("few elements like its own follow one another", "many elements like its own follow one another"),
    "after comments": ('it is not below a heading like "Comments"', 'it is below a heading like "Comments"'),
    "kind": "it is {kind}",
    "parent mass": "{percent} of the page's running text is in the element around its own",
    "sentence": ("it does not end as a sentence does", "it ends as a sentence does"),
    "described": ("the page's description does not quote it", "the page's description quotes it"),
    "from headline": "{distance}",
    "learned words": ("its words are more often outside of articles", "its words are more often in articles"),
    "learned names": ("names like those around it are seldom around a text", "names like those around it are often around a text"),
    "likely in box": ("little of the text in its element is likely", "most of the text in its element is likely"),
    "likely alike": (
        "little of the text in elements like its own is likely",
        "most of the text in elements like its own is likely",
    ),
    **_mark_phrases(),
}
