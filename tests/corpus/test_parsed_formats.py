"""Written articles are parsed again: each format keeps the paragraphs of an article, their kind and their structure."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree, html
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from newscrawler.article import Article, Image, Paragraph, ParagraphKind, Span, SpanKind
from newscrawler.corpus.formats import FORMATS, Options
from newscrawler.store.articles import StoredArticle
from newscrawler.store.articles.article_rows import _write_paragraph, paragraphs_of

TEI = {"t": "http://www.tei-c.org/ns/1.0"}
#: Pieces that Markdown, HTML or XML could take for markup, in text and at its beginning.
PIECES = [
    "word", "Two words", "a*b*c", "*", "**bold**", "_under_", "__", "# no", "##", "|", "a|b", "\\|", "<", "<b>x</b>", "</p>",
    "<!-- c -->", "<![CDATA[", "]]>", "&", "&amp;", "&lt;", "&#65;", "&copy", "&nbsp;", ">", "> q", "1.", "1. one",
    "12) two", "1986. A year", "-", "- dash", "+ plus", "= even", "===", "---", "***", "~~~", "~~s~~", "`code`", "```",
    "[x]", "[x](y)", "[ ]", "[^1]:", "![p](q)", "wow!", "!", "\\", "\\\\", "\\*", "a\nb", "a\n\nb", "a\tb", "\t",
    "    indented", "می\u200cخواهم", "👩\u200d👧", "\u00a0", "\u2028", "\x00", "\x01", "\x0c", "\x7f", "\u0085", "\ufffe",
    "\u009f", "http://a.example/b_c_d", "a@b.example", "{{ x }}", "${x}", "$x$", ":", ": d", "中文。", "x" * 5000, "%", "'",
    '"', "—", "«", "0", "²", "www.a.example", "| --- |", "|---|", "^", "(c)", "...", "\u202e", "e\u0301", "İ", "ß",
    "<?php ?>", "_x0041_", "Term", "\r", "a\rb", "{", "@x",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), min_size=1, max_size=5).flatmap(
    lambda pieces: st.sampled_from(["", " "]).map(lambda glue: glue.join(pieces))
)
LINES = st.lists(
    st.sampled_from([
        "", "  ", "    four", "\ttab", "```", "``` x", "  `````", "~~~", "# x", "- a", "</pre>", "&amp;", "x = 1 < 2", "\\", "<b>",
    ]) | TEXTS,
    min_size=1, max_size=6,
)  # fmt: skip
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def joined(text: str) -> str:
    return " ".join(FORBIDDEN.sub("", text).split())


HAS_TEXT = TEXTS.filter(lambda text: bool(joined(text)))


@st.composite
def paragraphs(draw: st.DrawFn) -> Paragraph:
    kind = draw(st.sampled_from(ParagraphKind))
    if kind is ParagraphKind.PREFORMATTED:
        lines = tuple(line for text in draw(LINES) for line in text.splitlines() or [""])
        lines = tuple(FORBIDDEN.sub("", line).rstrip() for line in lines)
        lines = tuple("\n".join(lines).strip("\n").split("\n"))
        kept = lines if any(map(joined, lines)) else ("x",)
        return Paragraph(kind=kind, text=joined(" ".join(kept)), lines=kept)
    if kind is ParagraphKind.TABLE_ROW:
        cells = draw(st.lists(TEXTS, min_size=1, max_size=4).filter(lambda cells: bool(joined(cells[-1]))))
        known = draw(st.booleans())
        is_header = draw(st.booleans())
        return Paragraph(kind=kind, text=" ".join(cells), cells=tuple(cells) if known else (), is_header=is_header)
    text = draw(HAS_TEXT)
    if kind is ParagraphKind.HEADING:
        return Paragraph(kind=kind, text=text, level=draw(st.integers(1, 6)))
    if kind is ParagraphKind.LIST_ITEM:
        is_numbered = draw(st.booleans())
        number = draw(st.none() | st.integers(0, 12) | st.integers(0, 2000)) if is_numbered else None
        return Paragraph(kind=kind, text=text, level=draw(st.integers(1, 5)), is_numbered=is_numbered, number=number)
    return Paragraph(kind=kind, text=text)


@st.composite
def marked(draw: st.DrawFn) -> Paragraph:
    """A paragraph with links and emphasis, nested or one behind the other."""
    text = joined(draw(HAS_TEXT))
    places = sorted(draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4)))
    kinds = [draw(st.sampled_from([SpanKind.STRONG, SpanKind.EMPHASIS, SpanKind.LINK])) for _ in range(2)]
    is_nested = draw(st.booleans()) and kinds[0] is not kinds[1]
    pairs = [(places[0], places[3]), (places[1], places[2])] if is_nested else [(places[0], places[1]), (places[2], places[3])]
    path = draw(st.sampled_from(["b?c=1&d=2", "(x)_y*z", "?a=1&copy;=2", "a\\b c"]))
    spans = tuple(
        Span(kind=kind, start=first, end=last, url=f"https://a.example/{path}" if kind is SpanKind.LINK else None)
        for kind, (first, last) in zip(kinds, pairs, strict=True)
        if text[first:last].strip()
    )
    return Paragraph(text=text, spans=spans)


ARTICLES = st.lists(paragraphs(), min_size=1, max_size=9)


def article(body: Sequence[Paragraph], **values: Any) -> Article:
    return Article(**({"title": "A title", "paragraphs": tuple(body), "method": "x", "confidence": 1.0, "language": "en"} | values))


@dataclass(frozen=True, kw_only=True)
class Read:
    """A paragraph as a format gives it."""

    kind: ParagraphKind
    texts: tuple[str, ...]
    level: int | None = None
    number: int | None = None
    is_header: bool = False


def expected(body: Sequence[Paragraph]) -> list[Read]:
    found: list[Read] = []
    numbers: dict[int, int] = {}
    before: Paragraph | None = None
    for each in body:
        texts = (joined(each.text),)
        number = None
        if each.kind is ParagraphKind.LIST_ITEM:
            depth = each.level or 1
            numbers = {at: last for at, last in numbers.items() if at <= depth} if before and before.kind is each.kind else {}
            if each.is_numbered:
                number = numbers.get(depth, 0) + 1 if each.number is None else each.number
                numbers[depth] = number
            else:
                numbers.pop(depth, None)
        if each.kind is ParagraphKind.TABLE_ROW:
            texts = tuple(map(joined, each.cells)) or texts
        if each.kind is ParagraphKind.PREFORMATTED:
            texts = each.lines
        level = each.level if each.kind in {ParagraphKind.HEADING, ParagraphKind.LIST_ITEM} else None
        found.append(Read(kind=each.kind, texts=texts, level=level, number=number, is_header=each.is_header))
        before = each
    return found


# Markdown

PARSER = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])


def flatten(inline: SyntaxTreeNode | None) -> str:
    parts = []
    for node in inline.walk() if inline else ():
        if node.type in {"text", "code_inline", "softbreak", "hardbreak", "html_inline"}:
            parts.append({"softbreak": "\n", "hardbreak": "\n"}.get(node.type, node.content))
    return " ".join("".join(parts).split())


def read_markdown(text: str) -> list[Read]:
    head, *body = SyntaxTreeNode(PARSER.parse(text)).children
    assert (head.tag, flatten(head.children[0])) == ("h1", "A title")
    return [each for node in body for each in read_node(node)]


def read_node(node: SyntaxTreeNode) -> Iterator[Read]:
    if node.type == "heading":
        yield Read(kind=ParagraphKind.HEADING, texts=(flatten(node.children[0]),), level=int(node.tag[1]))
    elif node.type == "fence":
        assert node.info == ""
        yield Read(kind=ParagraphKind.PREFORMATTED, texts=tuple(node.content.removesuffix("\n").split("\n")))
    elif node.type in {"bullet_list", "ordered_list"}:
        yield from read_list(node, 1)
    elif node.type == "blockquote":
        (inside,) = node.children
        assert inside.type == "paragraph"
        yield Read(kind=ParagraphKind.QUOTE, texts=(flatten(inside.children[0]),))
    elif node.type == "table":
        for part in node.children:
            for row in part.children:
                cells = [flatten(cell.children[0]) for cell in row.children]
                bold = [any(each.type == "strong" for each in cell.children[0].children) for cell in row.children]
                while cells and not cells[-1]:
                    cells.pop()
                if cells:
                    is_header = part.type == "thead" or all(each for each, cell in zip(bold, cells, strict=False) if cell)
                    yield Read(kind=ParagraphKind.TABLE_ROW, texts=tuple(cells), is_header=is_header)
    else:
        assert node.type == "paragraph", node.type
        yield Read(kind=ParagraphKind.PARAGRAPH, texts=(flatten(node.children[0]),))


def read_list(node: SyntaxTreeNode, depth: int) -> Iterator[Read]:
    number = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    for item in node.children:
        for child in item.children:
            if child.type in {"bullet_list", "ordered_list"}:
                yield from read_list(child, depth + 1)
            else:
                assert child.type == "paragraph", child.type
                yield Read(kind=ParagraphKind.LIST_ITEM, texts=(flatten(child.children[0]),), level=depth, number=number)
        number = number + 1 if number is not None else None


@given(ARTICLES)
@settings(max_examples=300, deadline=None)
def test_markdown_is_parsed_to_the_same_paragraphs(body: list[Paragraph]) -> None:
    assert read_markdown(article(body).to("markdown")) == expected(body)


def spans_of(inline: SyntaxTreeNode) -> tuple[str, set[tuple[str, int, int, str]]]:
    """Text and spans of a line; emphasis that Markdown cannot write is in tags of HTML."""
    text, found, begun = "", set(), []
    names = {"strong": "strong", "em": "emphasis", "link": "link"}

    def walk(node: SyntaxTreeNode) -> None:
        nonlocal text
        for child in node.children:
            start = len(text)
            if child.type == "html_inline":
                name = child.content.strip("</>")
                if child.content.startswith("</"):
                    found.add((names[name], begun.pop(), start, ""))
                else:
                    begun.append(start)
            elif child.type in names:
                walk(child)
                found.add((names[child.type], start, len(text), str(child.attrs.get("href", ""))))
            else:
                assert child.type == "text", child.type
                text += child.content

    walk(inline)
    return text, found


@given(marked())
@example(Paragraph(text="wow!link", spans=(Span(kind=SpanKind.LINK, start=4, end=8, url="https://a.example/"),)))
@example(Paragraph(text="a (b) c", spans=(Span(kind=SpanKind.STRONG, start=2, end=5),)))
@example(Paragraph(text="a(b)c", spans=(Span(kind=SpanKind.STRONG, start=1, end=4),)))
@example(Paragraph(text="ab", spans=(Span(kind=SpanKind.STRONG, start=0, end=1), Span(kind=SpanKind.EMPHASIS, start=1, end=2))))
@settings(max_examples=300, deadline=None)
def test_markdown_is_parsed_to_the_same_links_and_emphasis(paragraph: Paragraph) -> None:
    _, shown = SyntaxTreeNode(PARSER.parse(article([paragraph]).to("markdown"))).children
    text, found = spans_of(shown.children[0])

    assert text == paragraph.text
    url = lambda span: (span.url or "").replace("\\", "%5C").replace(" ", "%20")  # noqa: E731
    assert found == {(str(span.kind), span.start, span.end, url(span)) for span in paragraph.spans}


# HTML and TEI


def flat(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def read_elements(nodes: Sequence[etree._Element], names: dict[str, str]) -> Iterator[Read]:
    """Read elements with the names of HTML; `names` are those of others."""
    for node in nodes:
        tag = names.get(etree.QName(node).localname, etree.QName(node).localname)
        hi = next((each for each in node if etree.QName(each).localname == "hi"), None)
        if tag[0] == "h" and tag[1:].isdecimal():
            yield Read(kind=ParagraphKind.HEADING, texts=(flat(node),), level=int(node.get("aria-level") or tag[1]) - 1)
        elif hi is not None and hi.get("rend") == "heading":
            yield Read(kind=ParagraphKind.HEADING, texts=(flat(node),), level=int(hi.get("n") or 0))
        elif tag == "pre" or node.get("rend") == "preformatted":
            yield Read(kind=ParagraphKind.PREFORMATTED, texts=tuple("".join(map(str, node.itertext())).split("\n")))
        elif tag in {"ul", "ol"}:
            yield from read_items(node, 1)
        elif tag == "blockquote":
            yield Read(kind=ParagraphKind.QUOTE, texts=(flat(node),))
        elif tag == "table":
            for row in node.iterchildren():
                is_header = all(cell.tag == "th" or cell.get("role") == "label" for cell in row)
                yield Read(kind=ParagraphKind.TABLE_ROW, texts=tuple(flat(cell) for cell in row), is_header=is_header)
        else:
            assert tag == "p", tag
            yield Read(kind=ParagraphKind.PARAGRAPH, texts=(flat(node),))


def read_items(node: etree._Element, depth: int) -> Iterator[Read]:
    number = 0
    is_numbered = node.tag == "ol" or node.get("rend") == "numbered"
    for item in node.iterchildren():
        number = int(item.get("value") or item.get("n") or number + 1)
        if text := (item.text or "").strip():
            texts = (" ".join(text.split()),)
            yield Read(kind=ParagraphKind.LIST_ITEM, texts=texts, level=depth, number=number if is_numbered else None)
        for inner in item.iterchildren():
            if etree.QName(inner).localname == "p":
                yield Read(kind=ParagraphKind.LIST_ITEM, texts=(flat(inner),), level=depth, number=number)
            else:
                yield from read_items(inner, depth + 1)


@given(ARTICLES)
@settings(max_examples=300, deadline=None)
def test_html_is_parsed_to_the_same_paragraphs(body: list[Paragraph]) -> None:
    tree = html.fromstring(article(body).to("html").encode())

    (shown,) = tree.iter("article")
    head, facts, *rest = shown
    assert (head.tag, flat(head), facts.get("class")) == ("h2", "A title", "facts")
    assert list(read_elements(rest, {})) == expected(body)


SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).parent.parent / "data" / "tei.rng"))


@given(ARTICLES)
@settings(max_examples=200, deadline=None)
def test_tei_is_valid_and_parsed_to_the_same_paragraphs(body: list[Paragraph]) -> None:
    tree = etree.fromstring(article(body).to("tei").encode())

    assert SCHEMA.validate(tree), SCHEMA.error_log
    (div,) = tree.iterfind(".//t:body/t:div", TEI)
    head, *rest = div
    assert flat(head) == "A title"
    assert list(read_elements(rest, {"list": "ul", "quote": "blockquote"})) == expected(body)


# the rest


@given(ARTICLES)
@settings(max_examples=100, deadline=None)
def test_plain_text_has_a_paragraph_between_blank_lines(body: list[Paragraph]) -> None:
    title, *texts = article(body).to("text").removesuffix("\n").split("\n\n")

    assert (title, texts) == ("A title", [joined(each.text) for each in body])


@given(ARTICLES)
@settings(max_examples=100, deadline=None)
@pytest.mark.parametrize("form", ["json", "jsonl", "extract"])
def test_json_has_all_of_each_paragraph(form: str, body: list[Paragraph]) -> None:
    if form == "extract":
        record = json.loads(article(body).to("json"))
    else:
        stream = io.BytesIO()
        write = FORMATS[form].write
        assert write
        write([StoredArticle(id=1, article=article(body))], stream, Options())
        record = json.loads(stream.getvalue())
        record = record[0] if form == "json" else record

    read = [
        Paragraph(
            kind=ParagraphKind(each["kind"]), text=each["text"], level=each.get("level"), is_numbered=each.get("numbered", False),
            number=each.get("number"), is_header=each.get("header", False), cells=tuple(each.get("cells", ())),
            lines=tuple(each.get("lines", ())),
        )
        for each in record["paragraphs"]
    ]  # fmt: skip
    assert read == body


@given(ARTICLES)
@settings(max_examples=200, deadline=None)
def test_the_database_has_all_of_each_paragraph(body: list[Paragraph]) -> None:
    stored = json.loads(json.dumps([_write_paragraph(each) for each in body]))

    assert list(paragraphs_of(stored)) == [replace(each, spans=()) for each in body]


@given(ARTICLES)
@settings(max_examples=100, deadline=None)
def test_the_vertical_has_kind_and_words_of_each_paragraph(body: list[Paragraph]) -> None:
    stream = io.BytesIO()
    write = FORMATS["vertical"].write
    assert write
    write([StoredArticle(id=1, article=article(body))], stream, Options())
    tree = etree.fromstring(stream.getvalue())

    read = [(each.get("kind"), "".join("".join(map(str, each.itertext())).split())) for each in tree.iter("p")]
    assert read == [("title", "Atitle"), *((str(each.kind), joined(each.text).replace(" ", "")) for each in body)]
    lines = [line for line in stream.getvalue().decode().split("\n")[:-1] if not line.startswith("<")]
    assert all(line.strip() for line in lines)


def test_captions_of_images_are_kept_with_the_signs_in_them() -> None:
    caption, alt = '*Left*: 1. [AP] <b> & "x" 50 | 60', "A _boat_ ![x]"
    shown = article([Paragraph(text="One.")], images=(Image(url="https://a.example/a_(b).jpg", alt=alt, caption=caption),))

    _, figure, _ = SyntaxTreeNode(PARSER.parse(shown.to("markdown"))).children
    image, _, emphasis = figure.children[0].children
    assert (image.attrs["src"], image.type, flatten(image), emphasis.type, flatten(emphasis)) == (
        "https://a.example/a_(b).jpg", "image", alt, "em", caption,
    )  # fmt: skip
    tree = html.fromstring(shown.to("html"))
    assert [flat(each) for each in tree.iter("figcaption")] == [caption]
    tei = etree.fromstring(shown.to("tei").encode())
    assert [each.text for each in tei.iterfind(".//t:figure/*", TEI)] == [caption, None, alt]
