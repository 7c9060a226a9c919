"""The kind of a page by its words: in its names, its declarations and its short texts; a linear model over words.

Shops call their boxes "cart" and "sku", forums "thread" and "reply", in whatever language they are written, and say "In den
Warenkorb" on a button. The model learned of each word how far it speaks for or against an article (log-odds).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from math import fsum, sqrt
from typing import cast

from lxml import etree

from newscrawler.page import Document, squeeze

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_WORDS = re.compile(r"\w+")
_MICRODATA = etree.XPath("//@itemprop | //@itemtype", smart_strings=False)
_CONTROLS = ("button", "input", "select", "textarea", "form", "label")
#: Letters of a part of a name, of a name, and of a word of microdata; characters of a short text; characters, words and pieces of a
#: control's label.
_LENGTHS, _LONGEST_NAME, _LONGEST_WORD, _SHORT, _LONGEST_LABEL, _MOST_WORDS, _MOST_PIECES = range(3, 16), 300, 30, 120, 40, 6, 60
_MOST_OBJECTS = 40


def read_page_words(page: Document) -> set[str]:
    """Return the words of a page, each with a letter for where it stands: names, declarations, short texts."""
    found = set(chain.from_iterable(map(_split_name, page.names.called)))
    for said in cast("list[str]", _MICRODATA(page.body)):  # a type is an address
        found.add(f"d:{said.rsplit('/', 1)[-1].lower()[:_LONGEST_WORD]}" if "/" in said else f"n:{said.lower()[:_LONGEST_WORD]}")
    found.add(f"d:{(page.get_first_meta('og:type') or 'none').lower()}")
    found.update(f"d:{kind.lower()}" for kind in read_declared_types(page))
    texts = [block.text for block in page.layout.blocks if len(block.text) < _SHORT]
    for element in page.body.iter(*_CONTROLS):
        if element.tag == "input":
            found.add(f"d:input {element.get('type') or ''}")
            label = (element.get("value") or "") if element.get("type") in {"submit", "button"} else ""
        else:
            label = squeeze("".join(islice(map(str, element.itertext()), _MOST_PIECES)))
        texts.append(" ".join(_WORDS.findall(label[:_LONGEST_LABEL])[:_MOST_WORDS]))
    found.update(f"s:{word}" for word in _WORDS.findall("\n".join(texts).lower()) if not word.isdigit())
    return found


def read_declared_types(page: Document) -> Iterator[str]:
    """Yield the types of the first JSON-LD objects, without the address before them."""
    for item in page.json_ld[:_MOST_OBJECTS]:
        kind = item.get("@type")
        for name in kind if isinstance(kind, list) else [kind]:
            if isinstance(name, str):
                yield name.rsplit("/", 1)[-1]


@lru_cache(maxsize=2048)
def _split_name(name: str) -> tuple[str, ...]:
    return tuple(f"n:{part.lower()}" for part in _PARTS.findall(name[:_LONGEST_NAME]) if len(part) in _LENGTHS)


@dataclass(frozen=True, slots=True)
class PageWords:
    """Weights of words."""

    base: float
    weights: Mapping[str, float]

    def score(self, words: set[str]) -> float:
        """Return the log-odds that a page with these words is an article."""
        known = fsum(self.weights[word] for word in words & self.weights.keys())
        return self.base + known / sqrt(max(len(words), 1))
