"""Measure crawls of a portal, each in a separate process with its own database and data folder.

    python -m newscrawler.cli.measured_crawls JSON

crawls once, as `newscrawler crawl` does, and prints the figures.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from newscrawler.article import Article
from newscrawler.cli.crawl_progress import SilentReport, report_faults
from newscrawler.cli.options import read_configuration
from newscrawler.cli.targets import choose_portals, find_portal
from newscrawler.config import Configuration
from newscrawler.crawl import RunProgress, crawl_portals
from newscrawler.demo import TIME_ZONE, DemoPortal, serve
from newscrawler.errors import ConfigError, NewscrawlerError
from newscrawler.research.evaluation.crawl_tables import MARKS, CrawlMark, MeasuredCrawl
from newscrawler.store.vocabularies import FINISHED

#: The bundled portal: its layout, and how many stories are made from each text.
_DEMO = re.compile(r"demo(?::(classic|modern))?(?::([1-9][0-9]?))?")
#: 432 articles, about as many as the smallest portal in the document.
_COPIES = 6
_PORTAL = "portal:"


def measure_crawls(
    source: str, *, repeats: int, configuration: Configuration, progress: Callable[[str], None]
) -> list[MeasuredCrawl]:
    """Crawl a portal several times; `source`: demo, demo:LAYOUT:COPIES, portal:NAME of the configuration, or a URL.

    Raises:
        ConfigError: there is no such portal, or a crawl of it fails.
    """
    found = []
    with _serve_target(source, configuration) as asked:
        for number in range(1, repeats + 1):
            found.append(_crawl_in_process(source, asked))
            whole = found[-1].whole
            progress(
                f"{source}, crawl {number} of {repeats}: {whole.articles} articles, {whole.pages} pages, {whole.seconds:.0f} s"
            )
    return found


@contextmanager
def _serve_target(source: str, configuration: Configuration) -> Iterator[dict[str, Any]]:
    """Yield the arguments for the process, and serve the bundled portal meanwhile if it is the source."""
    asked = {"config": str(configuration.path.absolute()) if configuration.path else None, "contact": configuration.contact}
    if (demo := _DEMO.fullmatch(source)) is not None:
        with serve(DemoPortal(layout=demo[1] or "classic", copies=int(demo[2] or _COPIES))) as running:
            yield asked | {"target": f"{running.base_url}/", "changes": {"delay": 0.0, "time_zone": TIME_ZONE}}
    elif source.startswith(_PORTAL):
        yield asked | {"target": find_portal(configuration, source.removeprefix(_PORTAL)).name, "changes": {}}
    elif source.startswith(("http://", "https://")):
        yield asked | {"target": source, "changes": {}}
    else:
        raise ConfigError(f"{source} is not a portal to crawl. Use demo, portal:NAME or a URL.")


def _crawl_in_process(source: str, asked: Mapping[str, Any]) -> MeasuredCrawl:
    """Crawl once in a child process, and remove what the crawl has stored."""
    with TemporaryDirectory(prefix="newscrawler-") as folder:
        command = (sys.executable, "-m", "newscrawler.cli.measured_crawls", json.dumps({**asked, "folder": folder}))
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  arguments of our own
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise ConfigError(f"The crawl of {source} cannot be measured: {last}")
    said = json.loads(done.stdout)
    marks = {int(number): CrawlMark(**mark) for number, mark in said["marks"].items()}
    return MeasuredCrawl(**{**said, "marks": marks, "whole": CrawlMark(**said["whole"])})


class _Marks(SilentReport):
    """Records the progress of the crawl at each of MARKS."""

    def __init__(self) -> None:
        self.marks: dict[int, CrawlMark] = {}

    def fetched(self, portal: str, url: str, progress: RunProgress, *, article: Article | None, reason: str | None) -> None:  # noqa: ARG002
        """Record the time when a mark is reached."""
        counts = progress.counts
        for number in MARKS:
            if counts.new_articles >= number:
                self.marks.setdefault(number, CrawlMark(articles=number, pages=counts.requests, seconds=progress.seconds))


def crawl_once(asked: Mapping[str, Any]) -> MeasuredCrawl:
    """Crawl a portal in this process."""
    folder = Path(asked["folder"])
    configuration = read_configuration(Path(asked["config"]) if asked["config"] else None, None, asked["contact"])
    configuration = configuration.model_copy(update={"database_url": f"sqlite:///{folder / 'crawl.sqlite'}", "data_folder": folder})
    portals = choose_portals(configuration, [asked["target"]], **asked["changes"])
    report = _Marks()
    with report_faults():
        (summary,) = crawl_portals(configuration, portals, report=report)
    if summary.ended_because != FINISHED:
        raise ConfigError(f"it ended early ({summary.ended_because})")
    counts = summary.counts
    if not counts.new_articles:
        raise ConfigError(f"it found no article. `newscrawler crawl {asked['target']}` shows what it met")
    return MeasuredCrawl(
        marks=report.marks,
        whole=CrawlMark(articles=counts.new_articles, pages=counts.requests, seconds=summary.seconds),
        detection_seconds=counts.reading["detection"],
        extraction_seconds=counts.reading["extraction"],
        memory_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def main(text: str) -> int:
    """Crawl the target given as JSON, and print the figures as JSON."""
    try:
        found = crawl_once(json.loads(text))
    except NewscrawlerError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(json.dumps(asdict(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
