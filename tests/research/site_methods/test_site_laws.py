"""What holds for every site method, whatever it learns."""

from __future__ import annotations

import json
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from stopwatch import cpu_seconds

from newscrawler.errors import ConfigError
from newscrawler.extraction.templates import read_template, write_template
from newscrawler.page import Document
from newscrawler.research.site_methods import SITE_METHODS

WORDS = "river bridge council winter school garden market engine museum doctor forest island".split()  # noqa: SIM905


def sentence(article: int, number: int) -> str:
    return (
        " ".join(WORDS[(article * 7 + number * 5 + place * (article + 2)) % 12] for place in range(24)).capitalize()
        + f" {article}{number}."
    )


def article_page(article: int, paragraphs: int = 5) -> str:
    menu = "".join(f"<li><a href='/s{i}'>Section {i}</a></li>" for i in range(8))
    text = "".join(f"<p>{sentence(article, number)}</p>" for number in range(paragraphs))
    related = "".join(f"<li><a href='/r{article}{i}'>Related {article} {i}</a></li>" for i in range(3))
    return (
        f"<html><head><title>Headline {article}</title></head><body><div id=top><ul>{menu}</ul></div>"
        f"<div id=page-{article}1><h1>Headline {article}</h1><div id=text class='body'>{text}</div>"
        f"<ul class=more>{related}</ul></div>"
        "<div id=foot><p>All rights are reserved by the publisher of these pages, who answers letters on Mondays.</p></div>"
        "<script>var hidden = 1;</script></body></html>"
    )


def site(count: int = 4) -> list[Document]:
    return [Document.parse(article_page(article, 4 + article % 3)) for article in range(1, count + 1)]


@lru_cache(maxsize=32)
def parsed(html: str) -> Document:
    return Document.parse(html)


every_method = pytest.mark.parametrize("name", sorted(SITE_METHODS))
#: One of each class: what a variant costs differs little.
each_class = pytest.mark.parametrize("name", list({type(method): name for name, method in reversed(SITE_METHODS.items())}.values()))


#: Related links vary from page to page, so without our last step they are extracted too; ids differ on every page of this site.
@pytest.mark.parametrize("name", sorted(set(SITE_METHODS) - {"modified_ttr_wrapper"}))
def test_the_article_of_an_unseen_page_is_found_and_the_site_around_it_is_not(name: str) -> None:
    page = Document.parse(article_page(9, 5))

    body = SITE_METHODS[name].learn(site())(page)

    assert body is not None
    assert [sentence(9, number) in body.text for number in range(5)] == [True] * 5
    assert "Section" not in body.text
    assert "reserved" not in body.text


@every_method
def test_text_comes_only_from_the_page(name: str) -> None:
    page = Document.parse(article_page(1))

    body = SITE_METHODS[name].learn(site())(page)

    assert body is not None
    assert set(body.text.split()) <= set(" ".join(page.body.itertext()).split())
    assert set(body.elements) <= set(page.root.iter())


@each_class
def test_pages_are_left_untouched_by_learning_and_by_reading(name: str) -> None:
    pages = site()
    before = [etree.tostring(page.root) for page in pages]

    SITE_METHODS[name].learn(pages)(pages[0])

    assert [etree.tostring(page.root) for page in pages] == before


@every_method
def test_learning_twice_gives_the_same_template_and_reading_twice_the_same_body(name: str) -> None:
    page = Document.parse(article_page(9))
    template = SITE_METHODS[name].learn(site())

    assert write_template(SITE_METHODS[name].learn(site())) == write_template(template)
    assert template(page) == template(page)


@every_method
def test_a_template_read_from_json_reads_pages_as_before(name: str) -> None:
    template = SITE_METHODS[name].learn(site())
    page = Document.parse(article_page(9))

    again = read_template(write_template(template))

    assert again(page) == template(page)
    assert again.method == template.method
    assert write_template(again) == write_template(template)


