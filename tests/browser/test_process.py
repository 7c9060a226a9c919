"""A page that is too costly for its browser costs itself alone."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from newscrawler.browser import (
    BrowserOptions,
    BrowserProcess,
    BrowserUnavailableError,
    PageTooCostlyError,
    RenderJob,
    Subanswer,
    Subrequest,
    executable_of,
)

pytest.importorskip("playwright")
needs_chromium = pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")


def job(script: str) -> RenderJob:
    return RenderJob(url="http://courier.example/", body=f"<script>{script}</script>".encode(), content_type="text/html")


async def nothing(_: Subrequest) -> Subanswer | None:
    return None


@needs_chromium
@pytest.mark.timeout(180)
def test_a_page_that_never_ends_is_given_up_at_its_deadline_and_the_next_one_is_built() -> None:
    async def build() -> tuple[int | None, str]:
        browser = BrowserProcess(BrowserOptions(executable=executable_of(None), user_agent="newscrawler", deadline_seconds=8))
        try:
            with pytest.raises(PageTooCostlyError, match="was not complete after 8 s"):
                await browser.render(job("while (true) {}"), nothing)
            killed = browser.pid
            return killed, (await browser.render(job("document.write('<p>It is built.</p>')"), nothing)).html
        finally:
            await browser.close()

    killed, html = asyncio.run(build())

    assert killed is None
    assert "<p>It is built.</p>" in html


def test_a_browser_that_is_not_there_is_named_with_its_remedy() -> None:
    with pytest.raises(BrowserUnavailableError, match="/nowhere/chromium is no file; `executable`"):
        executable_of("/nowhere/chromium")
