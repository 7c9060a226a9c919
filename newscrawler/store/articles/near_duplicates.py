"""Finds the stored articles to compare with a new text: those that share most bands of its fingerprint, at constant cost.

A sentence of many articles (an appeal, a note on agency copy) gives them common bands. A band shared by more than `COMMON`
articles says little, so articles that share rare bands come first, and only a few articles of common bands are read. So the
cost does not grow with the number of articles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from sqlalchemy import CompoundSelect, Connection, bindparam, literal, select, union_all

from newscrawler.store.tables import MINHASH_BAND

#: If more articles share a band, they share a sentence rather than a text.
COMMON = 64
#: Most articles that a new text is compared with.
MOST_COMPARED = 50


def candidates(connection: Connection, bands: Sequence[int]) -> list[int]:
    """Return the ids of up to `MOST_COMPARED` articles that share bands with a text, most rare bands first."""
    sharing: list[list[int]] = [[] for _ in bands]
    for number, article_id in connection.execute(_sharing(len(bands)), {f"v{n}": value for n, value in enumerate(bands)}):
        sharing[number].append(article_id)
    rare, common = Counter[int](), Counter[int]()
    for articles in sharing:
        (rare if len(articles) <= COMMON else common).update(articles)
    return sorted(rare.keys() | common.keys(), key=lambda each: (-rare[each], -common[each], each))[:MOST_COMPARED]


@lru_cache(maxsize=2)  # all sketches have as many bands
def _sharing(count: int) -> CompoundSelect[int, int]:
    """Select, for each band, a few of the articles that share it."""
    parts = []
    for number in range(count):
        few = select(MINHASH_BAND.c.article_id).where(MINHASH_BAND.c.hash == bindparam(f"v{number}")).limit(COMMON + 1).subquery()
        parts.append(select(literal(number), few.c.article_id))
    return union_all(*parts)
