from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import openpyxl
import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from newscrawler.article import Article, DatePrecision, Paragraph, ParagraphKind
from newscrawler.corpus import Annotator, Word, segment_text
from newscrawler.corpus.formats import COLUMNS, FORMATS, Options, choose_excel_options, make_cell, make_record
from newscrawler.corpus.formats.plain import make_file_name
from newscrawler.errors import ExportError
from newscrawler.store.articles import StoredArticle

NOON = datetime(2026, 2, 5, 12, tzinfo=UTC)


def stored(number: int = 1, **changes: object) -> StoredArticle:
    values: dict[str, object] = {
        "title": "Žluťoučký kůň „úpěl“ ďábelské ódy",
        "paragraphs": (Paragraph(text="Úvodní věta."), Paragraph(text='Druhý, "citovaný" odstavec.')),
        "url": f"https://example.org/clanek-{number}",
        "authors": ("Jan Novák", "Eva Malá"),
        "published_at": datetime(2026, 2, 5, 19, 25, tzinfo=UTC),
        "method": "default",
        "confidence": 0.75,
    }
    return StoredArticle(id=number, article=Article(**(values | changes)))  # type: ignore[arg-type]


def written(form: str, *articles: StoredArticle, **options: Any) -> bytes:
    stream = io.BytesIO()
    write = FORMATS[form].write
    assert write
    assert write(articles, stream, Options(**options)).articles == len(articles)
    return stream.getvalue()


def rows(data: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def test_each_line_of_jsonl_is_an_article_with_the_field_names_that_were_promised() -> None:
    lines = written("jsonl", stored(1), stored(2)).splitlines()

    assert [json.loads(line)["id"] for line in lines] == [1, 2]
    record = json.loads(lines[0])
    assert record == make_record(stored(1))
    assert record["body"] == 'Úvodní věta.\nDruhý, "citovaný" odstavec.'
    assert (record["date"], record["authors"]) == ("2026-02-05", ["Jan Novák", "Eva Malá"])
    assert {"url", "title", "lead", "published_at"} <= record.keys()


def test_json_is_one_array() -> None:
    assert json.loads(written("json", stored(1), stored(2))) == [make_record(stored(1)), make_record(stored(2))]


@pytest.mark.parametrize(("name", "content"), [("jsonl", b""), ("json", b"[]\n")])
def test_no_articles_are_still_a_right_file(name: str, content: bytes) -> None:
    assert written(name) == content


def test_a_csv_of_no_articles_has_its_heading() -> None:
    assert rows(written("csv")) == [list(COLUMNS)]


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_a_lone_surrogate_does_not_end_the_export(name: str) -> None:
    data = written(name, stored(title="broken \ud83d title"))

    value = json.loads(data)
    assert (value[0] if name == "json" else value)["title"] == "broken \ud83d title"


def test_the_columns_of_csv_are_the_fields_of_json_without_the_typed_paragraphs() -> None:
    assert set(COLUMNS) == make_record(stored()).keys() - {"paragraphs"}


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


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠", '"=', '""+'])
def test_a_cell_that_looks_like_a_formula_is_made_safe(sign: str) -> None:
    assert make_cell(f"{sign}1+1") == f"'{sign}1+1"


def test_the_start_of_each_paragraph_is_made_safe() -> None:
    assert make_cell("Řekl:\n- Ano.\n=1+1") == "Řekl:\n'- Ano.\n'=1+1"


def test_text_with_signs_in_its_middle_is_left_as_it_is() -> None:
    text = "a = b; 3-1, me@example.org; C++"

    assert make_cell(text) == text


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=30), min_size=1, max_size=4), st.sampled_from(",;\t"))
@example(texts=["", '"\t'], separator=";")
@example(texts=["", '"=1+1'], separator=";")
@example(texts=["x", '""=1+1'], separator="\t")
def test_no_cell_is_executed_whatever_separator_the_spreadsheet_expects(texts: list[str], separator: str) -> None:
    body = tuple(Paragraph(text=text) for text in texts)
    data = written("csv", stored(title=texts[0], paragraphs=body, authors=tuple(texts), url=texts[-1]))

    cells = [value for row in rows(data, separator) for value in row]
    assert not [value for value in cells if value.startswith(("=", "+", "-", "@", "\t", "\r"))]


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_every_text_gives_one_row_of_all_columns(text: str) -> None:
    data = written("csv", stored(title=text))

    assert [len(row) for row in rows(data)] == [len(COLUMNS), len(COLUMNS)]


