"""Statements that are too large, built to do harm, or contradict each other: bounded, and nothing that may not be is permitted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stopwatch import cpu_seconds

from newscrawler.article import Reservation, Reserved
from newscrawler.politeness.rights import extract_feed_licenses, find_license_in_header, find_license_in_page
from newscrawler.politeness.rights.rsl import read_rsl
from newscrawler.politeness.rights.tdm import read_policy
from newscrawler.politeness.rights.usage import read_usage_headers

SITE = "https://example.org/license.xml"
BOMB = (
    b'<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (99 + n, b"&%c;" % (98 + n) * 10) for n in range(1))
    + b']><rsl xmlns="https://rslstandard.org/rsl"><content url="/">&c;</content></rsl>'
)
FOREIGN = b'<!DOCTYPE r SYSTEM "file:///etc/passwd"><rsl xmlns="https://rslstandard.org/rsl"><content url="/"/></rsl>'


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"<rsl>" + b" " * 100_000_000, id="100 MB"),
        pytest.param(BOMB, id="entities"),
        pytest.param(FOREIGN, id="document type of another file"),
        pytest.param(b"<a>" * 200_000, id="depth"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"<!doctype html><title>Not found</title>", id="page"),
        pytest.param(b"\xff\xfe\x00", id="octets"),
        pytest.param(b'<rsl xmlns="https://rslstandard.org/rsl"></rsl>', id="no content"),
        pytest.param(b'<rsl><content url="/"><license/></content></rsl>', id="no namespace"),
    ],
)
def test_a_licence_that_cannot_be_read_reserves_any_use_and_says_why(body: bytes) -> None:
    found: list[Reservation] = []

    seconds = cpu_seconds(lambda: found.extend(read_rsl(body, SITE).list_reservations("https://example.org/a")))

    assert [item.word for item in found] == [Reserved.ANY_USE]
    assert found[0].note
    assert found[0].note.endswith("so it counts as a reservation")
    assert seconds < 1


def test_contradicting_header_fields_reserve() -> None:
    found = read_usage_headers({"content-usage": ["train-ai=y", "search=n"], "content-signal": ["ai-train=no", "ai-train=yes"]})

    assert {item.word for item in found} == {Reserved.SEARCH, Reserved.AI_TRAIN}


@given(st.text(max_size=300), st.binary(max_size=300))
def test_nothing_raises(text: str, body: bytes) -> None:
    read_usage_headers({"content-usage": [text], "content-signal": [text]})
    find_license_in_header([text])
    find_license_in_page(b'<link rel=license type="application/rsl+xml" ' + body)
    read_policy(body, SITE)
    read_policy(text.encode("utf-8", "replace"), SITE)
    read_rsl(body, SITE).list_reservations("https://example.org/a")
    extract_feed_licenses(body)


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    def read() -> None:
        read_usage_headers({"content-usage": ["a=(" + "b " * 1_900 + ","]})
        read_usage_headers({"content-usage": ["a;" * 1_900]})
        find_license_in_header(["<a>" + "; a=b" * 1_000])
        find_license_in_page(b"<link " * 100_000 + b"application/rsl+xml")

    assert cpu_seconds(read) < 1


def test_a_feed_says_which_licence_holds_for_which_article() -> None:
    feed = b"""<rss xmlns:r="https://rslstandard.org/rsl"><channel>
      <item><link>https://example.org/a/1</link>
      <r:content><r:license><r:prohibits type="usage">all</r:prohibits></r:license></r:content></item>
      <item><link>https://example.org/a/2</link></item></channel></rss>"""
    licenses = extract_feed_licenses(feed)
    assert licenses is not None

    document = read_rsl(licenses, SITE)

    assert document.list_reservations("https://example.org/a/1")
    assert not document.list_reservations("https://example.org/a/2")
    assert extract_feed_licenses(b"<rss><channel/></rss>") is None


@pytest.mark.parametrize(
    ("page", "address"),
    [
        (b'<link rel="license" type="application/rsl+xml" href="/license.xml">', "/license.xml"),
        (b"<link type=application/rsl+xml href=/l.xml rel=license>", "/l.xml"),
        (b'<link rel="license" href="/cc-by">', None),
        (b'<link rel="alternate" type="application/rsl+xml" href="/feed.xml">', None),
    ],
)
def test_a_link_element_names_a_licence(page: bytes, address: str | None) -> None:
    assert find_license_in_page(page) == address


def test_a_link_field_names_a_licence() -> None:
    field = '</style.css>; rel=preload, </license.xml>; rel="license"; type="application/rsl+xml"'

    assert find_license_in_header([field]) == "/license.xml"
    assert find_license_in_header(["</terms>; rel=license"]) is None
