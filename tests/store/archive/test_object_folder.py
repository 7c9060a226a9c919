"""Pages in an object store, served by moto on loopback: whole or not there, shared by workers, removed as in a local folder."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from urllib.request import Request, urlopen

import boto3
import pytest
import warm_command
from kept_pages import NOON, Archive
from moto.server import ThreadedMotoServer
from portal_server import Answer, PortalServer, address, listing, story
from warcio.archiveiterator import ArchiveIterator

from newscrawler.config import load_configuration
from newscrawler.errors import ConfigError, PageError
from newscrawler.store.archive import (
    ArchiveLimits,
    ObjectFolder,
    ObjectWriter,
    PageLocation,
    PageSelection,
    PageWriter,
    RawPage,
    clean_up,
    erase,
    keep_for_good,
    object_folder,
    pages_folder,
    read_page,
    scrub,
)
from newscrawler.store.articles.article_intake import remove_articles

BASE = "http://127.0.0.1:1"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def folder(server: str, monkeypatch: pytest.MonkeyPatch) -> ObjectFolder:
    """An empty bucket."""
    urlopen(Request(f"{server}/moto-api/reset", method="POST")).close()
    settings = {
        "AWS_ENDPOINT_URL": server,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_CONFIG_FILE": os.devnull,
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    forget_connections()
    boto3.client("s3").create_bucket(Bucket="news")
    made = pages_folder("s3://news/kept/")
    assert isinstance(made, ObjectFolder)
    return made


def forget_connections() -> None:
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()


def check_credentials(server: str, *, after: int) -> None:
    """Let the server refuse unknown credentials after so many requests."""
    ask = Request(f"{server}/moto-api/reset-auth", method="POST", data=str(after).encode(), headers={"Content-Type": "text/plain"})
    urlopen(ask).close()


def raw(number: int, body: bytes = b"<p>Most</p>") -> RawPage:
    return RawPage(url=f"{BASE}/{number}", fetched_at=NOON, body=body, headers=(("Content-Type", "text/html"),))


def names(folder: ObjectFolder) -> list[str]:
    return sorted(path for path, _ in folder.files("p"))


def test_a_page_is_a_warc_file_of_its_own_and_read_as_it_was_written(folder: ObjectFolder) -> None:
    writer = ObjectWriter(folder, "p", info={"operator": "me@example.org"})
    kept = [writer.write(raw(number, bytes([number]) * 200_000)) for number in range(2)]
    writer.close()

    assert [read_page(folder, page).body for page in kept] == [bytes([number]) * 200_000 for number in range(2)]
    assert sorted(page.warc for page in kept) == names(folder)
    assert all(page.warc.startswith("p/2026-11-20/p-2026-11-20-") for page in kept)
    data = boto3.client("s3").get_object(Bucket="news", Key=f"kept/{kept[0].warc}")["Body"]
    records = [(record.rec_type, record.content_stream().read()) for record in ArchiveIterator(data)]
    assert [kind for kind, _ in records] == ["warcinfo", "response"]
    assert b"operator: me@example.org" in records[0][1]


def test_a_page_that_is_erased_or_gone_is_named(folder: ObjectFolder) -> None:
    writer = ObjectWriter(folder, "p")
    kept, other = writer.write(raw(1)), writer.write(raw(2))

    assert erase(folder, kept)
    assert not erase(folder, kept)

    with pytest.raises(PageError, match=r"is gone from s3://news/kept$"):
        read_page(folder, kept)
    assert read_page(folder, other).url == f"{BASE}/2"


def test_a_file_copied_from_a_local_folder_is_read_and_erased_by_record(folder: ObjectFolder, tmp_path: Path) -> None:
    writer = PageWriter(tmp_path, "p")
    kept = [writer.write(raw(number)) for number in range(3)]
    writer.close()
    folder.write(kept[0].warc, (tmp_path / kept[0].warc).read_bytes())

    assert erase(folder, kept[1])

    assert [read_page(folder, page).url for page in (kept[0], kept[2])] == [f"{BASE}/0", f"{BASE}/2"]
    with pytest.raises(PageError):
        read_page(folder, kept[1])


WRITER = """
import json, sys
from dataclasses import asdict
from datetime import datetime, timezone
from newscrawler.store.archive import ObjectFolder, ObjectWriter, RawPage
writer = ObjectWriter(ObjectFolder("s3://news/kept"), "p")
number = 0
while True:
    number += 1
    body = (sys.argv[1] * 300_000).encode()
    kept = writer.write(RawPage(url=f"http://x/{sys.argv[1]}/{number}", fetched_at=datetime.now(timezone.utc), body=body))
    print(json.dumps(asdict(kept) | {"fetched_at": kept.fetched_at.isoformat()}), flush=True)
