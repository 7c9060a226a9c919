"""Builds one page after another in Chromium. Every request of a page is answered here or by the crawl; none goes to the network."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import cache
from importlib import resources
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from newscrawler.crawl.browser.messages import CrawlConnection
from newscrawler.limits import BROWSER_REQUESTS, BROWSER_SECONDS, BROWSER_SENT_BYTES

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Request, Route

#: A page is complete when nothing is under way and it has not changed for so many looks, or after so long in any case.
_LOOK_SECONDS, _CALM_LOOKS = 0.1, 3
#: The crawl decides about these; nothing else has text.
_DATA = frozenset({"xhr", "fetch"})
_ASKED = _DATA | {"script"}
_MOST_STEPS, _MOST_LINKS, _MOST_REFUSED = 12, 5_000, 50
_CLICK_MILLISECONDS = 1_500
_WIDTH, _HEIGHT = 1280, 800


@cache
def _script(name: str) -> str:
    return resources.files("newscrawler.crawl.browser").joinpath("scripts", f"{name}.js").read_text("utf-8")


def load_scripts() -> None:
    """Read the scripts while this process may read files: nobody may not."""
    for name in ("before", "size", "page", "links", "more"):
        _script(name)


class PageBuilder:
    """Builds pages in a context that lasts until the crawl asks for a fresh one."""

    def __init__(self, browser: Browser, crawl: CrawlConnection, user_agent: str) -> None:
        self._browser = browser
        self._crawl = crawl
        self._user_agent = user_agent
        self._context: BrowserContext | None = None
        self._turn = asyncio.Lock()

    async def build(self, job: dict[str, Any], body: bytes) -> None:
        """Build a page, when the one before is closed, and send the result."""
        async with self._turn:
            await self._build(job, body)

    async def _build(self, job: dict[str, Any], body: bytes) -> None:
        context = await self._fresh_context() if job["fresh"] or self._context is None else self._context
        page = await context.new_page()
        building = _Building(page, self._crawl, job, body)
        try:
            await context.route("**/*", building.answer)
            html = await building.html()
            if html is None:
                self._crawl.send({"type": "failed", "why": "the page is too large"})
            else:
                head = {"type": "rendered", "refused": sorted(building.refused), "consented": building.consented}
                self._crawl.send(head, html.encode("utf-8", "replace"))
        except Exception as error:  # noqa: BLE001  whatever a page does to its browser costs this page only
            self._crawl.send({"type": "failed", "why": f"{type(error).__name__}: {str(error)[:200]}"})
        finally:
            building.is_over = True
            with suppress(Exception):
                context.remove_listener("page", building.close_other)
                await context.unroute("**/*", building.answer)
                for each in context.pages:
                    await each.close(run_before_unload=False)

    async def _fresh_context(self) -> BrowserContext:
        if self._context is not None:
            await self._context.close()
        self._context = await self._browser.new_context(
            user_agent=self._user_agent, service_workers="block", accept_downloads=False,
            viewport={"width": _WIDTH, "height": _HEIGHT}, reduced_motion="reduce",
        )  # fmt: skip
        self._context.set_default_timeout(0)  # the crawl keeps the time
        await self._context.add_init_script(_script("before"))
        return self._context


def _may_be_sent(request: Request) -> bool:
    """Return whether a request is passed to the crawl: a GET, or a POST that may be a query to an API, which the crawl checks."""
    if request.method == "GET":
        return True
    sent = request.post_data_buffer or b""
    return request.method == "POST" and request.resource_type in _DATA and 0 < len(sent) <= BROWSER_SENT_BYTES


class _Building:
    """One page while it is built."""

    def __init__(self, page: Page, crawl: CrawlConnection, job: dict[str, Any], body: bytes) -> None:
        self._page = page
        self._crawl = crawl
        self._job = job
        self._body = body
        self._served = False
        self._under_way = self._asked = 0
        self._last_traffic = monotonic()
        self.refused: set[str] = set()
        self.consented: str | None = None
        self.is_over = False
        page.on("dialog", self._dismiss)
        page.on("crash", lambda _: crawl.send({"type": "failed", "why": "the page's process has crashed"}))
        page.context.on("page", self.close_other)

    async def html(self) -> str | None:
        """Return the page when it is complete; None: it is too large."""
        await self._page.goto(self._job["url"], wait_until="commit")
        await self._wait_until_complete()
        if self._job["consent"]:
            await self._consent()
        if self._job["more"]:
            await self._load_more()
        html: str | None = await self._page.evaluate(_script("page"), self._job["most_characters"])
        return html

    async def answer(self, route: Route) -> None:
        """Answer a request of the page."""
        with suppress(Exception):  # the page may be gone by now
            await self._answer(route)

    async def _answer(self, route: Route) -> None:
        request = route.request
        kind = request.resource_type
        if self.is_over:
            await route.abort()
        elif request.is_navigation_request():
            await self._answer_navigation(route)
        elif kind == "stylesheet" and not self._job["consent"]:
            await route.fulfill(status=200, content_type="text/css", body="")  # a style that fails keeps some scripts from running
        elif self._asked >= BROWSER_REQUESTS or kind not in _ASKED | {"stylesheet"} or not _may_be_sent(request):
            await self._refuse(route, f"{request.method} {kind}")
        else:
            await self._ask(route, kind)

    async def _answer_navigation(self, route: Route) -> None:
        request = route.request
        is_main = request.frame == self._page.main_frame
        if is_main and not self._served and request.url.partition("#")[0] == self._job["url"].partition("#")[0]:
            self._served = True
            await route.fulfill(status=200, content_type=self._job["content_type"], body=self._body)
        else:
            # "aborted" leaves the document in place; with other errors, an error page would take it
            await self._refuse(route, "navigation" if is_main else "frame", error="aborted")

    async def _refuse(self, route: Route, why: str, *, error: str = "blockedbyclient") -> None:
        if len(self.refused) < _MOST_REFUSED:
            self.refused.add(f"{why} {route.request.url[:200]}")
        await route.abort(error)

    async def _ask(self, route: Route, kind: str) -> None:
        self._under_way += 1
        self._asked += 1
        try:
            request = route.request
            head = {"type": "request", "url": request.url, "kind": kind, "method": request.method}
            answer = await self._crawl.ask(head, request.post_data_buffer or b"")
            if answer.type != "answer":
                await self._refuse(route, kind)
                return
            parts = urlsplit(self._job["url"])
            headers = {
                "content-type": answer.head["content_type"], "access-control-allow-origin": f"{parts.scheme}://{parts.netloc}",
                "access-control-allow-credentials": "true",
            }  # fmt: skip
            await route.fulfill(status=answer.head["status"], headers=headers, body=answer.body)
        finally:
            self._under_way -= 1
            self._last_traffic = monotonic()

    async def _dismiss(self, dialog: Any) -> None:
        with suppress(Exception):
            await dialog.dismiss()

    async def close_other(self, page: Page) -> None:
        """Close a window that the page has opened."""
        with suppress(Exception):
            if page != self._page:
                await page.close(run_before_unload=False)

    async def _wait_until_complete(self) -> None:
        """Wait until nothing is under way and the page does not change any more."""
        calm, size = 0, -1
        self._last_traffic = monotonic()
        while calm < _CALM_LOOKS:
            await asyncio.sleep(_LOOK_SECONDS)
            now = int(await self._page.evaluate(_script("size")))
            calm = calm + 1 if now == size and not self._under_way else 0
            size = now
            if not self._under_way and monotonic() - self._last_traffic > BROWSER_SECONDS:
                return

    async def _consent(self) -> None:
        """Press the first button that the operator allows and a visitor sees; one that anything covers is not pressed."""
        for words in self._job["consent"]:
            roles: tuple[Literal["button"], Literal["link"]] = ("button", "link")
            for role in roles:
                offered = self._page.get_by_role(role, name=words, exact=True)
                for number in range(min(await offered.count(), 3)):
                    button = offered.nth(number)
                    if not await button.is_visible():
                        continue
                    with suppress(Exception):
                        await button.click(timeout=_CLICK_MILLISECONDS)
                        self.consented = words
                        await self._wait_until_complete()
                        return

    async def _load_more(self) -> None:
        """Ask a listing for more, as often as the crawl finds something new in it."""
        for _ in range(_MOST_STEPS):
            links = await self._page.evaluate(_script("links"), _MOST_LINKS)
            if not (await self._crawl.ask({"type": "links", "links": [link[:2000] for link in links]})).head.get("go"):
                return
            await self._page.evaluate(_script("more"), self._job["more"])
            await self._wait_until_complete()
