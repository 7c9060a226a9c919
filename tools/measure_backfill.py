"""Measure a backfill of a generated portal of twelve years: python tools/measure_backfill.py [--since …] [--kills 20] [--archive].

The portal of tests/past_portal.py has 40,000 articles, dead addresses, moved ones, a relaunch that lost a third, and with
--archive a web archive with copies of these. Prints one line of JSON: how many live articles were stored, with how many
requests, how many no list names, how many outside the range were requested, how many lost ones came from the archive, what kills
have doubled, the smallest gap between two requests, in how many months the interval of the estimate contains the truth, and the
memory of the largest process.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from past_portal import Past, PastServer  # noqa: E402

from newscrawler.store import open_store  # noqa: E402
from newscrawler.store.articles import Selection  # noqa: E402


def run_backfill(folder: Path, options: list[str], *, is_due: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Run the command; kill it as soon as that is due. Return its calendar; empty: it was killed."""
    command = [sys.executable, "-m", "newscrawler", "backfill", "past", "--json", *options]
    out, environment = folder / "calendar.json", {**os.environ, "PYTHONPATH": str(ROOT)}
    with out.open("wb") as stdout:
        process = subprocess.Popen(command, cwd=folder, stdout=stdout, stderr=subprocess.DEVNULL, env=environment)
        while process.poll() is None:
            if is_due():
                process.kill()
                process.wait()
                return {}
            time.sleep(0.01)
    return json.loads(out.read_bytes() or b"{}")


def kill_backfills(folder: Path, options: list[str], server: PastServer, kills: int, expected: int) -> int:
    """Kill the command after random numbers of requests to the portal, its first and its last ones too; return how often."""
    done = 0
    for place in range(kills):
        limit = len(server.asked) + random.randint(1, max(2, 2 * (expected - len(server.asked)) // (kills - place)))
        done += not run_backfill(folder, options, is_due=lambda limit=limit: len(server.asked) >= limit)
    return done


def list_stored(folder: Path, past: Past) -> Counter[int]:
    """Return how often each article is stored."""
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}", create=False) as store:
        urls = [stored.article.url or "" for stored in store.articles.stream(Selection())]
    found = (past.number_of(url[url.find("/", 8) :]) for url in urls)
    return Counter(number for number in found if number is not None)


def count_true_months(months: list[dict[str, Any]], past: Past, days: list[date], *, has_archive: bool) -> tuple[int, int]:
    """Return how many months with an estimate have the truth in its interval, and how many there are."""
    hits = total = 0
    for month in months:
        if month["estimated"] is None:
            continue
        first = date.fromisoformat(f"{month['month']}-01")
        span = max(first, days[0]), min((first + timedelta(days=32)).replace(day=1) - timedelta(days=1), days[1])
        truth = len(past.numbers(*span) if has_archive else past.live(*span))
        total += 1
        hits += month["low"] <= truth <= month["high"]
    return hits, total


@click.command()
@click.option("--articles", default=40_000, show_default=True)
@click.option("--since", default="2015-01-01", show_default=True)
@click.option("--until", default="2026-11-20", show_default=True)
@click.option("--design", default=1, show_default=True, help="Of the archive pages: 1 to 3; 0: none.")
@click.option("--wp-json", is_flag=True)
@click.option("--per-night", default=1_000_000, show_default=True, help="Pages; few show the memory of a long queue.")
@click.option("--kills", default=0, show_default=True, help="How often the crawl is killed, at random moments.")
@click.option("--delay", default="0", show_default=True)
@click.option("--archive", "has_archive", is_flag=True, help="A web archive has copies of most of what is gone.")
@click.option("--folder", type=click.Path(path_type=Path))
def main(
    since: str, until: str, kills: int, delay: str, folder: Path | None, per_night: int, *, has_archive: bool, **portal: Any
) -> None:
    """See the module."""
    folder = folder or Path(tempfile.mkdtemp(prefix="backfill-"))
    folder.mkdir(parents=True, exist_ok=True)
    past = Past(**portal, in_sitemap=0.95, in_archive=0.95)
    days = [date.fromisoformat(since), date.fromisoformat(until)]
    began = time.monotonic()
    with PastServer(past=past) as server, PastServer(past=past, origin=server.url) as archive:
        table = f'[[portal]]\nname = "past"\nstart_urls = ["{server.url}/"]\ndelay = {delay}\nnight_megabytes = 100000\n'
        table += f'[[archive]]\nname = "old"\nformat = "wayback"\nurl = "{archive.url}"\ndelay = {delay}\n'
        (folder / "newscrawler.toml").write_text(table)
        options = [
            "--since",
            since,
            "--until",
            until,
            "--per-night",
            str(per_night),
            *(["--archives", "old"] if has_archive else []),
        ]
        killed = kill_backfills(folder, options, server, kills, len(past.live(*days)))
        state = run_backfill(folder, options)
        stored = list_stored(folder, past)
        live, unlisted = set(past.live(*days)), {n for n in past.live(*days) if not past.is_listed(n)}
        gone = {number for number in past.gone(*days) if archive.has_copy(number)}
        read = [number for _, path in server.asked if (number := past.number_of(path)) is not None]
        outside = [number for number in read if not days[0] <= past.day_of(number) <= days[1]]
        times = [at for at, path in server.asked if not path.startswith(("/robots", "/.well-known"))]
        hits, months = count_true_months(state.get("months", []), past, days, has_archive=has_archive)
        figures = {
            "live": len(live), "unlisted": len(unlisted), "stored": len(live & stored.keys()), "requests": len(server.asked),
            "read": len(read), "outside": len(outside),
            "gone_with_copy": len(gone), "gone_stored": len(gone & stored.keys()), "archive_requests": len(archive.asked),
            "killed": killed, "stored_twice": sum(count > 1 for count in stored.values()),
            "read_again": sum(count > 1 for count in Counter(path for _, path in server.asked if past.number_of(path)).values()),
            "smallest_gap": round(min((later - at for at, later in pairwise(times)), default=0.0), 3),
            "months_true": hits, "months": months, "minutes": round((time.monotonic() - began) / 60, 1),
            "megabytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
        }  # fmt: skip
        shares = {
            "live_share": len(live & stored.keys()) / max(1, len(live)), "requests_each": len(server.asked) / max(1, len(live)),
            "outside_share": len(outside) / max(1, len(read)), "gone_share": len(gone & stored.keys()) / max(1, len(gone)),
        }  # fmt: skip
        missing = [server.url + past.path_of(number) for number in sorted(live - unlisted - stored.keys())[:10]]
        print(json.dumps(figures | {name: round(value, 4) for name, value in shares.items()} | {"missing": missing}))


if __name__ == "__main__":
    main()
