"""Node energy: text gives energy, energy dissipates on its way up, and the nodes where it peaks hold coherent texts.

Source: Ekstrakcja spójnych tekstów z Internetu na potrzeby algorytmów lingwistycznych (Extraction of coherent texts from the
Internet for linguistic algorithms), section 3.1.

The energy of a text node is the amount of its text: its characters, its words, or its words that a dictionary knows. That of an
element is the sum of its children's, times (1 - p/k): p is the speed of dissipation, k the height of the tree, which is the
longest path from the root to a leaf. From the root down, a node that no child exceeds is coherent; otherwise each child is
searched in turn. A coherent node may be a single text node. So the coherent nodes are disjoint and cover all text; `texts`
returns them all, which is what the paper is for. The one with the most energy is the article.

Where the paper is silent:
- The formula is damaged in the only copy at hand. This is the reading under which dissipation is "inversely proportional to the
  relative height of the whole tree", as its text says.
- The root is the html element; a text node is a leaf below its element ("liśćmi drzewa są tak zwane węzły tekstowe"), and k counts
  edges down to the deepest leaf of any kind ("najdłuższą ścieżkę w drzewie DOM o początku w R i końcu w dowolnym liściu g"). What a
  reader never sees (scripts) is left out.
- p is "fixed a priori" without a number; 5 here. With p >= k every text node is a text of its own,
  and no article is found.
- The dictionary is a parameter; without one it is the short one that languages are detected by (`common` of
  `newscrawler.languages`).

Reaches a body F1 of .736 on aeb and .719 on fe, with p = 7 .802 and .724, with p = 8 .811 and .719, with p = 12 .580 and .678; by
words .739 and .726, by words of the dictionary .806 and .779; measured by tools/measure_methods.py on the development halves of the
two datasets, by four-word shingles. The second implementation, tests/independent_methods.py, reaches .736 and .717, .803 and .723,
.811 and .717, .580 and .678 on these pages. With k counted from the body over elements only, against the sentence, aeb has .753 at
5, .809 at 7, .771 at 8 and .503 at 12.

Known failures: an article whose paragraphs lie at different depths breaks into single paragraphs; in a shallow page almost all
energy is lost on the first step, in a deep one whole columns count as coherent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from newscrawler.article import Body
from newscrawler.languages import words
from newscrawler.page import Document
from newscrawler.research.methods.coherent_texts import CoherentText, PageText, disjoint_elements, texts_of
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.methods.paragraphs import body_of

Measure = Literal["characters", "words", "dictionary words"]


@dataclass(frozen=True, slots=True)
class NodeEnergy:
    """Takes the coherent node with the most energy; None: the page has no text, or no energy is left of it."""

    dissipation: float = 5.0
    #: What the energy of a text is.
    measure: Measure = "characters"
    #: Words in lower case; only for `dictionary words`.
    dictionary: frozenset[str] = field(default=frozenset(), repr=False)

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        found = self.coherent(tree, page)
        if not found or self.dissipation >= height_of(tree):
            return None
        best = max(found, key=lambda text: text.weight)
        return body_of(tree, best.nodes, containers=() if best.element is None else (best.element,))

    def texts(self, page: Document, /) -> list[PageText]:
        """Return all coherent texts of a page."""
        tree = outline(page.body)
        return texts_of(tree, self.coherent(tree, page))

    def coherent(self, tree: Outline, page: Document) -> list[CoherentText]:
        """Return the coherent nodes of a page, in reading order."""
        if not tree.texts:
            return []
        amounts = self.amounts(tree, page)
        energy = node_energies(tree, amounts, max(0.0, 1 - self.dissipation / height_of(tree)))
        return coherent_nodes(tree, amounts, energy)

    def amounts(self, tree: Outline, page: Document) -> list[float]:
        """Return the energy of every text node."""
        if self.measure == "characters":
            return [float(len(node.text.strip())) for node in tree.texts]
        if self.measure == "words":
            return [float(len(node.text.split())) for node in tree.texts]
        known = self.dictionary or common_words(page)
        return [float(sum(word.strip(_MARKS).lower() in known for word in node.text.split())) for node in tree.texts]


_MARKS = ".,;:!?…()[]{}\"'„“”«»‚‘’–—"


def common_words(page: Document) -> frozenset[str]:
    """Return the words that the program knows of the page's language, or of all where the page states none that it knows."""
    return words("common", page.declared_language) or words("common")


def height_of(tree: Outline) -> int:
    """Return the edges from the root, the html element, to the deepest leaf."""
    deepest = max(*tree.depths, 1 + max(tree.depths[node.owner] for node in tree.texts))
    return deepest + sum(1 for _ in tree.elements[0].iterancestors())


def node_energies(tree: Outline, amounts: Sequence[float], kept: float) -> list[float]:
    """Return the energy of every element; each step upwards keeps a share of it."""
    energy = [0.0] * len(tree.elements)
    for node, amount in zip(tree.texts, amounts, strict=True):
        energy[node.owner] += amount
    for number in range(len(energy) - 1, -1, -1):
        energy[number] *= kept
        if number:
            energy[tree.parents[number]] += energy[number]
    return energy


def coherent_nodes(tree: Outline, amounts: Sequence[float], energy: Sequence[float]) -> list[CoherentText]:
    """Return the first nodes on every path from the root that no child exceeds: elements and single text nodes."""
    strongest = [0.0] * len(energy)
    for node, amount in zip(tree.texts, amounts, strict=True):
        strongest[node.owner] = max(strongest[node.owner], amount)
    for number in range(1, len(energy)):
        parent = tree.parents[number]
        strongest[parent] = max(strongest[parent], energy[number])
    found, remaining = disjoint_elements(tree, energy, lambda number: strongest[number] <= energy[number])
    single = [CoherentText(nodes=(place,), weight=amounts[place]) for place in remaining]
    return sorted((*found, *single), key=lambda text: text.nodes[0])
