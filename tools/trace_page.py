"""Count what one page runs through: files and functions of ours, changes of file, and kinds of records.

  python tools/trace_page.py extract [--list]   the extraction of a page; the median over 12 pages of ../shared/bench/data
  python tools/trace_page.py crawl [--list]     an article page of the demo's portal, from its response to its commit; the median
                                                over the articles after the first 20

`--list` prints the files by package. In a crawl, one URL is leased at a time, so that all calls belong to one page.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import os
import statistics
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import newscrawler

ROOT = Path(newscrawler.__file__).parent
SHARED = Path(os.environ.get("SHARED", Path(__file__).resolve().parent.parent.parent / "shared"))
EXTRACTED, WARM_UP, MOST_PAGES = 12, 20, 250


@dataclass(slots=True)
class PageTrace:
    """What one page ran through."""

    files: set[str] = field(default_factory=set)
    functions: set[tuple[str, str, int]] = field(default_factory=set)
    records: set[type] = field(default_factory=set)
    changes: int = 0
    last_file: str = ""


class Tracer:
    """Profiler that notes calls of our functions while a page is traced; in all threads."""

    def __init__(self) -> None:
        self.trace: PageTrace | None = None
        self._root = f"{ROOT}{os.sep}"

    def install(self) -> None:
        """Profile this thread and those that start from now on."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        trace = self.trace
        if trace is None or event != "call":
            return
        code = frame.f_code
        if code.co_name == "__init__" and code.co_varnames:
            made = type(frame.f_locals.get(code.co_varnames[0]))
            if made.__module__.startswith("newscrawler"):
                trace.records.add(made)
        if code.co_filename.startswith(self._root):
            trace.changes += code.co_filename != trace.last_file
            trace.last_file = code.co_filename
            trace.files.add(code.co_filename)
            trace.functions.add((code.co_filename, code.co_qualname, code.co_firstlineno))


class TracingReport:
    """Report of a crawl that ends the trace of a page when it is committed."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self.traces: list[PageTrace] = []

    def begin(self, **_: Any) -> None:
        """Begin the trace of a page, at Scrapy's signal that its response has arrived."""
        self._tracer.trace = PageTrace()

    def fetched(self, *_: Any, article: Any, **__: Any) -> None:
        """Keep the trace of an article page."""
        trace, self._tracer.trace = self._tracer.trace, None
        if article is not None and trace is not None:
            self.traces.append(trace)

    def ignore(self, *_: Any, **__: Any) -> None:
        """Ignore other events."""

    started = waits = stopping = ended = ignore


def trace_extraction() -> list[PageTrace]:
    """Trace the extraction of pages of the benchmark, after one that loads models and languages."""
    with gzip.open(SHARED / "bench" / "data" / "aeb.jsonl.gz", "rt", encoding="utf-8") as lines:
        pages = [json.loads(line) for line, _ in zip(lines, range(EXTRACTED + 1), strict=False)]
    newscrawler.extract(pages[0]["html"], url=pages[0]["url"])
    tracer, traces = Tracer(), []
    tracer.install()
    for page in pages[1:]:
        tracer.trace = PageTrace()
        newscrawler.extract(page["html"], url=page["url"])
        traces.append(tracer.trace)
    return traces


def trace_crawl() -> list[PageTrace]:
    """Crawl the demo's portal in this process, and trace its article pages after the warm-up."""
    from pydispatch import dispatcher
    from scrapy import signals

    from newscrawler.config import Configuration, build_portal
    from newscrawler.crawl import crawl_portals
    from newscrawler.demo import TIME_ZONE, DemoPortal, serve

    logging.getLogger().setLevel(logging.ERROR)
    tracer = Tracer()
    report = TracingReport(tracer)
    with tempfile.TemporaryDirectory() as folder, serve(DemoPortal()) as running:
        url = f"{running.base_url}/"
        portal = build_portal(url, name="demo", delay=0.01, time_zone=TIME_ZONE, max_pages=MOST_PAGES)
        configuration = Configuration(database_url=f"sqlite:///{folder}/newscrawler.sqlite", data_folder=Path(folder))
        dispatcher.connect(report.begin, signal=signals.response_downloaded)
        tracer.install()
        crawl_portals(configuration, [portal], report=report)
    return report.traces[WARM_UP:]


def print_files(traces: Sequence[PageTrace]) -> None:
    """Print the files by package, each with the share of pages that enter it where not all do."""
    entered = Counter(name for trace in traces for name in trace.files)
    packages: defaultdict[str, list[str]] = defaultdict(list)
    for name, pages in sorted(entered.items()):
        path = Path(name).relative_to(ROOT)
        share = "" if pages == len(traces) else f" ({pages / len(traces):.0%})"
        packages[str(path.parent)].append(f"{path.name}{share}")
    for package, names in packages.items():
        print(f"  {package}: {len(names)}\n    {', '.join(names)}")


def median(values: Iterable[int]) -> str:
    """Return a median without decimals."""
    return f"{statistics.median(values):.0f}"


def main() -> None:
    """Trace and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["extract", "crawl"])
    parser.add_argument("--list", action="store_true", help="print the files by package")
    arguments = parser.parse_args()
    traces = trace_extraction() if arguments.mode == "extract" else trace_crawl()
    sys.setprofile(None)
    print(f"pages: {len(traces)}")
    print(f"files: {median(len(trace.files) for trace in traces)}")
    print(f"functions: {median(len(trace.functions) for trace in traces)}")
    print(f"changes of file: {median(trace.changes for trace in traces)}")
    print(f"kinds of records: {median(len(trace.records) for trace in traces)}")
    if arguments.list:
        print_files(traces)


if __name__ == "__main__":
    main()
