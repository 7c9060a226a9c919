"""Lay a page out with Chromium: the box and the computed style of every element, for VIPS.

Needs Chromium on the path and the extra `browser`, which installs playwright. Nothing is fetched: every request is refused,
scripts do not run, and external style sheets are ignored as in `newscrawler.research.methods.css`. A process uses one browser
until it ends.
"""

from __future__ import annotations

import atexit
import os
import shutil
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from queue import SimpleQueue
from typing import Any, TypeAlias

from lxml import etree

from newscrawler.errors import ConfigError
from newscrawler.page import Document
from newscrawler.research.methods.css import Style
from newscrawler.research.methods.outline import Outline

WIDTH, _HEIGHT = 1280, 1024
_MARK = "data-outline-number"
_LONGEST_MILLISECONDS = 20_000
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
NOT_INSTALLED = (
    "VIPS by Chromium's layout needs Chromium and the extra `browser`, which brings playwright: install Chromium, and "
    "`pip install 'polite-newscrawler[browser]'`"
)
_TRANSPARENT = "rgba(0, 0, 0, 0)"
_BOLD = 600
#: Chromium's sandbox does not work for root.
_UNCONFINED = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
#: Reads all marked elements in one call.
_SCRIPT = f"""() => Array.from(document.querySelectorAll("[{_MARK}]"), element => {{
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    return [Number(element.getAttribute("{_MARK}")), box.left, box.top, box.right, box.bottom, style.fontSize, style.fontWeight,
            style.display, style.visibility, style.backgroundColor];
}})"""

#: The marked page, and where its boxes go; None ends the thread.
_Jobs: TypeAlias = SimpleQueue[tuple[str, Future[list[list[Any]]]] | None]


@dataclass(frozen=True, slots=True)
class LayoutBox:
    """Where an element is, in pixels from the top left corner of the page."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    @property
    def area(self) -> float:
        """Return its size in square pixels."""
        return (self.right - self.left) * (self.bottom - self.top)


def is_available() -> bool:
    """Return whether playwright is installed and a Chromium is found."""
    return find_spec("playwright") is not None and _executable() is not None


def _executable() -> str | None:
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


def laid_out(page: Document, tree: Outline) -> tuple[list[Style], list[LayoutBox]]:
    """Return style and box of every element of an outline.

    Raises:
        ConfigError: there is no Chromium, or it fails on the page.
    """
    if find_spec("playwright") is None:
        raise ConfigError(NOT_INSTALLED)
    from playwright.sync_api import Error

    try:
        read = _read(_marked(page, tree))
    except Error as error:
        raise ConfigError(f"Chromium cannot lay the page out: {str(error).splitlines()[0][:200]}") from error
    return _styles(tree, read), [_box(read.get(number)) for number in range(len(tree.elements))]


def _marked(page: Document, tree: Outline) -> str:
    """Return the page as HTML with the number of each element of the outline; the page itself stays as it is."""
    numbers = {element: number for number, element in enumerate(tree.elements)}
    root = deepcopy(page.root)
    for element, copied in zip(page.root.iter(), root.iter(), strict=True):
        if (number := numbers.get(element)) is not None:
            copied.set(_MARK, str(number))
    return "<!doctype html>" + etree.tostring(root, encoding="unicode", method="html")


def _read(html: str) -> dict[int, list[Any]]:
    done: Future[list[list[Any]]] = Future()
    _jobs().put((html, done))
    return {int(number): values for number, *values in done.result()}


@cache
def _jobs() -> _Jobs:
    """Return the queue of a thread that steers the browser until the process ends.

    A thread of its own, as playwright leaves an event loop running in the thread that it was started in.
    """
    jobs: _Jobs = SimpleQueue()
    thread = threading.Thread(target=_lay_out, args=(jobs,), name="chromium-layout", daemon=True)
    thread.start()

    def end() -> None:
        jobs.put(None)
        thread.join(_LONGEST_MILLISECONDS / 1000)

    atexit.register(end)
    return jobs


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_jobs.cache_clear)


def _lay_out(jobs: _Jobs) -> None:
    with ExitStack() as ended:
        view: Any = None
        while job := jobs.get():
            html, done = job
            try:
                view = view or _started(ended)
                view.set_content(html, wait_until="domcontentloaded", timeout=_LONGEST_MILLISECONDS)
                done.set_result(view.evaluate(_SCRIPT))
            except Exception as error:  # noqa: BLE001  the caller gets it
                done.set_exception(error)


def _started(ended: ExitStack) -> Any:
    """Return the tab in which pages are laid out."""
    executable = _executable()
    if executable is None:
        raise ConfigError(NOT_INSTALLED)
    from playwright.sync_api import sync_playwright

    started = ended.enter_context(sync_playwright())
    browser = ended.enter_context(started.chromium.launch(executable_path=executable, args=["--disable-gpu", *_UNCONFINED]))
    context = browser.new_context(java_script_enabled=False, offline=True, viewport={"width": WIDTH, "height": _HEIGHT})
    context.route("**/*", lambda route: route.abort())
    return context.new_page()


def _box(values: Sequence[Any] | None) -> LayoutBox:
    return LayoutBox(*map(float, values[:4])) if values is not None else LayoutBox()


def _styles(tree: Outline, read: dict[int, list[Any]]) -> list[Style]:
    found: list[Style] = []
    for number, parent in enumerate(tree.parents):
        above = found[parent] if number else Style()
        if number not in read:  # Chromium's parser has moved or dropped it
            found.append(above)
            continue
        size, weight, display, visibility, background = read[number][4:]
        found.append(
            Style(
                font_size=round(float(size.removesuffix("px")), 1),
                is_bold=float(weight) >= _BOLD,
                is_inline=display.startswith("inline"),
                is_visible=above.is_visible and display != "none" and visibility == "visible",
                background=background if background != _TRANSPARENT else above.background,
            )
        )
    return found
