"""Measure the fast path of templates: python -m training.fast_path [--data DIR] [--sites DIR] [--peer PYTHON] [--profile NAME].

Each portal's pages are parted into folds; a template is learned from the pages of the others (24 at most), and reads those of one.
Printed by kind of portal: share of the pages that it reads at the learned places (one in eight of them is read in full all the
same), F1 of the body by it and by the same template in full, and CPU time from bytes to record of both, one after the other in
this process.

With --peer, the Python of an environment that has trafilatura, CPU time is also taken as ../shared/bench/cpu.py does: each tool a
process that reads the held-out pages of a portal as JSON lines, less the same process with one page, the least of three rounds.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import fmean

import orjson

from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, read_article
from newscrawler.extraction.templates import PortalTemplate, TemplateRefused, learn_template
from training.portals import PortalPage, PortalPages, generated, hosts, served
from training.systems import STATE

_MOST_LEARNED, _FOLDS = 24, 5
_ROUNDS = 3
#: Pages that a process reads, the held-out ones over and over.
_LINES = 120


@dataclass(slots=True, kw_only=True)
class Tally:
    """What was measured of one portal."""

    kind: str
    pages: int = 0
    fast: int = 0
    #: F1 and seconds of pages in full and by the fast path; those of the latter alone also by the fast path only.
    f1: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    #: Pages on which headline, day or authors of the two readings differ.
    fields: int = 0


def template_of(pages: Sequence[PortalPage]) -> PortalTemplate | None:
    """Return what pages teach; it goes through JSON, as between two commands."""
    try:
        return PortalTemplate.from_json(learn_template([page.document for page in pages]).to_json())
    except TemplateRefused:
        return None


def measure(portal: PortalPages) -> Tally:
    """Read each page with what the other folds teach."""
    tally = Tally(kind=portal.kind)
    for learned, held_out in portal.parts(_FOLDS, _MOST_LEARNED):
        template = template_of(learned)
        if template is None:
            tally.pages += len(held_out)
            continue
        full, fast = ExtractionOptions(template=template.remove_fast_paths()), ExtractionOptions(template=template)
        for page in (*held_out[:1], *held_out[:1]):  # warm up
            _read(page, full), _read(page, fast)
        for page in held_out:
            _compare(tally, page, full, fast)
    return tally


def _compare(tally: Tally, page: PortalPage, full: ExtractionOptions, fast: ExtractionOptions) -> None:
    of_full, full_seconds, _ = _read(page, full)
    of_fast, fast_seconds, is_fast = _read(page, fast)
    tally.pages += 1
    tally.fast += is_fast
    tally.f1["full"].append(page.f1(of_full[0]))
    tally.f1["template"].append(page.f1(of_fast[0]))
    tally.seconds["full"].append(full_seconds)
    tally.seconds["template"].append(fast_seconds)
    tally.fields += of_full[1:] != of_fast[1:]
    if is_fast:
        tally.seconds["fast"].append(fast_seconds)


def _read(page: PortalPage, reading: ExtractionOptions) -> tuple[tuple[str | None, *tuple[object, ...]], float, bool]:
    """Return body, title, day and authors of a page, the seconds that they cost, and whether they come from the fast path."""
    started = time.process_time()
    draft, found = ExtractionState(page=page.document), tuple[str | None, *tuple[object, ...]]((None,))
    try:
        article = read_article(draft, reading)
        found = (article.body, article.title, article.published_at and article.published_at.date(), article.authors)
    except PageError:
        pass
    return found, time.process_time() - started, draft.explained is not None and draft.explained.is_fast


def report(tallies: Sequence[Tally], name: str) -> str:
    """Return one line on some portals."""

    def mean(kind: str, key: str) -> float:
        values = list(chain.from_iterable(getattr(tally, kind)[key] for tally in tallies))
        return fmean(values) if values else 0.0

    pages = sum(tally.pages for tally in tallies)
    return (
        f"{name:<28}{pages:>5} pages  fast {sum(tally.fast for tally in tallies) / max(pages, 1):.2f}  "
        f"F1 in full {mean('f1', 'full'):.4f}, by the template {mean('f1', 'template'):.4f}  "
        f"other fields {sum(tally.fields for tally in tallies)}  ms in full {1e3 * mean('seconds', 'full'):.2f}, "
        f"template {1e3 * mean('seconds', 'template'):.2f}, fast alone {1e3 * mean('seconds', 'fast'):.2f}"
    )


def processes(portal: PortalPages, peer: str, bench: Path) -> Iterator[tuple[str, float]]:
    """Yield milliseconds a page of the command without and with a template, and of trafilatura."""
    learned, held_out = next(iter(portal.parts(2, _MOST_LEARNED)))
    template = template_of(learned)
    if template is None:
        return
    lines = [orjson.dumps({"id": page.id, "url": page.url, "html": page.html}) + b"\n" for page in held_out]
    lines = (lines * (_LINES // len(lines) + 1))[:_LINES]
    own = [sys.executable, "-m", "newscrawler", "extract", "--jsonl"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "template.json").write_text(template.to_json(), "utf-8")
        (folder / "one").write_bytes(lines[0])
        (folder / "all").write_bytes(b"".join(lines))
        tools = {
            "page by page": own,
            "template": [*own, "--template", str(folder / "template.json")],
            "trafilatura": [peer, str(bench / "cpu.py"), "--serve", "trafilatura"],
        }
        spent: dict[str, list[float]] = defaultdict(list)
        for _ in range(_ROUNDS):
            for tool, command in tools.items():
                spent[tool].append(_cpu(command, folder / "all") - _cpu(command, folder / "one"))
    yield from ((tool, 1e3 * min(seconds) / (len(lines) - 1)) for tool, seconds in spent.items())


def _cpu(command: Sequence[str], source: Path) -> float:
    with source.open("rb") as pages:
        child = subprocess.Popen(command, stdin=pages, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        msg = f"{command} ended with {child.returncode}"
        raise SystemExit(msg)
    return usage.ru_utime + usage.ru_stime


def profile(portal: PortalPages) -> None:
    """Print where the time of the fast path goes."""
    learned, held_out = next(iter(portal.parts(2, _MOST_LEARNED)))
    template = template_of(learned)
    reading = ExtractionOptions(template=template)
    fast = [page for page in held_out if _read(page, reading)[2]]
    print(f"{len(fast)} of {len(held_out)} pages fast, {fmean(len(page.html) for page in fast or held_out):.0f} characters")
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(20):
        for page in fast:
            _read(page, reading)
    profiler.disable()
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def main() -> int:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the data sets; hosts with ten pages or more are read")
    parser.add_argument("--sites", type=Path, help="../shared/sites, to read its publishing systems, too")
    parser.add_argument("--state", type=Path, default=STATE, help="where the publishing systems are built")
    parser.add_argument("--peer", help="a Python with trafilatura")
    parser.add_argument("--bench", type=Path, default=Path(__file__).parents[2] / "shared/bench", help="folder of cpu.py")
    parser.add_argument("--only", help="this portal alone")
    parser.add_argument("--profile", action="store_true", help="print a profile of the fast path")
    args = parser.parse_args()
    portals = chain(generated(), served(args.sites, args.state), hosts(args.data) if args.data else ())
    chosen = [portal for portal in portals if args.only in (None, portal.name)]
    if args.profile:
        for portal in chosen:
            profile(portal)
        return 0
    tallies = [measure(portal) for portal in chosen]
    for portal, tally in zip(chosen, tallies, strict=True):
        print(report([tally], portal.name), flush=True)
    for kind in dict.fromkeys(tally.kind for tally in tallies):
        print(report([tally for tally in tallies if tally.kind == kind], f"all: {kind}"))
    if args.peer:
        for portal in chosen:
            if portal.kind not in ("l3s", "dragnet"):
                times = dict(processes(portal, args.peer, args.bench))
                ratio = times["template"] / times["trafilatura"] if times else 0.0
                shown = "  ".join(f"{tool} {spent:.2f} ms" for tool, spent in times.items())
                print(f"{portal.name:<28}{shown}  {ratio:.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
