"""Formats of exports, one module per family, and their table; each writes article by article, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import BinaryIO

from newscrawler.corpus.formats.annotated import write_blacklab, write_conllu, write_cwb, write_registry, write_vertical
from newscrawler.corpus.formats.feeds import FeedEntry, write_atom, write_json_feed
from newscrawler.corpus.formats.json_record import (
    WordEdit,
    compare_paragraphs,
    compare_words,
    encode_record,
    make_metadata,
    make_record,
    make_revision_records,
    mark_edits,
    write_json,
    write_jsonl,
)
from newscrawler.corpus.formats.options import Format, Options, Written
from newscrawler.corpus.formats.parquet import write_parquet
from newscrawler.corpus.formats.plain import render_html, write_html, write_markdown, write_text
from newscrawler.corpus.formats.spreadsheets import COLUMNS, choose_excel_options, make_cell, write_csv, write_table, write_xlsx
from newscrawler.corpus.formats.tei import render_tei, write_tei
from newscrawler.plugins import ExtendedTable, PluginGroup
from newscrawler.store.articles import StoredArticle


def write_warc(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write the unchanged record of each article whose page is kept to one WARC file; count the others."""
    count = missing = 0
    for stored in articles:
        record = options.record_of(stored.id)
        if record is None:
            missing += 1
        else:
            stream.write(record)
            count += 1
    return Written(articles=count, missing=missing)


#: Of NoSketch Engine and KonText, of BlackLab, and of the Corpus Workbench.
_OF_VERTICAL = ((".registry", write_registry), (".blf.yaml", write_blacklab), (".cwb.sh", write_cwb))
_ALL = (
    Format(name="jsonl", ending="jsonl", write=write_jsonl), Format(name="json", ending="json", write=write_json),
    Format(name="csv", ending="csv", write=write_csv), Format(name="xlsx", ending="xlsx", write=write_xlsx),
    Format(name="txt", ending="txt", document=write_text), Format(name="markdown", ending="md", document=write_markdown),
    Format(name="html", ending="html", write=write_html, document=render_html),
    Format(name="tei", ending="xml", write=write_tei, document=render_tei),
    Format(name="vertical", ending="vert", write=write_vertical, beside=_OF_VERTICAL),
    Format(name="conllu", ending="conllu", write=write_conllu), Format(name="parquet", ending="parquet", write=write_parquet),
    Format(name="warc", ending="warc.gz", write=write_warc, needs_pages=True),
)  # fmt: skip

#: Every format by its name on the command line.
FORMATS: Mapping[str, Format] = ExtendedTable({form.name: form for form in _ALL}, PluginGroup.EXPORTERS)

__all__ = [
    "COLUMNS", "FORMATS", "FeedEntry", "Format", "Options", "WordEdit", "Written", "choose_excel_options", "compare_paragraphs",
    "compare_words", "encode_record", "make_cell", "make_metadata", "make_record", "make_revision_records", "mark_edits",
    "write_atom", "write_json_feed", "write_table",
]  # fmt: skip
