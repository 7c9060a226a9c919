"""Labels of sections that stand beside the date like a name: "Breaking News", "Domácí Zprávy", "Aus Der Region".

Looked at only where no word says who wrote; so a word that could be a surname is left out rather than taken in.
"""

from __future__ import annotations

import re

from newscrawler.languages import words

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def is_rubric(name: str) -> bool:
    """Tell whether what looks like a name is the label of a section."""
    said = [word.casefold().replace("’", "'") for word in _WORD.findall(name)]
    return not words("rubrics").isdisjoint(said) or (bool(said) and said[0] in words("rubrics_begin"))
