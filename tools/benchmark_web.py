"""Generate a large database and say what each page of the web application costs: python tools/benchmark_web.py FOLDER."""

from __future__ import annotations

import argparse
import gzip
import time
from pathlib import Path

from starlette.testclient import TestClient
from web_benchmark.database import END, generate

from newscrawler.config import load_configuration
from newscrawler.store import open_store
from newscrawler.web import WebContext, create_app

PAGES = (
    "/", "/articles", "/articles?q=flood", "/articles?q=the", "/articles?portal=portal-003&section=Sport", "/explore",
    "/explore/trends?q=flood&q2=the&q3=bridge", "/explore/trends?q=flood&period=day", "/explore/concordance?q=the&sort=right",
    "/explore/frequencies", "/explore/collocates?q=the", "/explore/keywords?portal=portal-003", "/explore/coverage",
    "/explore/counts?by=author", "/explore/counts?by=month", "/portals/portal-003", "/releases", "/review", "/service", "/jobs",
)  # fmt: skip
MOST_SECONDS, MOST_BYTES = 0.3, 150_000


def main() -> int:
    """Print CPU time and compressed size of each page; return 1 if one is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--articles", type=int, default=200_000)
    parser.add_argument("--portals", type=int, default=200)
    chosen = parser.parse_args()
    if not (chosen.folder / "newscrawler.toml").exists():
        chosen.folder.mkdir(parents=True, exist_ok=True)
        generate(chosen.folder, articles=chosen.articles, portals=chosen.portals)
    configuration = load_configuration(chosen.folder / "newscrawler.toml")
    failed = False
    with open_store(configuration.database_url) as store:
        context = WebContext.of(store, configuration, now=lambda: END)
        context.overviews.assess_all()  # as the server does when it starts
        client = TestClient(create_app(context), base_url="http://127.0.0.1:8765")
        for path in PAGES:
            seconds, size = _cost(client, path)
            is_within = seconds <= MOST_SECONDS and size <= MOST_BYTES
            failed |= not is_within
            print(f"{'  ' if is_within else '! '}{1000 * seconds:6.0f} ms {size / 1000:7.1f} kB  {path}")
    return int(failed)


def _cost(client: TestClient, path: str) -> tuple[float, int]:
    """Return the CPU time of the faster of two requests, and the compressed size."""
    best = float("inf")
    for _ in range(2):
        began = time.process_time()
        answer = client.get(path)
        best = min(best, time.process_time() - began)
    assert answer.status_code == 200, (path, answer.status_code)
    return best, len(gzip.compress(answer.content))


if __name__ == "__main__":
    raise SystemExit(main())
