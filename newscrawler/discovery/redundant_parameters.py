"""Parameters of addresses that change nothing on a portal: learned from pages that are the same with and without them.

Two addresses that differ in one parameter alone, and show the same text, speak for its being idle; one pair that differs speaks
against it for good. What is idle is left out of the addresses of links from then on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b
from threading import Lock
from typing import Any

#: Pairs of addresses with the same text after which a parameter is idle.
PAIRS = 3
#: Addresses that are remembered.
_MOST = 5_000
#: Shorter texts are those of error pages and the like.
_LEAST_CHARACTERS = 100


class IdleParameters:
    """What is known of the parameters of one portal; threads may read and change it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._same: Counter[str] = Counter()
        self._meaningful: set[str] = set()
        #: Digest of the text at an address without one parameter, and the value that the parameter had ("": it was not there).
        self._texts: dict[str, tuple[bytes, str]] = {}
        self.idle: frozenset[str] = frozenset()

    def load(self, known: Mapping[str, Any]) -> None:
        """Take in what earlier crawls have found out."""
        self.idle = frozenset(known.get("idle", ()))
        self._meaningful = set(known.get("meaningful", ()))

    def as_dict(self) -> dict[str, list[str]]:
        """Return what is known, for the next crawl."""
        return {"idle": sorted(self.idle), "meaningful": sorted(self._meaningful)[:200]}

    def saw(self, url: str, text: str) -> bool:
        """Learn from the text of a page; returns whether another parameter is known to be idle."""
        if len(text) < _LEAST_CHARACTERS:
            return False
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        bare, _, query = url.partition("?")
        pairs = query.split("&") if query else []
        with self._lock:
            self._compare(url, "", digest, name=None)
            for place, pair in enumerate(pairs):
                name, _, value = pair.partition("=")
                rest = "&".join(pairs[:place] + pairs[place + 1 :])
                self._compare(f"{bare}?{rest}" if rest else bare, value or "1", digest, name=name)
            before = self.idle
            self.idle |= {name for name, pairs_seen in self._same.items() if pairs_seen >= PAIRS and name not in self._meaningful}
            return self.idle != before

    def _compare(self, key: str, value: str, digest: bytes, *, name: str | None) -> None:
        known = self._texts.get(key)
        if known is None or not value:
            if len(self._texts) < _MOST:
                self._texts.setdefault(key, (digest, value))
            return
        if name is None or known[1] == value:
            return
        if known[0] == digest:
            self._same[name] += 1
        else:
            self._meaningful.add(name)
            self.idle -= {name}

    def without(self, url: str) -> str:
        """Return an address without its idle parameters."""
        if not self.idle or "?" not in url:
            return url
        bare, _, query = url.partition("?")
        kept = [pair for pair in query.split("&") if pair.partition("=")[0] not in self.idle]
        return f"{bare}?{'&'.join(kept)}" if kept else bare

    def is_seen(self, url: str) -> bool:
        """Return whether an address has idle parameters, and a page that differs from it in these alone was seen."""
        bare = self.without(url)
        return bare != url and bare in self._texts
