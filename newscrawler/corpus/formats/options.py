"""Options and results of formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from newscrawler.corpus.annotation import Annotator, segment_text
from newscrawler.store.articles import StoredArticle
from newscrawler.store.vocabularies import EntityKind

#: Columns of tables, by the kind of entity.
ENTITY_COLUMNS = {
    EntityKind.PERSON: "persons", EntityKind.ORGANISATION: "organisations", EntityKind.PLACE: "places",
    EntityKind.TOPIC: "topics", EntityKind.OTHER: "other_entities",
}  # fmt: skip
#: Rights statements of an article, a sentence each.
RightsOf = Callable[[int], list[str]]
#: Names of the collections, or saved selections, that have an article.
CollectionsOf = Callable[[int], Sequence[str]]
#: The kept page of an article, as a WARC record; None: it is not kept.
RecordOf = Callable[[int], bytes | None]


def list_entity_names(stored: StoredArticle) -> dict[str, list[str]]:
    """Return the names of the entities of an article by the column that they are in, those mentioned most first."""
    return {column: [each.name for each in stored.entities or () if each.kind is kind] for kind, column in ENTITY_COLUMNS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of formats; each uses those that apply to it."""

    #: The delimiter of CSV.
    delimiter: str = ","
    #: The decimal point of numbers in CSV.
    decimal_point: str = "."
    #: txt and markdown: metadata before the text.
    header: bool = True
    #: The title of the whole file, for formats that have one.
    title: str = "Articles"
    #: TEI, vertical, CoNLL-U: sentences and words.
    annotate: Annotator = segment_text
    #: `annotate` returns lemmas and parts of speech.
    annotated: bool = False
    #: The articles have entities: columns of tables, a member of JSON, an attribute of words in vertical text.
    with_entities: bool = False
    #: TEI.
    rights_of: RightsOf = lambda _: []
    #: vertical: the collections of an article.
    collections_of: CollectionsOf = lambda _: ()
    #: vertical: the saved selections of commands that have an article.
    selections_of: CollectionsOf = lambda _: ()
    #: WARC.
    record_of: RecordOf = lambda _: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The result of writing a format."""

    articles: int = 0
    #: Cells with more characters than Excel allows; xlsx truncates them, CSV does not.
    long_cells: int = 0
    #: Articles missing from the output: their pages are not kept.
    missing: int = 0


Writer = Callable[[Iterable[StoredArticle], BinaryIO, Options], Written]
#: One article as a file.
Document = Callable[[StoredArticle, Options], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of exports."""

    name: str
    #: The ending of its file names.
    ending: str
    #: Writes all articles to one file; None: only one file per article.
    write: Writer | None = None
    #: Writes one article as a file; None: only all in one file.
    document: Document | None = None
    #: Further files that accompany the file: ending and content, given its name.
    beside: tuple[tuple[str, Callable[[str, Options], str]], ...] = field(default=())
    #: Exports the kept pages instead of the articles.
    needs_pages: bool = False
