"""CPU time of a page through the whole job, against what news-please spends on extracting the same pages."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crawl_benchmark.site import Site, served
from crawl_benchmark.speed import whole_pace

#: A page through the whole job may cost this share of it.
MOST_SHARE = 1 / 8
#: Requests beside the pages: front page, sitemap, feeds.
_AROUND = 4
#: Run by the other Python; the first page, which loads data, is not counted.
_THEIRS = """
import json, sys, time
from newsplease import NewsPlease
seconds, found = [], 0
for number, line in enumerate(open(sys.argv[1], encoding="utf-8")):
    page = json.loads(line)
    began = time.process_time()
    article = NewsPlease.from_html(page["html"], url=page["url"])
    if number:
        seconds.append(time.process_time() - began)
        found += bool(article.maintext)
print(json.dumps({"pages": len(seconds), "seconds": sum(seconds), "with_text": found}))
"""


def extraction(pages: int, python: Path, file: Path | None = None) -> dict[str, Any]:
    """Crawl pages from a local server, and let news-please extract the same pages without fetching them.

    Args:
        pages: how many.
        python: of the environment that holds news-please.
        file: JSON lines with `url` and `html`, such as pages of real portals; None: articles of the synthetic site, which are
            small and easy for everybody.
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
            half = whole_pace(url, "--max-pages", str(pages // 2))
            whole = whole_pace(url, "--max-pages", str(pages + _AROUND))
    result = {
        "pages": whole.pages,
        "news_please_cpu_ms": 1000 * theirs["seconds"] / theirs["pages"],
        "news_please_pages_with_text": f"{theirs['with_text']} of {theirs['pages']}",
        # what a run costs once (starting, what it learns at its end) is no page's cost: the second half of the pages alone
        "whole_job_cpu_ms": 1000 * (whole.cpu_seconds - half.cpu_seconds) / (whole.pages - half.pages),
        "whole_job_cpu_ms_with_start_and_end": whole.cpu_ms,
    }
    result["share"] = result["whole_job_cpu_ms"] / result["news_please_cpu_ms"]
    result["holds"] = result["share"] <= MOST_SHARE
    return result


def _synthetic(pages: int) -> Iterator[str]:
    site = Site(pages)
    for number in range(pages):
        path = site.address(number)
        yield json.dumps({"url": f"https://www.example.org{path}", "html": site.page(path)})