class Nowhere(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return len(data)  # type: ignore[arg-type]


def many(count: int) -> Iterator[StoredArticle]:
    body = (Paragraph(text="word " * 500),)
    for number in range(count):
        yield stored(number, paragraphs=body)


def peak_bytes(name: str, count: int) -> int:
    target: BinaryIO = Nowhere()  # type: ignore[assignment]
    tracemalloc.start()
    try:
        write = FORMATS[name].write
        assert write
        assert write(many(count), target, Options()).articles == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["jsonl", "json", "csv", "xlsx", "html", "tei", "vertical", "conllu"])
def test_memory_does_not_grow_with_the_number_of_articles(name: str) -> None:
    peak_bytes(name, 10)

    assert peak_bytes(name, 60) < peak_bytes(name, 20) + 100_000


def test_csv_is_written_for_the_excel_of_a_locale() -> None:
    german, british = choose_excel_options("de-AT"), choose_excel_options("en_GB")

    data = written("csv", stored(), delimiter=german.delimiter, decimal_point=german.decimal_point)

    (heading, row) = rows(data, ";")
    assert dict(zip(heading, row, strict=True))["confidence"] == "0,75"
    assert (british.delimiter, choose_excel_options("es-MX").delimiter, choose_excel_options("es").delimiter) == (",", ",", ";")


def test_cells_that_excel_cuts_are_counted() -> None:
    long = stored(paragraphs=(Paragraph(text="x" * 40_000),))

    for name in ("csv", "xlsx"):
        write = FORMATS[name].write
        assert write
        assert write([long, stored(2)], io.BytesIO(), Options()).long_cells == 1


def test_xlsx_is_read_by_openpyxl_with_types_and_without_formulas() -> None:
    data = written("xlsx", stored(1, title="=1+1 & <b>\x07", free=False), stored(2, paragraphs=(Paragraph(text="x" * 40_000),)))

    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert sheet
    (heading, first, second) = list(sheet.iter_rows(values_only=True))
    row = dict(zip(heading, first, strict=True))
    assert (row["title"], row["free"], row["confidence"], row["id"]) == ("'=1+1 & <b>", False, 0.75, 1)
    assert row["body"] == 'Úvodní věta.\nDruhý, "citovaný" odstavec.'
    assert sheet["E2"].data_type == "s"
    assert len(str(dict(zip(heading, second, strict=True))["body"])) == 32_767
    assert data == written(
        "xlsx", stored(1, title="=1+1 & <b>\x07", free=False), stored(2, paragraphs=(Paragraph(text="x" * 40_000),))
    )


def test_parquet_is_read_by_pyarrow_with_descriptions() -> None:
    data = written("parquet", stored(1, title="lone \ud83d"), stored(2))

    table = pyarrow.parquet.read_table(io.BytesIO(data))
    assert set(table.column_names) == set(COLUMNS)
    assert table.column("authors").to_pylist()[0] == ["Jan Novák", "Eva Malá"]
    assert table.column("title").to_pylist()[0] == "lone ?"
    assert table.schema.field("lead").metadata[b"description"] == b"Lead; the body begins with it."


