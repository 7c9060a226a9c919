"""What a format is asked for and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import BinaryIO

from newscrawler.store.records import StoredArticle
from newscrawler.text.annotation import Annotator, segmented

#: Rights statements of an article, a sentence each.
RightsOf = Callable[[int], list[str]]
#: The kept page of an article, as a WARC record; None: it is not kept.
RecordOf = Callable[[int], bytes | None]


def _no_rights(_article_id: int) -> list[str]:
    return []


def _no_record(_article_id: int) -> bytes | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a format is written; each takes what it has a use for."""

    #: Of CSV.
    delimiter: str = ","
    #: Of numbers in CSV.
    decimal_point: str = "."
    #: txt and markdown: metadata before the text.
    header: bool = True
    #: Of the whole, where the format has one.
    title: str = "Articles"
    #: TEI, vertical, CoNLL-U: sentences and words.
    annotate: Annotator = segmented
    #: Lemmas and parts of speech are known.
    annotated: bool = False
    #: TEI.
    rights_of: RightsOf = _no_rights
    #: WARC.
    record_of: RecordOf = _no_record


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written."""

    articles: int = 0
    #: Cells with more characters than Excel takes; xlsx cuts them, CSV does not.
    long_cells: int = 0
    #: Articles that the format has nothing of: pages that are not kept.
    missing: int = 0


Writer = Callable[[Iterable[StoredArticle], BinaryIO, Options], Written]
#: One article as a file.
Document = Callable[[StoredArticle, Options], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of exports."""

    name: str
    #: What the names of its files end in.
    ending: str
    #: All articles in one file; None: a file an article alone.
    write: Writer | None = None
    #: A file an article; None: all in one file alone.
    document: Document | None = None
    #: What else one file needs beside it: ending and content by name of the file.
    beside: tuple[tuple[str, Callable[[str, Options], str]], ...] = field(default=())
    #: It is the pages, not the articles.
    needs_pages: bool = False
