#!/usr/bin/env python3
"""Hold the extractor against its floors: `make quality`, or tools/quality.py [--write].

Measures the pages of our own (tests/own_pages.py) and ../shared/bench, reads what the models reach on hosts that were not in
training (training/model-card.json), prints every figure beside its floor in tests/quality-floors.json, and ends with 1 where one is
missing or worse. --write raises the floors to what is reached, less a margin. A further source of figures is a function in SOURCES.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
FLOORS = ROOT / "tests/quality-floors.json"
CARD = ROOT / "training/model-card.json"
MARGIN = 0.003
#: What is held of the bench, by data set.
SCORES: dict[str, tuple[str, ...]] = {
    "aeb": ("f1",),
    "fe": ("f1",),
    "trafilatura": ("f1",),
    "htmldate": ("accuracy",),
    "fundus": ("title", "date", "authors_f1", "body_f1"),
    "wcxb": ("f1", "without", "refused", "refused_other"),
    "dragnet": ("f1",),
    "l3s": ("f1",),
    "waddle": ("f1",),
    "turing": ("f1", "title", "date", "author"),
}
#: Figures that must not lie above their floors; the rest must not lie below.
CEILINGS = {"wcxb, without", "peak memory, MB", *(f"{name}, refused" for name in (*SCORES, "own"))}
#: Differs from run to run with what else the machine does; --write leaves its floor alone.
FIXED = {"peak memory, MB"}

Figures = dict[str, float]


class MissingDataError(Exception):
    """What is to be measured is not there."""


def measure_bench(bench: Path) -> Figures:
    """Run the bench over its development half.

    Raises:
        MissingDataError: the bench or one of its data sets is not there.
    """
    for needed in (bench / "bench.py", *(bench / f"data/{name}.jsonl.gz" for name in SCORES)):
        if not needed.is_file():
            msg = f"{needed} is missing. The bench is expected in {bench}; `make quality SHARED=FOLDER` takes FOLDER/bench instead."
            raise MissingDataError(msg)
    program = Path(sys.executable).with_name("newscrawler")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.json"
        command = [sys.executable, "-B", bench / "bench.py", "--data", bench / "data", "--datasets", *SCORES, "--out", out]
        subprocess.run([*command, "--cmd", f"{program} extract --jsonl", "--cmd-name", "ours"], check=True)
        results = {name: rows["ours"] for name, rows in json.loads(out.read_text("utf-8"))["results"].items()}
    figures = {f"{name}, {score}": results[name]["scores"]["all"][score] for name, scores in SCORES.items() for score in scores}
    return figures | {"peak memory, MB": max(row["peak_mb"] for row in results.values())}


def read_model_card(_: Path) -> Figures:
    """Read what the models reached on hosts that were not in training.

    Raises:
        MissingDataError: nobody has cross-validated them.
    """
    if not CARD.is_file():
        msg = f"{CARD} is missing. `python -m training --data FOLDER --validate` writes it."
        raise MissingDataError(msg)
    card = json.loads(CARD.read_text("utf-8"))
    figures = {f"{name}, {score}": value["value"] for name, scores in card["figures"].items() for score, value in scores.items()}
    return figures | {"confidence rank": card["confidence rank"]}


#: Each takes the folder of the bench and returns its figures.
SOURCES: dict[str, Callable[[Path], Figures]] = {"cross-validated": read_model_card, "bench": measure_bench}


def is_worse(name: str, value: float, floor: float) -> bool:
    """Tell whether a figure lies on the wrong side of its floor."""
    return value > floor if name in CEILINGS else value < floor


def raised(name: str, value: float, before: float | None) -> float:
    """Return the floor after a measurement: it never becomes easier."""
    if name in FIXED and before is not None:
        return before
    reached = round(value + MARGIN, 4) if name in CEILINGS else round(value - MARGIN, 4)
    return reached if before is None or not is_worse(name, reached, before) else before


def hold(figures: Figures, floors: Figures) -> bool:
    """Print figures beside their floors; tell whether all are there and none is worse."""
    well = True
    for name in dict.fromkeys((*floors, *figures)):
        value, floor = figures.get(name), floors.get(name)
        fault = "MISSING" if value is None else "NO FLOOR" if floor is None else "WORSE" if is_worse(name, value, floor) else ""
        well = well and not fault
        bound = "at most" if name in CEILINGS else "at least"
        print(f"{name:<24} {_shown(value)}  {bound} {_shown(floor)}  {fault}".rstrip())
    return well


def _shown(value: float | None) -> str:
    return f"{'-':>8}" if value is None else f"{value:8.4f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="raise the floors to what is reached")
    parser.add_argument("--bench", type=Path, default=ROOT.parent / "shared/bench", help="folder of bench.py and its data")
    args = parser.parse_args()
    own = [sys.executable, ROOT / "tests/own_pages.py", *(["--write"] if args.write else [])]
    well = subprocess.run(own, check=False).returncode == 0
    floors = json.loads(FLOORS.read_text("utf-8"))
    for source, measure in SOURCES.items():
        try:
            figures = measure(args.bench)
        except MissingDataError as error:
            print(f"{source}: {error}")
            well = False
            continue
        before = floors.get(source, {})
        if args.write:
            floors[source] = before | {name: raised(name, value, before.get(name)) for name, value in figures.items()}
        well = hold(figures, floors.get(source, {})) and well
    if args.write:
        FLOORS.write_text(json.dumps(floors, indent=2) + "\n", "utf-8")
    print("quality: no figure is below its floor" if well else "quality: FAILED; what is below, worse or missing is marked above")
    return 0 if well else 1


if __name__ == "__main__":
    raise SystemExit(main())
