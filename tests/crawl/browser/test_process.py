"""A page that is too costly for its browser costs itself alone."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

import psutil
import pytest

from newscrawler.crawl.browser import (
    PROCESSOR_TIME,
    BrowserError,
    BrowserOptions,
    BrowserProcess,
    BrowserUnavailableError,
    PageTooCostlyError,
    RenderJob,
    Subanswer,
    Subrequest,
    find_executable,
)
from newscrawler.crawl.browser.process import cpu_seconds, find_tree

pytest.importorskip("playwright")
needs_chromium = pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")


#: An argument of Chromium's first process alone.
MAIN = "--remote-debugging-pipe"


def job(script: str) -> RenderJob:
    return RenderJob(url="http://courier.example/", body=f"<script>{script}</script>".encode(), content_type="text/html")


async def nothing(_: Subrequest) -> Subanswer | None:
    return None


def command_line(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


async def kill(browser: BrowserProcess, name: str) -> bool:
    """Kill a process of the browser as soon as it is there, the first that has this name; False: it is not there."""
    for _ in range(400):
        for process in find_tree(browser.pid) if browser.pid is not None else ():
            if name in command_line(process):
                process.kill()
                return True
        await asyncio.sleep(0.02)
    return False


def browser(**options: Any) -> BrowserProcess:
    return BrowserProcess(BrowserOptions(executable=find_executable(None), user_agent="newscrawler", **options))


@needs_chromium
@pytest.mark.timeout(240)
def test_a_page_that_never_ends_or_whose_browser_is_killed_is_given_up_and_the_next_one_is_built() -> None:
    built = job("fetch('/a').finally(() => document.write('<p>It is built.</p>'))")

    async def build() -> None:
        chromium = browser(deadline_seconds=8)

        async def killing(_: Subrequest) -> Subanswer | None:
            assert await kill(chromium, MAIN)
            return None

        try:
            with pytest.raises(PageTooCostlyError, match="was not complete after 8 s"):
                await chromium.render(job("while (true) {}"), nothing)
            assert chromium.pid is None
            with pytest.raises(BrowserError):
                await chromium.render(built, killing)
            assert "<p>It is built.</p>" in (await chromium.render(built, nothing)).html
            assert await kill(chromium, "browser.child")  # between two pages
            with pytest.raises(BrowserError):
                await chromium.render(built, nothing)
        finally:
            await chromium.close()

    asyncio.run(build())


@needs_chromium
@pytest.mark.timeout(240)
@pytest.mark.parametrize("victim", ["browser.child", MAIN])
def test_a_browser_that_is_killed_while_it_starts_is_started_once_more(victim: str) -> None:
    async def build() -> None:
        chromium = browser()
        try:
            for expected in (BrowserError, BrowserUnavailableError):  # what never starts is given up
                killing = asyncio.ensure_future(kill(chromium, victim))
                with pytest.raises(expected):
                    await chromium.render(job(""), nothing)
                assert await killing
                assert chromium.pid is None
        finally:
            await chromium.close()

    asyncio.run(build())


def test_processor_time_counts_what_is_killed() -> None:
    busy = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    process = subprocess.Popen([sys.executable, "-c", busy])
    while cpu_seconds(process.pid) < 0.3:
        time.sleep(0.02)
    before = PROCESSOR_TIME.seconds()

    PROCESSOR_TIME.kill(process.pid, process.wait)

    assert PROCESSOR_TIME.seconds() - before >= 0.3


def test_a_browser_that_is_not_there_is_named_with_its_remedy() -> None:
    with pytest.raises(BrowserUnavailableError, match="/nowhere/chromium is no file; `executable`"):
        find_executable("/nowhere/chromium")
