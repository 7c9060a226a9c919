from __future__ import annotations

from newscrawler.page import Document
from newscrawler.research.methods.pagelet import PageletDetector


def read(inner: str, method: PageletDetector | None = None):
    return (method or PageletDetector())(Document.parse(f"<html><body>{inner}</body></html>"))


def paragraphs(count: int, word: str) -> str:
    return "".join(f"<p>{word} {i}</p>" for i in range(count))


def test_the_commonest_parent_of_paragraphs_is_the_body() -> None:
    body = read(f"<div id=a>{paragraphs(2, 'aside')}</div><div id=b>{paragraphs(5, 'text')}</div>")

    assert body is not None
    assert body.elements[0].get("id") == "b"
    assert body.text == "\n".join(f"text {i}" for i in range(5))


def test_it_climbs_until_the_element_holds_thirty_five_percent() -> None:
    parts = "".join(f"<div>{paragraphs(3, f'part{i}')}</div>" for i in range(3))

    body = read(f"<div id=all>{parts}</div><div>{paragraphs(1, 'foot')}</div>")

    assert body is not None
    assert body.elements[0].get("id") == "all"
    assert "foot" not in body.text


def test_the_share_is_a_parameter() -> None:
    parts = "".join(f"<div>{paragraphs(3, f'part{i}')}</div>" for i in range(3))

    body = read(parts, PageletDetector(least_share=0.3))

    assert body is not None
    assert body.text == "part0 0\npart0 1\npart0 2"


def test_headings_count_like_paragraphs() -> None:
    body = read(f"<div>{paragraphs(2, 'aside')}</div><div><h2>One</h2><h3>Two</h3><p>Three</p></div>")

    assert body is not None
    assert body.text == "One\nTwo\nThree"
