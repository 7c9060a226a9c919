"""Coherent texts: the disjoint texts that a page consists of, as the methods of the same paper find them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

from newscrawler.article import Body
from newscrawler.page import Document, Mark, find_marks
from newscrawler.research.methods.outline import Outline
from newscrawler.research.methods.paragraphs import body_of, paragraphs_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CoherentText:
    """One text of a page."""

    #: Numbers of its text nodes, in reading order.
    nodes: tuple[int, ...]
    #: How much text it is, by the method's own measure.
    weight: float
    #: The element that contains exactly this text; None if it is part of an element.
    element: int | None = None


class TextKind(StrEnum):
    """The kinds of texts that the paper's second section lists, as far as links and names tell them apart."""

    MENU = "menu"
    TEASER = "teaser"
    COMMENT = "comment"
    BODY = "body"
    OTHER = "other"


class PageText(NamedTuple):
    """One text of a page; its paragraphs are separated by line breaks."""

    kind: TextKind
    text: str


@runtime_checkable
class TextsMethod(Protocol):
    """Divides a page into its coherent texts."""

    def texts(self, page: Document, /) -> list[PageText]:
        """Return the texts in reading order."""
        ...


def disjoint_elements(
    tree: Outline, weights: Sequence[float], is_coherent: Callable[[int], bool]
) -> tuple[list[CoherentText], list[int]]:
    """Return the first coherent element on every path from the root, and the numbers of the text nodes that none of them holds.

    Args:
        tree: of the page.
        weights: of each element.
        is_coherent: says it of an element that holds text, by its number.
    """
    found: list[CoherentText] = []
    covered = [False] * len(tree.texts)
    number = 0
    while number < len(weights):
        within = tree.within(number)
        if within and is_coherent(number):
            found.append(CoherentText(nodes=tuple(within), weight=weights[number], element=number))
            covered[within.start : within.stop] = [True] * len(within)
            number = tree.last[number] + 1
        else:
            number += 1
    return found, [place for place, done in enumerate(covered) if not done]


def heaviest_body(tree: Outline, found: Iterable[CoherentText]) -> Body | None:
    """Return the coherent text of the largest weight as a body; None: there is none that weighs anything."""
    best = max(found, key=lambda text: text.weight, default=None)
    if best is None or not best.weight:
        return None
    return body_of(tree, best.nodes, containers=() if best.element is None else (best.element,))


#: Characters outside of links that the text of a teaser has at most, and the body of an article at least (000, section 3.2).
_MOST_OF_TEASER, _LEAST_OF_BODY = 280, 280
#: Texts of one teaser: its picture's link, title, summary, author, date.
_MOST_PARTS = 6


def texts_of(tree: Outline, found: Sequence[CoherentText]) -> list[PageText]:
    """Return the texts with their kinds, in reading order, without those that have no letter or digit."""
    links = tree.nearest(frozenset({"a"}))
    heaviest = max(found, key=lambda text: text.weight, default=None)
    in_comments = [False] * len(tree.elements)
    for number, element in enumerate(tree.elements):
        names = " ".join(filter(None, (element.get("class"), element.get("id"))))
        in_comments[number] = bool(find_marks(names) & Mark.COMMENT) or (number > 0 and in_comments[tree.parents[number]])
    texts: list[PageText] = []
    for each in join_teasers(tree, found):
        outside = [len(tree.texts[number].text.strip()) for number in each.nodes if links[tree.texts[number].owner] < 0]
        kind = TextKind.OTHER
        if in_comments[tree.texts[each.nodes[0]].owner]:
            kind = TextKind.COMMENT
        elif not outside:
            kind = TextKind.MENU
        elif each is heaviest and sum(outside) >= _LEAST_OF_BODY:
            kind = TextKind.BODY
        elif len(outside) < len(each.nodes) and sum(outside) < _MOST_OF_TEASER:
            kind = TextKind.TEASER
        if text := "\n".join(paragraph.text for paragraph, _ in paragraphs_of(tree, each.nodes)):
            texts.append(PageText(kind, text))
    return texts


def join_teasers(tree: Outline, found: Sequence[CoherentText]) -> list[CoherentText]:
    """Join texts that one element groups with a link, next to elements that do so too (section 3.2: "węzeł grupujący").

    Such an element contains no other texts than a link and short ones, and no smaller element contains both.
    """
    links = tree.nearest(frozenset({"a"}))
    starts = {text.nodes[0]: place for place, text in enumerate(found)}
    groups: dict[int, tuple[int, int]] = {}
    for number in range(1, len(tree.elements)):
        within = tree.within(number)
        first = starts.get(within.start) if within else None
        last = starts.get(within.stop, len(found) if within.stop == len(tree.texts) else None) if first is not None else None
        if first is None or last is None or not 1 < last - first <= _MOST_PARTS:
            continue
        outside = [len(tree.texts[node].text.strip()) for node in within if links[tree.texts[node].owner] < 0]
        if outside and len(outside) < len(within) and sum(outside) < _MOST_OF_TEASER:
            groups[number] = first, last
    alike = Counter((tree.parents[number], tree.tags[number]) for number in groups)
    joined: list[CoherentText] = []
    place, ends = 0, {first: last for number, (first, last) in groups.items() if alike[tree.parents[number], tree.tags[number]] > 1}
    while place < len(found):
        end = ends.get(place, place + 1)
        nodes = tuple(node for text in found[place:end] for node in text.nodes)
        joined.append(found[place] if end == place + 1 else CoherentText(nodes=nodes, weight=0))
        place = end
    return joined
