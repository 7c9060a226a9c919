"""What a reader sees is what is kept: on 500 pages of real sites, no word lost, doubled or glued, and no sign that nobody sees."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from newscrawler import PageError, extract
from newscrawler.extraction.body.extractor import load_default_extractor
from newscrawler.page import SILENT, Document
from newscrawler.page.layout import _INLINE, _NOTE_TAGS, _is_note_mark
from newscrawler.page.text import INVISIBLE

DATA = Path(__file__).parents[3] / "shared" / "bench" / "data"
SETS = {"fundus": 134, "wcxb": 200, "waddle": 166}
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not on this machine")


def read_pages() -> Iterator[tuple[str, str]]:
    for name, most in SETS.items():
        with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in islice(lines, most):
                record = json.loads(line)
                yield f"{name} {record['id']}", record["html"]


def read_plainly(element: etree._Element) -> str:
    """All text below an element but that of scripts and the like, words of different blocks apart."""
    if not isinstance(element.tag, str) or element.tag in SILENT - {"button"}:
        return " "
    if element.tag in _NOTE_TAGS and _is_note_mark(element):
        return ""
    pieces = [element.text or ""]
    for child in element:
        pieces += [read_plainly(child), child.tail or ""]
    edge = "" if element.tag in _INLINE else " "
    return edge + "".join(pieces) + edge


def check(name: str, html: str) -> list[str]:
    """Return the blocks of the body whose words are not those of the page, one after another."""
    page = Document.parse(html)
    words = f" {' '.join(read_plainly(page.body).split())} "
    taken = load_default_extractor().examine(page).taken
    return [f"{name}: {block.text[:80]}" for block in taken if f" {block.text} " not in words]


@needs_data
def test_no_word_of_a_kept_block_is_lost_doubled_or_glued() -> None:
    wrong = [line for name, html in read_pages() for line in check(name, html)]

    # what is left out within a line (hidden words, anchors of headings) is not lost
    assert len(wrong) <= 15, wrong


def list_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from list_texts(inner)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from list_texts(inner)


@needs_data
def test_no_field_has_a_sign_that_nobody_sees() -> None:
    found = []
    for name, html in read_pages():
        try:
            record = extract(html, images=True, comments=True).as_dict()
        except PageError:
            continue
        found += [f"{name}: {key}" for key, value in record.items() for text in list_texts(value) if set(text) & set(INVISIBLE)]

    assert found == []