@each_class
@pytest.mark.parametrize("html", ["", "<html></html>", "<body><div><p> </p></div><script>x</script></body>"])
def test_an_empty_page_holds_no_article(name: str, html: str) -> None:
    assert SITE_METHODS[name].learn(site())(Document.parse(html)) is None


@every_method
def test_learning_from_empty_pages_is_no_error(name: str) -> None:
    template = SITE_METHODS[name].learn([Document.parse(""), Document.parse("")])

    template(Document.parse(article_page(9)))

    assert write_template(read_template(write_template(template))) == write_template(template)


@every_method
def test_too_few_pages_are_refused_with_the_number_that_is_needed(name: str) -> None:
    with pytest.raises(ConfigError, match=f"learns from {SITE_METHODS[name].least_pages} pages"):
        SITE_METHODS[name].learn([])


@every_method
def test_a_page_of_another_site_is_survived(name: str) -> None:
    template = SITE_METHODS[name].learn(site())

    body = template(Document.parse("<main><section><p>Elsewhere <b>everything</b> is different.</p></section></main>"))

    assert body is None or set(body.text.split()) <= {"Elsewhere", "everything", "is", "different."}


@each_class
@pytest.mark.parametrize("tag", ["div", "span", "ul", "custom-tag"])
def test_five_thousand_nested_elements_take_less_than_two_seconds(name: str, tag: str) -> None:
    page = parsed(f"<{tag}>x" * 5000)

    assert cpu_seconds(lambda: SITE_METHODS[name].learn(site())(page)) < 2


@each_class
@pytest.mark.parametrize("unit", ["<br>", "<p>x", "<a>x</a> ", "<td>y", "<div class=a{0}>{0}</div>", "<b{0}>w</b{0}>"])
def test_two_hundred_kilobytes_take_less_than_two_seconds(name: str, unit: str) -> None:
    template = SITE_METHODS[name].learn(site())
    page = parsed("<body><div id=text class=body>" + "".join(unit.format(number) for number in range(200_000 // (len(unit) + 2))))

    assert cpu_seconds(lambda: template(page)) < 2


@each_class
@pytest.mark.parametrize("unit", ["<br>", "<p>x</p>", "<p>{0}</p>", "<div class=a{0}><b>{0}</b></div>"])
def test_learning_from_four_pages_of_fifty_kilobytes_takes_less_than_five_seconds(name: str, unit: str) -> None:
    pages = [
        parsed(f"<body><div id=text><i>{page}</i>" + "".join(unit.format(number * page) for number in range(50_000 // len(unit))))
        for page in range(1, 5)
    ]

    assert cpu_seconds(lambda: SITE_METHODS[name].learn(pages)) < 5


PIECES = st.lists(
    st.sampled_from(["<div>", "</div>", "<p>", "</p>", "<a>", "</a>", "<li>", "</li>", "one", "two", "three ", "<br>"]), max_size=25
)


@every_method
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=PIECES, two=PIECES, three=PIECES)
def test_no_soup_of_tags_breaks_learning_or_reading(name: str, one: list[str], two: list[str], three: list[str]) -> None:
    template = SITE_METHODS[name].learn([Document.parse("".join(one)), Document.parse("".join(two))])
    page = Document.parse("".join(three))

    body = read_template(write_template(template))(page)

    assert body == template(page)
    if body is not None:
        assert body.paragraphs


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"method": "no such method", "version": 1, "parameters": {}, "learned": {}}', "not JSON"],
)
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="template"):
        read_template(text)


def test_a_template_of_another_version_is_refused() -> None:
    stored = json.loads(write_template(SITE_METHODS["trinity"].learn(site())))

    with pytest.raises(ConfigError, match="learn it again"):
        read_template(json.dumps(stored | {"version": 99}))


def test_a_template_keeps_the_parameters_that_it_was_learned_with() -> None:
    strict = read_template(write_template(SITE_METHODS["trinity_strict"].learn(site())))

    assert strict.method == SITE_METHODS["trinity_strict"]
