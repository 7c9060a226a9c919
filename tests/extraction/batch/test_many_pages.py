"""Many pages at once: order, faults, a process that dies, and a run that is interrupted."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from portal_server import PortalServer

from newscrawler import extract_many
from newscrawler.errors import ConfigError, PageReason
from newscrawler.extraction.batch import InputPage, find_pages, find_warc_pages, pool

COMMAND = [sys.executable, "-m", "newscrawler"]


def page(number: int) -> str:
    """An article whose headline holds its number."""
    return (
        f'<html lang="en"><head><title>Ferry {number}</title></head><body><h1>Ferry number {number} returns to the harbour</h1>'
        f"<p>Ferry {number} came back on Monday after two months in dock, and hundreds of people waited for it at the pier.</p>"
        "<p>It will sail every hour from nine until six, and a ticket costs four pounds, a pound less than it did last year.</p>"
        "</body></html>"
    )


def read(folder: Path, name: str) -> list[dict[str, object]]:
    """The lines of one of the files of results."""
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def run(*arguments: object, code: int = 0) -> str:
    """Run `newscrawler extract` and return what it says."""
    done = subprocess.run([*COMMAND, "extract", *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == code, done.stderr
    return done.stderr


def test_two_processes_answer_in_the_order_of_the_pages() -> None:
    results = list(extract_many([*(page(number) for number in range(70)), ""], workers=2))
    assert [result.id for result in results] == [str(number) for number in range(1, 72)]
    assert [result.article.title for result in results[:-1] if result.article] == [
        f"Ferry number {number} returns to the harbour" for number in range(70)
    ]
    assert results[-1].article is None
    assert results[-1].reason == PageReason.EMPTY


def test_a_script_without_a_guard_is_told_in_one_sentence(tmp_path: Path) -> None:
    call = "for result in extract_many(['<p>1</p>'] * 40, workers=2): print(result.reason)"
    for name, line in (("bare", call), ("guarded", f"if __name__ == '__main__':\n    {call}")):
        (tmp_path / f"{name}.py").write_text(f"from newscrawler import extract_many\n{line}\n", "utf-8")

    bare, guarded = (
        subprocess.run([sys.executable, tmp_path / f"{name}.py"], capture_output=True, text=True, timeout=120, check=False)
        for name in ("bare", "guarded")
    )

    assert (bare.returncode, bare.stdout, bare.stderr.count("\n")) == (1, "", 1)
    assert 'put the code that calls it below `if __name__ == "__main__":`' in bare.stderr
    assert (guarded.returncode, guarded.stdout.count("\n"), guarded.stderr) == (0, 40, "")


@pytest.mark.parametrize("wrong", ["https://courier.example/ferry", ("https://courier.example/ferry", "<p>Ferry</p>")])
def test_what_is_no_page_is_refused_as_extract_does(wrong: object) -> None:
    with pytest.raises(ConfigError, match=r"not a page|not tuple"):
        list(extract_many([wrong], workers=1))  # type: ignore[list-item]


def dies_at_seven(page: InputPage, options: dict[str, object]) -> pool.PageResult:
    """Stand in for a page that kills the process which reads it."""
    if page.id == "7":
        os.kill(os.getpid(), signal.SIGKILL)
    return pool.PageResult(id=page.id)


def chunk_dies_at_seven(pages: list[InputPage], options: dict[str, object]) -> list[pool.PageResult]:
    """The same for a chunk."""
    return [dies_at_seven(page, options) for page in pages]


def test_a_page_that_kills_its_process_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "read_page", dies_at_seven)
    monkeypatch.setattr(pool, "read_chunk", chunk_dies_at_seven)
    results = list(extract_many([page(number) for number in range(40)], workers=2))
    assert [result.id for result in results] == [str(number) for number in range(1, 41)]
    assert [result.id for result in results if result.detail] == ["7"]


def warc_of(*pages: tuple[str, str, int]) -> bytes:
    """A WARC file of packed responses (URL, content type, status)."""
    records = []
    for number, (url, kind, status) in enumerate(pages):
        body = page(number).encode()
        http = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid4()}>\r\nWARC-Date: 2026-02-01T10:00:00Z\r\n"
            f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
        )
        records.append(gzip.compress(head.encode() + http + b"\r\n\r\n"))
    return b"".join(records)


def test_a_warc_file_gives_its_pages_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "news.warc.gz"
    html, other = "text/html; charset=utf-8", "image/png"
    kinds = [(html, 200), (other, 200), (html, 404), (html, 200)]
    path.write_bytes(warc_of(*((f"http://a.example/{number}", kind, status) for number, (kind, status) in enumerate(kinds))))
    found = list(find_pages([path]))
    assert [each.url for each in found] == ["http://a.example/0", "http://a.example/3"]
    assert all(each.fetched_at is not None and each.content_type == html for each in found)
    assert [each.url for each in find_pages([path], skip=[found[0].id])] == ["http://a.example/3"]


def test_a_torn_warc_file_gives_what_it_holds_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "news.warc.gz"
    whole = warc_of(*((f"http://a.example/{number}", "text/html", 200) for number in range(5)))
    path.write_bytes(whole[: len(whole) * 3 // 4])
    found = list(find_pages([path]))
    assert len(found) >= 3
    assert found[-1].error is not None
    assert found[-1].error.reason == PageReason.DAMAGED


def test_a_run_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    saved, folder = tmp_path / "saved", tmp_path / "corpus"
    saved.mkdir()
    for number in range(12):
        (saved / f"{number:02}.html").write_text(page(number), "utf-8")
    (saved / "empty.html").write_bytes(b"")
    (saved / "picture.html").write_bytes(b"\x89PNG\r\n\x1a\n0000")
    assert "12 articles, 2 pages without one (see errors.jsonl)" in run(saved, "--output", folder, "--workers", 1)
    reasons = {str(line["id"]).rpartition("/")[2]: line["reason"] for line in read(folder, "errors.jsonl")}
    assert reasons == {"empty.html": "empty page", "picture.html": "not HTML"}

    lines = (folder / "articles.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "articles.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:40])
    assert "7 pages of an earlier run skipped" in run(saved, "--output", folder, "--workers", 1)
    assert [line["title"] for line in read(folder, "articles.jsonl")] == [
        f"Ferry number {number} returns to the harbour" for number in range(12)
    ]


def test_a_list_of_addresses_is_fetched_politely(tmp_path: Path) -> None:
    with PortalServer() as server:
        server.routes |= {"/robots.txt": "User-agent: *\nDisallow: /private", "/1": page(1), "/private": page(2), "/3": page(3)}
        (tmp_path / "urls.txt").write_text(f"# ours\n{server.url}1\n{server.url}private\n{server.url}none\n{server.url}3\n")
        said = run(tmp_path / "urls.txt", "--output", tmp_path / "corpus", "--workers", 1)
        assert "2 articles, 2 pages without one" in said
        asked = [asked.path for asked in server.asked if asked.path != "/robots.txt"]
        assert asked == ["/1", "/none", "/3"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere"], "There is no file or folder nowhere"),
        (["urls.txt"], "There is no file urls.txt"),
        (["."], "There is no page to read"),
    ],
)
def test_targets_without_pages_are_named(arguments: list[str], says: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "extract", *arguments, "--output", "out"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert says in done.stderr


def test_a_path_that_is_not_there_is_no_empty_batch(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no file or folder"):
        list(find_pages([tmp_path / "nowhere"]))


def test_a_format_gives_each_article_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "saved").mkdir()
    for number in range(2):
        (tmp_path / "saved" / f"{number}.html").write_text(page(number), "utf-8")

    run(tmp_path / "saved", "--output", tmp_path / "out", "--format", "markdown", "--workers", "1")

    written = [path.read_text("utf-8") for path in sorted((tmp_path / "out").glob("*.md"))]
    assert len(written) == 2
    assert all(text.startswith("# ") for text in written)


BROKEN: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("magic", lambda record: b"\0\0\0" + record[3:]),
    ("middle", lambda record: record[:60] + bytes(40) + record[100:]),
    ("cut", lambda record: record[: len(record) // 2]),
    ("no record", lambda record: gzip.compress(b"HELO\r\n\r\n" + bytes(90))),
    ("long line", lambda record: gzip.compress(b"WARC/1.0\r\nWARC-Type: " + b"x" * 30_000_000 + b"\r\n\r\n")),
    ("many lines", lambda record: gzip.compress(b"WARC/1.0\r\n" + b"A: b\r\n" * 1_000_000 + b"\r\n")),
]


@pytest.mark.parametrize("ending", ["warc.gz", "warc"])
@pytest.mark.parametrize(("name", "breaks"), BROKEN)
def test_a_warc_file_is_read_on_behind_a_broken_record(
    tmp_path: Path, name: str, breaks: Callable[[bytes], bytes], ending: str
) -> None:
    records = [warc_of((f"http://a.example/{number}", "text/html", 200)) for number in range(6)]
    records[2] = breaks(records[2])
    if ending == "warc":
        if name in {"magic", "middle", "cut"}:
            records[2] = gzip.decompress(warc_of(("http://a.example/2", "text/html", 200))).replace(b"WARC/1.0", b"WORK/1.0")
            records[2] = records[2][:200] + b"\r\n\r\n" if name == "cut" else records[2]
        records = [gzip.decompress(each) if each[:2] == b"\x1f\x8b" else each for each in records]
    path = tmp_path / f"news.{ending}"
    path.write_bytes(b"".join(records))

    began = time.process_time()
    found = list(find_pages([path]))

    assert time.process_time() - began < 3
    assert {each.url for each in found if each.error is None} == {f"http://a.example/{number}" for number in (0, 1, 3, 4, 5)}
    assert [each.error.reason for each in found if each.error] == [PageReason.DAMAGED]
    assert [url for url, _ in find_warc_pages(path)] == [f"http://a.example/{number}" for number in (0, 1, 3, 4, 5)]
