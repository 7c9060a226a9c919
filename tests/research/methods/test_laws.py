"""What holds for every block-detection method, whatever it finds."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from stopwatch import cpu_seconds

from newscrawler.article import Body, ParagraphKind
from newscrawler.page import Document
from newscrawler.plugins import load_methods
from newscrawler.research.methods.libraries import INSTALLED

SENTENCES = (
    "The council approved the new bridge over the river on Tuesday evening after a long debate.",
    "Żółta łódź płynęła powoli w stronę mostu, a na brzegu stali ludzie z całego miasta.",
    "Residents had asked for it for twenty years; the old one carries three times its load.",
    "Работы начнутся весной и продлятся не меньше двух лет, сообщили в администрации города.",
    "It will cost eleven million, of which the region pays half and the town the other half.",
    "„To dobra wiadomość” – powiedziała burmistrzyni po głosowaniu w środę wieczorem.",
)
WORDS = frozenset(word for sentence in SENTENCES for word in sentence.split())


def article_page(paragraphs: int = 12) -> str:
    text = "".join(
        f"<p>{SENTENCES[i % 6]} <a href='/{i}'>Report {i}</a> {SENTENCES[(i + 2) % 6]} {SENTENCES[(i + 4) % 6]}</p>"
        for i in range(paragraphs)
    )
    menu = "".join(f"<li><a href='/s{i}'>Section {i}</a></li>" for i in range(12))
    return (
        "<html><head><title>Council approves the new bridge | The Daily</title><style>p{color:red}</style></head>"
        f"<body>{'<div>' * 8}<div id=top><ul class=menu>{menu}</ul></div><div id=main class=page>"
        "<h1>Council approves the new bridge</h1>"
        f"<div id=text class=body>{text}</div></div><script>var hidden = 'do not read';</script>"
        f"<div id=foot><p>All rights reserved.</p></div>{'</div>' * 8}</body></html>"
    )


def long_page(characters: int) -> str:
    """As many different elements as fit, which is what costs the methods time."""
    pieces: list[str] = []
    size = number = 0
    while size < characters:
        number += 1
        tag = ("div", "section", "li", "p", "td")[number % 5]
        text = f"{SENTENCES[number % 6]} <a href='/{number}'>Link {number}</a><b>{number}</b>"
        pieces.append(f"<div class='c{number % 7}'><{tag}>{text}</{tag}></div>\n")
        size += len(pieces[-1])
    return f"<html><head><title>{SENTENCES[0]}</title></head><body><h1>{SENTENCES[0]}</h1>{''.join(pieces)}</body></html>"


@lru_cache(maxsize=32)
def parsed(html: str) -> Document:
    return Document.parse(html)


def seconds(name: str, page: Document) -> float:
    return cpu_seconds(lambda: load_methods()[name](page))


every_method = pytest.mark.parametrize("name", sorted(load_methods()))
#: Nobody can promise for a library how long it takes, nor that it finds an article on a page that was made up.
OWN = sorted(set(load_methods()) - set(INSTALLED))
#: One of each class: what a variant costs differs little.
own_method = pytest.mark.parametrize("name", list({type(load_methods()[name]): name for name in reversed(OWN)}.values()))


#: Data records are trees of three levels or more, as the paper has it; a plain paragraph is none.
@pytest.mark.parametrize("name", [name for name in OWN if name != "mdr"])
def test_a_plain_article_is_found(name: str) -> None:
    body = load_methods()[name](Document.parse(article_page()))

    assert isinstance(body, Body)
    assert any(sentence in body.text for sentence in SENTENCES)


@every_method
def test_text_comes_only_from_the_page(name: str) -> None:
    page = Document.parse(article_page())
    words = set(" ".join(page.root.itertext()).split())

    body = load_methods()[name](page)

    if body is None:
        assert name == "mdr"
        return
    assert set(body.text.split()) <= words
    assert "hidden" not in body.text
    assert "color" not in body.text


@every_method
def test_the_same_page_gives_the_same_answer_twice(name: str) -> None:
    page = Document.parse(article_page())

    assert load_methods()[name](page) == load_methods()[name](page)


@every_method
def test_the_page_is_left_untouched(name: str) -> None:
    page = Document.parse(article_page())
    before = etree.tostring(page.root)

    load_methods()[name](page)

    assert etree.tostring(page.root) == before


@every_method
@pytest.mark.parametrize(
    "html",
    [
        "",
        " \n ",
        "<html></html>",
        "<html><body></body></html>",
        "<body><div><p> </p></div><script>alert('no text')</script></body>",
        "<br>",
    ],
)
def test_an_empty_page_holds_no_article(name: str, html: str) -> None:
    assert load_methods()[name](Document.parse(html)) is None


@every_method
def test_paragraphs_are_single_lines_of_text_and_belong_to_elements_of_the_page(name: str) -> None:
    page = Document.parse(article_page())

    body = load_methods()[name](page)

    if body is None:
        assert name == "mdr"
        return
    for paragraph in body.paragraphs:
        assert paragraph.text == " ".join(paragraph.text.split())
        assert paragraph.text
        assert isinstance(paragraph.kind, ParagraphKind)
    assert body.elements
    assert set(body.elements) <= set(page.root.iter())
    assert 0 <= body.confidence <= 1


@own_method
@pytest.mark.parametrize("tag", ["div", "span", "ul", "font", "section", "custom-tag", "blockquote"])
def test_five_thousand_nested_elements_take_less_than_two_seconds(name: str, tag: str) -> None:
    html = f"<{tag}>{SENTENCES[0]}" * 5000 + f"<p>{SENTENCES[1]}</p>" + f"</{tag}>" * 5000

    assert seconds(name, parsed(html)) < 2


@own_method
def test_a_page_of_two_hundred_kilobytes_takes_less_than_a_second(name: str) -> None:
    assert seconds(name, parsed(long_page(200_000))) < 1


@own_method
@pytest.mark.parametrize("unit", ["<br>", "<p>x", "<a>x</a> ", "<td>y", "<i>", "w ", "<div>1</div>\n", "&nbsp;"])
def test_two_hundred_kilobytes_of_one_thing_take_less_than_a_second(name: str, unit: str) -> None:
    html = "<body><div class=a>" + unit * (200_000 // len(unit))

    assert seconds(name, parsed(html)) < 1


TAGS = st.sampled_from(
    ["div", "p", "span", "a", "ul", "li", "table", "tr", "td", "h1", "h2", "strong", "article", "br", "img", "script"]
)
PIECES = st.one_of(
    TAGS.map(lambda tag: f"<{tag} class=c>"),
    TAGS.map(lambda tag: f"</{tag}>"),
    st.sampled_from([*SENTENCES, " ", "\n", "Komentarze", "<!-- x -->", "&amp;"]),
    st.text(max_size=12),
)


@own_method
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, max_size=40))
def test_no_soup_of_tags_breaks_a_method(name: str, pieces: list[str]) -> None:
    page = Document.parse("".join(pieces))
    before = etree.tostring(page.root)
    letters = {c for c in "".join(page.root.itertext()) if not c.isspace()}

    body = load_methods()[name](page)

    assert etree.tostring(page.root) == before
    if body is not None:
        assert body.paragraphs
        assert {c for c in body.text if not c.isspace()} <= letters
