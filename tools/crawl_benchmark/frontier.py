"""The frontier with very many URLs, on SQLite: resident memory, and how long the next URLs take."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from crawl_benchmark.memory import resident_mb
from newscrawler.crawl.run.crawl_run import MOST_IN_HAND
from newscrawler.store import open_store
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.vocabularies import FINISHED

MOST_MB = 300.0
MOST_MS = 5.0
_BATCH = 1_000
_LINKS = 60


def frontier(urls: int, claims: int) -> dict[str, Any]:
    """Fill a frontier, then take URLs from it one by one and commit a page with links for each, as a crawl does."""
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{Path(folder) / 'store.sqlite'}") as store:
        now = datetime.now(UTC)
        _, opened = store.runs.begin("portal", now=now, version="benchmark")
        began = time.process_time()
        for batch in _batches(urls):
            opened.seed(batch, now=now)
        filling = time.process_time() - began
        after_filling = resident_mb()
        single, single_cpu, many, commits = [], [], [], []
        for number in range(claims):
            began, began_cpu = time.perf_counter(), time.process_time()
            taken = opened.lease(1 if number % 2 else 4 * MOST_IN_HAND, now=now)
            (single if number % 2 else many).append(time.perf_counter() - began)
            single_cpu += [time.process_time() - began_cpu] if number % 2 else []
            began = time.perf_counter()
            found = tuple(_url((number * 977 + link) % (urls + 100_000)) for link in range(_LINKS))
            opened.commit([PageOutcome(url_id=item.id, state="done", found=found, fetched_at=now) for item in taken])
            commits.append((time.perf_counter() - began) / len(taken))
        waiting = opened.counts().waiting
        result: dict[str, Any] = {
            "urls": urls,
            "waiting_at_the_end": waiting,
            "filling_cpu_seconds": filling,
            "next_url_ms_median": 1000 * median(single),
            "next_url_cpu_ms_median": 1000 * median(single_cpu),
            "next_url_ms_95": 1000 * quantiles(single, n=20)[-1],
            "next_16_urls_ms_median": 1000 * median(many),
            "commit_ms_median": 1000 * median(commits),
            "mb_after_filling": after_filling,
            "mb_at_the_end": resident_mb(),
            "file_mb": (Path(folder) / "store.sqlite").stat().st_size / 2**20,
        }
        began = time.process_time()
        store.runs.end(1, now=now, because=FINISHED, counts={})
        store.runs.begin("portal", now=now, version="benchmark")
        result["next_round_cpu_seconds"] = time.process_time() - began
    largest = max(result["mb_after_filling"], result["mb_at_the_end"])
    # nothing in it waits for a disk: CPU time is what the clock shows where nothing else runs
    result["holds"] = largest <= MOST_MB and result["next_url_cpu_ms_median"] < MOST_MS
    return result


def _batches(urls: int) -> Iterator[list[FoundUrl]]:
    for start in range(0, urls, _BATCH):
        yield [_url(number) for number in range(start, min(start + _BATCH, urls))]


def _url(number: int) -> FoundUrl:
    kind, priority = ("article", 10) if number % 10 else ("section", 20)
    url = f"https://www.example.org/zpravy/{number % 365:03}/most-pres-reku-se-letos-docka-opravy-{number}.html"
    return FoundUrl(url=url, kind=kind, priority=priority, depth=2)
