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

from newscrawler.export.json_record import as_record
from newscrawler.store.records import StoredArticle

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
)
# Spreadsheets read the full-width forms as formulas, too, if the system's language is East Asian (OWASP, CSV Injection).
_FORMULA = re.compile(r"(\A|[\n\r\t;])(?=[=+\-@\t\r＝＋－＠])")
#: Characters that no spreadsheet shows and some refuse; lone surrogates cannot be encoded in UTF-8.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def write_csv(articles: Iterable[StoredArticle], stream: BinaryIO) -> int:
    """Write a heading and one row per article; return the number of articles."""
    count = 0
    buffer = io.StringIO()
    rows = csv.writer(buffer)
    rows.writerow(COLUMNS)
    stream.write(b"\xef\xbb\xbf")
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        record = as_record(stored)
        rows.writerow([cell(record[column]) for column in COLUMNS])
        _drain(buffer, stream)
    _drain(buffer, stream)
    return count


def cell(value: Any) -> str:
    """Return a value as a spreadsheet can show it without executing it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
    return _FORMULA.sub(r"\1'", _UNPRINTABLE.sub("", text))


def _drain(buffer: io.StringIO, stream: BinaryIO) -> None:
    stream.write(buffer.getvalue().encode("utf-8"))
    buffer.seek(0)
    buffer.truncate()
