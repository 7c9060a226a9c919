"""A portal's response for an address that does not exist: an error status, or some page with 200 (a soft 404).

An address that no portal has is requested at most once in some weeks. Where a page comes back, other pages that say the same
under the same title are not pages either. Links do not count as text (menus are everywhere the same), nor do words of the
address, which such pages like to repeat.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from newscrawler.discovery.near_duplicates import Sketch, make_sketch, make_text_key, measure_similarity
from newscrawler.discovery.urls.vocabulary import fold
from newscrawler.page import Document

#: The result is valid for so long.
VALID_FOR = timedelta(days=28)
#: Pages at least so similar to the answer for a missing page are one.
_SIMILARITY = 0.9
_FEWEST_WORDS = 3
_MOST_LETTERS = 20_000
_WORD = re.compile(r"\w+")
_TEXTS = etree.XPath("//body//text()[not(ancestor::a or ancestor::script or ancestor::style or ancestor::noscript)]")


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPage:
    """The page that a portal shows where it has none."""

    title: str
    key: str
    #: None: too short a text; then it must be the same.
    sketch: bytes | None

    def is_shown_by(self, page: Document) -> bool:
        """Return whether a page is this one again."""
        words = _extract_words(page.title, page.url)
        if words != self.title:
            return False
        other = describe_missing_page(page)
        if other is None:
            return False
        if self.sketch is None or other.sketch is None:
            return self.key == other.key
        return measure_similarity(Sketch.from_bytes(self.sketch), Sketch.from_bytes(other.sketch)) >= _SIMILARITY

    def as_dict(self) -> dict[str, Any]:
        """For a column of JSON."""
        return {"title": self.title, "key": self.key, "sketch": self.sketch.hex() if self.sketch else None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> MissingPage:
        """Read the output of `as_dict`."""
        return cls(title=values["title"], key=values["key"], sketch=bytes.fromhex(values["sketch"]) if values["sketch"] else None)


def describe_missing_page(page: Document) -> MissingPage | None:
    """Return a page's description; None: too little text to recognise it."""
    text = " ".join(map(str, _TEXTS(page.root)))[:_MOST_LETTERS]  # type: ignore[arg-type]
    words = _extract_words(text, page.url)
    if words.count(" ") + 1 < _FEWEST_WORDS:
        return None
    sketch = make_sketch(words)
    return MissingPage(
        title=_extract_words(page.title, page.url), key=make_text_key(words), sketch=sketch.to_bytes() if sketch else None
    )


def make_improbable_url(url: str, now: datetime) -> str:
    """Make an address on the host of a URL that no portal has; another one each week."""
    parts = urlsplit(url)
    number = blake2b(f"{parts.netloc} {now.isocalendar()[:2]}".encode(), digest_size=10).hexdigest()
    letters = "".join(chr(ord("a") + int(digit, 16)) for digit in number)
    return f"{parts.scheme}://{parts.netloc}/{letters[:9]}-{letters[9:]}/"


def _extract_words(text: str, url: str | None) -> str:
    own = frozenset(_WORD.findall(fold(unquote(urlsplit(url).path)))) if url else frozenset()
    return " ".join(word for word in _WORD.findall(fold(text)) if word not in own)
