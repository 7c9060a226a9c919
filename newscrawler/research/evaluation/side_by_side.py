"""Gold and answer side by side as HTML: missing words marked on the left, foreign ones on the right, equal text shortened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate

from newscrawler.research.evaluation.words import covered, word_spans, words

#: Equal text of more words than the first is shortened to this many words at either end.
_LONG, _ENDS = 30, 9
#: Maximal number of paragraphs, and of words in one.
_MAX_PARAGRAPHS, _MAX_WORDS = 40, 140
#: Up to this many equal paragraphs in a row are shown.
_MAX_EQUAL = 3


def side_by_side(gold: str, found: str) -> tuple[str, str]:
    """Return the HTML of the gold with missing words marked, and of the answer with foreign words marked."""
    wanted, got = words(gold), words(found)
    return _column(gold, covered(wanted, got), "missing"), _column(found, covered(got, wanted), "foreign")


def _column(whole: str, marks: Sequence[bool], kind: str) -> str:
    lines = [line.strip() for line in whole.split("\n") if line.strip()]
    sizes = [len(words(line)) for line in lines]
    starts = [0, *accumulate(sizes)]
    parts = [marks[start : start + size] for start, size in zip(starts, sizes, strict=False)]
    if not lines:
        return '<p class="nothing">nothing found</p>'
    made: list[str] = []
    run: list[str] = []
    for line, part in zip(lines, parts, strict=True):
        if all(part):
            run.append(_shared(line))
            continue
        made += _short(run)
        run = []
        made.append(f"<p>{''.join(_pieces(line, part, kind))}</p>")
        if len(made) >= _MAX_PARAGRAPHS:
            break
    made += _short(run)
    left = len(lines) - next((number for number, total in enumerate(starts) if total >= len(marks)), len(lines))
    if len(made) >= _MAX_PARAGRAPHS and left >= 0:
        made.append('<p class="elided">… and more, left out here</p>')
    return "".join(made)


def _short(run: list[str]) -> list[str]:
    if len(run) <= _MAX_EQUAL:
        return run
    return [run[0], f'<p class="elided">… {len(run) - 2} paragraphs that both have …</p>', run[-1]]


def _shared(line: str) -> str:
    spans = word_spans(line)
    if len(spans) <= _LONG:
        return f"<p>{escape(line)}</p>"
    head, tail = line[: spans[_ENDS - 1][1]], line[spans[-_ENDS][0] :]
    return f'<p>{escape(head)} <span class="elided">… {len(spans) - 2 * _ENDS} words …</span> {escape(tail)}</p>'


def _pieces(line: str, marks: Sequence[bool], kind: str) -> Iterator[str]:
    spans = word_spans(line)
    place = 0
    while place < len(spans):
        end = place
        while end < len(spans) and marks[end] == marks[place]:
            end += 1
        start_at = spans[place][0] if place else 0
        end_at = spans[end][0] if end < len(spans) else len(line)
        piece = line[start_at:end_at]
        if end - place > (_LONG if marks[place] else _MAX_WORDS):
            ends = _ENDS if marks[place] else _MAX_WORDS // 2
            head, tail = line[start_at : spans[place + ends - 1][1]], line[spans[end - ends][0] : end_at]
            inner = f'{escape(head)} <span class="elided">… {end - place - 2 * ends} words …</span> {escape(tail)}'
        else:
            inner = escape(piece)
        yield inner if marks[place] else f'<mark class="{kind}">{inner.rstrip()}</mark>{" " if inner.endswith(" ") else ""}'
        place = end
    if not spans:
        yield escape(line)
