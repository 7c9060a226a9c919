"""XLSX (ECMA-376) for spreadsheets: one sheet of texts, written row by row into the archive."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from typing import Any, BinaryIO

from newscrawler.corpus.formats.csv_table import COLUMNS, LONGEST_CELL
from newscrawler.corpus.formats.json_record import as_record
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.errors import ExportError
from newscrawler.formats import escape_xml
from newscrawler.store.articles import StoredArticle

#: Most rows of a sheet, including the heading.
_MOST_ROWS = 1_048_576
#: A fixed time, so that the same articles always give the same archive.
_TIME = (1980, 1, 1, 0, 0, 0)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPES}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="articles" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELATIONS}">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}


def write_xlsx(articles: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
    """Write a heading and one row per article; texts are never formulas, and are truncated to Excel's limit.

    Raises:
        ExportError: there are more articles than a sheet has rows.
    """
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in _PARTS.items():
            archive.writestr(_entry(name), _HEAD + part)
        with archive.open(_entry("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
            return _write_sheet(articles, sheet)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _write_sheet(articles: Iterable[StoredArticle], sheet: Any) -> Written:
    count = long_cells = 0
    view = '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
    sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{view}<sheetData>{_row(COLUMNS)}'.encode())
    for count, stored in enumerate(articles, 1):
        if count >= _MOST_ROWS:
            raise ExportError(f"a sheet has at most {_MOST_ROWS - 1} articles; narrow the selection, or write csv or parquet")
        record = as_record(stored)
        values = [_text(record[column]) for column in COLUMNS]
        long_cells += sum(isinstance(value, str) and len(value) > LONGEST_CELL for value in values)
        sheet.write(_row(values).encode())
    sheet.write(b"</sheetData></worksheet>")
    return Written(articles=count, long_cells=long_cells)


def _text(value: Any) -> Any:
    return "; ".join(map(str, value)) if isinstance(value, list) else value


def _row(values: Iterable[Any]) -> str:
    return "<row>" + "".join(map(_cell, values)) + "</row>"


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{value:d}</v></c>'
    if isinstance(value, (int, float)):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape_xml(str(value)[:LONGEST_CELL])}</t></is></c>'
