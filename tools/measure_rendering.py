"""Measure the browser on a portal of scripts: perfect articles with and without it, seconds a page, memory over many pages.

python tools/measure_rendering.py [--pages 300]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from portal_server import Answer, Route
from reading_faults import learned, perfect
from script_portals import PORTALS, STORIES, serve

from newscrawler.crawl.browser import BrowserOptions, BrowserProcess, RenderJob, Subanswer, Subrequest, find_executable
from newscrawler.crawl.browser.process import cpu_seconds, memory_bytes


def crawled(portal: str, render: str) -> str:
    """Crawl a portal, and return how many of its articles are perfect, and by which ways they were read."""
    with tempfile.TemporaryDirectory() as name, serve(portal) as server:
        folder = Path(name)
        keys = {"name": "courier", "start_urls": [server.url], "delay": 0, "render": render}
        lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in keys.items())
        (folder / "newscrawler.toml").write_text(f"[[portal]]\n{lines}\n")
        subprocess.run(
            [sys.executable, "-m", "newscrawler", "crawl", "courier", "--json"], cwd=folder, capture_output=True, check=False
        )
        ways = ", ".join(f"{way} {counts['articles']}/{counts['tried']}" for way, counts in learned(folder).items())
        return f"{portal:12} render={render:6} perfect {perfect(folder):2} of {len(STORIES)}; {len(server.asked)} requests; {ways}"


def answer_of(route: Route | None) -> Subanswer | None:
    """Return a route's answer as the crawl would hand it over."""
    if not isinstance(route, Answer):
        return None
    body = route.body.encode() if isinstance(route.body, str) else route.body
    return Subanswer(status=route.status, content_type=route.kind, body=body)


async def built(pages: int) -> None:
    """Build pages one after another, and write time and memory after every fiftieth."""
    browser = BrowserProcess(BrowserOptions(executable=find_executable(None), user_agent="newscrawler measurement"))
    routes = PORTALS["shadow"]()

    async def answer(asked: Subrequest) -> Subanswer | None:
        return answer_of(routes.get(urlsplit(asked.url).path))

    began, failed = time.monotonic(), 0
    for number in range(1, pages + 1):
        story = STORIES[number % len(STORIES)]
        page = routes[story.path]
        assert isinstance(page, str)
        job = RenderJob(url=f"http://courier.example{story.path}", body=page.encode(), content_type="text/html; charset=utf-8")
        rendered = await browser.render(job, answer)
        failed += story.paragraphs[0] not in rendered.html
        if number % 50 == 0 and browser.pid is not None:
            used, seconds = memory_bytes(browser.pid) / 2**20, (time.monotonic() - began) / number
            print(
                f"{number:5} pages: {used:4.0f} MB now, {browser.most_memory_bytes / 2**20:4.0f} MB at most, {seconds:.2f} s a page"
            )
    seconds = cpu_seconds(browser.pid) / pages if browser.pid is not None else 0.0
    await browser.close()
    print(f"{failed} of {pages} without their text; {seconds:.2f} s of CPU a page, the start of the browser included")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300, help="to build for the course of memory")
    parser.add_argument("--portals", nargs="*", default=list(PORTALS), choices=list(PORTALS))
    options = parser.parse_args()
    for portal in options.portals:
        for render in ("never", "auto"):
            print(crawled(portal, render), flush=True)
    if options.pages:
        asyncio.run(built(options.pages))


if __name__ == "__main__":
    main()
