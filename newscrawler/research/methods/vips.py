"""VIPS: blocks that a reader sees as one, by what the tree and the styles show; the central one with the most text is the article.

Source: D. Cai, S. Yu, J.-R. Wen, W.-Y. Ma: Extracting Content Structure for Web Pages Based on Visual Representation, APWeb 2003,
as section 2.1.5 of Š. Blanár's master's thesis Extrakcia správ z webových stránok describes it.

Blocks are found from the root down by cues of tag, colour, text and size: a node is divided or becomes a block with a degree of
coherence (DoC, 1 to 10). Between neighbouring blocks are separators, heavier where a rule (hr), another background, another font
or another level of the tree parts them. Blocks are then joined over the lightest separators first; the page's structure is fine
enough when every block has at least the permitted degree of coherence (PDoC).

Where the paper is silent, or needs what a page alone does not say:
- Without a browser there is no layout: the size of a block is its share of the page's text, and the distance between blocks is
  that of the tree. Styles are those of style elements and attributes (`newscrawler.research.methods.css`). With
  `layout="chromium"` size,
  distance and styles are those that Chromium computes (`newscrawler.research.methods.chromium_layout`), where it and playwright are
  installed. Sheets that a page loads are not known to either.
- A joined block has as its DoC 10 less the weight of the heaviest separator in it, so PDoC decides how much is joined.
- Which block is central: the one with the most text outside of links.

Reaches a body F1 of .857 on aeb and .824 on fe, with Chromium's layout .796 and .745 in about 100 ms a page; with PDoC 5 .814
and .783, 6 .824 and .791, 8 .823 and .798, 9 .810 and .817; measured by tools/measure_methods.py on the development halves of
the two datasets, by four-word shingles.

Known failures: pages whose look lies in loaded style sheets; comments that look like paragraphs; articles parted by boxes of
another colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from newscrawler.article import Body
from newscrawler.errors import ConfigError
from newscrawler.page import Document
from newscrawler.plugins import Bounds
from newscrawler.research.methods.css import Style, computed_styles
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.methods.paragraphs import body_of

if TYPE_CHECKING:
    from newscrawler.research.methods.chromium_layout import LayoutBox

_LINK = frozenset({"a"})
_PARTING = frozenset({"hr"})
#: A gap of so many pixels weighs as much as one level of the tree: twice that between two paragraphs.
_GAP_PIXELS = 32
_FARTHEST = 4


class VisualBlock(NamedTuple):
    """Text that a reader sees as one."""

    #: Of its text nodes, in reading order.
    nodes: tuple[int, ...]
    #: The element that holds it.
    element: int
    #: Degree of coherence.
    coherence: int


@dataclass(frozen=True, slots=True)
class VisionBasedSegmentation:
    """Takes the block with the most text outside of links; None: the page shows no text."""

    #: PDoC, 1 to 10: the greater, the finer the blocks.
    permitted_coherence: Annotated[int, Bounds(least=1, most=10)] = 7
    #: Share of the page's text below which a node with text of its own is not divided.
    least_share: float = 0.1
    #: Where sizes, distances and styles come from: the tree and its style sheets, or Chromium, which must be installed.
    layout: Literal["styles", "chromium"] = "styles"

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        best = max(self.blocks(page, tree), key=lambda block: block[1], default=None)
        return body_of(tree, best[0]) if best and best[1] else None

    def check(self) -> None:
        """Check that what the layout needs is there.

        Raises:
            ConfigError: it is not.
        """
        if self.layout == "chromium":
            from newscrawler.research.methods.chromium_layout import NOT_INSTALLED, is_available

            if not is_available():
                raise ConfigError(NOT_INSTALLED)

    def texts(self, page: Document, /) -> list[str]:
        """Return the text of every block, in reading order."""
        tree = outline(page.body)
        bodies = (body_of(tree, nodes) for nodes, _ in self.blocks(page, tree))
        return [body.text for body in bodies if body is not None]

    def blocks(self, page: Document, tree: Outline) -> list[tuple[tuple[int, ...], int]]:
        """Return the blocks of a page that are coherent enough, each with its characters outside of links."""
        if not tree.texts:
            return []
        view = self.view_of(page, tree)
        found = [block for block in self.divide(view) if block.nodes]
        links = tree.nearest(_LINK)
        sizes = [len(node.text.strip()) if links[node.owner] < 0 else 0 for node in tree.texts]
        return [(nodes, sum(map(sizes.__getitem__, nodes))) for nodes in self.join(view, found)]

    def view_of(self, page: Document, tree: Outline) -> StyledPage:
        """Return what cues need of a page.

        Raises:
            ConfigError: Chromium is to lay it out, and cannot.
        """
        if self.layout == "styles":
            return StyledPage(tree, computed_styles(page, tree))
        from newscrawler.research.methods.chromium_layout import laid_out  # needs playwright

        return StyledPage(tree, *laid_out(page, tree))

    def divide(self, view: StyledPage) -> list[VisualBlock]:
        """Extract blocks from the root down (rules 1 to 13 of the paper)."""
        tree = view.tree
        found: list[VisualBlock] = []
        number = 0
        while number < len(tree.elements):
            if not view.styles[number].is_visible or tree.first_text[number] == tree.end_text[number]:
                number = tree.last[number] + 1
            elif coherence := self.coherence_of(view, number):
                found.append(VisualBlock(tuple(tree.within(number)), number, coherence))
                number = tree.last[number] + 1
            else:
                if number in view.own_texts:
                    found.append(VisualBlock(tuple(view.own_texts[number]), number, 9))
                number += 1
        return sorted(found, key=lambda block: block.nodes[0])

    def coherence_of(self, view: StyledPage, number: int) -> int:
        """Return the degree of coherence of a node that is one block; 0: it is divided."""
        tree = view.tree
        if tree.last[number] == number:
            return 10
        children = view.children[number]
        valid = [child for child in children if tree.first_text[child] < tree.end_text[child] and view.styles[child].is_visible]
        if all(view.is_text_like[child] for child in valid):
            fonts = {(view.styles[child].font_size, view.styles[child].is_bold) for child in (number, *valid)}
            return 10 if len(fonts) == 1 else 9
        if len(valid) == 1 or any(tree.tags[child] in _PARTING for child in children):
            return 0
        if any(view.styles[child].background != view.styles[number].background for child in valid):
            return 0
        share = view.share(number)
        return 7 if number in view.own_texts and share < self.least_share else 0

    def join(self, view: StyledPage, blocks: Sequence[VisualBlock]) -> list[tuple[int, ...]]:
        """Join neighbours over separators that leave the whole coherent enough."""
        groups: list[list[VisualBlock]] = []
        for block in blocks:
            if groups and 10 - view.separator(groups[-1][-1], block) >= self.permitted_coherence:
                groups[-1].append(block)
            else:
                groups.append([block])
        return [tuple(number for block in group for number in block.nodes) for group in groups]


@dataclass(frozen=True, slots=True)
class StyledPage:
    """A page with its styles and what cues need of it."""

    tree: Outline
    styles: Sequence[Style]
    #: Of every element, where a browser laid the page out.
    boxes: Sequence[LayoutBox] = ()
    #: Of the elements that have some.
    children: dict[int, list[int]] = field(init=False)
    characters: list[int] = field(init=False)
    #: Text nodes directly in elements that have children, too.
    own_texts: dict[int, list[int]] = field(init=False)
    #: Elements that are inline and hold nothing but inline elements: text nodes to the eye.
    is_text_like: list[bool] = field(init=False)
    #: Number of hr before each element.
    rules_before: list[int] = field(init=False)

    def __post_init__(self) -> None:
        """Compute what is read from the tree once."""
        own: dict[int, list[int]] = {}
        children: dict[int, list[int]] = {}
        last = self.tree.last
        for number, node in enumerate(self.tree.texts):
            if last[node.owner] > node.owner:
                own.setdefault(node.owner, []).append(number)
        for number, parent in enumerate(self.tree.parents):
            children.setdefault(parent, []).append(number)
        like = [style.is_inline for style in self.styles]
        for number in range(len(like) - 1, 0, -1):
            if not like[number]:
                like[self.tree.parents[number]] = False
        before, count = [], 0
        for tag in self.tree.tags:
            count += tag in _PARTING
            before.append(count)
        values = {"children": children, "characters": self.tree.totals(self.tree.own_characters())}
        for name, value in {**values, "own_texts": own, "is_text_like": like, "rules_before": before}.items():
            object.__setattr__(self, name, value)

    def separator(self, one: VisualBlock, other: VisualBlock) -> int:
        """Return the weight of the separator between neighbouring blocks, 0 to 9."""
        a, b = self.styles[one.element], self.styles[other.element]
        ruled = self.rules_before[one.element] != self.rules_before[other.element]
        if a is b and not ruled and self.tree.parents[one.element] == self.tree.parents[other.element]:
            return 0
        weight = 4 * ruled
        weight += 3 * (a.background != b.background)
        weight += 2 * (a.font_size != b.font_size) + (a.is_bold != b.is_bold)
        apart = self.gap(one, other) if self.boxes else self.steps_apart(one.element, other.element)
        return min(9, weight + min(4, apart))

    def share(self, number: int) -> float:
        """Return the share of an element in the page: of its area, or of its text where there is no layout."""
        if self.boxes:
            return self.boxes[number].area / max(self.boxes[0].area, 1.0)
        return self.characters[number] / max(self.characters[0], 1)

    def gap(self, one: VisualBlock, other: VisualBlock) -> int:
        """Return how far two blocks are apart, in steps of some pixels; blocks side by side are as far as blocks can be."""
        a, b = self.boxes[one.element], self.boxes[other.element]
        if a.right <= b.left or b.right <= a.left:
            return _FARTHEST
        return max(0, round((b.top - a.bottom) / _GAP_PIXELS))

    def steps_apart(self, one: int, other: int) -> int:
        """Return how many levels above the blocks their common element lies, beyond their parents; siblings: 0."""
        steps = 0
        while one != other and steps < 6:
            if self.tree.depths[one] >= self.tree.depths[other]:
                one = self.tree.parents[one]
            else:
                other = self.tree.parents[other]
            steps += 1
        return max(0, steps - 2)
