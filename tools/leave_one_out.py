"""Measure the template, learned from the other pages of each host, beside the page-level extractor.

    leave_one_out.py [--datasets fe fundus dragnet l3s] [--pages N] [--least N] [--show]

Of ../shared/bench: the hosts that have --least pages or more (4 by default). Each page is read with what up to --pages others of
its host (10 by default) teach; pages that teach nothing leave it to the page-level extractor. Prints, for each data set, mean page
F1 without and with the template, pages that got better and worse, how far body and learned places agree, and the hosts that lose
more than .01; on fundus also title, date and authors. CPU time is that of reading with a template that is ready. Ends with 1 if a
host loses more than .01.

The page-level models were trained on these very pages, so that they err less here than elsewhere, and leave less to gain.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body, finish, read_dates, read_metadata
from newscrawler.extraction.templates import PortalTemplate, TemplateFit, TemplateRefused, learn_template
from newscrawler.page import Document

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"
DATASETS = ("fe", "fundus", "dragnet", "l3s")
FIELDS = ("f1", "title", "date", "authors")
#: By which the mean F1 of a host may be lower with the template.
MOST_LOSS = 0.01
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


def hosts(dataset: str, least: int) -> Iterator[tuple[str, list[Row]]]:
    """Yield the hosts (of fundus, the publishers) that have this many pages, with these."""
    groups: dict[str, list[Row]] = {}
    with gzip.open(BENCH / "data" / f"{dataset}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            key = row["id"].rsplit("_", 3)[0] if dataset == "fundus" else urlsplit(row["url"] or "").hostname
            if key:
                groups.setdefault(key, []).append(row)
    yield from ((host, rows) for host, rows in groups.items() if len(rows) >= least)


def template_of(rows: Sequence[Row]) -> PortalTemplate | None:
    """Return what these pages teach; None where they teach nothing. It goes through JSON, as between two commands."""
    try:
        return PortalTemplate.from_json(learn_template([Document.parse(row["html"], row["url"]) for row in rows]).to_json())
    except TemplateRefused:
        return None


@dataclass(slots=True)
class Tally:
    """Scores of one data set, without and with the template."""

    dataset: str
    metrics: ModuleType
    #: By host, the scores of its pages.
    alone: dict[str, list[Row]] = field(default_factory=dict)
    learned: dict[str, list[Row]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    #: What the template said of each page that is an article.
    explained: list[TemplateFit] = field(default_factory=list)
    #: Page, F1 without and with the template, where these differ.
    changed: list[tuple[str, float, float]] = field(default_factory=list)

    def add(self, host: str, row: Row, template: PortalTemplate | None) -> None:
        """Read a page in both ways."""
        before, _ = self._read(row, ExtractionOptions(required=frozenset({"body"})), 0)
        after, explained = self._read(row, ExtractionOptions(required=frozenset({"body"}), template=template), 1)
        self.alone.setdefault(host, []).append(before)
        self.learned.setdefault(host, []).append(after)
        self.explained += [explained] if explained is not None else []
        if abs(before.get("f1", 0.0) - after.get("f1", 0.0)) > 0.0005:
            self.changed.append((row["id"], before.get("f1", 0.0), after.get("f1", 0.0)))

    def _read(self, row: Row, reading: ExtractionOptions, way: int) -> tuple[Row, TemplateFit | None]:
        draft, found = ExtractionState(page=Document.parse(row["html"], row["url"])), {}
        started = time.process_time()
        try:
            detect_body(draft, reading)
            read_metadata(draft, reading)
            read_dates(draft, reading)
            record = finish(draft, reading).as_dict()
            found = {key: record[key] for key in ("title", "body", "authors")} | {"date": record["published_at"]}
        except PageError:
            pass
        self.seconds[way] += time.process_time() - started
        score: Row = self.metrics.score_page(self.dataset, row["gold"], found)
        return score, draft.explained if found else None

    def figure(self, name: str, *, learned: bool) -> float | None:
        """Return the mean of a score over all pages; None where the data set does not have it."""
        scores = [score for rows in (self.learned if learned else self.alone).values() for score in rows if name in score]
        return fmean(score[name] for score in scores) if scores else None

    def gains(self) -> dict[str, float]:
        """Return by how much the mean F1 of each host is higher with the template."""
        return {
            host: fmean(score.get("f1", 0.0) for score in self.learned[host]) - fmean(score.get("f1", 0.0) for score in rows)
            for host, rows in self.alone.items()
        }


def measure(dataset: str, pages: int, least: int, metrics: ModuleType) -> Tally:
    """Read every page with what others of its host teach."""
    tally = Tally(dataset, metrics)
    for host, rows in hosts(dataset, least):
        for place, row in enumerate(rows):
            tally.add(host, row, template_of((rows[place + 1 :] + rows[:place])[:pages]))
    return tally


def report(tally: Tally) -> Iterator[str]:
    """Yield what was measured, in lines."""
    pages, gains = sum(map(len, tally.alone.values())), tally.gains()
    fit = [explained for explained in tally.explained if explained.explained]
    yield (
        f"{tally.dataset}: {pages} pages of {len(gains)} hosts; {len(fit)} fit a learned layout, "
        f"{sum(explained.used == 'template' for explained in tally.explained)} changed by the template"
    )
    for name in FIELDS:
        before, after = tally.figure(name, learned=False), tally.figure(name, learned=True)
        if before is not None and after is not None:
            yield f"  {name:<8} {before:.4f} page by page, {after:.4f} with the template"
    better = sum(after > before for _, before, after in tally.changed)
    yield f"  F1 of {better} pages is higher, of {len(tally.changed) - better} lower"
    for host, gain in sorted(gains.items(), key=lambda item: item[1]):
        if gain < -MOST_LOSS:
            yield f"  worse: {host} {gain:+.4f} ({len(tally.alone[host])} pages)"
    if fit:
        agreement = sorted(explained.agreement for explained in fit)
        yield f"  agreement {fmean(agreement):.3f}, the lowest tenth below {agreement[len(agreement) // 10]:.3f}"
    yield f"  CPU {1000 * tally.seconds[0] / pages:.1f} ms page by page, {1000 * tally.seconds[1] / pages:.1f} ms with the template"


def main() -> int:
    """Measure the data sets that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", nargs="+", choices=DATASETS, default=DATASETS)
    parser.add_argument("--pages", type=int, default=10, help="learn from so many other pages at most")
    parser.add_argument("--least", type=int, default=4, help="pages that a host must have")
    parser.add_argument("--show", action="store_true", help="name the pages whose F1 changes")
    arguments = parser.parse_args()
    if not BENCH.exists():
        print(f"{BENCH} is not there: nothing to measure on", file=sys.stderr)
        return 1
    metrics, worst = bench_module("metrics"), 0.0
    for dataset in arguments.datasets:
        tally = measure(dataset, arguments.pages, arguments.least, metrics)
        print("\n".join(report(tally)), flush=True)
        for page, before, after in tally.changed if arguments.show else ():
            print(f"    {page:<45} {before:.3f} > {after:.3f}")
        worst = min(worst, *tally.gains().values())
    return int(worst < -MOST_LOSS)


if __name__ == "__main__":
    sys.exit(main())
