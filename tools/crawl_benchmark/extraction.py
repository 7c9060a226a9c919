"""CPU time of a page through the whole job, against what news-please spends on extracting the same pages."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from crawl_benchmark.site import Site, served
from crawl_benchmark.speed import whole_pace

#: A page through the whole job may cost this share of it.
MOST_SHARE = 1 / 8
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


def extraction(articles: int, pages: int, python: Path) -> dict[str, Any]:
    """Crawl the synthetic site, and let news-please extract some of its articles without fetching them."""
    site = Site(articles)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl") as file:
        for number in range(pages + 1):
            path = site.address(number % articles)
            print(json.dumps({"url": f"https://www.example.org{path}", "html": site.page(path)}), file=file)
        file.flush()
        done = subprocess.run([str(python), "-c", _THEIRS, file.name], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    theirs = json.loads(done.stdout.splitlines()[-1])
    with served(articles) as url:
        ours = whole_pace(url)
    result = {
        "news_please_cpu_ms": 1000 * theirs["seconds"] / theirs["pages"],
        "news_please_pages_with_text": f"{theirs['with_text']} of {theirs['pages']}",
        "whole_job_cpu_ms": ours.cpu_ms,
        "whole_job_pages": ours.pages,
    }
    result["share"] = result["whole_job_cpu_ms"] / result["news_please_cpu_ms"]
    result["holds"] = result["share"] <= MOST_SHARE
    return result
