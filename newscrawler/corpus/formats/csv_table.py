"""CSV for spreadsheets: RFC 4180, UTF-8 with a byte order mark, no cell that is executed.

Paragraphs are separated by line breaks within the cell, authors and keywords by "; ". Spreadsheets read text that begins with
= + - @ as a formula. One that expects semicolons (as in most of Europe) splits our lines at those and at line breaks within
cells, so the text is escaped at each of these places: an apostrophe is put before the character. JSON is not escaped.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any, BinaryIO

from newscrawler.corpus.formats.json_record import as_record
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.store.articles import StoredArticle

#: Most characters of a cell in Excel.
LONGEST_CELL = 32_767
#: Languages whose numbers have a decimal comma (Unicode CLDR), and regions that use a point anyway.
_COMMA_LANGUAGES = frozenset(
    [
        "af",
        "az",
        "be",
        "bg",
        "bs",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "es",
        "et",
        "eu",
        "fi",
        "fo",
        "fr",
        "gl",
        "hr",
        "hu",
        "hy",
        "id",
        "is",
        "it",
        "ka",
        "kk",
        "ky",
        "lt",
        "lv",
        "mk",
        "mn",
        "nb",
        "nl",
        "nn",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sq",
        "sr",
        "sv",
        "tr",
        "uk",
        "uz",
        "vi",
    ]
)
_POINT_REGIONS = frozenset({"CH", "LI", "MX", "US", "GT", "HN", "NI", "PA", "PE", "PR", "SV", "DO"})
#: The order is stable; new columns are appended.
COLUMNS = (
    "id",
    "url",
    "canonical_url",
    "portal",
    "title",
    "lead",
    "body",
    "description",
    "description_is_lead",
    "authors",
    "published_at",
    "date",
    "published_precision",
    "published_source",
    "offset_given",
    "modified_at",
    "section",
    "keywords",
    "language",
    "image_url",
    "genre",
    "free",
    "word_count",
    "fetched_at",
    "method",
    "confidence",
    "similar_to",
    "section_source",
    "language_detected",
    "corrections",
    "corrected_at",
    "gone_at",
    "http_status",
    "title_declared",
    "date_confidence",
)
# Spreadsheets read the full-width forms as formulas, too, if the system's language is East Asian (OWASP, CSV Injection).
# A spreadsheet with another separator takes a quotation mark at the start of a line for one that opens a cell, and drops it.
_FORMULA = re.compile(r"(?<![^\n\r\t;])(\"*[=+\-@\t\r＝＋－＠])")
#: Characters that no spreadsheet shows and some refuse; lone surrogates cannot be encoded in UTF-8.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def write_csv(articles: Iterable[StoredArticle], stream: BinaryIO, options: Options) -> Written:
    """Write a heading and one row per article."""
    count = long_cells = 0
    buffer = io.StringIO()
    rows = csv.writer(buffer, delimiter=options.delimiter)
    rows.writerow(COLUMNS)
    stream.write(b"\xef\xbb\xbf")
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        record = as_record(stored)
        cells = [cell(record[column], options.decimal_point) for column in COLUMNS]
        long_cells += sum(len(each) > LONGEST_CELL for each in cells)
        rows.writerow(cells)
        _drain(buffer, stream)
    _drain(buffer, stream)
    return Written(articles=count, long_cells=long_cells)


def excel_options(locale: str) -> Options:
    """Return how the Excel of a locale (cs, de-AT, en-US) reads CSV: semicolons where numbers have a decimal comma."""
    language, _, region = locale.replace("_", "-").partition("-")
    if language.lower() in _COMMA_LANGUAGES and region.upper() not in _POINT_REGIONS:
        return Options(delimiter=";", decimal_point=",")
    return Options()


def cell(value: Any, decimal_point: str = ".") -> str:
    """Return a value that a spreadsheet shows without executing it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value).replace(".", decimal_point)
    text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
    return _FORMULA.sub(r"'\1", _UNPRINTABLE.sub("", text))


def _drain(buffer: io.StringIO, stream: BinaryIO) -> None:
    stream.write(buffer.getvalue().encode("utf-8"))
    buffer.seek(0)
    buffer.truncate()
