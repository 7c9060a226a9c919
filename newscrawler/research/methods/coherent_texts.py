"""Coherent texts: the disjoint texts that a page consists of, as the methods of the same paper find them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from newscrawler.article import Body
from newscrawler.page import Document
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


@runtime_checkable
class TextsMethod(Protocol):
    """Divides a page into its coherent texts."""

    def texts(self, page: Document, /) -> list[str]:
        """Return the texts in reading order; paragraphs of one are separated by line breaks."""
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


def texts_of(tree: Outline, found: Iterable[CoherentText]) -> list[str]:
    """Return the texts, without those that have no letter or digit."""
    written = ("\n".join(paragraph.text for paragraph, _ in paragraphs_of(tree, text.nodes)) for text in found)
    return [text for text in written if text]
