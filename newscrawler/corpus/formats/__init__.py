"""Formats of exports, one module per family, and their table; each writes article by article, in constant memory."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.corpus.formats.annotated import registry, write_conllu, write_vertical
from newscrawler.corpus.formats.csv_table import write_csv
from newscrawler.corpus.formats.json_lines import write_json, write_jsonl
from newscrawler.corpus.formats.options import Format, Options, Written
from newscrawler.corpus.formats.parquet import write_parquet
from newscrawler.corpus.formats.plain import as_html, as_markdown, as_text, write_html
from newscrawler.corpus.formats.tei import as_tei, write_tei
from newscrawler.corpus.formats.warc import write_warc
from newscrawler.corpus.formats.xlsx import write_xlsx
from newscrawler.plugins import ExtendedTable, PluginGroup

_ALL = (
    Format(name="jsonl", ending="jsonl", write=write_jsonl),
    Format(name="json", ending="json", write=write_json),
    Format(name="csv", ending="csv", write=write_csv),
    Format(name="xlsx", ending="xlsx", write=write_xlsx),
    Format(name="txt", ending="txt", document=as_text),
    Format(name="markdown", ending="md", document=as_markdown),
    Format(name="html", ending="html", write=write_html, document=as_html),
    Format(name="tei", ending="xml", write=write_tei, document=as_tei),
    Format(name="vertical", ending="vert", write=write_vertical, beside=((".registry", registry),)),
    Format(name="conllu", ending="conllu", write=write_conllu),
    Format(name="parquet", ending="parquet", write=write_parquet),
    Format(name="warc", ending="warc.gz", write=write_warc, needs_pages=True),
)

#: Every format by its name on the command line.
FORMATS: Mapping[str, Format] = ExtendedTable({form.name: form for form in _ALL}, PluginGroup.EXPORTERS)

__all__ = ["FORMATS", "Format", "Options", "Written"]
