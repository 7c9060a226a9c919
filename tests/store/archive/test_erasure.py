"""A page that is taken out of its WARC file leaves an empty record, and every other record where it was."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from newscrawler.errors import PageError
from newscrawler.store.archive import PageWriter, RawPage, erase, read_page
from newscrawler.store.archive.retention import blank_member

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def raw(number: int, size: int = 500) -> RawPage:
    body = f"<p>Zpráva {number}</p>".encode() + bytes((number + place * place) % 251 for place in range(size))
    return RawPage(
        url=f"https://www.example.org/{number}", fetched_at=NOW, body=body, status=200, headers=(("Content-Type", "text/html"),)
    )


def test_the_others_are_read_as_before(tmp_path: Path) -> None:
    writer = PageWriter(tmp_path, "p")
    kept = [writer.write(raw(number, size)) for number, size in ((1, 500), (2, 200_000), (3, 500))]

    assert erase(tmp_path, kept[1])  # while the file is still being written
    kept.append(writer.write(raw(4)))
    writer.close()
    assert erase(tmp_path, kept[0])

    assert [read_page(tmp_path, page).body for page in (kept[2], kept[3])] == [raw(3).body, raw(4).body]
    for page in kept[:2]:
        with pytest.raises(PageError):
            read_page(tmp_path, page)
    (path,) = tmp_path.rglob("*.warc.gz")
    text = gzip.decompress(path.read_bytes())
    assert "Zpráva 3".encode() in text
    assert "Zpráva 1".encode() not in text
    with path.open("rb") as file:
        told = [record.rec_headers.get_header("WARC-Target-URI") or record.rec_type for record in ArchiveIterator(file)]
    assert told == ["warcinfo", "metadata", "metadata", "https://www.example.org/3", "https://www.example.org/4"]


def test_a_file_that_is_gone_needs_nothing(tmp_path: Path) -> None:
    writer = PageWriter(tmp_path, "p")
    kept = writer.write(raw(1))
    writer.close()
    next(tmp_path.rglob("*.warc.gz")).unlink()

    assert not erase(tmp_path, kept)


@pytest.mark.parametrize("length", [*range(23, 40), 65_535, *range(65_545, 65_570), 131_100, 200_000])
def test_a_blank_member_has_any_length(length: int) -> None:
    member = blank_member(length, "2026-05-01T12:00:00Z")

    assert len(member) == length
    text = gzip.decompress(member)
    assert text.startswith(b"WARC/1.1\r\n") or not text.strip()


def test_nothing_is_shorter_than_a_member() -> None:
    with pytest.raises(ValueError, match="22 bytes"):
        blank_member(22, "2026-05-01T12:00:00Z")
