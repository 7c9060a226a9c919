"""The kind of a page by its words: in its names, its declarations, its short texts and its address; a linear model over words.

Shops call their boxes "cart" and "sku", forums "thread" and "reply", in whatever language they are written, and say "In den
Warenkorb" on a button. The model learned of each word how far it speaks for or against an article (log-odds).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from math import fsum, sqrt
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from newscrawler.page import Document, split_name, squeeze

_WORDS = re.compile(r"\w+")
_CONTROLS = ("button", "select", "textarea", "form", "label")
#: Letters of a part of a name, and of a word of microdata; characters of a short text; characters and words of a control's label.
_LENGTHS, _LONGEST_WORD, _SHORT, _LONGEST_LABEL, _MOST_WORDS = range(3, 16), 30, 120, 40, 6
#: JSON-LD objects that are read; number of words, by the fields of `Words`, below which the divisor does not fall.
_MOST_OBJECTS, _FEWEST = 40, (60, 20, 60, 10)
#: A segment of a path without digits, and how many are read.
_SEGMENT, _MOST_SEGMENTS = re.compile(r"[^\W\d]+(?:-[^\W\d]+){0,2}"), 6
_NUMBER = re.compile(r"\d{4}")


class Words(NamedTuple):
    """The words of a page by where they stand."""

    names: set[str]
    declarations: set[str]
    shown: set[str]
    address: set[str]


def read_page_words(page: Document) -> Words:
    """Return the words of a page: of its names, its declarations, its short texts and controls, its address."""
    names = {word for word in set().union(*map(split_name, page.names.called)) if len(word) in _LENGTHS}
    said = {(page.get_first_meta("og:type") or "none").lower(), *(kind.lower() for kind in read_declared_types(page))}
    said.update(f"generator {word}" for word in (page.get_first_meta("generator") or "").lower().split()[:1])
    rels = {(link.get("rel") or "").lower() for link in page.declarations["link"]}
    said.update(f"rel {rel}" for rel in rels & {"next", "prev"})
    names.update(prop[:_LONGEST_WORD] for prop, _, _ in page.names.said.values() if prop)
    types = (page.root.get("itemtype"), *page.names.types)
    said.update(kind.rsplit("/", 1)[-1].lower()[:_LONGEST_WORD] for kind in types if kind)
    texts = [block.text for block in page.layout.blocks if len(block.text) < _SHORT]
    tagged = page.names.tagged
    labels = [squeeze("".join(islice(map(str, element.itertext()), 60))) for tag in _CONTROLS for _, element in tagged[tag]]
    for _, element in tagged["input"]:
        kind = element.get("type") or ""
        said.add(f"input {kind}")
        if kind in {"submit", "button"}:
            labels.append(element.get("value") or "")
    texts += [" ".join(_WORDS.findall(label[:_LONGEST_LABEL])[:_MOST_WORDS]) for label in labels]
    shown = set(_WORDS.findall("\n".join(texts).lower()))
    address = page.url or _find_declared_address(page)
    return Words(names, said, {word for word in shown if not word.isdigit()}, set(_read_address(address)) if address else set())


def _find_declared_address(page: Document) -> str | None:
    links = (link.get("href") for link in page.declarations["link"] if (link.get("rel") or "").lower() == "canonical")
    return next(filter(None, links), None) or page.get_first_meta("og:url")


def _read_address(address: str) -> Iterator[str]:
    """Yield the parts of an address: names of hosts, short segments of its path, names of its query, the make of its end."""
    try:
        parts = urlsplit(address)
        labels = (parts.hostname or "").split(".")
    except ValueError:
        return
    yield from (f"{label}." for label in labels[:-2] if label != "www")
    yield from (f"?{name[:_LONGEST_WORD].lower()}" for name, _ in parse_qsl(parts.query)[:_MOST_WORDS])
    *segments, last = parts.path.strip("/").lower().split("/")
    yield from (f"/{segment}" for segment in segments[:_MOST_SEGMENTS] if _SEGMENT.fullmatch(segment))
    yield f"{min(len(segments), _MOST_SEGMENTS)} segments"
    name, _, suffix = last.partition(".")
    words = [word for word in re.split(r"[\W_]+", name) if word]
    if len(words) <= 2 and _SEGMENT.fullmatch(name):  # few make a name, many a title
        yield f"/{name}"
    yield f"{min(len(words), 8)} words"  # as many as any title has
    if suffix:
        yield f".{suffix[:_LONGEST_WORD]}"
    if any(map(_NUMBER.search, (*segments[-1:], name))):
        yield "number"
    if re.search(r"/20\d\d/[01]?\d(?:/|$)|/20\d\d[/-]?[01]\d[/-]?[0-3]\d", parts.path):
        yield "date"


def read_declared_types(page: Document) -> Iterator[str]:
    """Yield the types of the first JSON-LD objects, without the address before them."""
    for item in page.json_ld[:_MOST_OBJECTS]:
        kind = item.get("@type")
        for name in kind if isinstance(kind, list) else [kind]:
            if isinstance(name, str):
                yield name.rsplit("/", 1)[-1]


def compute_divisors(words: Words) -> list[float]:
    """Return the divisors of the sums of weights by field: words of a page repeat each other, and a few of them say little."""
    return [sqrt(max(len(of_part), fewest)) for of_part, fewest in zip(words, _FEWEST, strict=True)]


@dataclass(frozen=True, slots=True)
class PageWords:
    """Weights of words, by the fields of `Words`."""

    base: float
    weights: Mapping[str, Mapping[str, float]]

    def score(self, words: Words) -> float:
        """Return the log-odds that a page with these words is an article."""
        found = self.base
        for part, of_part, divisor in zip(Words._fields, words, compute_divisors(words), strict=True):
            found += fsum(filter(None, map(self.weights[part].get, of_part))) / divisor
        return found
