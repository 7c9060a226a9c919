"""CPU time of a page through the whole job, against what news-please spends on extracting the same pages."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from crawl_benchmark.site import Site, served
from crawl_benchmark.speed import whole_pace

#: A page through the whole job may cost this share of it.
MOST_SHARE = 1 / 8
#: Requests beside the pages: front page, sitemap, feeds.
_AROUND = 4
#: The first of the pages, as a share, are not counted: what loads data and fills caches is no page's cost.
_WARMING = 0.2
#: Run by the other Python; the first page, which loads data, is not counted, nor are those that it fails at. Pictures would be
#: fetched from where the pages come from.
_THEIRS = """
import json, sys, time
from newsplease import NewsPlease
seconds, found, failed = [], 0, 0
for number, line in enumerate(open(sys.argv[1], encoding="utf-8")):
    page = json.loads(line)
    began = time.process_time()
    try:
        article = NewsPlease.from_html(page["html"], url=page["url"], fetch_images=False)
    except Exception:
        failed += 1
        continue
    if number:
        seconds.append(time.process_time() - began)
        found += bool(article.maintext)
print(json.dumps({"pages": len(seconds), "seconds": sum(seconds), "with_text": found, "failed": failed}))
"""


def extraction(pages: int, python: Path, file: Path | None = None, times: int = 3) -> dict[str, Any]:
    """Crawl pages from a local server, and let news-please extract the same pages without fetching them.

    Args:
        pages: how many.
        python: of the environment that holds news-please.
        file: JSON lines with `url` and `html`, such as pages of real portals; None: articles of the synthetic site, which are
            small and easy for everybody.
        times: how often they are crawled; the median counts.
    """
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / "pages.jsonl"
        lines = file.read_text("utf-8").splitlines() if file else list(_synthetic(pages))
        chosen.write_text("\n".join(lines[:pages]), "utf-8")
        done = subprocess.run([str(python), "-c", _THEIRS, str(chosen)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        theirs = json.loads(done.stdout.splitlines()[-1])
        with served(0, pages=chosen) as url:
            ours = sorted(_ours(url, pages, Path(folder) / "seconds.json") for _ in range(times))
    result = {
        "pages": theirs["pages"],
        "news_please_cpu_ms": 1000 * theirs["seconds"] / theirs["pages"],
        "news_please_pages_with_text": f"{theirs['with_text']} of {theirs['pages']}",
        "news_please_failures": theirs["failed"],
        "whole_job_cpu_ms": 1000 * median(ours),
        "whole_job_cpu_ms_of_each_run": [1000 * seconds for seconds in ours],
    }
    result["share"] = result["whole_job_cpu_ms"] / result["news_please_cpu_ms"]
    result["holds"] = result["share"] <= MOST_SHARE
    return result


def _ours(url: str, pages: int, file: Path) -> float:
    """CPU seconds a page, from the time when some were in the database to the time when all were.

    What a run costs once (starting, what it learns at its end) is no page's cost.
    """
    whole_pace(url, "--max-pages", str(pages + _AROUND), marks=file)
    seconds = json.loads(file.read_text("utf-8"))
    first = round(_WARMING * len(seconds))
    return float((seconds[-1] - seconds[first]) / (len(seconds) - 1 - first))


def _synthetic(pages: int) -> Iterator[str]:
    site = Site(pages)
    for number in range(pages):
        path = site.address(number)
        yield json.dumps({"url": f"https://www.example.org{path}", "html": site.page(path)})
