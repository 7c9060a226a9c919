"""The entries of a sitemap as they come by, without a tree of the whole: 50 MB of XML are 1 GB as a tree."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Iterator

from lxml import etree

from newscrawler.discovery.markup import HARMLESS, clean_pieces

#: Documents with deeper nesting are not sitemaps.
_DEEPEST = 200
_LONGEST_FIELD = 5_000
#: Children of an entry that are read; of `news`, all of them.
_FIELDS = frozenset({"loc", "lastmod"})


class _TooDeepError(Exception):
    """Elements are nested without end."""


class _EntryParser:
    """Takes the events of lxml's parser, and of each entry no more than the fields that count."""

    def __init__(self, names: Container[str]) -> None:
        self._names = names
        self._depth = 0
        #: Tag and depth of the open entry.
        self._tag, self._at = "", 0
        self._fields: dict[str, str] = {}
        self._news_at = 0
        #: Of the field whose text is being read.
        self._field, self._field_at = "", 0
        self._text: list[str] = []
        self._length = 0
        self._taken: list[dict[str, str]] = []

    def start(self, tag: str, attributes: object) -> None:  # noqa: ARG002  lxml hands them over
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _TooDeepError
        name = tag.rpartition("}")[2].lower()
        if not self._tag or tag == self._tag:  # one that was not closed ends where the next begins
            if name in self._names:
                self._finish()
                self._tag, self._at, self._fields = tag, self._depth, {"tag": name}
            return
        below = self._depth - self._at
        if self._news_at or (below == 1 and name in _FIELDS):
            self._field, self._field_at, self._text, self._length = name, self._depth, [], 0
        elif below == 1 and name == "news":
            self._news_at = self._depth

    def data(self, text: str) -> None:
        if self._field and self._length < _LONGEST_FIELD:
            self._text.append(text[: _LONGEST_FIELD - self._length])
            self._length += len(text)

    def end(self, tag: str) -> None:
        if self._field and self._depth == self._field_at:
            self._keep(self._field, "".join(self._text))
            self._field = ""
        elif self._depth == self._news_at:
            self._news_at = 0
        elif tag == self._tag and self._depth == self._at:
            self._finish()
        self._depth -= 1

    def close(self) -> None:
        """Nothing is left to do: an entry that breaks off is finished by `taken`."""

    def take(self, *, last: bool = False) -> list[dict[str, str]]:
        """Return the entries since the last call; at the end also an incomplete one."""
        if last:
            self._finish()
        taken, self._taken = self._taken, []
        return taken

    def _keep(self, name: str, text: str) -> None:
        if name == "lastmod" and not self._news_at:
            self._fields[name] = text
        elif name != "lastmod" and text.strip():
            self._fields.setdefault(name, text)

    def _finish(self) -> None:
        if len(self._fields) > 1:
            self._taken.append(self._fields)
        self._tag, self._at, self._fields, self._news_at, self._field = "", 0, {}, 0, ""


def stream_entries(pieces: Iterable[str], names: Container[str], *, lower: bool = False) -> Iterator[dict[str, str]]:
    """Yield the fields of each entry: its `tag`, `loc`, `lastmod`, and those of a news sitemap; never raises.

    Args:
        pieces: of the document.
        names: of entries ("url", "sitemap").
        lower: some names of tags have capitals.
    """
    entries = _EntryParser(names)
    parser = etree.XMLParser(
        target=entries,  # type: ignore[arg-type]  # lxml passes only text
        **HARMLESS,
    )
    with contextlib.suppress(_TooDeepError, etree.XMLSyntaxError, ValueError):
        for piece in clean_pieces(pieces, lower=lower):
            parser.feed(piece.encode("utf-8", "replace"))
            yield from entries.take()
    with contextlib.suppress(_TooDeepError, etree.XMLSyntaxError, ValueError):
        parser.close()
    yield from entries.take(last=True)
