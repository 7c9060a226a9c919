"""Hold our dates against those of htmldate, on the same pages in one run: python tools/measure_dates.py [DATA].

DATA is the folder of the benchmark (../shared/bench/data). Needs htmldate beside newscrawler; where both stand in different
environments: PYTHONPATH=OTHER/lib/python3.X/site-packages .venv/bin/python tools/measure_dates.py. Tells the share of pages whose
day is right, and the CPU time for the date alone, the tree being parsed, both libraries by turns, each page once (htmldate
remembers what it has read).
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from htmldate import find_date
from lxml import html as lxml_html

from newscrawler.extraction.dates import DateContext, find_dates
from newscrawler.page import Document

DATA = Path(__file__).resolve().parents[2] / "shared" / "bench" / "data"
#: File of the benchmark → whether the address is shown.
SETS = {"htmldate": False, "fundus": True}


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from (row for row in map(json.loads, lines) if isinstance(row["gold"].get("date"), str))


def ours(row: dict[str, Any], url: str | None) -> tuple[str | None, float]:
    page = Document.parse(row["html"], url)
    began = time.process_time()
    found = find_dates(page, DateContext()).published
    return (found.value.isoformat() if found else None), time.process_time() - began


def theirs(row: dict[str, Any], url: str | None) -> tuple[str | None, float]:
    try:
        tree = lxml_html.fromstring(row["html"].encode("utf-8", "replace"), parser=lxml_html.HTMLParser(encoding="utf-8"))
    except Exception:  # noqa: BLE001 - the peer's own trouble with a page
        return None, 0.0
    began = time.process_time()
    try:
        found = find_date(tree, url=url, extensive_search=True, original_date=True)
    except Exception:  # noqa: BLE001
        found = None
    return found, time.process_time() - began


def same_day(found: str | None, gold: str) -> bool:
    """Compare days on the clock of the expected date, as the benchmark does."""
    if found is None:
        return False
    want, have = datetime.fromisoformat(gold), datetime.fromisoformat(found)
    if want.tzinfo is None or have.tzinfo is None:
        return want.date() == have.date()
    return have.astimezone(want.tzinfo).date() == want.date()


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    for name, shows_address in SETS.items():
        right = {"newscrawler": 0, "htmldate": 0}
        seconds: dict[str, list[float]] = {"newscrawler": [], "htmldate": []}
        readers: dict[str, Callable[[dict[str, Any], str | None], tuple[str | None, float]]] = {
            "newscrawler": ours,
            "htmldate": theirs,
        }
        for row in rows(data / f"{name}.jsonl.gz"):
            for who, read in readers.items():
                day, spent = read(row, row["url"] if shows_address else None)
                right[who] += same_day(day, row["gold"]["date"])
                seconds[who].append(spent)
        for who, times in seconds.items():
            times.sort()
            print(
                f"{name:9} {who:12} {len(times)} pages  day right {right[who] / len(times):.3f}  "
                f"CPU {1000 * statistics.mean(times):.2f} ms mean, {1000 * statistics.median(times):.2f} median, "
                f"{1000 * times[int(0.95 * len(times))]:.2f} of 95 %"
            )


if __name__ == "__main__":
    main()
