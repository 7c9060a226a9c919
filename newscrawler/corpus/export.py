"""Exports the articles of a selection to one file, or to a folder with one file per article."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from pydantic import TypeAdapter, ValidationError

from newscrawler.corpus.formats import FORMATS, Format, Options, Written
from newscrawler.corpus.formats.options import RecordOf, RightsOf
from newscrawler.corpus.formats.plain import make_file_name
from newscrawler.errors import ConfigError, ExportError, PageError
from newscrawler.store import Store
from newscrawler.store.archive import PagesFolder, lock, read_page, record_bytes
from newscrawler.store.articles import StoredArticle, StoredReservation

#: Called with the number of articles written.
Progress = Callable[[int], None]
#: Number of articles between calls.
_REPORTED_EVERY = 1_000


def find_format(path: Path | None, name: str | None = None) -> Format:
    """Return the format of a name, or of the file's ending; JSON lines if there is neither.

    Raises:
        ConfigError: the ending is not that of a format.
    """
    if name is not None:
        return FORMATS[name]
    if path is None or not path.suffix:
        return FORMATS["jsonl"]
    for form in FORMATS.values():
        if path.name.lower().endswith((f".{form.ending}", f".{form.name}")):
            return form
    endings = ", ".join(f".{form.ending}" for form in FORMATS.values())
    raise ConfigError(f"{path} ends in no format that newscrawler writes; end it in one of {endings}, or name one with --format")


def export_articles(
    articles: Iterable[StoredArticle],
    form: Format,
    path: Path | None,
    options: Options | None = None,
    *,
    progress: Progress | None = None,
) -> Written:
    """Write articles to a file, or to standard output if there is no path.

    The file gets its name when it is complete; an older file of that name stays until then.

    Raises:
        ConfigError: the format has one file per article.
        ExportError: the file cannot be written; no partial file is left.
        BrokenPipeError: the reader of standard output stopped.
    """
    chosen = options or Options()
    if form.write is None:
        where = f"--output {path}/" if path else "--output FOLDER/"
        raise ConfigError(f"{form.name} is written as one file for each article. Name a folder, with a slash at its end: {where}")
    with open_target(path) as stream:
        written = form.write(report_progress(articles, progress), stream, chosen)
    if path is not None:
        for ending, content in form.beside:
            with open_target(path.with_name(path.name + ending)) as stream:
                stream.write(content(path.name, chosen).encode())
    return written


def export_folder(
    articles: Iterable[StoredArticle],
    form: Format,
    folder: Path,
    options: Options | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Write one file per article into a folder; each is complete when it gets its name.

    Args:
        articles: in any order; file names sort by portal, day and id.
        form: a format that has documents.
        folder: created if missing.
        options: of the format.
        resume: the folder may contain files; existing files are left unchanged.
        progress: called now and then.

    Raises:
        ConfigError: the format has only one file, or the folder contains files.
        ExportError: a file cannot be written; earlier files stay, and `resume` continues after them.
    """
    if form.document is None:
        raise ConfigError(f"{form.name} is written as one file; name a file that ends in .{form.ending}, not the folder {folder}")
    chosen, count = options or Options(), 0
    with convert_export_errors(str(folder), left="the files before it stay; --resume goes on behind them"):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_leftovers(folder, ".*")
        if not resume and any(folder.iterdir()):
            raise ConfigError(f"the folder {folder} is not empty; continue with --resume, or name another folder")
    for count, stored in enumerate(report_progress(articles, progress), 1):  # noqa: B007  the last number is returned
        path = folder / make_file_name(stored, form.ending)
        if not (resume and path.exists()):
            with open_target(path, durable=False) as stream:
                stream.write(form.document(stored, chosen).encode("utf-8", "replace"))
    return Written(articles=count)


def report_progress(articles: Iterable[StoredArticle], progress: Progress | None) -> Iterator[StoredArticle]:
    """Yield articles, and report now and then how many there were."""
    for count, stored in enumerate(articles, 1):
        yield stored
        if progress is not None and count % _REPORTED_EVERY == 0:
            progress(count)


def refuse_empty_export(number: int) -> None:
    """Refuse to write an empty export.

    Raises:
        ConfigError: there is no article.
    """
    if not number:
        raise ConfigError("no article matches the selection, and nothing is written; widen it (`newscrawler articles` shows it)")


