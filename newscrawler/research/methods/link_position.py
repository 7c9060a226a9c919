"""Position of links: the place of links among text separates navigation, teasers and running text.

Source: Ekstrakcja spójnych tekstów z Internetu na potrzeby algorytmów lingwistycznych (Extraction of coherent texts from the
Internet for linguistic algorithms), section 3.2.

Elements that hold only links are navigation, and every link in them is a text of its own. A link with a short text beside it,
inside a larger structure of links, is one teaser, and one text. Links directly beside text nodes inside long text belong to the
text. Links higher up in the tree than a long text do not belong to it and bound it from above. What remains of an element that
links bound is one text for each of its blocks. So the texts are disjoint and cover the page; `texts` returns them all.

Where the paper is silent:
- It gives rules, not an algorithm: "a method hard to formalise". This is one reading of them.
- A line of the page (text up to the next block element or br) that holds only links is navigation. A line with little text
  outside of links between two lines of links is part of a teaser.
- Links belong to a text "w dużych partiach tekstu … bezpośrednio obok węzłów tekstowych" (in large parts of text, directly next to
  text nodes): in lines with 40 characters or more outside of links. Any other is a separate text, as "każdy węzeł <a>" is by
  the general rule; it bounds as navigation does. With the links of all lines in the text, .839 and .823.
- From the root down, the first element with little navigation and few teasers in it, compared with its text, is a coherent text:
  so links higher up bound it. "Little" is 10 %, because almost every article of today contains a share link or two; the
  paper's rule, taken at its word, is a tolerance of 0.
- A short text has less than 90 characters.
- Which coherent text is the article is outside its subject: the one with the most text.

Reaches a body F1 of .844 on aeb and .791 on fe, with a tolerance of 0 .610 and .314; measured by tools/measure_methods.py on the
development halves of the two datasets, by four-word shingles. The second implementation (tests/independent_methods.py) reaches .856
and .783, .601 and .313 on these pages.

Known failures: a front page's longest column of summaries; related links inside the article that hold more than a tenth of its
text; pages that link whole paragraphs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from newscrawler.article import Body
from newscrawler.page import Document
from newscrawler.research.methods.coherent_texts import CoherentText, PageText, disjoint_elements, heaviest_body, texts_of
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.methods.paragraphs import block_around

_LINK = frozenset({"a"})


@dataclass(frozen=True, slots=True)
class LinkPosition:
    """Takes the longest of the texts that links do not bound; None: all text is links."""

    #: Share of characters in navigation and teasers that a coherent text may have.
    tolerance: float = 0.10
    #: Characters beside a link under which a line of links is a teaser.
    short_text: int = 90
    #: Characters next to a link from which on it belongs to the text.
    least_around: int = 40

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        return heaviest_body(tree, self.coherent(tree))

    def texts(self, page: Document, /) -> list[PageText]:
        """Return all coherent texts of a page."""
        tree = outline(page.body)
        return texts_of(tree, self.coherent(tree))

    def coherent(self, tree: Outline) -> list[CoherentText]:
        """Return the coherent texts in reading order, each weighing as many characters as it has of running text."""
        bounding = self.bounding_lines(tree)
        plain, foreign = split_characters(tree, bounding, self.least_around)
        found, remaining = disjoint_elements(
            tree, plain, lambda n: bool(plain[n]) and foreign[n] <= self.tolerance * (plain[n] + foreign[n])
        )
        return sorted((*found, *remaining_texts(tree, remaining, bounding)), key=lambda text: text.nodes[0])

    def bounding_lines(self, tree: Outline) -> set[int]:
        """Return the lines that are navigation or part of a teaser."""
        links = tree.nearest(_LINK)
        #: By line in reading order: characters in links, and beside them.
        lines: dict[int, list[int]] = {}
        for node in tree.texts:
            lines.setdefault(node.line, [0, 0])[links[node.owner] < 0] += len(node.text.strip())
        linked = [bool(inside) and outside < self.short_text for inside, outside in lines.values()]
        found: set[int] = set()
        for place, (line, (inside, outside)) in enumerate(lines.items()):
            among_links = linked[place - 1 : place] == [True] and linked[place + 1 : place + 2] == [True]
            if (inside and not outside) or (outside < self.short_text and among_links):
                found.add(line)
        return found


def split_characters(tree: Outline, bounding: set[int], least_around: int = 0) -> tuple[list[int], list[int]]:
    """Count for every element the characters of running text and those of navigation, teasers and single links in its subtree."""
    plain = [0] * len(tree.elements)
    foreign = [0] * len(tree.elements)
    links, around = tree.nearest(_LINK), Counter[int]()
    for node in tree.texts:
        around[node.line] += len(node.text.strip()) if links[node.owner] < 0 else 0
    for node in tree.texts:
        is_single = links[node.owner] >= 0 and around[node.line] < least_around
        (foreign if is_single or node.line in bounding else plain)[node.owner] += len(node.text.strip())
    return tree.totals(plain), tree.totals(foreign)


def remaining_texts(tree: Outline, numbers: list[int], bounding: set[int]) -> list[CoherentText]:
    """Divide text nodes that are in no coherent element: links, teasers, and the text that one block is left with."""
    links = tree.nearest(_LINK)
    lines = [list(line) for _, line in groupby(numbers, key=lambda number: tree.texts[number].line)]
    found: list[CoherentText] = []
    left: dict[int, list[int]] = {}
    for line in lines:
        owner = tree.texts[line[0]].owner
        if tree.texts[line[0]].line not in bounding:
            left.setdefault(block_around(tree, owner), []).extend(line)
            continue
        has_text = any(links[tree.texts[number].owner] < 0 for number in line)
        if has_text:
            found.append(CoherentText(nodes=tuple(line), weight=0))
        else:
            parts = groupby(line, key=lambda number: links[tree.texts[number].owner])
            found += [CoherentText(nodes=tuple(nodes), weight=0) for _, nodes in parts]
    for nodes in left.values():
        found.append(CoherentText(nodes=tuple(nodes), weight=sum(len(tree.texts[number].text.strip()) for number in nodes)))
    return found
