#!/usr/bin/env python3
"""Hold the extractor against its floors: `make quality`, or tools/quality.py [--write].

Runs ../shared/bench over its development half with `newscrawler extract --jsonl` and compares with tests/quality-floors.json;
ends with 1 where a figure lies below its floor, and with 0 and a word where the bench is not there. --write makes the figures
reached, less a small margin, the new floors where that raises them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BENCH = ROOT.parent / "shared/bench"
FLOORS = ROOT / "tests/quality-floors.json"
#: What is held, by data set: scores of the bench; at least so much, except for what is named in MOST.
FIGURES: dict[str, tuple[str, ...]] = {
    "aeb": ("f1",),
    "fe": ("f1",),
    "trafilatura": ("f1",),
    "htmldate": ("accuracy",),
    "fundus": ("title", "date", "authors_f1", "body_f1"),
}
MARGIN = 0.003
PEAK_MB = 110.0


def measure(bench: Path, command: str) -> dict[str, Any]:
    """Run the bench and return its results by data set."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.json"
        arguments = [
            "--data",
            str(bench / "data"),
            "--datasets",
            *FIGURES,
            "--cmd",
            command,
            "--cmd-name",
            "ours",
            "--out",
            str(out),
        ]
        subprocess.run([sys.executable, "-B", str(bench / "bench.py"), *arguments], check=True)
        return {name: rows["ours"] for name, rows in json.loads(out.read_text("utf-8"))["results"].items()}


def figures_of(results: dict[str, Any]) -> dict[str, float]:
    """The figures that are held, as "data set, score"."""
    reached = {name: results[name]["scores"]["all"] for name in FIGURES}
    return {f"{name}, {score}": round(reached[name][score], 4) for name, scores in FIGURES.items() for score in scores}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="make the figures reached the floors")
    parser.add_argument("--bench", type=Path, default=BENCH)
    args = parser.parse_args()
    if not (args.bench / "bench.py").is_file():
        print(f"no bench at {args.bench}: nothing is held against the floors")
        return 0
    program = Path(sys.executable).with_name("newscrawler")
    command = str(program) if program.exists() else shutil.which("newscrawler") or "newscrawler"
    results = measure(args.bench, f"{command} extract --jsonl")
    figures = figures_of(results)
    peak = max(row["peak_mb"] for row in results.values())
    if args.write:
        before = json.loads(FLOORS.read_text("utf-8")) if FLOORS.is_file() else {}
        raised = {name: max(round(value - MARGIN, 4), before.get(name, 0.0)) for name, value in figures.items()}
        FLOORS.write_text(json.dumps(raised, indent=2) + "\n", "utf-8")
    floors = json.loads(FLOORS.read_text("utf-8"))
    low = [name for name, floor in floors.items() if figures.get(name, 0.0) < floor]
    for name, value in figures.items():
        print(f"{name:<24} {value:.4f}  floor {floors.get(name, 0.0):.4f}{'  BELOW' if name in low else ''}")
    print(f"{'peak memory':<24} {peak:.0f} MB  at most {PEAK_MB:.0f} MB{'  ABOVE' if peak > PEAK_MB else ''}")
    return 1 if low or peak > PEAK_MB else 0


if __name__ == "__main__":
    raise SystemExit(main())
