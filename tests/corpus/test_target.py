from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import pytest

from newscrawler.corpus import export_articles
from newscrawler.corpus.export import open_target
from newscrawler.corpus.formats import Format, Options, Written
from newscrawler.corpus.formats.options import Writer
from newscrawler.errors import ExportError, StoreError
from newscrawler.store.articles import StoredArticle


def export_with(articles: Iterable[StoredArticle], write: Writer, path: Path | None) -> int:
    return export_articles(articles, Format(name="test", ending="test", write=write), path).articles


def content(data: bytes):
    def write(_: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
        stream.write(data)
        return Written(articles=1)

    return write


def failing(error: BaseException):
    def write(_: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
        stream.write(b"half of i")
        raise error

    return write


def test_a_complete_export_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "articles.jsonl"
    path.write_bytes(b"old")
    path.chmod(0o600)

    assert export_with([], content(b"new"), path) == 1

    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_is_not_there_before_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "articles.jsonl"
    seen: list[bool] = []

    def write(_: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
        stream.write(b"x" * 100_000)
        seen.append(path.exists())
        return Written()

    export_with([], write, path)

    assert seen == [False]
    assert path.stat().st_size == 100_000


@pytest.mark.parametrize("error", [StoreError("lost"), KeyboardInterrupt(), SystemExit(1), ValueError("bug")])
def test_an_export_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "articles.jsonl"
    path.write_bytes(b"old")

    with pytest.raises(type(error)):
        export_with([], failing(error), path)

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_told_in_a_sentence_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(
        ExportError, match=r"articles\.jsonl cannot be written: No space left on device; nothing is left of it"
    ) as caught:
        export_with([], content(b"new"), tmp_path / "articles.jsonl")

    assert caught.value.exit_code == 4
    assert list(tmp_path.iterdir()) == []


def test_a_full_device_is_told(tmp_path: Path) -> None:
    link = tmp_path / "articles.jsonl"
    link.symlink_to("/dev/full")

    with pytest.raises(ExportError, match="No space left on device"):
        export_with([], content(b"x" * 100_000), link)


def test_a_folder_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="its folder does not exist"):
        export_with([], content(b"new"), tmp_path / "absent" / "articles.jsonl")


def test_a_folder_in_place_of_the_file_is_told_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.mkdir()

    with pytest.raises(ExportError, match="out is a folder; name a file in it"):
        export_with([], content(b"new"), path)

    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_the_right_to_write_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    with pytest.raises(ExportError, match="Permission denied"):
        export_with([], content(b"new"), tmp_path / "articles.jsonl")


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen([sys.executable, "-c", f"print(open({str(pipe)!r}).read(), end='')"], stdout=subprocess.PIPE)

    export_with([], content(b"new"), pipe)

    assert reader.communicate(timeout=20)[0] == b"new"
    assert pipe.is_fifo()


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    link = tmp_path / "articles.jsonl"
    link.symlink_to(tmp_path / "kept" / "real.jsonl")

    export_with([], content(b"new"), link)

    assert link.is_symlink()
    assert (tmp_path / "kept" / "real.jsonl").read_bytes() == b"new"


def test_without_a_path_the_export_goes_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    export_with([], content("ž".encode()), None)

    assert capfdbinary.readouterr().out == "ž".encode()


def test_a_new_file_is_as_private_as_the_database_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    before = os.umask(0o022)
    try:
        for mode in (0o600, 0o640):
            with open_target(path) as stream:
                stream.write(b"{}")
            assert path.stat().st_mode & 0o777 == mode
            path.chmod(0o640)
    finally:
        os.umask(before)


def test_what_a_killed_export_left_goes_with_the_next_and_what_is_written_stays(tmp_path: Path) -> None:
    left, other, foreign = (
        tmp_path / name for name in (".news.jsonl.0123abcd.part", ".more.jsonl.0123abcd.part", ".news.jsonl.part")
    )
    for path in (left, other, foreign):
        path.touch()

    with open_target(tmp_path / "news.jsonl") as stream:
        stream.write(b"{}")
        with open_target(tmp_path / "news.jsonl") as second:  # another process
            second.write(b"[]")

    assert sorted(path.name for path in tmp_path.iterdir()) == [".more.jsonl.0123abcd.part", ".news.jsonl.part", "news.jsonl"]
    assert (tmp_path / "news.jsonl").read_bytes() == b"{}"
