#!/usr/bin/env python3
"""Measure what the next URL and a commit cost on PostgreSQL while the frontier grows.

Prints JSON, and ends with 1 if they grow with it.

    tools/frontier_capacity.py                            1,000,000 and 10,000,000 URLs of 1,000 portals
    tools/frontier_capacity.py --urls 200000 2000000

URLs are generated in the database, nine of ten fetched, for `--load-minutes` at most; foreign keys are not checked
meanwhile, and indexes are made afterwards. At each size, pages are committed in portals of the same size as the others, each
an article with twenty links, as crawls commit them. Growth is judged by the blocks of the frontier that PostgreSQL touches
for a page, and by the processor time of its backends; neither depends on how busy the machine is. Times on the clock are
printed beside them: of the fastest tenth, and the mean.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from sqlalchemy import text

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from newscrawler.article import Article, DatePrecision, Paragraph  # noqa: E402
from newscrawler.store import Store, open_store  # noqa: E402
from newscrawler.store.frontier import FoundUrl, PageOutcome  # noqa: E402
from newscrawler.store.vocabularies import FINISHED, FrontierKind, UrlOutcome, UrlState  # noqa: E402
from tools.chaos_trial.database import postgresql  # noqa: E402

_PORTALS, _COMMITS, _LINKS = 1_000, 150, 20
_SLICE = 500_000
#: Costs may grow by so much between the smallest and the largest size, and by noise.
_MOST_GROWTH = 1.5
_JUDGED = ("blocks_a_page", "next_url_server_ms", "commit_server_ms")
_FILL = text("""
INSERT INTO frontier (portal_id, url, url_hash, kind, state, outcome, priority, depth, redirects, attempts, new_articles,
                      empty_visits, sources, found_at, round)
SELECT 1 + n % :portals, 'https://www.p' || n % :portals || '.example/clanek/' || n, decode(md5('u' || n), 'hex'), 'article',
       CASE WHEN n / 1000 % 10 = 0 THEN 'waiting' ELSE 'done' END, CASE WHEN n / 1000 % 10 = 0 THEN NULL ELSE 'article' END,
       5, 2, 0, 0, 0, 0, 1, now(), 1
FROM generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) n
""")


def fill(store: Store, first: int, last: int, most_seconds: float) -> int:
    """Generate URLs up to a number, or as far as the time allows; return how many there are."""
    began = time.monotonic()
    with store.engine.begin() as connection:
        connection.execute(text(
            "INSERT INTO portal (id, name, round, created_at) SELECT n, 'p' || n, 1, now() FROM generate_series(1, :portals) n "
            "ON CONFLICT DO NOTHING"
        ), {"portals": _PORTALS})  # fmt: skip
    with _without_indexes(store):
        while first < last and time.monotonic() - began < most_seconds:
            until = min(last, first + _SLICE)
            with store.engine.begin() as connection:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
                connection.execute(_FILL, {"portals": _PORTALS, "first": first, "last": until - 1})
            first = until
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE frontier"))
        connection.execute(text("CHECKPOINT"))  # else what was generated is still written while pages are committed
    return first


@contextmanager
def _without_indexes(store: Store) -> Iterator[None]:
    """Drop the frontier's indexes meanwhile, its primary key apart."""
    with store.engine.begin() as connection:
        unique = connection.execute(text(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'frontier'::regclass AND contype = 'u'"
        )).all()  # fmt: skip
        for name, _ in unique:
            connection.execute(text(f"ALTER TABLE frontier DROP CONSTRAINT {name}"))
        indexes = connection.execute(text(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'frontier' AND indexname NOT LIKE 'pk\\_%'"
        )).all()  # fmt: skip
        for name, _ in indexes:
            connection.execute(text(f"DROP INDEX {name}"))
    yield
    with store.engine.begin() as connection:
        connection.execute(text("SET LOCAL maintenance_work_mem = '512MB'"))
        for _, definition in indexes:
            connection.execute(text(definition))
        for name, definition in unique:
            connection.execute(text(f"ALTER TABLE frontier ADD CONSTRAINT {name} {definition}"))


