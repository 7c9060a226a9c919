"""newscrawler as the command line runs it, in this process, with the CPU time by which each page was in the database.

    python -m crawl_benchmark.whole_job FILE crawl URL ...

FILE gets a list of seconds, one for each page that came with 200, in JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

from newscrawler.cli import main
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import FetchedUrl


def run() -> None:
    """Run the command that the arguments name."""
    file, sys.argv[1:] = Path(sys.argv[1]), sys.argv[2:]
    seconds: list[float] = []
    complete = CrawlRun.complete

    async def noting(ledger: CrawlRun, item: FetchedUrl) -> None:
        await complete(ledger, item)
        if item.http_status == 200:
            seconds.append(process_time())

    CrawlRun.complete = noting  # type: ignore[method-assign]
    try:
        main()
    finally:
        file.write_text(json.dumps(seconds), "utf-8")


if __name__ == "__main__":
    run()
