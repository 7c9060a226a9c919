"""`newscrawler evaluate --detectors`: how many pages of news a detector finds in a mixed set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from newscrawler.cli.screen import print_rows

if TYPE_CHECKING:
    from newscrawler.evaluate import TestPage

#: As 002 has its tables 5.1 to 5.3, a table a line: the news and the other pages among those that were found, and among the rest.
_HEADING = ("detector", "keywords", "found: news", "other", "left: news", "other", "right")


def print_detections(names: str, pages: Sequence[TestPage], known: Sequence[TestPage], *, as_json: bool) -> None:
    """Measure detectors, and print their two-by-two tables.

    Raises:
        ConfigError: there is no such detector.
    """
    from newscrawler.cli.lines import encode
    from newscrawler.evaluate.detection import detection_tables, find_detectors, labelled_evidence

    detectors = find_detectors(name.strip() for name in names.split(",") if name.strip())
    tables = detection_tables(labelled_evidence(pages), labelled_evidence(known), detectors.items())
    if as_json:
        for table in tables:
            click.echo(encode(asdict(table) | {"accuracy": round(table.accuracy, 4)}), nl=False)
        return
    rows = [
        (
            table.detector, table.collected, table.news_found, table.other_found, table.news_left, table.other_left,
            f"{table.accuracy * 100:.0f} %",
        )
        for table in tables
    ]  # fmt: skip
    print_rows(rows, _HEADING)
