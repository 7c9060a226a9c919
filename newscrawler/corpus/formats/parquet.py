"""Parquet, with a description of each column in the schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO

import orjson

from newscrawler.corpus.formats.fields import FIELDS
from newscrawler.corpus.formats.json_record import as_record
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.errors import ExportError, install_command
from newscrawler.store.records import StoredArticle

#: Articles in memory at a time, which form a row group.
_AT_ONCE = 500


def write_parquet(articles: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
    """Write row groups of 500 articles.

    Raises:
        ExportError: pyarrow is not installed.
    """
    try:
        import pyarrow as arrow  # noqa: ICN001  words, not letters
        from pyarrow import json, parquet
    except ImportError as error:
        raise ExportError(f"parquet needs pyarrow: {install_command('parquet')}") from error
    types = {
        "integer": arrow.int64(), "number": arrow.float64(), "boolean": arrow.bool_(), "text": arrow.string(),
        "texts": arrow.list_(arrow.string()), "time": arrow.string(), "day": arrow.string(),
    }  # fmt: skip
    columns = [arrow.field(name, types[kind], metadata={"description": what}) for name, (kind, what) in FIELDS.items()]
    schema = arrow.schema(columns)
    count = 0
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for rows in _chunks(articles):
            lines = b"\n".join(map(orjson.dumps, rows))  # Arrow's conversion of Python objects would import pandas, 50 MB
            reading = json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
            table = json.read_json(BytesIO(lines), reading, json.ParseOptions(explicit_schema=schema))
            writer.write_table(table.select(schema.names).cast(schema))
            count += len(rows)
    return Written(articles=count)


def _chunks(articles: Iterable[StoredArticle]) -> Iterator[list[dict[str, Any]]]:
    each = iter(articles)
    while rows := [{name: _encodable(record[name]) for name in FIELDS} for record in map(as_record, islice(each, _AT_ONCE))]:
        yield rows


def _encodable(value: Any) -> Any:
    """Return a value without lone surrogates, which UTF-8 cannot encode."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value
