"""Paragraphs that no element parts: by a line break between long lines or before one set in, or by lines as they are written."""

from __future__ import annotations

import re

from lxml import etree

#: How the first line of a paragraph is set in: two blanks that do not break, or one as wide as a letter.
_INDENTED = re.compile("[ \\t\\r\\n]*(?:\xa0[ \\t]*\xa0|[\u2003\u3000])\\s*\\S")
#: What parts paragraphs in text that is shown as it is written, and how much of it must be long sentences.
_PARTED_AS_WRITTEN = re.compile(r"\n[ \t\r]*\n\s*|\n(?=[ \t]{2,}\S)")
_LEAST_PROSE, _SHORTEST_PROSE, _ENDS_OF_PROSE = 0.5, 80, frozenset(".!?…\"'”’»“)。！？」")
#: Lines of so many characters are none of a poem, an address or a letter that was broken at the width of a screen.
_LONG_LINE = 100


def parts_paragraphs(line_break: etree._Element, pieces: list[str]) -> bool:
    """Tell whether a line break stands between two paragraphs.

    The line behind it is set in, or both lines are as long as paragraphs are and the one before ends as they do.

    Args:
        line_break: the br element.
        pieces: the texts before it, with a line feed for each line break.
    """
    below = line_break.tail
    if not below:
        return False
    if _INDENTED.match(below):
        return True
    if len(below) < _LONG_LINE or pieces[-1].rstrip()[-1:] not in _ENDS_OF_PROSE:
        return False
    length = 0
    for piece in reversed(pieces):
        if piece == "\n":
            break
        length += len(piece)
    return length >= _LONG_LINE and len(below.strip()) >= _LONG_LINE


def paragraphs_as_written(element: etree._Element) -> list[str]:
    """The paragraphs of a pre element that holds prose without any markup: behind a blank line, or set in; none where it is not."""
    if len(element) or not element.text:
        return []
    parts = [part for part in _PARTED_AS_WRITTEN.split(element.text) if part and not part.isspace()]
    prose = sum(len(part) for part in parts if len(part) >= _SHORTEST_PROSE and part.rstrip()[-1] in _ENDS_OF_PROSE)
    return parts if len(parts) > 1 and prose >= _LEAST_PROSE * len(element.text) else []