def test_parquet_holds_each_field_of_each_article_also_what_is_absent() -> None:
    many = [
        stored(number, authors=(), keywords=("a", "č") * (number % 3), free=(None, True, False)[number % 3])
        for number in range(1, 260)
    ]

    table = pyarrow.parquet.read_table(io.BytesIO(written("parquet", *many)))

    table.validate(full=True)
    assert table.to_pylist() == [{name: make_record(each)[name] for name in table.column_names} for each in many]


def test_without_pyarrow_parquet_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(ExportError, match=r"pip install 'polite-newscrawler\[parquet\]'"):
        written("parquet", stored())


ODD = stored(
    3,
    title="A < B & \x00 C",
    paragraphs=(*(Paragraph(kind=kind, text=f"Text of {kind} <&>") for kind in ParagraphKind), Paragraph(text="")),
    language="cs",
    canonical_url="https://example.org/x",
    keywords=("a", 'b"'),
    section="Domácí",
    modified_at=datetime(2026, 2, 6, tzinfo=UTC),
    fetched_at=datetime(2026, 2, 7, tzinfo=UTC),
    published_precision=DatePrecision.DAY,
)


def test_tei_is_valid_against_the_schema_of_tei_p5() -> None:
    schema = etree.RelaxNG(etree.parse(Path(__file__).parent.parent / "data" / "tei.rng"))
    said = Options(rights_of=lambda number: [f"tdm reserved for {number} <here>"], title="Corpus <1>")
    document = FORMATS["tei"].document
    assert document

    corpus = etree.fromstring(written("tei", ODD, stored(1, title=""), stored(2, paragraphs=(), language="x y"), title="C"))
    alone = etree.fromstring(document(ODD, said).encode())

    for tree in (corpus, alone, etree.fromstring(written("tei"))):
        assert schema.validate(tree), schema.error_log
    names = {"t": "http://www.tei-c.org/ns/1.0"}
    assert alone.findtext(".//t:availability/t:p", namespaces=names) == "tdm reserved for 3 <here>"
    assert [each.get("when") for each in alone.iterfind(".//t:publicationStmt/t:date", names)] == ["2026-02-05"]
    assert alone.findtext(".//t:item", namespaces=names) == "Text of list item <&>"
    etree.SubElement(alone, "nonsense")
    assert not schema.validate(alone)


def test_vertical_has_a_token_a_line_and_glue_where_no_space_is() -> None:
    text = written("vertical", stored(paragraphs=(Paragraph(text='Řekl: "Ano & ne."'),), title="")).decode()

    lines = text.splitlines()
    assert lines[0].startswith('<doc id="1" title="" author="Jan Novák; Eva Malá" date="2026-02-05T19:25:00+00:00"')
    body = ["Řekl", "<g/>", ":", '"', "<g/>", "Ano", "&amp;", "ne", "<g/>", ".", "<g/>", '"']
    assert lines[1:] == ['<p kind="paragraph">', "<s>", *body, "</s>", "</p>", "</doc>"]
    registry = FORMATS["vertical"].beside[0][1]("a.vert", Options(annotated=True))
    assert 'VERTICAL "a.vert"' in registry
    assert "ATTRIBUTE lemma" in registry


def test_a_vertical_comes_with_the_files_of_the_programs_that_load_it(tmp_path: Path) -> None:
    beside = dict(FORMATS["vertical"].beside)

    blacklab = beside[".blf.yaml"]("My news.vert", Options(annotated=True))
    assert [line.split()[-1] for line in blacklab.splitlines() if "name:" in line] == ["word", "lemma", "tag"]
    assert "name: lemma" not in beside[".blf.yaml"]("a.vert", Options())
    script = beside[".cwb.sh"]("My news.vert", Options(annotated=True))
    assert "-f 'My news.vert' -R registry/my_news -xsB -P lemma -P tag " in script
    assert 'MULTISEP "|"' in beside[".registry"]("a.vert", Options())
    filed = written("vertical", stored(), collections_of=lambda _number: ["floods", "rivers"]).decode()
    assert ' collection="floods|rivers" ' in filed.splitlines()[0]
    if shutil.which("cwb-encode") is None:
        pytest.skip("the Corpus Workbench is not installed")
    (tmp_path / "a.vert").write_bytes(written("vertical", stored()))
    (tmp_path / "a.vert.cwb.sh").write_text(beside[".cwb.sh"]("a.vert", Options()))
    subprocess.run(["sh", str(tmp_path / "a.vert.cwb.sh")], check=True)


