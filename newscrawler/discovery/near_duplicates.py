"""Texts that are the same or nearly so: agency copy, one article under two URLs.

MinHash (Broder 1997) of word triples by one-permutation hashing with rotation (Shrivastava and Li 2014): every triple is hashed
once. No library: the kept ones need numpy and scipy (datasketch) or a compiled wheel (rensa), in place of fifty lines.
Sketches are looked up by bands: texts of which a third of the triples is common seldom share a band, texts with nine tenths
almost surely do.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from hashlib import blake2b

from newscrawler.discovery.urls.vocabulary import fold

#: A shorter text says too little to be a near-duplicate.
FEWEST_WORDS = 40
SHINGLE = 3
BINS = 64
ROWS = 4
#: Texts at least so similar are near-duplicates.
NEAR_DUPLICATE_SIMILARITY = 0.6

_WORD = re.compile(r"\w+")
#: Above every value.
_EMPTY = 2**32
_ROTATION = 2_654_435_761


@dataclass(frozen=True, slots=True)
class Sketch:
    """The fingerprint of a text: 64 numbers of 32 bits."""

    values: tuple[int, ...]

    def to_bytes(self) -> bytes:
        """256 bytes, for a column of a table."""
        return struct.pack(f"<{BINS}I", *self.values)

    @classmethod
    def from_bytes(cls, data: bytes) -> Sketch:
        """Read the output of `to_bytes`.

        Raises:
            ValueError: other than 256 bytes.
        """
        if len(data) != BINS * 4:
            msg = f"a sketch has {BINS * 4} bytes, not {len(data)}"
            raise ValueError(msg)
        return cls(struct.unpack(f"<{BINS}I", data))

    def is_near_duplicate_of(self, other: bytes) -> bool:
        """Return whether this text and the one of the other sketch, as bytes, are nearly the same."""
        return measure_similarity(self, Sketch.from_bytes(other)) >= NEAR_DUPLICATE_SIMILARITY

    def bands(self) -> tuple[int, ...]:
        """16 numbers (63 bits, for a database's integers); texts that share one of them are to be compared."""
        data = self.to_bytes()
        width = ROWS * 4
        return tuple(
            int.from_bytes(blake2b(data[start : start + width] + bytes([start // width]), digest_size=8).digest(), "little") >> 1
            for start in range(0, len(data), width)
        )


def make_sketch(text: str) -> Sketch | None:
    """Make the fingerprint of a text; None where it is too short."""
    words = _WORD.findall(fold(text))
    if len(words) < FEWEST_WORDS:
        return None
    bins = [_EMPTY] * BINS
    shingles = {" ".join(shingle) for shingle in zip(*(words[start:] for start in range(SHINGLE)), strict=False)}
    digests = b"".join([blake2b(shingle.encode(), digest_size=8).digest() for shingle in shingles])
    for low, value in struct.iter_unpack("<II", digests):
        place = low % BINS
        if value < bins[place]:  # noqa: PLR1730  min() takes three times as long
            bins[place] = value
    return Sketch(_fill_bins(bins))


def _fill_bins(bins: list[int]) -> tuple[int, ...]:
    """Fill empty bins from the next full one, changed by the distance: fillings agree no more than the texts do."""
    filled = []
    for place in range(BINS):
        distance = 0
        while bins[(place + distance) % BINS] == _EMPTY:
            distance += 1
        filled.append((bins[(place + distance) % BINS] + distance * _ROTATION) % 2**32)
    return tuple(filled)


def measure_similarity(first: Sketch, second: Sketch) -> float:
    """Estimate the share of word triples that two texts have in common (Jaccard), 0 to 1."""
    return sum(a == b for a, b in zip(first.values, second.values, strict=True)) / BINS


def make_text_key(text: str) -> str:
    """Give the same key for texts that differ only in case, accents, punctuation and white space."""
    return blake2b(" ".join(_WORD.findall(fold(text))).encode(), digest_size=16).hexdigest()
