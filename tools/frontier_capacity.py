#!/usr/bin/env python3
"""Measure what the next URL and a commit cost on PostgreSQL while the frontier grows.

Prints JSON, and ends with 1 if they grow with it.

    tools/frontier_capacity.py                            200,000 and 2,000,000 URLs of 1,000 portals
    tools/frontier_capacity.py --urls 1000000 10000000    as the largest installation that is planned for

URLs are generated in the database, nine of ten fetched. At each size, pages are committed in portals of the same size as the
others, each an article with twenty links, as crawls commit them; the time of the fastest tenth of the transactions is
what counts, as a busy machine adds to the others.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

from sqlalchemy import text

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from newscrawler.article import Article, DatePrecision, Paragraph  # noqa: E402
from newscrawler.store import FoundUrl, PageOutcome, Store, open_store  # noqa: E402
from newscrawler.store.vocabularies.outcomes import FINISHED, FrontierKind, UrlOutcome, UrlState  # noqa: E402
from tools.cluster_chaos import postgresql  # noqa: E402

_PORTALS, _COMMITS, _LINKS = 1_000, 150, 20
#: Costs may grow by so much between the smallest and the largest size, and by noise.
_MOST_GROWTH = 1.5
_FILL = text("""
INSERT INTO frontier (portal_id, url, url_hash, kind, state, outcome, priority, depth, redirects, attempts, new_articles,
                      empty_visits, sources, found_at, round)
SELECT 1 + n % :portals, 'https://www.p' || n % :portals || '.example/clanek/' || n, decode(md5('u' || n), 'hex'), 'article',
       CASE WHEN n / 1000 % 10 = 0 THEN 'waiting' ELSE 'done' END, CASE WHEN n / 1000 % 10 = 0 THEN NULL ELSE 'article' END,
       5, 2, 0, 0, 0, 0, 1, now(), 1
FROM generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) n
""")


def fill(store: Store, first: int, last: int) -> float:
    """Generate URLs; return the seconds that it took."""
    began = time.monotonic()
    with store.engine.begin() as connection:
        connection.execute(text(
            "INSERT INTO portal (id, name, round, created_at) SELECT n, 'p' || n, 1, now() FROM generate_series(1, :portals) n "
            "ON CONFLICT DO NOTHING"
        ), {"portals": _PORTALS})  # fmt: skip
        connection.execute(_FILL, {"portals": _PORTALS, "first": first, "last": last})
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE frontier"))
    return time.monotonic() - began


def measure(store: Store, portals: range) -> dict[str, float]:
    """Take and commit URLs in some portals; return the milliseconds that the fastest tenth takes at most."""
    claims, commits = [], []
    for portal in portals:
        run, frontier = store.runs.begin(f"p{portal}", now=datetime.now(UTC), version="benchmark")
        for number in range(_COMMITS // len(portals)):
            began = time.perf_counter()
            taken = frontier.claim(1, now=datetime.now(UTC))
            claims.append(time.perf_counter() - began)
            found = tuple(_found(portal, run.id, number, link) for link in range(_LINKS))
            outcomes = [_outcome(item.id, f"{item.url}?{run.id}", found) for item in taken]
            began = time.perf_counter()
            frontier.commit(outcomes)
            commits.append(time.perf_counter() - began)
        store.runs.end(run.id, now=datetime.now(UTC), because=FINISHED, counts={})
    return {"next_url_ms": round(1000 * quantiles(claims, n=10)[0], 2), "commit_ms": round(1000 * quantiles(commits, n=10)[0], 2)}


def _found(portal: int, run: int, number: int, link: int) -> FoundUrl:
    return FoundUrl(url=f"https://www.p{portal}.example/{run}/{number}/{link}", kind=FrontierKind.ARTICLE, priority=9, depth=3)


def _outcome(url_id: int, url: str, found: tuple[FoundUrl, ...]) -> PageOutcome:
    now = datetime.now(UTC)
    article = Article(
        title=f"Zpráva {url}", paragraphs=tuple(Paragraph(text=f"Odstavec {number} zprávy {url}. " * 5) for number in range(8)),
        url=url, published_at=now, published_precision=DatePrecision.MINUTE, language="cs", fetched_at=now, method="default",
        confidence=0.9,
    )  # fmt: skip
    return PageOutcome(
        url_id=url_id, state=UrlState.DONE, outcome=UrlOutcome.ARTICLE, http_status=200, article=article, found=found,
        fetched_at=now,
    )  # fmt: skip


def main() -> int:
    """Measure at each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, nargs="+", default=[200_000, 2_000_000])
    sizes = sorted(parser.parse_args().urls)
    results: list[dict[str, Any]] = []
    with postgresql() as server, open_store(str(server.get_uri()).replace("postgresql:", "postgresql+psycopg:", 1)) as store:
        before = 0
        for number, size in enumerate(sizes):
            seconds = fill(store, before, size - 1)
            figures = measure(store, range(1 + 10 * number, 11 + 10 * number))
            with store.engine.connect() as connection:
                room = connection.execute(text("SELECT pg_total_relation_size('frontier')")).scalar_one()
            results.append({"urls": size, **figures, "filling_seconds": round(seconds), "bytes_an_url": round(room / size)})
            before = size
    growth = max(results[-1][name] / results[0][name] for name in ("next_url_ms", "commit_ms"))
    holds = growth <= _MOST_GROWTH
    print(json.dumps({"sizes": results, "largest_growth": round(growth, 2), "holds": holds}, indent=2))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
