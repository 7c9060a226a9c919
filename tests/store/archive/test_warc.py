"""Pages go into WARC files and come out as they were, whatever happens to the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from newscrawler.errors import PageError, PageReason
from newscrawler.store.archive import PageLocation, PageWriter, RawPage, copy_record, mend, read_page

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def page(number: int = 1, **changes: object) -> RawPage:
    values: dict[str, object] = {
        "url": f"http://127.0.0.1/cl%C3%A1nek-{number}?a=1&b=%20",
        "fetched_at": NOON,
        "body": f"<p>Žluťoučký kůň {number}</p>".encode("cp1250"),
        "headers": (("Content-Type", "text/html; charset=windows-1250"), ("Content-Encoding", "gzip"), ("X-Odd", "á\r\nb")),
    }
    return RawPage(**(values | changes))  # type: ignore[arg-type]


def write(folder: Path, *pages: RawPage) -> list[PageLocation]:
    writer = PageWriter(folder, "portal", info={"software": "newscrawler"})
    kept = [writer.write(each) for each in pages]
    writer.close()
    return kept


def check(*files: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "warcio.cli", "check", *files], capture_output=True, text=True, check=False)


def test_a_page_comes_back_as_it_went_in(tmp_path: Path) -> None:
    first, second = write(tmp_path, page(1), page(2))

    back = read_page(tmp_path, second)
    assert back.body == page(2).body
    assert back.url == page(2).url
    assert back.fetched_at == NOON
    assert back.content_type == "text/html; charset=windows-1250"
    assert read_page(tmp_path, first).body == page(1).body


def test_the_encoding_of_the_transfer_is_told_but_not_claimed(tmp_path: Path) -> None:
    (kept,) = write(tmp_path, page())

    headers = dict(read_page(tmp_path, kept).headers)
    assert headers["X-Crawler-Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in headers
    assert headers["Content-Length"] == str(len(page().body))


def test_the_librarys_own_tool_finds_no_fault(tmp_path: Path) -> None:
    kept = write(tmp_path, *(page(number, body=os.urandom(20_000)) for number in range(20)))

    done = check(tmp_path / kept[0].warc)
    assert done.returncode == 0, done.stdout


def test_every_day_and_every_process_has_its_own_file(tmp_path: Path) -> None:
    today = write(tmp_path, page(1), page(2, fetched_at=NOON.replace(day=21)))
    other = write(tmp_path, page(3))

    names = [kept.warc for kept in (*today, *other)]
    assert len(set(names)) == 3
    assert names[0].startswith("portal/portal-2026-11-20-")
    assert names[1].startswith("portal/portal-2026-11-21-")


def test_a_file_that_has_grown_large_is_followed_by_another(tmp_path: Path) -> None:
    writer = PageWriter(tmp_path, "portal", most_bytes=2_000)
    kept = [writer.write(page(number, body=os.urandom(1_500))) for number in range(4)]
    writer.close()

    sizes = [path.stat().st_size for path in (tmp_path / "portal").iterdir()]
    assert len(sizes) >= 2
    assert max(sizes) < 2_000 + 2_500
    assert [read_page(tmp_path, each).url for each in kept] == [page(number).url for number in range(4)]


def test_a_page_is_read_while_its_file_is_being_written(tmp_path: Path) -> None:
    writer = PageWriter(tmp_path, "portal")
    kept = writer.write(page())

    assert read_page(tmp_path, kept).body == page().body
    assert mend(tmp_path, "portal") == []
    writer.close()


WRITE_FOR_EVER = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from newscrawler.store.archive import PageWriter, RawPage
writer = PageWriter(Path(sys.argv[1]), "portal")
while True:
    body = os.urandom(300_000)
    kept = writer.write(RawPage(url="http://127.0.0.1/", fetched_at=datetime(2026, 11, 20, tzinfo=UTC), body=body))
    print(kept.warc, kept.offset, kept.length, flush=True)
"""


