"""Modified Text-to-Tag Ratio: the element with an id or class whose children hold the most text.

Source: Š. Blanár: Extrakcia správ z webových stránok (News Extraction from Web Pages), master's thesis, section 4.1.1.1, after T.
Weninger, W. H. Hsu: Text Extraction from the Web via Text-to-Tag Ratio, 2008. The author found it right for three of five sites,
too wide for one, and useless for one built of tables.

For every element that has an id or a class the characters of its children are added up: all of them for p, strong and h1 to h6,
for other children those of their own children, text nodes among them. The greatest sum wins. The id or class is what the
semi-automatic wrapper (`newscrawler.research.site_methods.modified_ttr_wrapper`) learns; taken page by page, as here, the element
itself is the answer.

Where the paper is silent:
- The characters of a grandchild are those directly in it, for the greatest number of characters is that "v ňom, jeho deťoch a
  deťoch jeho detí" (in it, its children and their children); with everything below, .637 and .645, the page's frame would always
  win.
- "for each element ech2 to ech.ChildNodes": text nodes are among the nodes; over elements only, .868 and .872. Text directly in
  the element itself does not count: a text node has no children.
- Characters are those of the text without the white space around it.
- Of several elements with the same sum the first in the page wins.
- All text of the element is the body.

Reaches a body F1 of .879 on aeb and .903 on fe; measured by tools/measure_methods.py on the development halves of the two
datasets, by four-word shingles. The second implementation (tests/independent_methods.py) reaches .879 and .901 on these pages.

Known failures: layout by tables; text directly in the element or more than two levels below it; a list of comments larger than
the article; whatever else the element holds (captions, advertisements) is taken too.
"""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.article import Body
from newscrawler.page import Document
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.methods.paragraphs import body_of


@dataclass(frozen=True, slots=True)
class ModifiedTextToTagRatio:
    """Takes all text of the best element; None: no element with an id or class has such text."""

    #: Children that count with their whole subtree.
    text_tags: frozenset[str] = frozenset({"p", "strong", "h1", "h2", "h3", "h4", "h5", "h6"})

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        best = self.best_element(tree)
        return None if best is None else body_of(tree, tree.within(best), containers=(best,))

    def best_element(self, tree: Outline) -> int | None:
        """Return the number of the element with the greatest sum."""
        sums = self.sums(tree)
        named = [number for number, element in enumerate(tree.elements) if element.get("id") or element.get("class")]
        best = max(named, key=lambda number: sums[number], default=None)
        return best if best is not None and sums[best] else None

    def sums(self, tree: Outline) -> list[int]:
        """Return for every element the sum of its children's characters."""
        own = tree.own_characters()
        below = tree.totals(own)
        children_own = [0] * len(own)
        for number, parent in enumerate(tree.parents):
            if parent >= 0:
                children_own[parent] += own[number]
        sums = [0] * len(own)
        for number, parent in enumerate(tree.parents):
            if parent >= 0:
                whole = tree.tags[number] in self.text_tags
                sums[parent] += below[number] if whole else own[number] + children_own[number]
        return sums
