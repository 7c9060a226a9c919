#!/usr/bin/env python3
"""Measure what crawls cost, for the defaults of `newscrawler plan` (newscrawler/service/capacity.py).

Prints JSON, the default beside each figure.

    tools/measure_costs.py                          three crawls each of 5, 40 and 120 articles
    tools/measure_costs.py --articles 10 300 --times 5

Synthetic portals with menus and footers are served on this machine and crawled into PostgreSQL without a delay, each crawl by a
process of its own, pages kept. Processor time counts, not the clock on the wall, so a busy machine does little harm.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from crawl_benchmark.site import served  # noqa: E402

from newscrawler.service import Costs, Measured  # noqa: E402
from newscrawler.service.capacity import fit_costs  # noqa: E402
from newscrawler.store import open_store  # noqa: E402
from newscrawler.store.maintenance import measure_sizes  # noqa: E402
from tools.chaos_trial.database import postgresql, postmaster_of, server_seconds  # noqa: E402

_NAMES = (
    "start_cpu_seconds", "page_cpu_seconds", "server_share", "crawl_mib", "worker_mib", "database_article_kb", "kept_page_kb",
)  # fmt: skip


def crawl(folder: Path, name: str, url: str, database: str) -> Measured:
    """Crawl a portal and return what it took."""
    path = folder / "newscrawler.toml"
    path.write_text(
        f'[crawler]\ndatabase = "{database}"\n[[portal]]\nname = "{name}"\nstart_urls = ["{url}"]\ndelay = 0\nlearn = false\n'
    )
    command = [sys.executable, "-m", "newscrawler", "crawl", "--config", str(path)]
    subprocess.run(command, cwd=folder, env=_environment(folder), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open_store(database, create=False) as store:
        run = store.runs.latest(name, limit=1)[0]
    assert run.ended_at is not None
    return Measured(
        portal=name,
        seconds=(run.ended_at - run.started_at).total_seconds(),
        delay_seconds=0.0,
        requests=int(run.counts["requests"]),
        pages=int(run.counts["pages"]),
        articles=int(run.counts["new_articles"]),
        cpu_seconds=run.counts["cpu_seconds"],
        memory_mib=run.counts["memory_mib"],
    )


def worker_mib(folder: Path, database: str) -> int:
    """Return the resident memory of a worker without crawls."""
    command = [sys.executable, "-m", "newscrawler", "worker", "--config", str(folder / "newscrawler.toml"), "--role", "plan"]
    subprocess.run([*command, "--prepare"], cwd=folder, env=_environment(folder), check=True, stdout=subprocess.DEVNULL)
    with subprocess.Popen(command, cwd=folder, env=_environment(folder), stderr=subprocess.DEVNULL) as process:
        with open_store(database, create=False) as store:
            while not store.dispatch.workers():
                if process.poll() is not None:
                    raise SystemExit(f"the worker ended with {process.returncode}")
        pages = int(Path(f"/proc/{process.pid}/statm").read_text("ascii").split()[1])
        process.terminate()
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def _environment(folder: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder / "state")}


def measure(articles: list[int], times: int) -> dict[str, Any]:
    """Crawl portals of these sizes; return each cost."""
    with postgresql(fsync=True) as server, tempfile.TemporaryDirectory() as folder:
        database = str(server.get_uri()).replace("postgresql:", "postgresql+psycopg:", 1)
        postmaster = postmaster_of(server)
        with open_store(database) as store:
            empty = measure_sizes(store.engine)
        before = server_seconds(postmaster)
        crawls = []
        for count in articles:
            with served(count) as url:
                crawls += [crawl(Path(folder), f"p{count}-{number}", url, database) for number in range(times)]
        spent = server_seconds(postmaster) - before
        with open_store(database, create=False) as store:
            full = measure_sizes(store.engine)
        found = fit_costs(
            crawls,
            database_bytes=full.database_bytes - empty.database_bytes,
            articles=full.articles,
            kept_pages=full.kept_pages,
            kept_bytes=full.kept_bytes,
        )
        figures = {name: round(getattr(found, name), 3) for name in sorted(found.measured & set(_NAMES))}
        figures["server_share"] = round(spent / sum(crawl.cpu_seconds or 0.0 for crawl in crawls), 3)
        figures["worker_mib"] = worker_mib(Path(folder), database)
    return {
        "crawls": len(crawls),
        "pages": sum(crawl.pages for crawl in crawls),
        "articles": full.articles,
        "median_crawl_mib": median(crawl.memory_mib or 0 for crawl in crawls),
        "costs": {name: {"measured": figures.get(name), "default": getattr(Costs(), name)} for name in _NAMES},
    }


def main() -> int:
    """Measure, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, nargs="+", default=[5, 40, 120])
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    print(json.dumps(measure(options.articles, options.times), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
