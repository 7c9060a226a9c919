import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.discovery import Lead
from newscrawler.discovery.sitemaps import read_sitemap, sort_by_promise, sort_newest_first

_URL = "https://example.com/sitemap.xml"
_PAGES = b"""<?xml version="1.0" encoding="UTF-8"?><!-- made by x -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://example.com/old </loc><lastmod>2026-01-02</lastmod></url>
<url><image:image><image:loc>https://example.com/p.jpg</image:loc></image:image><loc>https://example.com/new</loc>
<news:news><news:publication><news:name>N</news:name><news:language>cs</news:language></news:publication>
<news:publication_date>2026-11-20T08:00:00+01:00</news:publication_date><news:title>Nov\xc3\xbd most</news:title></news:news></url>
<url><loc>/plain?a=1&b=2</loc><lastmod>yesterday</lastmod></url>
<url><loc>mailto:x@example.com</loc></url><url/>
</urlset>"""
_INDEX = b"""<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/wp-sitemap-taxonomies-post_tag-1.xml</loc></sitemap>
<sitemap><loc>https://example.com/sitemap-2025.xml</loc><lastmod>2025-12-31</lastmod></sitemap>
<sitemap><loc>https://example.com/sitemap-2026.xml</loc><lastmod>2026-11-20</lastmod></sitemap>
<sitemap><loc>https://example.com/news-sitemap.xml</loc></sitemap></sitemapindex>"""


def test_pages_are_given_with_times_and_titles():
    sitemap = read_sitemap(_PAGES, _URL)

    old, new, other = sitemap.entries
    assert sitemap.problem == ""
    assert old.changed_at == datetime(2026, 1, 2, tzinfo=UTC)
    assert (new.url, new.title) == ("https://example.com/new", "Nový most")
    assert new.published_at == datetime(2026, 11, 20, 7, tzinfo=UTC)
    assert (other.url, other.changed_at) == ("https://example.com/plain?a=1&b=2", None)


def test_an_index_gives_sitemaps_news_first_and_tags_last():
    sitemap = read_sitemap(_INDEX, _URL)

    assert {entry.kind for entry in sitemap.entries} == {"sitemap"}
    assert [entry.url.rpartition("/")[2] for entry in sort_by_promise(sitemap.entries)] == [
        "news-sitemap.xml",
        "sitemap-2026.xml",
        "sitemap-2025.xml",
        "wp-sitemap-taxonomies-post_tag-1.xml",
    ]


def test_packed_sitemaps_are_unpacked_even_twice_and_cut_off():
    packed = gzip.compress(_PAGES)

    assert len(read_sitemap(packed, _URL).entries) == 3
    assert len(read_sitemap(gzip.compress(packed), _URL).entries) == 3
    assert len(read_sitemap(packed[: len(packed) // 2], _URL).entries) < 3


def test_a_text_list_is_a_sitemap():
    sitemap = read_sitemap(b"\xef\xbb\xbfhttps://example.com/a\r\n\r\nhttps://example.com/b\nrubbish\n", _URL)

    assert [page.url for page in sitemap.entries] == ["https://example.com/a", "https://example.com/b"]


def test_a_feed_in_place_of_a_sitemap_is_read():
    feed = b"<rss><channel><item><link>https://example.com/a</link><title>A</title></item></channel></rss>"

    sitemap = read_sitemap(feed, _URL)

    assert [page.title for page in sitemap.entries] == ["A"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "no feed or sitemap"),
        (b"<!DOCTYPE html><html><body>Home</body></html>", "HTML page"),
        (b"<!DOCTYPE urlset [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>&x;</loc></url></urlset>", ""),
        (b"\x1f\x8bnot gzip", "no feed or sitemap"),
    ],
)
def test_what_is_no_sitemap_gives_nothing_and_says_why(data, problem):
    sitemap = read_sitemap(data, _URL)

    assert (sitemap.entries, sitemap.problem) == ((), problem)


def test_newest_first():
    undated = Lead("https://example.com/u")
    old = Lead("https://example.com/o", changed_at=datetime(2025, 1, 1, tzinfo=UTC))
    new = Lead("https://example.com/n", published_at=datetime(2026, 1, 1, tzinfo=UTC))

    assert sort_newest_first([undated, old, new]) == (new, old, undated)


@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"<urlset><url><loc>", b"<sitemapindex><sitemap>", b"http://", b"\x1f\x8b\x08\x00"]),
)
def test_no_document_makes_reading_fail(data, prefix):
    assert read_sitemap(prefix + data, _URL) is not None
