"""Node energy: text gives energy, energy dissipates on its way up, and the nodes where it peaks hold coherent texts.

Source: Ekstrakcja spójnych tekstów z Internetu na potrzeby algorytmów lingwistycznych (Extraction of coherent texts from the
Internet for linguistic algorithms), section 3.1.

The energy of a text node is the amount of its text, that of an element the sum of its children's, times (1 - p/k): p is the speed
of dissipation, k the height of the tree. From the root down, a node that has more energy than each of its children is coherent;
otherwise each child is searched in turn. So the coherent nodes are disjoint and cover all text. The one with the most energy is
the article.

Where the paper is silent:
- The formula is damaged in the only copy at hand. This is the reading under which dissipation is "inversely proportional to the
  relative height of the whole tree", as its text says.
- k counts the edges from the root to the deepest text node.
- p is "fixed a priori" without a number; 5 here. With p >= k nothing has energy: no article.
- The measure of information is the number of characters, the first that the paper names.
- Which coherent node is the article is outside its subject. A single text node, which is coherent where the element around it is
  not, is taken only where no element is coherent: as the only leaf that nothing was lost on, it would often win over a whole
  article.

Reaches a body F1 of .762 on aeb and .731 on fe, with p = 7 .793 and .736 (methods.md: .784 and .806 on all of aeb); measured by
tools/measure_methods.py on the development halves of the two datasets, by four-word shingles.

Known failures: an article whose paragraphs lie at different depths breaks into single paragraphs; in a shallow page almost all
energy is lost on the first step, in a deep one whole columns count as coherent.
"""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.article import Body
from newscrawler.methods.outline import Outline, TextNode, outline
from newscrawler.methods.paragraphs import body_of
from newscrawler.page import Document


@dataclass(frozen=True, slots=True)
class NodeEnergy:
    """Takes the coherent node with the most energy; None: dissipation leaves no energy, or the page has no text."""

    dissipation: float = 5.0

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        if not tree.texts:
            return None
        height = 1 + max(tree.depths[node.owner] for node in tree.texts)
        if self.dissipation >= height:
            return None
        energy = node_energies(tree, 1 - self.dissipation / height)
        elements, single = coherent_nodes(tree, energy)
        if elements:
            best = max(elements, key=lambda number: energy[number])
            return body_of(tree, tree.within(best), containers=(best,))
        return body_of(tree, [max(single, key=lambda number: _energy_of(tree.texts[number]))])


def node_energies(tree: Outline, kept: float) -> list[float]:
    """Return the energy of every element; each step upwards keeps a share of it."""
    energy: list[float] = [0.0] * len(tree.elements)
    for number, own in enumerate(tree.own_characters()):
        energy[number] = float(own)
    for number in range(len(energy) - 1, -1, -1):
        energy[number] *= kept
        if number:
            energy[tree.parents[number]] += energy[number]
    return energy


def coherent_nodes(tree: Outline, energy: list[float]) -> tuple[list[int], list[int]]:
    """Return the first nodes on every path from the root that no child exceeds: numbers of elements and of single text nodes."""
    strongest = [0.0] * len(energy)
    for node in tree.texts:
        strongest[node.owner] = max(strongest[node.owner], _energy_of(node))
    for number in range(1, len(energy)):
        parent = tree.parents[number]
        strongest[parent] = max(strongest[parent], energy[number])
    found: list[int] = []
    open_elements: set[int] = set()
    number = 0
    while number < len(energy):
        if strongest[number] <= energy[number]:
            found.append(number)
            number = tree.last[number] + 1
        else:
            open_elements.add(number)
            number += 1
    return found, [number for number, node in enumerate(tree.texts) if node.owner in open_elements]


def _energy_of(node: TextNode) -> float:
    return float(len(node.text.strip()))
