"""Sitemaps as large as their protocol allows, and larger, are read in bounded memory; of too many entries the newest count."""

from __future__ import annotations

import gzip
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawler.discovery import markup, sitemaps
from newscrawler.discovery.markup import Pieces, decode_pieces, parse_time
from newscrawler.discovery.sitemaps import read_sitemap

URL = "https://example.com/sitemap.xml"
#: Prints by how many KiB reading a sitemap made the process larger.
MEASURE = """
import resource, sys
from newscrawler.discovery.sitemaps import read_sitemap
data = open(sys.argv[1], "rb").read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read_sitemap(data, "https://example.com/sitemap.xml")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def place(name: object, more: str = "") -> str:
    return f"<url><loc>https://example.com/{name}</loc>{more}</url>"


def changed(moment: datetime) -> str:
    return f"<lastmod>{moment.isoformat()}</lastmod>"


def names(data: str | bytes) -> list[str]:
    found = read_sitemap(data.encode() if isinstance(data, str) else data, URL, now=NOW)
    return [page.url.removeprefix("https://example.com/") for page in found.entries]


def test_unpacking_is_bounded_and_says_so() -> None:
    bomb = gzip.compress(b"http://example.com/a\n" * 1_000_000)
    pieces = Pieces(bomb, 10_000)

    assert sum(map(len, pieces)) == 10_000
    assert pieces.cut
    assert sum(map(len, Pieces(gzip.compress(bomb), 10_000))) == 10_000
    assert sum(map(len, Pieces(bomb[:-4] + b"oops", 10_000))) <= 10_000


def test_a_packed_file_of_several_parts_is_read_as_a_whole() -> None:
    whole = gzip.compress(b"<urlset>" + place(1).encode()) + gzip.compress(place(2).encode() + b"</urlset>")

    assert names(whole) == ["1", "2"]
    assert names(whole + b"\0" * 100) == ["1", "2"]


def test_a_packed_file_that_breaks_off_gives_what_was_whole() -> None:
    packed = gzip.compress("".join(place(f"article-{number * 7919}") for number in range(3000)).join(["<urlset>", ""]).encode())

    found = names(packed[: len(packed) * 2 // 3])

    assert 1000 < len(found) < 3000
    assert found == [f"article-{number * 7919}" for number in range(len(found))]


@pytest.mark.parametrize(
    "body",
    [
        b"<b/>" * 1_500_000,
        f"<url><loc>https://example.com/1</loc><image>{'x' * 800}</image></url>".encode() * 8_000,
        b"<url><loc>https://example.com/" + b"x" * 8_000_000 + b"</loc></url>",
        b"<url>" * 1_500_000,
    ],
    ids=["empty elements", "entries", "one long address", "elements without end"],
)
def test_memory_does_not_grow_with_the_document(body: bytes, tmp_path: Path) -> None:
    (tmp_path / "sitemap.gz").write_bytes(gzip.compress(b"<urlset>" + body, 1))

    done = subprocess.run([sys.executable, "-c", MEASURE, tmp_path / "sitemap.gz"], capture_output=True, text=True, check=True)

    assert int(done.stdout) < 30 * 1024  # a tree of the first is 200 MB


def test_of_too_many_entries_the_newest_are_taken_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MOST_ENTRIES", 3)
    days = [5, 9, 1, 7, 2, 8, 3, 6, 4]

    found = read_sitemap(
        f"<urlset>{''.join(place(day, changed(NOW - timedelta(days=day))) for day in days)}".encode(), URL, now=NOW
    )

    assert [page.url.rpartition("/")[2] for page in found.entries] == ["1", "2", "3"]
    assert found.problem == "too many entries"


def test_no_more_than_a_bound_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MOST_LOOKED_AT", 4)

    found = read_sitemap(f"<urlset>{''.join(map(place, range(9)))}".encode(), URL)

    assert (len(found.entries), found.problem) == (4, "too many entries")


def test_what_is_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawler.discovery.markup.MOST_SITEMAP_BYTES", 1_000)

    found = read_sitemap(f"<urlset>{''.join(map(place, range(900)))}".encode(), URL)

    assert found.problem == "too large"
    assert 10 < len(found.entries) < 30


def test_a_feed_of_nothing_but_tags_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "MOST_TAGS", 100)
    item = "<item><link>https://example.com/a</link></item>"

    root, _ = markup.parse_tree(f"<rss><channel>{item}{'<b/>' * 5_000}</channel></rss>")

    assert root is not None
    assert sum(1 for _ in root.iter()) < 110


def test_times_to_come_say_nothing_of_what_is_new() -> None:
    future, past, tomorrow = (NOW + timedelta(days=days) for days in (900, -3, 0.5))
    news = f"<news><publication_date>{future.isoformat()}</publication_date></news>"
    rows = place(1, changed(future) + news) + place(2, changed(past)) + place(3, changed(tomorrow))

    found = read_sitemap(f"<urlset>{rows}".encode(), URL, now=NOW)

    assert [page.changed_at for page in found.entries] == [None, past, tomorrow]
    assert found.entries[0].published_at is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-11-20T8:00:00+01:00", "2026-11-20T08:00:00+01:00"), ("2026/11/20 08:00:00", "2026-11-20T08:00:00+00:00"),
        ("2026-11-20 08:00:00 UTC", "2026-11-20T08:00:00+00:00"), ("2026-11-20T08:00:00z", "2026-11-20T08:00:00+00:00"),
        ("2026-1-5", "2026-01-05T00:00:00+00:00"), ("1763625600", "2025-11-20T08:00:00+00:00"),
        ("1763625600000", "2025-11-20T08:00:00+00:00"), ("0000-00-00", None), ("2026-11-20 08:00 o'clock", None),
        ("2026-13-40", None), ("20. 11. 2026", None), ("Mon, 01 Jan 0001 00:00:00 +0000", None), ("0001-01-01T00:00:00Z", None),
        ("Fri, 20 Nov 2026 08:00:00 +0001", "2026-11-20T08:00:00+00:01"),
    ],
)  # fmt: skip
def test_times_are_read_as_programs_write_them(written: str, read: str | None) -> None:
    moment = parse_time(written)

    assert moment == (datetime.fromisoformat(read) if read else None)


@pytest.mark.parametrize(
    "data",
    [
        f"\ufeff\n \n<?xml version='1.0'?><urlset>{place('a')}</urlset>".encode(),
        f"<?xml version='1.0' encoding='UTF-16'?><urlset>{place('a')}</urlset>".encode("utf-16"),
        f"<urlset xmlns='urn:wrong'>{place('a')}</urlset>".encode(),
        b"<s:urlset xmlns:s='urn:x'><s:url><s:loc>https://example.com/a</s:loc></s:url></s:urlset>",
        b"<urlset><x:url><loc>https://example.com/a</loc></x:url></urlset>",
        b"<urlset><url><loc><![CDATA[https://example.com/a]]></loc></url></urlset>",
        b"<urlset><url><loc>/a</loc></url></urlset>",
        b"<urlset><url><loc>//example.com/a</loc><loc>https://example.com/b</loc></url></urlset>",
        b"<urlset><URL><LOC>https://example.com/a</LOC></URL></urlset>",
        f"Notice: x\n<br>\n<urlset>{place('a')}</urlset>".encode(),
        f"<urlset>{place('a')}<url><loc>https://example.com/ab".encode(),
        b"<urlset><url><loc>https://example.com/a</loc><lastmod>2026-01-01",
        b"<urlset><url><loc>https://example.com/a</loc><url></url></urlset>",
        b"<urlset><url><image><loc>https://example.com/p.jpg</loc></image><loc>https://example.com/a</loc></url></urlset>",
        f"<urlset><url><loc>http://[::1</loc></url><url><loc>javascript:x()</loc></url>{place('a')}</urlset>".encode(),
    ],
)  # fmt: skip
def test_sitemaps_as_they_are_found(data: bytes) -> None:
    assert names(data) == ["a"]


def test_an_entity_that_two_pieces_share_is_read() -> None:
    for length in range(65_480, 65_540):
        filler = "x" * length
        assert names(f"<urlset><!--{filler}-->{place('a?b=1&amp;c=2&d=3')}</urlset>") == ["a?b=1&c=2&d=3"]


def test_a_letter_that_two_pieces_share_is_read() -> None:
    data = ("<a>" + "ž" * 100_000).encode()

    assert "".join(decode_pieces(Pieces(data), None)) == data.decode()
    assert "".join(decode_pieces(Pieces(b"x" + data), None)) == "x" + data.decode()


def test_a_list_of_addresses_is_read_in_pieces() -> None:
    addresses = [f"https://example.com/{number}" for number in range(9_000)]

    assert names("\r\n".join(addresses)) == [str(number) for number in range(9_000)]
    assert names("\r".join(addresses[:2000])) == [str(number) for number in range(2000)]
    assert len(names(f"{addresses[0]}\n{'x' * 500_000}\n{addresses[1]}")) == 2
