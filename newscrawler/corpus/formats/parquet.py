"""Parquet, with a description of each column in the schema."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import Any, BinaryIO

from newscrawler.article import FIELDS
from newscrawler.corpus.formats.json_record import make_record
from newscrawler.corpus.formats.options import ENTITY_COLUMNS, Options, Written, list_entity_names
from newscrawler.errors import ExportError, install_command
from newscrawler.store.articles import StoredArticle

#: Articles in memory at a time, which form a row group.
_AT_ONCE = 250
#: Codes of `array` for numbers of Arrow.
_NUMBERS = {"integer": "q", "number": "d"}
_FIELDS = [field for field in FIELDS if field.csv]
_KINDS = {field.name: field.type for field in _FIELDS}


def write_parquet(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write row groups of 250 articles.

    Raises:
        ExportError: pyarrow is not installed.
    """
    arrow = _import_arrow()
    schema, count = _make_schema(arrow, options), 0
    with arrow.parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for table in _make_tables(arrow, schema, articles):
            writer.write_table(table)
            count += table.num_rows
    return Written(articles=count)


def make_arrow_table(articles: Iterable[StoredArticle]) -> Any:
    """Return the same columns in memory, as a `pyarrow.Table`.

    Raises:
        ExportError: pyarrow is not installed.
    """
    arrow = _import_arrow()
    schema = _make_schema(arrow, Options())
    return arrow.concat_tables([schema.empty_table(), *_make_tables(arrow, schema, articles)])


def _import_arrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ExportError(f"parquet needs pyarrow: {install_command('parquet')}") from error
    return pyarrow


def _make_schema(arrow: Any, options: Options) -> Any:
    types = {
        "integer": arrow.int64(), "number": arrow.float64(), "boolean": arrow.bool_(), "text": arrow.string(),
        "texts": arrow.list_(arrow.string()), "time": arrow.string(), "day": arrow.string(),
    }  # fmt: skip
    fields = [arrow.field(each.name, types[each.type], metadata={"description": each.meaning}) for each in _FIELDS]
    fields += [arrow.field(name, types["texts"]) for name in ENTITY_COLUMNS.values() if options.with_entities]
    return arrow.schema(fields)


def _make_tables(arrow: Any, schema: Any, articles: Iterable[StoredArticle]) -> Iterator[Any]:
    for rows in _split_chunks(articles):
        values = [
            _make_column(arrow, column.type, _KINDS.get(column.name, "texts"), [row[column.name] for row in rows])
            for column in schema
        ]
        yield arrow.Table.from_arrays(values, schema=schema)


def _split_chunks(articles: Iterable[StoredArticle]) -> Iterator[list[dict[str, Any]]]:
    each = iter(articles)
    while rows := [make_record(stored) | list_entity_names(stored) for stored in islice(each, _AT_ONCE)]:
        yield rows


def _make_column(arrow: Any, type_: Any, kind: str, values: Sequence[Any]) -> Any:
    """Return a column from buffers in Arrow's layout.

    Arrow's own conversion of Python objects imports pandas where it is installed, which takes 50 MB, and its reader of JSON 20 MB.
    """
    validity = arrow.py_buffer(_make_bitmap([value is not None for value in values]))
    data: list[Any]
    children = []
    if kind in _NUMBERS:
        data = [array(_NUMBERS[kind], [value or 0 for value in values])]
    elif kind == "boolean":
        data = [_make_bitmap(values)]
    elif kind == "texts":
        data = [_make_offsets(len(value or ()) for value in values)]
        texts = list(chain.from_iterable(value or () for value in values))
        children = [_make_column(arrow, type_.value_type, "text", texts)]
    else:
        encoded = [(value or "").encode("utf-8", "replace") for value in values]  # a lone surrogate has no place in UTF-8
        data = [_make_offsets(map(len, encoded)), b"".join(encoded)]
    return arrow.Array.from_buffers(type_, len(values), [validity, *map(arrow.py_buffer, data)], children=children)


def _make_offsets(lengths: Iterable[int]) -> array[int]:
    return array("i", accumulate(lengths, initial=0))


def _make_bitmap(flags: Sequence[Any]) -> bytes:
    """Return a bit for each flag, the first in the lowest place."""
    bits = sum(1 << place for place, flag in enumerate(flags) if flag)
    return bits.to_bytes((len(flags) + 7) // 8, "little")
