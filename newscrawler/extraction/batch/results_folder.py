"""The folder of results: one line per article or error, so that an interrupted run can continue."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from newscrawler.article import Article
from newscrawler.errors import ExportError
from newscrawler.extraction.batch.pool import PageResult

ARTICLES, ERRORS = "articles.jsonl", "errors.jsonl"
#: Suffixes of files by format.
_ENDINGS = {"text": "txt", "markdown": "md", "html": "html", "json": "json", "tei": "xml"}


class ResultsFolder:
    """Two files of JSON lines: the records of articles, and the pages without one. Each line begins with the page's id.

    Raises:
        ExportError: the folder cannot be created, or its files cannot be written.
    """

    def __init__(self, path: Path, form: str | None = None) -> None:
        """Open a folder, or create it; each article is also written to a separate file in the format `form`."""
        self.path = path
        self.form = form
        self.articles = 0
        self.errors = 0
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._streams = {name: _open_behind_whole_lines(path / name) for name in (ARTICLES, ERRORS)}
        except OSError as error:
            raise ExportError(f"{path} cannot be written: {error.strerror or error}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        for stream in self._streams.values():
            stream.close()

    def read_done_ids(self) -> Iterator[str]:
        """Yield the ids of the pages that earlier runs have processed."""
        for name in (ARTICLES, ERRORS):
            with (self.path / name).open("rb") as file:
                for line in file:
                    yield str(json.loads(line)["id"])

    def write(self, result: PageResult) -> None:
        """Add one result.

        Raises:
            ExportError: the disk is full, or the folder was removed.
        """
        if result.article is not None:
            record = {"id": result.id, **result.article.as_dict()}
            self.articles += 1
        else:
            record = {"id": result.id, "url": result.url, "reason": result.reason, "detail": result.detail}
            self.errors += 1
        if result.article is not None and self.form is not None:
            self._write_file(result.id, result.article, self.form)
        stream = self._streams[ARTICLES if result.article is not None else ERRORS]
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"
        try:
            stream.write(line)
            stream.flush()
        except OSError as error:
            raise ExportError(
                f"{self.path} cannot be written: {error.strerror or error}. Run the command again to go on."
            ) from error

    def _write_file(self, page_id: str, article: Article, form: str) -> None:
        """Write an article into a file named after its page. The line that marks it as done is written later."""
        plain = re.sub(r"[^\w.-]+", "-", page_id.rpartition("://")[2]).strip("-.")[-80:]
        name = f"{plain}-{sha256(page_id.encode()).hexdigest()[:8]}.{_ENDINGS[form]}"
        try:
            (self.path / name).write_text(article.to(form), "utf-8", errors="backslashreplace")
        except OSError as error:
            raise ExportError(f"{self.path / name} cannot be written: {error.strerror or error}.") from error


def _open_behind_whole_lines(path: Path) -> BinaryIO:
    """Open a file for appending, and remove a last line that a crash cut off."""
    stream = path.open("a+b")
    end = stream.seek(0, 2)
    stream.seek(0)
    whole = 0
    for line in stream:
        whole += len(line) if line.endswith(b"\n") else 0
    if whole < end:
        stream.truncate(whole)
    return stream
