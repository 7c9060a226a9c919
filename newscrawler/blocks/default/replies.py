"""Comments that nothing names: pieces behind the text, each with a button of its own by which readers answer it.

What the button says is one of few words in each language; a piece is the widest box that holds one such button and nothing of
the beginning of the text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from newscrawler.blocks.default.offers import without_last_headings
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Box, Layout

_WORDS = """reply antworten odpovědět odpověz reagovat odpovedať odpovedz reagovať odpowiedz odpowiedź répondre responder rispondi
    svara svar vastaa beantwoorden antwoorden reageer reageren yanıtla cevapla απάντηση răspunde отговор отговори ответить
    відповісти адказаць válasz válaszolok odgovori одговори vasta atsakyti atbildēt השב תגובה رد پاسخ balas ตอบกลับ
    返信 回复 回覆 답글 답글쓰기"""
_REPLY = frozenset(_WORDS.split()) | {"trả lời", "jawab"}
_LONGEST = max(map(len, _REPLY)) + 4
#: Blocks behind the text in which the button of the last comment may stand, how much of the text one comment may be, and how much
#: where two or more in boxes alike stand side by side: readers may have more to say than the article.
_BEHIND, _MOST, _MOST_OF_LIST = 60, 0.3, 0.9
#: Characters below a button that may be more than what stands above it: one below which the text stands is a label.
_LEAST_BELOW = 40
#: Buttons among which two are looked for that stand in one list.
_LOOKED_AT = 12


def without_replies(page: Document, taken: list[Block]) -> list[Block]:
    """Leave out what stands in one box with a button to answer it."""
    if len(taken) < 2:
        return taken
    layout = page.layout
    window = layout.blocks[taken[0].index + 1 : taken[-1].index + 1 + _BEHIND]
    buttons = [block for block in window if len(block.text) <= _LONGEST and block.kind[0] != "h" and _says_reply(block.text)]
    if not buttons:
        return taken
    numbers = [block.index for block in buttons]
    places = [block.index for block in taken]
    sizes = [0, *accumulate(block.size for block in taken)]
    most = (_MOST_OF_LIST if _are_listed(layout, buttons, numbers) else _MOST) * sizes[-1]
    out: set[int] = set()
    for button in buttons:
        piece = None
        for box in layout.outer(button.box):
            first, last = _between(numbers, box)
            if box.first <= taken[0].index or last - first > 1:
                break
            first, last = _between(places, box)
            above = bisect_left(places, button.index)
            if sizes[last] - sizes[first] > most or sizes[last] - sizes[above] > max(sizes[above] - sizes[first], _LEAST_BELOW):
                break
            piece = box
        if piece is not None:
            out.update(range(piece.first, piece.last))
    return without_last_headings([block for block in taken if block.index not in out])


def _are_listed(layout: Layout, buttons: Sequence[Block], numbers: Sequence[int]) -> bool:
    """Tell whether two of the buttons stand in boxes alike, side by side, each with one button."""
    seen: set[tuple[int, str, str]] = set()
    for button in buttons[:_LOOKED_AT]:
        own = set()
        for box in layout.outer(button.box):
            first, last = _between(numbers, box)
            if last - first > 1:
                break
            own.add((box.parent, box.tag, box.element.get("class") or ""))
        if not seen.isdisjoint(own):
            return True
        seen |= own
    return False


def _between(numbers: Sequence[int], box: Box) -> tuple[int, int]:
    """Which of the numbers, in ascending order, are those of blocks in a box: the first of them, and the first behind."""
    return bisect_left(numbers, box.first), bisect_left(numbers, box.last)


def _says_reply(text: str) -> bool:
    return text.strip(" ·•|()[]↩↪0123456789").casefold() in _REPLY
