"""The answer of one method to one page, with its CPU time and memory.

Every method gets a freshly parsed page, so that cached views of the page count for each method that uses them; parsing itself is
not measured, as it is the same for all. CPU time is that of the process, so the load of the machine does not count.

Memory is measured on some pages only, as it takes a second, slower run: the greater of Python's peak allocation and of the growth
of the process (on Linux only; it includes allocations of C libraries).
"""

from __future__ import annotations

import ctypes
import resource
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from newscrawler.article import Body
from newscrawler.extraction import ExtractionOptions, ExtractionState, read_dates, read_metadata
from newscrawler.extraction.dates import DateContext
from newscrawler.page import Document
from newscrawler.research.evaluation.data import TestPage
from newscrawler.research.evaluation.date_rules import DateRules

T = TypeVar("T")
_RESET_PEAK = "5"


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodAnswer:
    """The result of a method on a page."""

    #: None: no article found.
    text: str | None = None
    lead: str | None = None
    #: The method's own headline, date and authors, or those that `metadata` and `dates` find with its body; None: not compared.
    title: str | None = None
    date: str | None = None
    authors: tuple[str, ...] | None = None
    cpu_seconds: float = 0.0
    memory_bytes: int | None = None
    #: CPU time of learning, divided by the number of pages read with the template.
    learning_seconds: float | None = None
    #: The error that the method raised.
    fault: str | None = None


def answer(
    page: TestPage, method: Callable[[Document], Body | None], *, with_memory: bool = False, learning_seconds: float | None = None
) -> MethodAnswer:
    """Run a method on a page; an error that it raises becomes part of the answer; `learning_seconds`: the page's share of them."""
    document = Document.parse(page.html, page.given_url)
    body, seconds, fault = timed(lambda: method(document))
    memory = _peak_memory(method, page) if with_memory and fault is None else None
    found: dict[str, Any] = {"cpu_seconds": seconds, "memory_bytes": memory, "learning_seconds": learning_seconds, "fault": fault}
    if page.gold.asks_for_metadata and fault is None:
        try:
            found |= _metadata(page, document, body, method)
        except Exception as error:  # noqa: BLE001 - an error of another package is reported as such; the text is still compared
            found["fault"] = f"metadata: {type(error).__name__}: {error}"
    if body is None or not body.paragraphs:
        return MethodAnswer(**found)
    return MethodAnswer(text=body.text, lead=body.lead, **({"title": body.headline} | found))


def _metadata(page: TestPage, document: Document, body: Body | None, method: Callable[[Document], Body | None]) -> dict[str, Any]:
    draft = ExtractionState(page=document, fetched_at=page.when, body=body)
    reading = ExtractionOptions()
    read_metadata(draft, reading)
    if isinstance(method, DateRules):
        language = draft.metadata.language if draft.metadata else None
        draft.dates = method.find_dates(document, DateContext(fetched_at=page.when, language=language), body)
    else:
        read_dates(draft, reading)
    published = draft.dates.published if draft.dates else None
    headline = draft.metadata.headline if draft.metadata else None
    return {
        "title": (body.headline if body else None) or headline,
        "date": published.value.isoformat() if published else None,
        "authors": draft.metadata.authors if draft.metadata else (),
    }


def timed(function: Callable[[], T]) -> tuple[T | None, float, str | None]:
    """Call a function; return its result, CPU seconds, and the error that it raised."""
    result, fault = None, None
    started = time.process_time()
    try:
        result = function()
    except Exception as error:  # noqa: BLE001 - methods of other libraries may raise anything
        fault = f"{type(error).__name__}: {error}"
    return result, time.process_time() - started, fault


def _peak_memory(method: Callable[[Document], Body | None], page: TestPage) -> int | None:
    document = Document.parse(page.html, page.given_url)
    before = _memory_before()
    tracemalloc.start()
    try:
        with suppress(Exception):
            method(document)
        grown = _read_peak() - before if before is not None else 0
        allocated = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return max(grown, allocated)


@lru_cache(maxsize=1)
def _trim() -> Callable[[int], int] | None:
    with suppress(OSError, AttributeError, TypeError):
        function: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
        return function
    return None


def _memory_before() -> int | None:
    """Return freed memory to the system, reset the peak, and return the memory of the process."""
    try:
        if trim := _trim():
            trim(0)
        Path("/proc/self/clear_refs").write_text(_RESET_PEAK)
    except OSError:
        return None
    return _read_peak()


def _read_peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
