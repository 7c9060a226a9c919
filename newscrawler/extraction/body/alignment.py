"""Which blocks of a page a text holds that is known to be the article's: from a person, or declared by the publisher."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from newscrawler.page.likeness import key_of

_WORDS = re.compile(r"\w+")


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    """Return the sequences of four words in a text, folded."""
    words = _WORDS.findall(text.casefold())
    return Counter(tuple(words[i : i + 4]) for i in range(max(1, len(words) - 3))) if words else Counter()


def shares_in_gold(texts: Sequence[str], lines: Sequence[str], mass: Sequence[float], headline: int | None) -> list[float]:
    """Return the share of each block that the gold text holds; of a repeated text only one block counts.

    Args:
        texts: of the blocks, in page order.
        lines: the gold text, a paragraph each.
        mass: of the blocks; see `newscrawler.extraction.body.features`.
        headline: index of the block of the headline, which is no part of the body.
    """
    gold, whole, known = key_of("\n".join(lines)), {key_of(line) for line in lines}, _shingles("\n".join(lines))
    keys = [key_of(text) for text in texts]
    found = []
    for i, (text, key) in enumerate(zip(texts, keys, strict=True)):
        if len(key) < 20:
            before = keys[i - 1][-25:] if i else ""
            after = keys[i + 1][:25] if i + 1 < len(keys) else ""
            beside = (len(before) > 8 and before + key in gold) or (len(after) > 8 and key + after in gold)
            found.append(float(bool(key) and (key in whole or beside)))
        elif key in gold:
            found.append(1.0)
        else:
            own = _shingles(text)
            found.append(sum((own & known).values()) / max(sum(own.values()), 1))
    if headline is not None:
        found[headline] = 0.0
    _deduplicate(keys, gold, mass, found)
    return found


def _deduplicate(keys: Sequence[str], gold: str, mass: Sequence[float], found: list[float]) -> None:
    suspects = [i for i, key in enumerate(keys) if found[i] > 0.5 and len(key) >= 15]
    long = [i for i in range(len(keys)) if len(keys[i]) > 15]
    for i in suspects:
        key = keys[i]
        if found[i] <= 0.5:
            continue
        holders = [j for j in long if key in keys[j]]
        if len(holders) <= max(1, gold.count(key)):
            continue
        longer = [j for j in holders if len(keys[j]) > len(key)]
        heaps = [j for j in longer if sum(keys[m] in keys[j] for m in long if m != j) >= 3]
        if heaps:
            for j in heaps:
                found[j] = 0.0
        elif longer or i != max(holders, key=lambda j: (sum(mass[max(0, j - 3) : j + 4]), -j)):
            found[i] = 0.0
