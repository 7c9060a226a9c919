"""The default detector: container first, then block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from newscrawler.article import Paragraph, ParagraphKind
from newscrawler.blocks.default.verdict import Refusal, refusal
from newscrawler.blocks.protocol import Body
from newscrawler.errors import PageReason
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.marks import Mark

_NOISE = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION | Mark.BYLINE
    | Mark.TAGS | Mark.POPUP | Mark.WIDGET | Mark.HIDDEN | Mark.PULL_QUOTE | Mark.FORM | Mark.FIGURE
)  # fmt: skip
_KINDS = {
    "li": ParagraphKind.LIST_ITEM, "blockquote": ParagraphKind.QUOTE, "tr": ParagraphKind.TABLE_ROW,
    **{f"h{n}": ParagraphKind.HEADING for n in range(1, 7)},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DefaultDetector:
    """Finds headline, lead and body."""

    #: Share of the page's unlinked text above which a box is never noise, whatever its name says.
    dominant_share: float = 0.6
    least_size: int = 140

    def __call__(self, page: Document, /) -> Body | None:
        body, why = self.examine(page)
        return None if why else body

    def examine(self, page: Document, /) -> tuple[Body | None, Refusal | None]:
        """Find the body, and say why the page holds no article where it holds none."""
        layout = page.layout
        if not layout.blocks:
            return None, Refusal(reason=PageReason.EMPTY, detail="no text")
        nothing = Refusal(reason=PageReason.NO_BODY, detail="no run of text")
        noise = self.noise_of(layout)
        values = [value_of(block, noise[block.box]) for block in layout.blocks]
        run = best_run(values)
        if run is None:
            return None, refusal(page, ()) or nothing
        container = self.container(layout, values, run)
        headline = page.headline
        taken = self.choose(layout, values, noise, container, headline.block if headline else None)
        why = refusal(page, taken)
        if sum(block.size for block in taken) < self.least_size:
            return None, why or nothing
        lead = taken[0].text if taken and taken[0].box != taken[-1].box and False else None
        body = Body(
            paragraphs=tuple(Paragraph(text=b.text, kind=_KINDS.get(b.kind, ParagraphKind.PARAGRAPH)) for b in taken),
            headline=headline.text if headline else None,
            lead=lead,
            headline_element=headline.element if headline else None,
            elements=(layout.boxes[container].element,),
        )
        return body, why

    def noise_of(self, layout: Layout) -> list[int]:
        """Noise marks that hold for each box, those of dominant boxes taken away."""
        boxes = layout.boxes
        free = [box.characters - box.linked for box in boxes]
        total = max(free[0], 1)
        noise: list[int] = []
        for box in boxes:
            marks = box.marks & _NOISE
            if marks and free[box.index] > self.dominant_share * total:
                marks = 0
            noise.append(marks | (noise[box.parent] if box.parent >= 0 else 0))
        return noise

    def container(self, layout: Layout, values: list[float], run: tuple[int, int]) -> int:
        """The innermost box that holds the good blocks of the run."""
        boxes, blocks = layout.boxes, layout.blocks
        good = [blocks[i] for i in range(run[0], run[1] + 1) if values[i] > 0]
        total = sum(values[b.index] for b in good)
        weight: dict[int, float] = {}
        for block in good:
            for box in layout.outer(block.box):
                weight[box.index] = weight.get(box.index, 0.0) + values[block.index]
        best = 0
        for index, w in weight.items():
            if w >= 0.98 * total and boxes[index].depth >= boxes[best].depth:
                best = index
        return best

    def choose(self, layout: Layout, values: list[float], noise: list[int], container: int, headline: Block | None) -> list[Block]:
        """The blocks of the container that belong to the body."""
        box = layout.boxes[container]
        taken: list[Block] = []
        for block in layout.blocks[box.first : box.last]:
            if noise[block.box] & ~noise[container]:
                continue
            if headline is not None and (block is headline or block.text == headline.text):
                taken.clear()
                continue
            density = block.link_density
            if density > 0.5 and not (block.kind in ("p",) and density < 0.9 and block.is_sentence):
                continue
            if block.kind[0] == "h" or block.kind in ("p", "blockquote", "tr") or block.size > 60 or block.is_sentence:
                taken.append(block)
        while taken and taken[-1].kind[0] == "h":
            taken.pop()
        if headline is not None and headline.index < box.first:
            taken = self.lead(layout.blocks[headline.index + 1 : box.first], noise) + taken
        return taken

    def lead(self, between: Sequence[Block], noise: list[int]) -> list[Block]:
        """Sentences between headline and container."""
        return [b for b in between if b.size >= 90 and b.link_density < 0.3 and not noise[b.box] and b.kind[0] != "h" or
                (b.kind in ("h2", "h3") and b.size >= 90 and not noise[b.box] and b.link_density < .3)][:2]


def value_of(block: Block, noise: int) -> float:
    """What a block adds to a run of text: its size where it reads like text, nothing where its names say noise, a loss otherwise."""
    density = block.link_density
    if noise:
        return 0.0 if density < 0.5 else -10.0
    if density > 0.5:
        return -30.0
    if block.kind[0] == "h":
        return 0.0
    if block.kind in ("p", "blockquote") and (block.size > 40 or block.is_sentence):
        return block.size * (1 - density)
    if block.size >= 80 or (block.is_sentence and block.size > 30):
        return block.size * (1 - density) * 0.8
    return -20.0


def best_run(values: Sequence[float]) -> tuple[int, int] | None:
    """First and last index of the run with the greatest sum; None where no value is positive."""
    best = total = 0.0
    start = 0
    found: tuple[int, int] | None = None
    for i, value in enumerate(values):
        if total <= 0:
            total, start = 0.0, i
        total += value
        if total > best:
            best, found = total, (start, i)
    return found
