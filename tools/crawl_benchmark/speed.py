"""The whole main job (fetch, classify, extract, store on SQLite) against a bare Scrapy spider, on the same site."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from crawl_benchmark.site import served

#: What the whole job has to reach, as a share of the bare spider's pages a second.
LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """One crawl."""

    pages: int
    seconds: float
    #: Of the process, user and system, its start and end included.
    cpu_seconds: float

    @property
    def pages_per_second(self) -> float:
        """By the clock on the wall."""
        return self.pages / self.seconds

    @property
    def cpu_ms(self) -> float:
        """CPU milliseconds a page."""
        return 1000 * self.cpu_seconds / self.pages


def speed(articles: int, times: int, url: str | None = None) -> dict[str, Any]:
    """Let both crawl the site in turn, several times.

    Args:
        articles: of the synthetic site; with `url` without meaning.
        times: how often.
        url: another site on this machine.
    """
    if url is None:
        with served(articles) as address:
            return speed(articles, times, address)
    bare, whole = [], []
    for _ in range(times):
        bare.append(bare_pace(url))
        whole.append(whole_pace(url))
    result = {
        "bare_pages_per_second": median(pace.pages_per_second for pace in bare),
        "whole_pages_per_second": median(pace.pages_per_second for pace in whole),
        "bare_cpu_ms": median(pace.cpu_ms for pace in bare),
        "whole_cpu_ms": median(pace.cpu_ms for pace in whole),
        "pages": [bare[0].pages, whole[0].pages],
    }
    result["share_by_cpu"] = result["bare_cpu_ms"] / result["whole_cpu_ms"]
    result["share"] = median(one.pages_per_second / other.pages_per_second for one, other in zip(whole, bare, strict=True))
    result["holds"] = result["share"] >= LEAST_SHARE
    return result


def bare_pace(url: str) -> Pace:
    """Let Scrapy follow the links."""
    out, cpu_seconds = _run([sys.executable, "-m", "crawl_benchmark.bare_spider", url], Path(__file__).parents[1])
    stats = json.loads(out)
    return Pace(pages=stats["pages"], seconds=stats["seconds"], cpu_seconds=cpu_seconds)


def whole_pace(url: str, *options: str, marks: Path | None = None) -> Pace:
    """Let newscrawler do its job, in an empty folder.

    Args:
        url: where the site begins.
        options: of the crawl.
        marks: gets the CPU time at each page.
    """
    module = ["newscrawler"] if marks is None else ["crawl_benchmark.whole_job", str(marks)]
    command = [sys.executable, "-m", *module, "crawl", url, "--delay", "0", "--json", *options]
    with tempfile.TemporaryDirectory() as folder:
        out, cpu_seconds = _run(command, Path(folder))
    summary = json.loads(out)
    return Pace(pages=summary["pages"], seconds=summary["seconds"], cpu_seconds=cpu_seconds)


def _run(command: list[str], folder: Path) -> tuple[str, float]:
    paths = os.pathsep.join((str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])))
    environment = os.environ | {"PYTHONPATH": paths}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return out, usage.ru_utime + usage.ru_stime