@contextlib.contextmanager
def open_target(path: Path | None, *, durable: bool = True) -> Iterator[BinaryIO]:
    """Open the target for writing; None: standard output.

    Args:
        path: of the file.
        durable: flush the file to the disk before it gets its name; for many small files, False is faster.

    Raises:
        ExportError: it cannot be written.
        BrokenPipeError: the reader of standard output stopped.
    """
    if path is None:
        with convert_export_errors("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with convert_export_errors(str(path)):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise ExportError(f"{path} is a folder; name a file in it")
        if _is_device(target):
            with target.open("wb") as stream:
                yield stream
        else:
            with _open_atomically(target, durable=durable) as stream:
                yield stream


@contextlib.contextmanager
def _open_atomically(target: Path, *, durable: bool) -> Iterator[BinaryIO]:
    """Open a temporary file next to the target; rename it when it is on the disk, remove it after any error."""
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    if durable:
        _remove_leftovers(target.parent, f".{glob.escape(target.name[:100])}.")
    # only its owner may read it, as the database
    with open(part, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as stream:
        lock(stream)
        try:
            yield stream
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            # On a full disk, closing fails to write the buffer once more; the first error is the one to report.
            with contextlib.suppress(OSError):
                stream.close()
            raise
    if durable:
        _sync_folder(target.parent)


def _remove_leftovers(folder: Path, beginning: str) -> None:
    """Remove the temporary files of killed exports; one that a living process writes is locked."""
    for left in folder.glob(f"{beginning}{'[0-9a-f]' * 8}.part"):
        with contextlib.suppress(OSError), left.open("rb") as stream:
            if lock(stream):
                left.unlink()


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power failure, if the system supports it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_device(target: Path) -> bool:
    """Return whether this is a pipe or device such as /dev/null, which must not be replaced by a file."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


@contextlib.contextmanager
def convert_export_errors(name: str, *, left: str = "nothing is left of it") -> Iterator[None]:
    """Turn errors of the file system into a sentence that says what is left.

    Raises:
        ExportError: something cannot be written.
        BrokenPipeError: the reader of standard output stopped.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except FileNotFoundError as error:
        raise ExportError(f"{name} cannot be written: its folder does not exist; make it first") from error
    except OSError as error:
        raise ExportError(f"{name} cannot be written: {error.strerror or error}; {left}") from error


Parameters = TypeVar("Parameters")


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def _adapt(kind: Any) -> TypeAdapter[Any]:
    return _ADAPTERS.get(kind) or _ADAPTERS.setdefault(kind, TypeAdapter(kind))


def write_parameters(record: object) -> dict[str, Any]:
    """Return a selection, a recipe, or the parameters of an analysis, export or release as JSON, set ones only."""
    full, changed = (_adapt(type(record)).dump_python(record, exclude_defaults=only) for only in (False, True))
    written: dict[str, Any] = json.loads(json.dumps(_drop_unset(full, changed), default=_simplify))
    return written


def _drop_unset(full: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a record, but for those that are empty or false by default."""
    return {
        name: _drop_unset(value, changed.get(name, {})) if isinstance(value, dict) else value
        for name, value in full.items()
        if value or name in changed
    }


def _simplify(value: Any) -> Any:
    """Return a set or a time as JSON has it, always the same for the same value."""
    return sorted(value) if isinstance(value, frozenset) else value.isoformat()


def read_parameters(kind: type[Parameters], said: Mapping[str, Any]) -> Parameters:
    """Return the record that `write_parameters` wrote.

    Raises:
        ConfigError: a value is missing, unknown or wrong.
    """
    try:
        record: Parameters = _adapt(kind).validate_python(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ConfigError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    if unknown := _list_unknown(said, _adapt(kind).dump_python(record, mode="json")):
        raise ConfigError(f"{unknown[0]} is unknown here; a newer newscrawler may know it")
    return record


def _list_unknown(said: Mapping[str, Any], known: Mapping[str, Any]) -> list[str]:
    """Return the names that are in one JSON object and not in the other, or in objects within them."""
    pairs = [(value, known.get(name)) for name, value in said.items()]
    inner = [_list_unknown(value, other) for value, other in pairs if isinstance(value, Mapping) and isinstance(other, Mapping)]
    return [*(name for name in said if name not in known), *chain.from_iterable(inner)]


def make_rights_reader(store: Store) -> RightsOf:
    """Return a function that returns the reservations of an article, as sentences."""
    return lambda article_id: [describe_reservation(kept) for kept in store.rights.of_article(article_id)]


def describe_reservation(kept: StoredReservation) -> str:
    """Return a sentence: what was reserved, where, and from when to when."""
    said = kept.reservation
    word = f"{said.word} {'granted' if said.granted else 'reserved'} ({said.said!r}, {said.place})"
    until = f" to {kept.ended_at:%Y-%m-%d}" if kept.ended_at else ""
    return f"{word} from {kept.first_said_at:%Y-%m-%d}{until}" + (f"; policy: {said.policy}" if said.policy else "")


def make_record_reader(store: Store, folder: PagesFolder) -> RecordOf:
    """Return a function that returns the WARC record of an article's page; a damaged page counts as not kept."""

    def find(article_id: int) -> bytes | None:
        page = store.pages.of_article(article_id)
        if page is None:
            return None
        try:
            read_page(folder, page.kept)
            return record_bytes(folder, page.kept)
        except PageError:
            return None

    return find
