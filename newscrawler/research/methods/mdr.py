"""Mining Data Records: neighbouring siblings of similar structure are records; the region with the most text is the article.

Source: B. Liu, R. Grossman, Y. Zhai: Mining Data Records in Web Pages, KDD 2003, as section 2.1.3.1 of Š. Blanár's master's
thesis Extrakcia správ z webových stránok describes it.

One or more neighbouring children of an element are a generalised node, written as the string of the tags in them. Generalised
nodes of the same length that follow one another, with a normalised edit distance under a threshold, are a data region. The method
was made for lists of products; the paragraphs of an article are such a list too.

Where the paper is silent:
- Which region is the article: the one with the most text.
- The distance is divided by the mean length of the two strings.
- The paper searches only trees of three levels or more (TreeDepth), so paragraphs without inner tags are often no region of their
  own. The element whose children are compared is counted as a level.
- Its bound on the work is left open. Here strings are cut after 60 tags, only an element's first 400 children are compared,
  elements are visited in the order of the text below them, and after 200,000 comparisons, of which one that needs the edit
  distance counts as 50, the rest is left out.

Reaches a body F1 of .477 on aeb and .429 on fe, `mdr_article` .599 and .600; measured by tools/measure_methods.py on the
development halves of the two datasets, by four-word shingles. A second implementation (tests/independent_methods.py) reaches the
same. An independent reading has .453 and .311 on all pages. On fe no reading comes near that: a distance of .2 gives .393 and
.383, .4 .522 and .601; divided by the longer string .482 and .435; trees of four levels .416 and .412; strings that must be equal
.356 and .280; single children .298 and .225. There the halves differ: pages of a publisher succeed or fail together, and 5 of the
16 publishers are in the other half.

`mdr_article` is our variant: the regions of one element are taken together, those of the element whose regions hold the most text,
for a paragraph with a link in it interrupts a region, and trees of one level are searched too.

Known failures: paragraphs of very different structure; a list of teasers or comments with more text than the article; what is no
record among records (a lone quote) is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from newscrawler.article import Body
from newscrawler.page import Document, squeeze
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.methods.paragraphs import body_of

_DISTANCE_COST = 49


@dataclass(frozen=True, slots=True)
class MiningDataRecords:
    """Takes the text of one data region; None: nothing repeats."""

    #: Normalised edit distance up to which generalised nodes are similar.
    most_distance: float = 0.3
    #: Children in a generalised node.
    most_children: int = 10
    #: Levels of the trees that are searched, the element included whose children are compared.
    least_levels: int = 3
    longest_string: int = 60
    most_siblings: int = 400
    #: Take all regions of one element together.
    joins_regions: bool = False
    #: Comparisons of strings; one that needs the edit distance counts as 50.
    most_comparisons: int = 200_000

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        children = tree.children()
        strings = self.tag_strings(tree)
        characters = tree.totals(_own_characters(tree))
        levels = _levels(tree)
        similarity = TagSimilarity(self.most_distance, self.most_comparisons)
        best: list[int] = []
        most = 0
        for parent in sorted(range(len(children)), key=lambda number: -characters[number]):
            if characters[parent] <= most or similarity.budget <= 0:
                break
            if len(children[parent]) < 2 or levels[parent] + 1 < self.least_levels:
                continue
            siblings = children[parent][: self.most_siblings]
            regions: list[Sequence[int]] = [*self.regions([strings[child] for child in siblings], similarity)]
            if self.joins_regions:
                regions = [sorted(place for region in regions for place in region)]
            for region in regions:
                found = [siblings[place] for place in region]
                size = sum(characters[child] for child in found)
                if size > most:
                    best, most = found, size
        numbers = [number for child in best for number in tree.within(child)]
        return body_of(tree, numbers)

    def tag_strings(self, tree: Outline) -> list[str]:
        """Return for every element the tags of its subtree in preorder, one character per tag name."""
        letters: dict[str, str] = {}
        whole = "".join(letters.setdefault(tag, chr(0x100 + len(letters) % 0xD000)) for tag in tree.tags)
        return [whole[number : min(last + 1, number + self.longest_string)] for number, last in enumerate(tree.last)]

    def regions(self, strings: Sequence[str], similarity: TagSimilarity) -> list[range]:
        """Return the data regions among children: the first, then those behind it (IdentDRs of the paper)."""
        found: list[range] = []
        start = 0
        while (region := self.first_region(strings[start:], similarity)) is not None:
            found.append(range(start + region.start, start + region.stop))
            start += region.stop
        return found

    def first_region(self, strings: Sequence[str], similarity: TagSimilarity) -> range | None:
        """Return the run of similar generalised nodes that covers most children, unless a run of shorter ones begins earlier."""
        best: range | None = None
        for length in range(1, min(self.most_children, len(strings) // 2) + 1):
            joined = ["".join(strings[place : place + length])[: self.longest_string] for place in range(len(strings) - length + 1)]
            for offset in range(length):
                run = _first_run(joined, offset, length, similarity)
                if run and (best is None or (len(run) > len(best) and run.start <= best.start)):
                    best = run
            if best == range(len(strings)):
                break
        return best


def _first_run(joined: Sequence[str], offset: int, length: int, similarity: TagSimilarity) -> range:
    """Return the children of the first run of similar generalised nodes of a length from an offset on; empty: there is none."""
    begin = end = 0
    for place in range(offset, len(joined) - length, length):
        if similarity(joined[place], joined[place + length]):
            begin, end = (begin if end else place), place + 2 * length
        elif end:
            break
    return range(begin, end)


@dataclass(slots=True)
class TagSimilarity:
    """Compares strings of tags, with a cache and a budget of comparisons."""

    most_distance: float
    budget: int
    cache: dict[tuple[str, str], bool] = field(default_factory=dict)

    def __call__(self, one: str, other: str) -> bool:
        """Return whether two strings are similar; False when the budget is spent."""
        self.budget -= 1
        if self.budget < 0:
            return False
        if one == other:
            return True
        bound = self.most_distance * (len(one) + len(other)) / 2
        if abs(len(one) - len(other)) > bound:
            return False
        found = self.cache.get((one, other))
        if found is None:
            self.budget -= _DISTANCE_COST
            found = self.cache[one, other] = edit_distance(one, other) <= bound
        return found


def edit_distance(one: str, other: str) -> int:
    """Return the Levenshtein distance, computed column by column in the bits of an integer (Myers 1999, Hyyrö 2003)."""
    if not one or not other:
        return len(one) or len(other)
    places: dict[str, int] = {}
    for place, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << place
    full = (1 << len(one)) - 1
    top = 1 << (len(one) - 1)
    rising, falling, distance = full, 0, len(one)
    for letter in other:
        match = places.get(letter, 0)
        diagonal = (((match & rising) + rising) ^ rising) | match | falling
        up = falling | ~(diagonal | rising) & full
        down = rising & diagonal
        distance += bool(up & top) - bool(down & top)
        up = (up << 1 | 1) & full
        down = (down << 1) & full
        rising = down | ~(diagonal | up) & full
        falling = up & diagonal
    return distance


def _own_characters(tree: Outline) -> list[int]:
    """Count the characters directly in each element; runs of white space count as one, or sources with indentation would win."""
    own = [0] * len(tree.elements)
    for node in tree.texts:
        own[node.owner] += len(squeeze(node.text))
    return own


def _levels(tree: Outline) -> list[int]:
    levels = [0] * len(tree.elements)
    for number in range(len(levels) - 1, 0, -1):
        parent = tree.parents[number]
        levels[parent] = max(levels[parent], levels[number] + 1)
    return levels