def measure(store: Store, portals: range) -> dict[str, float]:
    """Take and commit URLs in some portals; return milliseconds: what the fastest tenth takes at most, and the mean."""
    claims, commits = _Times(store), _Times(store)
    blocks = 0
    for portal in portals:
        run, frontier = store.runs.begin(f"p{portal}", now=datetime.now(UTC), version="benchmark")
        before = _blocks(store)  # the start of a run looks at all of its portal
        for number in range(_COMMITS // len(portals)):
            with claims.one():
                taken = frontier.lease(1, now=datetime.now(UTC))
            found = tuple(_found(portal, run.id, number, link) for link in range(_LINKS))
            outcomes = [_outcome(item.id, f"{item.url}?{run.id}", found) for item in taken]
            with commits.one():
                frontier.commit(outcomes)
        blocks += _blocks(store) - before
        store.runs.end(run.id, now=datetime.now(UTC), because=FINISHED, counts={})
    found = {"blocks_a_page": round(blocks / len(commits.seconds), 1)}
    return found | claims.figures("next_url") | commits.figures("commit")


class _Times:
    """What calls take, on the clock and of the server's processors."""

    def __init__(self, store: Store) -> None:
        with store.engine.connect() as connection:
            query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            pids = connection.execute(text(query)).scalars().all()
        self._files = [Path(f"/proc/{pid}/schedstat") for pid in pids]
        self.seconds: list[float] = []
        self._server: list[float] = []

    @contextmanager
    def one(self) -> Iterator[None]:
        """Measure one call."""
        server, began = self._server_seconds(), time.perf_counter()
        yield
        self.seconds.append(time.perf_counter() - began)
        self._server.append(self._server_seconds() - server)

    def _server_seconds(self) -> float:
        return sum(int(file.read_text("ascii").split()[0]) for file in self._files) / 1e9

    def figures(self, name: str) -> dict[str, float]:
        """Return milliseconds."""
        return {
            f"{name}_server_ms": round(1000 * median(self._server), 2),
            f"{name}_ms": round(1000 * quantiles(self.seconds, n=10)[0], 2),
            f"{name}_mean_ms": round(1000 * mean(self.seconds), 2),
        }


def _blocks(store: Store) -> int:
    """Return how many blocks of the frontier and its indexes were touched so far."""
    with store.engine.connect() as connection:
        connection.execute(text("SELECT pg_stat_force_next_flush()"))
        connection.commit()
        columns = "heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit"
        return int(connection.execute(text(f"SELECT {columns} FROM pg_statio_user_tables WHERE relname = 'frontier'")).scalar_one())


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
    parser.add_argument("--urls", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--load-minutes", type=float, default=6.0, help="for generating URLs, at each size")
    parser.add_argument("--no-fsync", action="store_true", help="do not wait for the disk at each commit")
    options = parser.parse_args()
    results: list[dict[str, Any]] = []
    with (
        postgresql(fsync=not options.no_fsync) as server,
        open_store(str(server.get_uri()).replace("postgresql:", "postgresql+psycopg:", 1)) as store,
    ):
        filled = 0
        for number, size in enumerate(sorted(options.urls)):
            began = time.monotonic()
            filled = fill(store, filled, size, 60 * options.load_minutes)
            seconds = time.monotonic() - began
            figures = measure(store, range(1 + 10 * number, 11 + 10 * number))
            with store.engine.connect() as connection:
                room = connection.execute(text("SELECT pg_total_relation_size('frontier')")).scalar_one()
            results.append({"urls": filled, **figures, "filling_seconds": round(seconds), "bytes_an_url": round(room / filled)})
            print(json.dumps(results[-1]), file=sys.stderr, flush=True)
    growth = {name: round(results[-1][name] / results[0][name], 2) for name in _JUDGED}
    holds = max(growth.values()) <= _MOST_GROWTH
    print(json.dumps({"fsync": not options.no_fsync, "sizes": results, "growth": growth, "holds": holds}, indent=2))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
