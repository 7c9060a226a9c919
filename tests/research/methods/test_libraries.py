from __future__ import annotations

from newscrawler.article import ParagraphKind
from newscrawler.page import Document
from newscrawler.research.methods.libraries import LibraryExtractor

PAGE = (
    "<html><body><h2>A heading</h2><p>First paragraph.</p><ul><li>An item</li></ul>"
    "<table><tr><td>One</td><td>Two</td></tr></table></body></html>"
)


def test_lines_that_the_page_knows_get_its_kinds_and_elements() -> None:
    method = LibraryExtractor(lambda _html, _url: "A heading\n\nFirst paragraph.\n- An item\n| One | Two |")

    body = method(Document.parse(PAGE))

    assert body is not None
    assert [(p.text, p.kind) for p in body.paragraphs] == [
        ("A heading", ParagraphKind.HEADING),
        ("First paragraph.", ParagraphKind.PARAGRAPH),
        ("An item", ParagraphKind.LIST_ITEM),
        ("One Two", ParagraphKind.TABLE_ROW),
    ]
    assert [element.tag for element in body.elements] == ["h2", "p", "li", "td"]


def test_other_lines_are_plain_paragraphs() -> None:
    body = LibraryExtractor(lambda _html, _url: "First paragraph. An item")(Document.parse(PAGE))

    assert body is not None
    assert [(p.text, p.kind) for p in body.paragraphs] == [("First paragraph. An item", ParagraphKind.PARAGRAPH)]


def test_a_library_that_fails_has_found_no_article() -> None:
    def fails(_html: str, _url: str | None) -> str:
        raise RecursionError

    assert LibraryExtractor(fails)(Document.parse(PAGE)) is None


def test_a_page_without_bottom_is_not_given_to_a_library() -> None:
    method = LibraryExtractor(lambda _html, _url: "text")

    assert method(Document.parse("<div>" * 400 + "text")) is None
