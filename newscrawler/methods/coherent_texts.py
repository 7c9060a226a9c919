"""Coherent texts: the disjoint texts that a page consists of, as the methods of the same paper find them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from newscrawler.methods.outline import Outline
from newscrawler.methods.paragraphs import paragraphs_of
from newscrawler.page import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class CoherentText:
    """One text of a page."""

    #: Numbers of its text nodes, in reading order.
    nodes: tuple[int, ...]
    #: How much text it is, by the method's own measure.
    weight: float
    #: The element that holds it and nothing else; None: it is a part of an element.
    element: int | None = None


@runtime_checkable
class TextsMethod(Protocol):
    """Divides a page into its coherent texts."""

    def texts(self, page: Document, /) -> list[str]:
        """Return the texts in reading order; paragraphs of one are separated by line breaks."""
        ...


def texts_of(tree: Outline, found: Iterable[CoherentText]) -> list[str]:
    """Write texts; those without a letter or digit are left out."""
    written = ("\n".join(paragraph.text for paragraph, _ in paragraphs_of(tree, text.nodes)) for text in found)
    return [text for text in written if text]