"""


def test_nothing_is_lost_or_half_written_when_writers_side_by_side_are_killed(folder: ObjectFolder, tmp_path: Path) -> None:
    outputs = [tmp_path / f"{letter}.jsonl" for letter in "abc"]
    writers = []
    for path in outputs:
        with path.open("wb") as output:
            writers.append(warm_command.CommandProcess([sys.executable, "-c", WRITER, path.stem], stdout=output))
    while any(path.read_bytes().count(b"\n") < 5 for path in outputs):
        sleep(0.05)
        assert all(writer.poll() is None for writer in writers)
    for writer in writers:
        writer.kill()
        writer.wait()

    for path in outputs:
        for line in path.read_text("utf-8").split("\n")[:-1]:
            kept = PageLocation(**json.loads(line) | {"fetched_at": NOON})
            assert read_page(folder, kept).body == (path.stem * 300_000).encode()
    for path_in_store in names(folder):
        assert gzip.decompress(folder.read(path_in_store, 0, 1 << 20)).count(b"WARC/1.1") == 2


@pytest.fixture
def archive(folder: ObjectFolder, tmp_path: Path) -> Archive:
    """Three days of two pages each."""
    made = Archive(tmp_path, portal="p", place=folder)
    for day in range(3):
        made.night([(BASE + address(day * 2 + each), story(day * 2 + each)) for each in (0, 1)], at=NOON + timedelta(days=day))
    return made


def test_retention_drops_the_oldest_pages_but_those_that_were_reviewed(folder: ObjectFolder, archive: Archive) -> None:
    ObjectWriter(folder, "p").write(raw(99))  # never committed: its worker was killed
    with archive.open() as store:
        reviewed = next(page for page in store.pages.select(PageSelection()) if page.kept.url == BASE + address(0))
        assert reviewed.article_id is not None
        keep_for_good(store.pages, folder, reviewed)
        store.reviews.save(reviewed.article_id, reviewed.id, faults=(), gold={}, note="", now=NOON)

        done = clean_up(store.pages, folder, "p", ArchiveLimits(days=1, megabytes=100), now=NOON + timedelta(days=2))
        left = {page.kept.url for page in store.pages.select(PageSelection())}
        later = clean_up(store.pages, folder, "p", ArchiveLimits(days=1, megabytes=100), now=NOON.replace(year=2099))

        assert (done.files, done.pages, left) == (1, 1, {BASE + address(number) for number in (0, 2, 3, 4, 5)})
        assert (later.files, later.pages) == (5, 4)  # the page that was never committed among them
        assert names(folder) == [page.kept.warc for page in store.pages.select(PageSelection())] == [reviewed.kept.warc]


def test_pages_of_removed_articles_do_not_stay(folder: ObjectFolder, archive: Archive) -> None:
    with archive.open() as store:
        page = next(store.pages.select(PageSelection()))
        assert page.article_id is not None
        with store.engine.begin() as connection:
            remove_articles(connection, [page.article_id])

        assert scrub(store.pages, folder, "p") == 1
        assert page.kept.warc not in names(folder)
        assert len(names(folder)) == len(store.pages.files("p")) == 5


def test_what_is_wrong_with_the_store_is_said(folder: ObjectFolder, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.check()
    with pytest.raises(ConfigError, match=r"pages_folder is s3://nothing/here, and there is no bucket nothing; create it first"):
        ObjectFolder("s3://nothing/here").check()
    with pytest.raises(OSError, match="bucket does not exist"):
        ObjectWriter(ObjectFolder("s3://nothing"), "p").write(raw(1))

    check_credentials(server, after=0)
    try:
        forget_connections()
        with pytest.raises(ConfigError, match=r"the store refuses access: .*; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"):
            folder.check()
        with pytest.raises(PermissionError):
            ObjectWriter(folder, "p").write(raw(1))
    finally:
        check_credentials(server, after=10**9)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    forget_connections()
    with pytest.raises(ConfigError, match="there are no credentials"):
        folder.check()
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(ConfigError, match=r"which needs s3fs: pip install 'polite-newscrawler\[s3\]'"):
        folder.check()


@pytest.mark.parametrize("place", ["s3://", "s3://UPPER", "https://bucket.example", "s3://key:secret@bucket/x", "s3://a b", " "])
def test_a_place_that_is_none_is_refused(tmp_path: Path, place: str) -> None:
    path = tmp_path / "newscrawler.toml"
    path.write_text(f'[crawler]\npages_folder = "{place}"\n', "utf-8")

    with pytest.raises(
        ConfigError, match=r"crawler\.pages_folder is .*, which is neither the path of a folder nor s3://BUCKET/PREFIX"
    ):
        load_configuration(path)


def test_the_configuration_names_a_folder_or_an_object_store(tmp_path: Path) -> None:
    path = tmp_path / "newscrawler.toml"
    for line, place in [
        ("", tmp_path / "newscrawler-data" / "pages"),
        ('pages_folder = "kept"', tmp_path / "kept"),
        ('pages_folder = "s3://news/kept/2026/"', ObjectFolder("s3://news/kept/2026")),
    ]:
        path.write_text(f"[crawler]\n{line}\n", "utf-8")
        assert load_configuration(path).pages_folder == place


def test_a_crawl_keeps_its_pages_there_and_commands_read_and_remove_them(
    folder: ObjectFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "newscrawler", *arguments]
        done = warm_command.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return str(done.stdout)

    with PortalServer() as site:
        site.routes["/"] = Answer(listing(address(1), address(2)))
        site.routes |= {address(number): Answer(story(number)) for number in (1, 2)}
        portal = f'[[portal]]\nname = "p"\nstart_urls = ["{site.url}"]\ndelay = 0\n'
        (tmp_path / "newscrawler.toml").write_text(f'[crawler]\npages_folder = "{folder}"\n{portal}', "utf-8")
        run("crawl", "p")
        url = site.url.rstrip("/") + address(1)
    before = names(folder)
    run("pages", "export", "--portal", "p", "--outcome", "article", "--output", "pages.warc.gz")
    run("export", "--portal", "p", "--output", "articles.warc")
    changed = run("reextract", "p")
    run("rights", "remove", url, "--because", "mail of the publisher")

    assert len(before) >= 3
    assert "2 articles read again" in changed
    for name in ("pages.warc.gz", "articles.warc"):
        with (tmp_path / name).open("rb") as file:
            assert len([record for record in ArchiveIterator(file) if record.rec_type == "response"]) == 2
    assert not (tmp_path / "newscrawler-data" / "pages").exists()
    everything = b"".join(gzip.decompress(folder.read(path, 0, 1 << 20)) for path in names(folder))
    assert len(names(folder)) < len(before)
    assert "Rada města ve středu rozhodla, že se most přes řeku 1".encode() not in everything
    assert "Rada města ve středu rozhodla, že se most přes řeku 2".encode() in everything


def test_a_crawl_whose_bucket_is_missing_does_not_begin(
    folder: ObjectFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with PortalServer({"/": Answer(listing(address(1)))}) as site:
        portal = f'[[portal]]\nname = "p"\nstart_urls = ["{site.url}"]\ndelay = 0\n'
        (tmp_path / "newscrawler.toml").write_text(f'[crawler]\npages_folder = "s3://nothing/here"\n{portal}', "utf-8")
        command = [sys.executable, "-m", "newscrawler", "crawl", "p"]
        done = warm_command.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)

    assert (done.returncode, "there is no bucket nothing; create it first" in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr
    assert site.asked == []


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nhello",
    ],
)
def test_a_store_that_hangs_or_answers_wrongly_is_an_error_soon(
    folder: ObjectFolder, monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    for name, value in (("CONNECT_SECONDS", 0.5), ("READ_SECONDS", 0.5), ("TRIES", 2)):
        monkeypatch.setattr(object_folder, f"OBJECT_STORE_{name}", value)
    requests: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            while data := connection.recv(65_536):
                requests.append(data)
                connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{listener.getsockname()[1]}")
        forget_connections()
        began = monotonic()
        with pytest.raises(OSError, match="s3://news/kept"):
            folder.read("p/x.warc.gz", 0, 100)
        took = monotonic() - began
    forget_connections()

    assert len(requests) <= 6
    assert took < 15