def test_a_killed_process_leaves_a_torn_last_record_at_most(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITE_FOR_EVER, tmp_path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline().split() for _ in range(5)]
        time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        told += [line.split() for line in process.stdout if len(line.split()) == 3]

    (left,) = (tmp_path / "portal").iterdir()
    with left.open("ab") as file:  # however the kill fell, the last record is torn
        file.write((tmp_path / "portal" / left.name).read_bytes()[:1000])
    pages = [
        PageLocation(url="http://127.0.0.1/", fetched_at=NOON, warc=warc, offset=int(at), length=int(length), size=0, digest="")
        for warc, at, length in told
    ]
    assert all(len(read_page(tmp_path, each).body) == 300_000 for each in pages)

    (mended,) = mend(tmp_path, "portal")
    assert check(mended).returncode == 0
    with mended.open("rb") as stream:
        assert sum(record.rec_type == "response" for record in ArchiveIterator(stream)) >= len(told)
    assert all(len(read_page(tmp_path, each).body) == 300_000 for each in pages)


@pytest.mark.parametrize("damage", ["torn", "cut off", "changed", "elsewhere", "gone", "of another page"])
def test_a_damaged_page_is_told_and_never_returned(tmp_path: Path, damage: str) -> None:
    kept = write(tmp_path, page(1, body=os.urandom(3_000)), page(2))[0]
    path = tmp_path / kept.warc
    data = bytearray(path.read_bytes())
    if damage == "torn":
        path.write_bytes(data[: kept.offset + kept.length // 2])
    elif damage == "cut off":
        path.write_bytes(data[: kept.offset])
    elif damage == "changed":
        data[kept.offset + kept.length - 20] ^= 0xFF
        path.write_bytes(data)
    elif damage == "elsewhere":
        kept = replace(kept, offset=kept.offset + 7)
    elif damage == "gone":
        path.unlink()
    else:
        kept = replace(kept, url="http://127.0.0.1/other")

    with pytest.raises(PageError) as told:
        read_page(tmp_path, kept)
    assert told.value.reason is (PageReason.NOT_KEPT if damage == "gone" else PageReason.DAMAGED)
    assert str(told.value).isascii()  # the page's bytes are no part of the message


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (kept,) = write(tmp_path, page(1))
    path = tmp_path / kept.warc
    path.unlink()
    path.mkdir()

    with pytest.raises(PageError, match="cannot be read: Is a directory"):
        read_page(tmp_path, kept)


def test_a_record_is_copied_as_it_stands(tmp_path: Path) -> None:
    first, second = write(tmp_path, page(1), page(2))
    target = Path("portal/reviewed.warc.gz")
    places = [copy_record(tmp_path, kept, target) for kept in (second, first)]

    moved = [
        replace(kept, warc=str(target), offset=at, length=length)
        for kept, (at, length) in zip((second, first), places, strict=True)
    ]
    assert [read_page(tmp_path, kept).body for kept in moved] == [page(2).body, page(1).body]
    assert check(tmp_path / target).returncode == 0


def test_a_full_disk_leaves_the_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = PageWriter(tmp_path, "portal")
    first = writer.write(page(1))
    assert writer._file is not None
    broken = writer._file

    class Full:
        def __init__(self) -> None:
            self.left = 100

        def __getattr__(self, name: str) -> object:
            return getattr(broken, name)

        def write(self, data: bytes) -> int:
            self.left -= len(data)
            if self.left < 0:
                raise OSError(28, "No space left on device")
            return broken.write(data)

    monkeypatch.setattr(writer, "_file", Full())
    with pytest.raises(OSError, match="No space"):
        writer.write(page(2, body=os.urandom(5_000)))
    monkeypatch.setattr(writer, "_file", broken)
    third = writer.write(page(3))
    writer.close()

    assert [read_page(tmp_path, kept).body for kept in (first, third)] == [page(1).body, page(3).body]
    assert check(tmp_path / first.warc).returncode == 0
