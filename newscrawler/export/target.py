"""Where an export goes: a file written aside and renamed when it is complete, or standard output."""

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
def opened(path: Path | None) -> Iterator[BinaryIO]:
    """Open the target for writing; None: standard output.

    Raises:
        ExportError: it cannot be written.
        BrokenPipeError: whoever reads standard output stopped.
    """
    if path is None:
        with _told("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with _told(str(path)):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise ExportError(f"{path} is a folder; name a file in it")
        if _is_device(target):
            with target.open("wb") as stream:
                yield stream
        else:
            with _aside(target) as stream:
                yield stream


@contextlib.contextmanager
def _aside(target: Path) -> Iterator[BinaryIO]:
    """Write beside the target; rename when all is on the disk, remove when anything goes wrong."""
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    with part.open("xb") as stream:
        try:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            # What the buffer still holds cannot be written on a full disk; closing must not raise that again.
            with contextlib.suppress(OSError):
                stream.close()
            raise
    _settle(target.parent)


def _settle(folder: Path) -> None:
    """Make the new name survive a power failure, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_device(target: Path) -> bool:
    """Whether this is a pipe or device such as /dev/null, which must not be replaced by a file."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


@contextlib.contextmanager
def _told(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except FileNotFoundError as error:
        raise ExportError(f"{name} cannot be written: its folder does not exist; make it first") from error
    except OSError as error:
        raise ExportError(f"{name} cannot be written: {error.strerror or error}; nothing is left of it") from error