def tagged(text: str) -> Iterator[list[Word]]:
    for sentence in segment_text(text):
        yield [
            Word(
                start=word.start,
                end=word.end,
                lemma=text[word.start : word.end].lower(),
                upos="X",
                head=0 if not n else 1,
                relation="root" if not n else "dep",
            )
            for n, word in enumerate(sentence)
        ]


@pytest.mark.parametrize("annotate", [segment_text, tagged])
def test_conllu_keeps_the_rules_of_its_validator(annotate: Annotator) -> None:
    text = written("conllu", ODD, stored(), annotate=annotate, annotated=annotate is tagged).decode()

    assert text.endswith("\n\n")
    seen = set()
    for block in text.strip("\n").split("\n\n"):
        comments = dict(line[2:].split(" = ", 1) for line in block.splitlines() if line.startswith("# "))
        tokens = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        assert comments["sent_id"] not in seen
        seen.add(comments["sent_id"])
        assert [token[0] for token in tokens] == [str(number) for number in range(1, len(tokens) + 1)]
        assert all(len(token) == 10 and all(column and column == column.strip() for column in token) for token in tokens)
        joined = "".join(token[1] + ("" if token[9] == "SpaceAfter=No" else " ") for token in tokens).strip()
        assert joined == comments["text"]
        assert annotate is segment_text or [token[6] for token in tokens].count("0") == 1
    assert text.count("# newdoc id = ") == 2


@pytest.mark.parametrize("annotate", [segment_text, tagged])
def test_the_validator_of_universal_dependencies_finds_no_fault_in_conllu(annotate: Annotator, tmp_path: Path) -> None:
    path = tmp_path / "articles.conllu"
    path.write_bytes(written("conllu", ODD, stored(), annotate=annotate, annotated=annotate is tagged))
    # level 1 is the format itself, level 2 trees and tags, which words without a tagger have not
    level = 2 if annotate is tagged else 1
    command = [sys.executable, "-m", "udtools.cli", "--lang", "ud", "--level", str(level), "--no-warnings", str(path)]

    checked = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)

    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "*** PASSED ***\n"), checked.stdout + checked.stderr


def test_txt_and_markdown_hold_metadata_if_wanted() -> None:
    as_text, as_markdown = FORMATS["txt"].document, FORMATS["markdown"].document
    assert as_text
    assert as_markdown

    assert as_text(stored(), Options(header=False)).startswith("Žluťoučký kůň")
    assert "<author>Jan Novák; Eva Malá</author>\n" in as_text(stored(), Options())
    markdown = as_markdown(stored(title="A *b* [c]", paragraphs=(Paragraph(kind=ParagraphKind.QUOTE, text="# d"),)), Options())
    assert markdown.startswith('---\nid: "1"\n')
    assert markdown.endswith("# A \\*b\\* \\[c\\]\n\n> \\# d\n")


def test_html_shows_texts_as_they_are_and_obeys_none() -> None:
    page = written("html", stored(title="<script>x</script>", url="javascript:alert(1)")).decode()

    assert "<script>" not in page
    assert 'href="javascript' not in page


def test_names_of_files_sort_by_portal_day_and_number() -> None:
    names = [
        make_file_name(stored(n, portal=p, published_at=at), "txt")
        for n, p, at in ((9, "a/b", NOON), (10, "a/b", NOON), (1, "a/b", None))
    ]

    assert names == ["a-b_2026-02-05_000000009.txt", "a-b_2026-02-05_000000010.txt", "a-b_0000-00-00_000000001.txt"]
