"""The target of an export: a temporary file that is renamed when it is complete, or standard output."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from newscrawler.errors import ExportError


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
        with export_errors("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with export_errors(str(path)):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise ExportError(f"{path} is a folder; name a file in it")
        if _is_device(target):
            with target.open("wb") as stream:
                yield stream
        else:
            with _atomic_file(target, durable=durable) as stream:
                yield stream


@contextlib.contextmanager
def _atomic_file(target: Path, *, durable: bool) -> Iterator[BinaryIO]:
    """Open a temporary file next to the target; rename it when it is on the disk, remove it after any error."""
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    with part.open("xb") as stream:
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
def export_errors(name: str, *, left: str = "nothing is left of it") -> Iterator[None]:
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
