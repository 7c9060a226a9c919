"""Which requests of a page to a GraphQL API only read."""

from __future__ import annotations

import json

import pytest

from newscrawler.discovery import extract_reading_query


def body(query: object, **more: object) -> bytes:
    return json.dumps({"query": query, **more}).encode()


@pytest.mark.parametrize("query", [
    "{ story { title } }",
    """query Story($slug: ID! = "a}b", $in: In = {a: [1]}) @live(if: {a: 1}) { story(slug: $slug) { ...Body mutation } }
    fragment Body on Story { body } # mutation { x }""",
    '\ufeff query { a(text: """mutation { "x" } """) { b } }, { c }',
])  # fmt: skip
def test_queries_and_fragments_are_sent(query: str) -> None:
    sent = extract_reading_query(body(query, operationName="Story", variables={"slug": "a"}, extensions={"persistedQuery": {}}))

    assert sent is not None
    assert json.loads(sent) == {"query": query, "operationName": "Story", "variables": {"slug": "a"}}


@pytest.mark.parametrize("sent", [
    body("mutation { like }"),
    body("subscription { news }"),
    body("query { a } mutation { like }"),
    body("{ a } # \n mutation { like }"),
    body('query { a(b: "\\"}") } mutation { like }'),
    body('{ a(b: """ \\""" } { """) } mutation { like }'),
    body('{ a(b: "}\n) } mutation { like }'),
    body("extend type Query { a: Int }"),
    body("{ a"),
    body("} { a }"),
    body("query"),
    body(""),
    body(None),
    body(["{ a }"]),
    b'[{"query": "{ a }"}]',
    b'{"operationName": "Story", "extensions": {"persistedQuery": {"sha256Hash": "00"}}}',
    b"slug=a",
    b"\xff",
    b"[" * 100_000,
    body('{ a(b: "' + "x" * 70_000 + '") }'),
])  # fmt: skip
def test_what_may_change_something_or_cannot_be_read_is_not_sent(sent: bytes) -> None:
    assert extract_reading_query(sent) is None


def test_of_two_queries_under_one_name_the_one_that_was_read_is_sent() -> None:
    sent = extract_reading_query(b'{"query": "mutation { like }", "query": "{ a }"}')

    assert sent is not None
    assert json.loads(sent) == {"query": "{ a }"}
    assert extract_reading_query(b'{"query": "{ a }", "query": "mutation { like }"}') is None
