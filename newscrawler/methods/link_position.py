"""Position of links: the place of links among text separates navigation, teasers and running text.

Source: Ekstrakcja spójnych tekstów z Internetu na potrzeby algorytmów lingwistycznych (Extraction of coherent texts from the
Internet for linguistic algorithms), section 3.2.

Elements that hold only links are navigation, and every link in them is a text of its own. A link with a short text beside it,
inside a larger structure of links, is one teaser. Links directly beside text nodes inside long text belong to the text. Links
higher up in the tree than a long text do not belong to it and bound it from above.

Where the paper is silent:
- It gives rules, not an algorithm: "a method hard to formalise". This is one reading of them.
- A line of the page (text up to the next block element or br) that holds only links is navigation. A line with little text
  outside of links that stands between two lines of links is part of a teaser. The links of every other line belong to the text.
- From the root down, the first element with little navigation and few teasers in it, compared with its text, is a coherent text:
  so links higher up bound it. "Little" is 10 %, because a share link or two stand inside almost every article of today; the
  paper's rule, taken at its word, is a tolerance of 0.
- A short text has less than 90 characters.
- Which coherent text is the article is outside its subject: the one with the most text.

Reaches a body F1 of .827 on aeb and .823 on fe (methods.md: .840 and .820 on all pages); with a tolerance of 0, .663 and .409;
measured by tools/measure_methods.py on the development halves of the two datasets, by four-word shingles.

Known failures: a front page's longest column of summaries; related links inside the article that hold more than a tenth of its
text; pages that link whole paragraphs.
"""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.article import Body
from newscrawler.methods.outline import Outline, outline
from newscrawler.methods.paragraphs import body_of
from newscrawler.page import Document

_LINK = frozenset({"a"})


@dataclass(frozen=True, slots=True)
class LinkPosition:
    """Takes the longest text among the highest elements that links do not bound; None: all text is links."""

    #: Share of characters in navigation and teasers that a coherent text may have.
    tolerance: float = 0.10
    #: Characters beside a link under which a line of links is a teaser.
    short_text: int = 90

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        plain, foreign = self.split_characters(tree)
        best, most = None, 0
        number = 0
        while number < len(tree.elements):
            total = plain[number] + foreign[number]
            if foreign[number] <= self.tolerance * total:
                if plain[number] > most:
                    best, most = number, plain[number]
                number = tree.last[number] + 1
            else:
                number += 1
        return None if best is None else body_of(tree, tree.within(best), containers=(best,))

    def split_characters(self, tree: Outline) -> tuple[list[int], list[int]]:
        """Count for every element the characters of running text and those of navigation and teasers in its subtree."""
        bounding = self.bounding_lines(tree)
        plain = [0] * len(tree.elements)
        foreign = [0] * len(tree.elements)
        for node in tree.texts:
            (foreign if node.line in bounding else plain)[node.owner] += len(node.text.strip())
        return tree.totals(plain), tree.totals(foreign)

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
