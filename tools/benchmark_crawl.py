#!/usr/bin/env python3
"""Measure what a crawl costs and what it survives; each part prints JSON and ends with 1 where what must hold does not.

    tools/benchmark_crawl.py speed                        the whole job against a bare Scrapy spider: pages a second
    tools/benchmark_crawl.py extraction --news-please PYTHON [--file PAGES]
                                                          CPU time a page against news-please's extraction
    tools/benchmark_crawl.py frontier                     1,000,000 URLs: memory, latency of the next URLs
    tools/benchmark_crawl.py memory                       50,000 pages: memory at the end against that after 5,000
    tools/benchmark_crawl.py service                      some turns of 200 portals: start, private memory, the plan's end
    tools/benchmark_crawl.py kill --root FOLDER --gold FILE [--postgresql]
                                                          25 × kill -9: nothing lost, hardly anything asked for twice

--news-please names the Python of an environment of its own, into which `pip install news-please==1.6.*` was done.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from crawl_benchmark.extraction import extraction
from crawl_benchmark.frontier import frontier
from crawl_benchmark.killing import killing, postgresql
from crawl_benchmark.memory import memory
from crawl_benchmark.service import service
from crawl_benchmark.speed import speed


def main() -> int:
    arguments = _parser().parse_args()
    run: Callable[[argparse.Namespace], dict[str, Any]] = arguments.run
    result = run(arguments)
    print(json.dumps(result, indent=2, default=str))
    return 0 if result["holds"] else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)

    part = parts.add_parser("speed")
    part.add_argument("--articles", type=int, default=1000)
    part.add_argument("--times", type=int, default=3)
    part.add_argument("--url", help="another site on this machine")
    part.set_defaults(run=lambda given: speed(given.articles, given.times, given.url))

    part = parts.add_parser("extraction")
    part.add_argument("--pages", type=int, default=100, help="how many")
    part.add_argument("--file", type=Path, help="JSON lines with url and html; else synthetic pages")
    part.add_argument("--news-please", type=Path, required=True, metavar="PYTHON")
    part.add_argument("--times", type=int, default=3)
    part.set_defaults(run=lambda given: extraction(given.pages, given.news_please, given.file, given.times))

    part = parts.add_parser("frontier")
    part.add_argument("--urls", type=int, default=1_000_000)
    part.add_argument("--claims", type=int, default=2_000, help="how often the next URLs are taken")
    part.set_defaults(run=lambda given: frontier(given.urls, given.claims))

    part = parts.add_parser("memory")
    part.add_argument("--pages", type=int, default=50_000)
    part.set_defaults(run=lambda given: memory(given.pages))

    part = parts.add_parser("service")
    part.add_argument("--portals", type=int, default=200)
    part.add_argument("--turns", type=int, default=3)
    part.add_argument("--minutes", type=int, default=5, help="between two turns; it must divide 60")
    part.add_argument("--delay", type=float, default=0.5, help="seconds between two requests to a portal")
    part.add_argument("--at-once", type=int)
    part.set_defaults(run=lambda given: service(given.portals, given.turns, given.minutes, given.delay, given.at_once))

    part = parts.add_parser("kill")
    part.add_argument("--root", type=Path, required=True, help="folder of a static site")
    part.add_argument("--gold", type=Path, required=True, help="JSON lines with the url of each article")
    part.add_argument("--kills", type=int, default=25)
    part.add_argument("--seed", type=int, default=1)
    part.add_argument("--most-requests", type=int, default=60, help="a run is killed after so many at most")
    part.add_argument("--postgresql", action="store_true", help="store there, in a server that is started for it")
    part.set_defaults(run=_kill)
    return parser


def _kill(given: argparse.Namespace) -> dict[str, Any]:
    def run(database: str | None) -> dict[str, Any]:
        return killing(given.root, given.gold, given.kills, database, seed=given.seed, most_requests=given.most_requests)

    if not given.postgresql:
        return run(None)
    with postgresql() as database:
        return run(database)


if __name__ == "__main__":
    raise SystemExit(main())
