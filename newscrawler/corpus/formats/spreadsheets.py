"""CSV for spreadsheets: RFC 4180, UTF-8 with a byte order mark, no cell that is executed.

Paragraphs are separated by line breaks within the cell, authors and keywords by "; ". Spreadsheets read text that begins with
= + - @ as a formula. One that expects semicolons (as in most of Europe) splits our lines at those and at line breaks within
cells, so the text is escaped at each of these places: an apostrophe is put before the character. JSON is not escaped.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, BinaryIO, TextIO

from newscrawler.article import FIELDS
from newscrawler.corpus.formats.options import ENTITY_COLUMNS, Options, Written, list_entity_names
from newscrawler.errors import ExportError
from newscrawler.formats import escape_xml
from newscrawler.store.articles import StoredArticle

#: Most characters of a cell in Excel.
LONGEST_CELL = 32_767
#: Languages whose numbers have a decimal comma (Unicode CLDR), and regions that use a point anyway.
_COMMA_LANGUAGES = frozenset({
    "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fo", "fr", "gl", "hr", "hu", "hy",
    "id", "is", "it", "ka", "kk", "ky", "lt", "lv", "mk", "mn", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl",
    "sq", "sr", "sv", "tr", "uk", "uz", "vi",
})  # fmt: skip
_POINT_REGIONS = frozenset({"CH", "LI", "MX", "US", "GT", "HN", "NI", "PA", "PE", "PR", "SV", "DO"})
_FIELDS = tuple(field for field in FIELDS if field.csv)
COLUMNS = tuple(field.name for field in _FIELDS)
# Spreadsheets read the full-width forms as formulas, too, if the system's language is East Asian (OWASP, CSV Injection).
# A spreadsheet with another separator takes a quotation mark at the start of a line for one that opens a cell, and drops it.
_FORMULA = r"\"*[=+\-@\t\r＝＋－＠]"
_BEGINNINGS = frozenset('"=+-@＝＋－＠')
_FIRST, _LATER = re.compile(_FORMULA), re.compile(rf"[\n\r\t;](?={_FORMULA})")
#: Characters that no spreadsheet shows and some refuse; lone surrogates cannot be encoded in UTF-8.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\r"})


def write_csv(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write a heading and one row per article."""
    count = long_cells = 0
    with _open_text(stream) as text:
        rows = csv.writer(text, delimiter=options.delimiter)
        rows.writerow(_list_columns(options))
        for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
            cells = [make_cell(value, options.decimal_point) for value in _read_values(stored, options)]
            long_cells += sum(map(LONGEST_CELL.__lt__, map(len, cells)))
            rows.writerow(cells)
    return Written(articles=count, long_cells=long_cells)


def _list_columns(options: Options) -> tuple[str, ...]:
    return (*COLUMNS, *ENTITY_COLUMNS.values()) if options.with_entities else COLUMNS


def _read_values(stored: StoredArticle, options: Options) -> list[Any]:
    values = [field.read(stored if field.exported else stored.article) for field in _FIELDS]
    return [*values, *list_entity_names(stored).values()] if options.with_entities else values


@contextmanager
def _open_text(stream: BinaryIO) -> Iterator[TextIO]:
    """Yield a stream of text in UTF-8 with a byte order mark, which leaves that of bytes open."""
    text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
    try:
        yield text
    finally:
        text.detach()


def choose_excel_options(locale: str) -> Options:
    """Return how the Excel of a locale (cs, de-AT, en-US) reads CSV: semicolons where numbers have a decimal comma."""
    language, _, region = locale.replace("_", "-").partition("-")
    if language.lower() in _COMMA_LANGUAGES and region.upper() not in _POINT_REGIONS:
        return Options(delimiter=";", decimal_point=",")
    return Options()


def make_cell(value: Any, decimal_point: str = ".") -> str:
    """Return a value that a spreadsheet shows without executing it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return _quote_formulas(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value).replace(".", decimal_point)
    return _quote_formulas("; ".join(map(str, value)) if isinstance(value, list) else str(value))


def _quote_formulas(text: str) -> str:
    if not text.isprintable() and not _is_encodable(text):
        text = _UNPRINTABLE.sub("", text)
    if not (";" in text or "\t" in text or "\r" in text) and _BEGINNINGS.isdisjoint(line[:1] for line in text.split("\n")):
        return text
    return ("'" if _FIRST.match(text) else "") + _LATER.sub(r"\g<0>'", text)


def _is_encodable(text: str) -> bool:
    """Return whether a text has neither control characters nor lone surrogates; four times as fast as a search for them."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return False
    return len(data) == len(data.translate(None, _CONTROLS))


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
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/escape_xml-types">'
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


def write_xlsx(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write a heading and one row per article; texts are quoted as in CSV, and truncated to Excel's limit.

    Raises:
        ExportError: there are more articles than a sheet has rows.
    """
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in _PARTS.items():
            archive.writestr(_make_entry(name), _HEAD + part)
        with archive.open(_make_entry("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
            return _write_sheet(articles, sheet, options)


def _make_entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _write_sheet(articles: Iterable[StoredArticle], sheet: Any, options: Options) -> Written:
    count = long_cells = 0
    view = '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
    sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{view}<sheetData>{_write_row(_list_columns(options))}'.encode())
    for count, stored in enumerate(articles, 1):
        if count >= _MOST_ROWS:
            raise ExportError(f"a sheet has at most {_MOST_ROWS - 1} articles; narrow the selection, or write csv or parquet")
        values = list(map(_write_text_cell, _read_values(stored, options)))
        long_cells += sum(isinstance(value, str) and len(value) > LONGEST_CELL for value in values)
        sheet.write(_write_row(values).encode())
    sheet.write(b"</sheetData></worksheet>")
    return Written(articles=count, long_cells=long_cells)


def _write_text_cell(value: Any) -> Any:
    return "; ".join(map(str, value)) if isinstance(value, list) else value


def _write_row(values: Iterable[Any]) -> str:
    return "<row>" + "".join(map(_write_cell, values)) + "</row>"


def _write_cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{value:d}</v></c>'
    if isinstance(value, (int, float)):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape_xml(make_cell(value)[:LONGEST_CELL])}</t></is></c>'


def write_table(heading: Sequence[str], rows: Iterable[Sequence[Any]], stream: BinaryIO) -> None:
    """Write a heading and rows."""
    with _open_text(stream) as text:
        csv.writer(text).writerows([make_cell(value) for value in row] for row in chain([heading], rows))
