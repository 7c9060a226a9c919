"""JSON-LD is read as leniently as the web writes it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawler.page import Document
from newscrawler.page.json_ld import load_leniently, read_types


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "b"}',
        '<!-- {"a": "b"} -->',
        '//<![CDATA[\n{"a": "b"}\n//]]>',
        '/* <![CDATA[ */ {"a": "b"} /* ]]> */',
        '\ufeff{"a": "b"};',
        '{"a": "b",}',
        '{"a": "b",,}',
        "{&quot;a&quot;: &quot;b&quot;}",
        '{"a": "b"',
        '{"a": "b", "c": ',
        'var data = {"a": "b"};',
        "window.ld = {'a': 'b'}",
        '{"a": "b"}}',
        '[{"a": "b"}]]',
        '{<br />"a": "b"<br>}',
        "{“a”: “b”}",
        '{a: "b",}',
        '<p>{"a": "b"}</p>',
        '{"a": "b"} // end of the schema',
        '{\xa0"a":\xa0"b"}',
    ],
)
def test_wrapping_commas_entities_and_cut_ends_are_repaired(text: str) -> None:
    assert load_leniently(text) in ([{"a": "b"}], [[{"a": "b"}]])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "one\ntwo\ttabs"}', "one\ntwo\ttabs"),
        ('{"a": "he said "no" twice", "c": 1}', 'he said "no" twice'),
        (r'{"a": "it\'s"}', "it's"),
        (r'{"a": "C:\data"}', r"C:\data"),
        ('{"a": "x"\n"c": "y"}', "x"),
        ('{"c": , "a": "x: , y"}', "x: , y"),
        ('{"c": undefined, "d": NaN, "a": "x"}', "x"),
        ('{“a”: “he said “no” twice”, "c": 1, }', "he said “no” twice"),
    ],
)
def test_strings_with_faults_keep_their_text(text: str, value: str) -> None:
    assert load_leniently(text)[0]["a"] == value


def test_several_objects_in_a_row_are_all_read() -> None:
    assert load_leniently('{"a": 1}\n{"b": 2};{"c": 3}') == [{"a": 1}, {"b": 2}, {"c": 3}]
    assert load_leniently('[{"a": 1}{"b": 2}]') == [[{"a": 1}, {"b": 2}]]


def test_what_is_no_json_is_passed_over() -> None:
    assert load_leniently("window.x = 1") == []
    assert load_leniently("") == []
    assert load_leniently("[" * 100_000) == []


def test_every_object_knows_the_keys_that_lead_to_it() -> None:
    page = Document.parse(
        '<script type="application/ld+json">{"@graph":[{"@type":"WebPage","mainEntity":{"@type":["NewsArticle","https://schema.org/Report"],'
        '"author":[{"name":"Eva"}]}}]}</script>'
    )

    found = {read_types(placed.value): placed.path for placed in page.placed_json_ld}

    assert found == {(): ("mainEntity", "author"), ("WebPage",): (), ("NewsArticle", "Report"): ("mainEntity",)}


@given(st.text(alphabet='{}[]",:\\ab1 \n&;<!-', max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_script_is_read_or_passed_over(text: str) -> None:
    assert isinstance(load_leniently(text), list)


def test_repairing_takes_time_linear_in_the_script() -> None:
    started = time.process_time()

    for text in ('{"a":"' * 20_000, '"' * 100_000, "," * 100_000, '{"a": "b" "c"' * 5_000, "}" * 100_000):
        load_leniently(text)

    assert time.process_time() - started < 5.0
