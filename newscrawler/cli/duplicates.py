"""Options that leave duplicates out of exports and releases, and the report of what was left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TypeVar

import click

from newscrawler.cli.numbers import Whole
from newscrawler.corpus.duplicates import Deduplication, Keep, LeftOut
from newscrawler.corpus.target import open_target

R = TypeVar("R")


def deduplication_options(command: Callable[..., R]) -> Callable[..., R]:
    """Add the options."""
    for option in (
        click.option("--duplicates", type=click.Path(path_type=Path), metavar="FILE", help="List what is left out, as JSON lines."),
        click.option(
            "--recurring", type=Whole(2), metavar="N", help="Leave out paragraphs that occur in N articles, except in the first."
        ),
        click.option(
            "--deduplicate",
            type=click.Choice(["exact", "near", "near-best"]),
            help="Leave out duplicate or near-duplicate articles; the earliest stays, or the best (longest).",
        ),
    ):
        command = option(command)
    return command


def deduplication_of(articles: str | None, recurring: int | None) -> Deduplication:
    """Return the deduplication that these options ask for."""
    near = {"near": Keep.EARLIEST, "near-best": Keep.BEST}.get(articles or "")
    return Deduplication(exact=articles == "exact", near=near, paragraphs=recurring)


class DuplicateReport:
    """Counts what is left out, and writes it to a file that appears only when complete."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stack = ExitStack()
        self._stream: BinaryIO | None = None
        self.counts: Counter[str] = Counter()

    def note(self, left: LeftOut) -> None:
        """Record one omission."""
        self.counts[str(left.kind)] += 1
        if self._stream is not None:
            self._stream.write(json.dumps(asdict(left), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")

    def lines(self) -> list[str]:
        """Return a sentence for each kind, or one that says that there are none."""
        found = [f"Left out: {number} of {kind}." for kind, number in sorted(self.counts.items())]
        return found or ["Nothing was left out as a duplicate."]

    def __enter__(self) -> Self:
        if self._path is not None:
            self._stream = self._stack.enter_context(open_target(self._path))
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.__exit__(kind, value, trace)
