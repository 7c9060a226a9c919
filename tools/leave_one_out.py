"""Measure the portal wrapper, learned from the other pages of each publisher, beside the page-level extractor.

    leave_one_out.py [--datasets fe fundus] [--pages N] [--weights FOLDER] [--show]

Of ../shared/bench (its development half): all pages of fe, by host, and the pages of fundus that have others of their publisher. A
page is read with what was learned from the others (with --pages, from N of them); a publisher whose pages teach nothing is read
page by page. CPU time is told without the first page that a wrapper reads, for which it makes itself ready.
Body by ROUGE-LSum on fe and by four-word shingles on fundus, as the bench does; on fundus title, date and authors, too.

The weights of the page-level detector were trained on these very pages, so that it errs less here than elsewhere. --weights names a
folder that tools/train_default.py --folds-to wrote: then each page is read with weights that have not seen its site.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import importlib.util
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from newscrawler.blocks.default import detector
from newscrawler.blocks.default.forest import Forest
from newscrawler.extract import Reading, read_record
from newscrawler.page import Document
from newscrawler.wrappers import PortalWrapper, WrapperRefused, learn

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"
DATASETS = ("fe", "fundus")
Row = dict[str, Any]


def bench_module(name: str) -> ModuleType:
    """Load a module of the benchmark."""
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(BENCH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def publishers(dataset: str) -> Iterator[list[Row]]:
    """The pages of each publisher that has two or more."""
    groups: dict[str, list[Row]] = {}
    with gzip.open(BENCH / "data" / f"{dataset}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            key = urlsplit(row["url"]).hostname or "" if dataset == "fe" else row["id"].rsplit("_", 3)[0]
            groups.setdefault(key, []).append(row)
    yield from (rows for rows in groups.values() if len(rows) > 1)


def wrapper_of(rows: Sequence[Row]) -> PortalWrapper | None:
    """What these pages teach; None where they teach nothing. It goes through JSON, as it does from one command to the other."""
    try:
        learned = learn([Document.parse(row["html"], row["url"]) for row in rows])
    except WrapperRefused:
        return None
    wrapper = PortalWrapper.from_json(learned.to_json())
    wrapper.apply(Document.parse(rows[0]["html"], rows[0]["url"]))
    return wrapper


class Tally:
    """Scores, uses and CPU time of one dataset."""

    def __init__(self, dataset: str, metrics: ModuleType) -> None:
        self.dataset, self.metrics = dataset, metrics
        self.scores: dict[str, list[Any]] = {"page-level": [], "wrapper": []}
        self.seconds = {"page-level": 0.0, "wrapper": 0.0}
        self.used = 0
        self.changed: list[tuple[str, float, float]] = []

    def add(self, row: Row, wrapper: PortalWrapper | None) -> None:
        """Read a page in both ways."""
        f1 = []
        for name, reading in (("page-level", Reading()), ("wrapper", Reading(wrapper=wrapper))):
            started = time.process_time()
            record = read_record(row["html"], row["url"], reading=reading)
            self.seconds[name] += time.process_time() - started
            found = {key: record[key] for key in ("title", "body", "authors")} | {"date": record["published_at"]}
            self.scores[name].append(self.metrics.score_page(self.dataset, row["gold"], found))
            f1.append(self.scores[name][-1].get("f1", 0.0))
            self.used += name == "wrapper" and record["method"] == "wrapper"
        if abs(f1[0] - f1[1]) > 0.0005:
            self.changed.append((row["id"], f1[0], f1[1]))

    def figures(self, name: str) -> dict[str, float]:
        """The bench's figures of one way to read."""
        total = self.metrics.TOTAL[self.dataset](self.scores[name])
        columns = ("f1", "p", "r") if self.dataset == "fe" else ("body_f1", "title", "date", "authors")
        return {column: total[column] for column in columns} | {"cpu ms": 1000 * self.seconds[name] / len(self.scores[name])}


def measure(dataset: str, number: int | None, weights: Path | None, metrics: ModuleType) -> Tally:
    """Read every page with what the others teach."""
    tally = Tally(dataset, metrics)
    shipped = detector.load_forest
    for rows in publishers(dataset):
        forest = forest_of(rows[0]["url"], weights)
        detector.load_forest = (lambda forest=forest: forest) if forest is not None else shipped  # type: ignore[assignment]
        for place, row in enumerate(rows):
            others = rows[place + 1 :] + rows[:place]
            tally.add(row, wrapper_of(others[:number] if number else others))
    detector.load_forest = shipped
    return tally


def forest_of(url: str, weights: Path | None) -> Forest | None:
    """The weights that have not seen the site of a page."""
    if weights is None:
        return None
    where = json.loads((weights / "where.json").read_text("utf-8"))
    fold = where.get(bench_module("corpora").registered_host(url))
    if fold is None:
        return None
    data = json.loads((weights / f"{fold}.json").read_text("utf-8"))
    return Forest(tuple(data["features"]), data["base"], tuple(data["trees"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", nargs="+", choices=DATASETS, default=DATASETS)
    parser.add_argument("--pages", type=int, help="learn from so many pages; default: from all others")
    parser.add_argument("--weights", type=Path, help="folder of weights by fold")
    parser.add_argument("--show", action="store_true", help="name the pages whose body changes")
    arguments = parser.parse_args()
    if not BENCH.exists():
        print(f"{BENCH} is not there: nothing to measure on", file=sys.stderr)
        return 0
    gc.set_threshold(20_000, 20, 20)
    metrics = bench_module("metrics")
    for dataset in arguments.datasets:
        tally = measure(dataset, arguments.pages, arguments.weights, metrics)
        print(f"{dataset}: {len(tally.scores['wrapper'])} pages, the wrapper's answer used on {tally.used}")
        for name in tally.scores:
            print(f"  {name:<12}" + "".join(f"{key:>10} {value:.4f}" for key, value in tally.figures(name).items()), flush=True)
        for page, before, after in tally.changed if arguments.show else ():
            print(f"    {page:<45} {before:.3f} > {after:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
