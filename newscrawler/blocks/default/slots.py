"""Labels of slots: the word above each advertisement, which scripts fill in, stands on the page again and again."""

from __future__ import annotations

from newscrawler.page.blocks import Block, Layout, make_of

_LONGEST = 40
#: So often the same words stand alone in boxes of one make.
_LEAST_TIMES = 3
_KINDS = frozenset({"p", "div"})


def labels_of_slots(layout: Layout) -> frozenset[int]:
    """Numbers of the blocks with the same few words each, in boxes whose tag and class no other text on the page has.

    Names of who speaks, in an interview, stand in the make of its other paragraphs, or are two at least.
    """
    alike: dict[str, list[Block]] = {}
    for block in layout.blocks:
        if block.kind in _KINDS and len(block.text) <= _LONGEST:
            alike.setdefault(block.text, []).append(block)
    found = [
        block
        for text, blocks in alike.items()
        if len(blocks) >= _LEAST_TIMES and text[-1].isalpha() and not blocks[0].is_sentence
        for block in blocks
    ]
    if not found:
        return frozenset()
    texts: dict[tuple[str, str | None], set[str]] = {}
    for block in layout.blocks:
        texts.setdefault(make_of(layout, block), set()).add(block.text)
    return frozenset(block.index for block in found if len(texts[make_of(layout, block)]) == 1)
