import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.discovery.feeds import read_feed

_URL = "https://example.com/feed/"

_RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"><channel>
<title>Deník &amp; noviny</title><link>https://example.com/</link>
<item><media:title>Foto</media:title><title><![CDATA[Most <b>otevřen</b> &ndash; konečně]]></title><link>/most?utm_source=rss</link>
<pubDate>Fri, 20 Nov 2026 10:30:00 +0100</pubDate><dc:creator>Jan Novák</dc:creator><category>Domácí</category>
<description>&lt;p&gt;Po dvou letech.&lt;/p&gt;</description><guid isPermaLink="false">77</guid></item>
<item><title>Bez odkazu</title><guid>https://example.com/druhy</guid></item>
<item><title>Nic</title></item>
</channel></rss>"""

_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link rel="next" href="/atom?page=2"/>
<entry><title type="html">One &amp;amp; two</title><link rel="enclosure" href="/a.mp3"/>
<link rel="alternate" type="text/html" href="/one"/>
<id>tag:example.com,2026:1</id><published>2026-11-20T10:30:00.1234567Z</published><updated>2026-11-20T11:00:00Z</updated>
<author><name>Ann</name></author><summary>Short</summary><category term="news"/></entry></feed>"""

_RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>RDF</title></channel>
<item rdf:about="https://example.com/r"><title>R</title><dc:date>2026-11-20</dc:date></item></rdf:RDF>"""


def test_rss_gives_entries_with_all_they_say():
    feed = read_feed(_RSS.encode(), _URL)

    first, second = feed.entries
    assert feed.problem == ""
    assert first.url == "https://example.com/most"
    assert first.title == "Most otevřen – konečně"
    assert first.published_at == datetime(2026, 11, 20, 10, 30, tzinfo=timezone(timedelta(hours=1)))
    assert second.url == "https://example.com/druhy"


def test_atom_gives_entries():
    feed = read_feed(_ATOM.encode(), _URL)

    (entry,) = feed.entries
    assert (entry.url, entry.title) == ("https://example.com/one", "One & two")
    assert entry.published_at == datetime(2026, 11, 20, 10, 30, 0, 123456, tzinfo=UTC)
    assert entry.changed_at == datetime(2026, 11, 20, 11, tzinfo=UTC)


def test_rdf_gives_entries_and_a_day_counts_in_the_portals_time_zone():
    zone = timezone(timedelta(hours=2))

    feed = read_feed(_RDF.encode(), _URL, time_zone=zone)

    assert feed.entries[0].published_at == datetime(2026, 11, 20, tzinfo=zone)


def test_json_feed_gives_entries():
    data = {
        "version": "https://jsonfeed.org/version/1.1", "title": "J", "next_url": "/feed.json?page=2",
        "items": [{"id": "1", "url": "/j", "date_published": "2026-11-20T10:00:00Z", "authors": [{"name": "A"}]}, 5, {}],
    }  # fmt: skip

    feed = read_feed(json.dumps(data).encode(), _URL)

    (entry,) = feed.entries
    assert (entry.url, entry.published_at) == ("https://example.com/j", datetime(2026, 11, 20, 10, tzinfo=UTC))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "no feed or sitemap"),
        (b"<!DOCTYPE html><html><body><rss></rss></body></html>", "HTML page"),
        (b"<html><head><title>Not found</title>", "HTML page"),
        (b'{"error": 404}', "no feed or sitemap"),
        (b"{broken", "broken JSON"),
        (b"\x00\x01\x02\xff", "no feed or sitemap"),
        (b"<?xml version='1.0'?><opml/>", "no feed or sitemap"),
    ],
)
def test_what_is_no_feed_gives_nothing_and_says_why(data, problem):
    feed = read_feed(data, _URL)

    assert (feed.entries, feed.problem) == ((), problem)


def test_declared_entities_are_dropped_whether_they_explode_or_read_files():
    rss = _RSS.partition("?>")[2].replace("Bez odkazu", "n&a;&x;&b;")
    bomb = '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "]><rss>"><!-- it\'s --><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>' + rss
    reader = '<!DOCTYPE rss SYSTEM "x.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd"> <!ENTITY % p "q"> %p;]>' + rss

    for feed in (bomb, reader):
        assert [entry.title for entry in read_feed(feed.encode(), _URL).entries] == ["Most otevřen – konečně", "n"]


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("CEST", 2),
        ("BST", 1),
        ("JST", 9),
        ("MSK", 3),
        ("(CET)", 1),
        ("EST", -5),
        ("GMT+0300", 3),
        ("UTC+2", 2),
        ("Z", 0),
        ("XYZ", 7),
    ],
)
def test_zones_have_names(zone, hours):
    for written in (f"Fri, 20 Nov 2026 10:30:00 {zone}", f"2026-11-20 10:30 {zone}"):
        feed = read_feed(
            _RSS.replace("Fri, 20 Nov 2026 10:30:00 +0100", written).encode(), _URL, time_zone=timezone(timedelta(hours=7))
        )
        assert feed.entries[0].published_at == datetime(2026, 11, 20, 10, 30, tzinfo=timezone(timedelta(hours=hours)))


def test_a_feed_cut_off_in_the_middle_gives_what_came_before():
    feed = read_feed(_RSS[: _RSS.index("Bez odkazu")].encode(), _URL)

    assert [entry.url for entry in feed.entries] == ["https://example.com/most"]


def test_notices_of_a_broken_program_and_stray_signs_do_not_hide_the_feed():
    broken = "\n<br />\nWarning: something in feed.php\n" + _RSS.replace("&amp;", "& \x0b")

    assert len(read_feed(broken.encode(), _URL).entries) == 2


def test_the_declared_encoding_counts():
    data = _RSS.replace("UTF-8", "windows-1250").encode("cp1250", "xmlcharrefreplace")

    assert read_feed(data, _URL).entries[0].title.startswith("Most otevřen")


def test_an_entry_that_stands_twice_is_given_once():
    doubled = _RSS.replace("</channel>", "<item><link>https://example.com/most</link><title>x</title></item></channel>")

    assert len(read_feed(doubled.encode(), _URL).entries) == 2


@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"<rss><channel><item>", b"<feed><entry><link href='", b'{"items": [{"url": ', b"\x1f\x8b"]),
)
def test_no_document_makes_reading_fail(data, prefix):
    assert read_feed(prefix + data, _URL) is not None


@given(st.text(max_size=30))
def test_no_time_makes_reading_fail(text):
    clean = text.replace("<", "").replace("&", "")

    feed = read_feed(_RSS.replace("Fri, 20 Nov 2026 10:30:00 +0100", clean).encode("utf-8", "replace"), _URL)

    assert feed.entries[0].published_at is None or feed.entries[0].published_at.tzinfo is not None
