from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.article import Article, Paragraph
from newscrawler.export import FORMATS
from newscrawler.export.csv_table import COLUMNS, cell
from newscrawler.export.json_record import as_record
from newscrawler.store.records import StoredArticle


def stored(number: int = 1, **changes: object) -> StoredArticle:
    values: dict[str, object] = {
        "headline": "Žluťoučký kůň „úpěl“ ďábelské ódy",
        "body": (Paragraph(text="Úvodní věta."), Paragraph(text='Druhý, "citovaný" odstavec.')),
        "url": f"https://example.org/clanek-{number}",
        "authors": ("Jan Novák", "Eva Malá"),
        "published_at": datetime(2026, 2, 5, 19, 25, tzinfo=UTC),
        "method": "default",
        "confidence": 0.75,
    }
    return StoredArticle(id=number, article=Article(**(values | changes)))  # type: ignore[arg-type]


def written(name: str, *articles: StoredArticle) -> bytes:
    stream = io.BytesIO()
    assert FORMATS[name](articles, stream) == len(articles)
    return stream.getvalue()


def rows(data: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def test_each_line_of_jsonl_is_an_article_with_the_field_names_that_were_promised() -> None:
    lines = written("jsonl", stored(1), stored(2)).splitlines()

    assert [json.loads(line)["id"] for line in lines] == [1, 2]
    record = json.loads(lines[0])
    assert record == as_record(stored(1))
    assert record["body"] == 'Úvodní věta.\nDruhý, "citovaný" odstavec.'
    assert (record["date"], record["authors"]) == ("2026-02-05", ["Jan Novák", "Eva Malá"])
    assert {"url", "title", "lead", "published_at"} <= record.keys()


def test_json_is_one_array() -> None:
    assert json.loads(written("json", stored(1), stored(2))) == [as_record(stored(1)), as_record(stored(2))]


@pytest.mark.parametrize(("name", "content"), [("jsonl", b""), ("json", b"[]\n")])
def test_no_articles_are_still_a_right_file(name: str, content: bytes) -> None:
    assert written(name) == content


def test_a_csv_of_no_articles_has_its_heading() -> None:
    assert rows(written("csv")) == [list(COLUMNS)]


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_a_lone_surrogate_does_not_end_the_export(name: str) -> None:
    data = written(name, stored(headline="broken \ud83d title"))

    value = json.loads(data)
    assert (value[0] if name == "json" else value)["title"] == "broken \ud83d title"


def test_the_columns_of_csv_are_the_fields_of_json_without_the_typed_paragraphs() -> None:
    assert set(COLUMNS) == as_record(stored()).keys() - {"paragraphs"}


def test_csv_keeps_accents_quotes_and_line_breaks() -> None:
    data = written("csv", stored())

    (heading, row) = rows(data)
    values = dict(zip(heading, row, strict=True))
    assert data.startswith(b"\xef\xbb\xbfid,url,")
    assert data.endswith(b"\r\n")
    assert values["title"] == "Žluťoučký kůň „úpěl“ ďábelské ódy"
    assert values["body"] == 'Úvodní věta.\nDruhý, "citovaný" odstavec.'
    assert values["authors"] == "Jan Novák; Eva Malá"
    assert (values["free"], values["offset_given"], values["confidence"]) == ("", "false", "0.75")


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_a_cell_that_looks_like_a_formula_is_made_safe(sign: str) -> None:
    assert cell(f"{sign}1+1") == f"'{sign}1+1"


def test_the_start_of_each_paragraph_is_made_safe() -> None:
    assert cell("Řekl:\n- Ano.\n=1+1") == "Řekl:\n'- Ano.\n'=1+1"


def test_text_with_signs_in_its_middle_is_left_as_it_is() -> None:
    text = "a = b; 3-1, me@example.org; C++"

    assert cell(text) == text


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=30), min_size=1, max_size=4), st.sampled_from(",;\t"))
def test_no_cell_is_executed_whatever_separator_the_spreadsheet_expects(texts: list[str], separator: str) -> None:
    body = tuple(Paragraph(text=text) for text in texts)
    data = written("csv", stored(headline=texts[0], body=body, authors=tuple(texts), url=texts[-1]))

    cells = [value for row in rows(data, separator) for value in row]
    assert not [value for value in cells if value.startswith(("=", "+", "-", "@", "\t", "\r"))]


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_every_text_gives_one_row_of_all_columns(text: str) -> None:
    data = written("csv", stored(headline=text))

    assert [len(row) for row in rows(data)] == [len(COLUMNS), len(COLUMNS)]


class Nowhere(io.RawIOBase):
    def write(self, data: object) -> int:
        return len(data)  # type: ignore[arg-type]


def many(count: int) -> Iterator[StoredArticle]:
    body = (Paragraph(text="x" * 5000),)
    for number in range(count):
        yield stored(number, body=body)


def peak_bytes(name: str, count: int) -> int:
    target: BinaryIO = Nowhere()  # type: ignore[assignment]
    tracemalloc.start()
    try:
        assert FORMATS[name](many(count), target) == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", list(FORMATS))
def test_memory_does_not_grow_with_the_number_of_articles(name: str) -> None:
    peak_bytes(name, 10)

    assert peak_bytes(name, 1000) < peak_bytes(name, 50) + 100_000
