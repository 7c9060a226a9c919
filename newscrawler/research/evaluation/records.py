"""The summary and all results as JSON and CSV; the names are stable."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from newscrawler import __version__
from newscrawler.research.evaluation.candidates import Sweep
from newscrawler.research.evaluation.data import DataProblem
from newscrawler.research.evaluation.run import Evaluation
from newscrawler.research.evaluation.summary import Summary

COLUMNS = (
    "dataset", "portal", "section", "id", "url", "method", "found", "verdict", "f1", "precision", "recall", "rouge_f1",
    "rouge_precision", "rouge_recall", "title", "date", "authors", "pieces_found", "pieces_kept_out", "cpu_ms", "learning_ms",
    "memory_mb", "fault", "cached",
)  # fmt: skip


def as_json(evaluation: Evaluation, summary: Summary, problems: Sequence[DataProblem], sweeps: Sequence[Sweep] = ()) -> str:
    """Return the whole evaluation as one JSON object."""
    return json.dumps(
        {
            "newscrawler": __version__,
            "pages": len(evaluation.pages),
            "problems": [asdict(problem) for problem in problems],
            "versus": summary.versus,
            "intervals_are_of": "portals" if summary.of_portals else "pages",
            "methods": [asdict(row) for row in summary.rows],
            "datasets": [asdict(row) for row in summary.datasets],
            "portals": [asdict(row) for row in summary.portals],
            "differences": [asdict(difference) for difference in summary.differences],
            "sweeps": [
                {"method": sweep.method, "parameter": sweep.parameter, "names": [candidate.name for candidate in sweep.candidates]}
                for sweep in sweeps
            ],
            "results": [_plain(line) for line in lines(evaluation)],
        },
        ensure_ascii=False,
    )


def as_csv(evaluation: Evaluation) -> str:
    """Return CSV with one line per page and method."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in line.items()} for line in lines(evaluation))
    return out.getvalue()


def lines(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield a flat record for each result."""
    for result in evaluation.results:
        page, answer, score = evaluation.pages[result.page], result.answer, result.score
        known = {
            "dataset": page.dataset, "portal": page.portal, "section": page.section, "id": page.id, "url": page.url,
            "method": result.candidate.name, "found": answer.text is not None, "cpu_ms": answer.cpu_seconds * 1000,
            "learning_ms": None if answer.learning_seconds is None else answer.learning_seconds * 1000,
            "memory_mb": None if answer.memory_bytes is None else answer.memory_bytes / 2**20, "fault": answer.fault,
            "cached": result.cached,
        }  # fmt: skip
        yield {name: known[name] if name in known else getattr(score, name) for name in COLUMNS}


def _plain(line: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in line.items()}


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    text = "" if value is None else str(value)
    # spreadsheets read these as formulas
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text
