"""Reads many pages by several processes; one that dies costs the page that killed it, and nothing else."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any

from newscrawler.article import Article
from newscrawler.batch.sources import InputPage
from newscrawler.errors import PageError, PageReason

#: Pages that a process is given at once, and chunks under way for each process.
_CHUNK, _CHUNKS_UNDER_WAY = 16, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """What became of one page."""

    #: As the page was named.
    id: str
    url: str | None = None
    #: None: the page holds no article, or could not be read.
    article: Article | None = None
    #: None: there is an article.
    reason: PageReason | None = None
    detail: str = ""


def extract_many(pages: Iterable[InputPage | str | bytes], *, workers: int | None = None, **options: Any) -> Iterator[PageResult]:
    """Yield the result of each page, in the order of the pages, with bounded memory.

    Args:
        pages: pages with what is known of them, or bare HTML, which is numbered from 1.
        workers: processes; None: as many as this process may use cores; 1: no further process.
        options: as `newscrawler.extract` takes them: method, template, language, time_zone, required, links, images, tables,
            comments.

    Raises:
        ConfigError: an option has a value that does not exist, or a page is an address.
    """
    _check(options)
    count = workers or _cores()
    numbered = (_page(page, number) for number, page in enumerate(pages, 1))
    if count == 1:
        return (read_page(page, options) for page in numbered)
    return _by_processes(numbered, count, options)


def read_page(page: InputPage, options: dict[str, Any]) -> PageResult:
    """Return the result of one page; a fault of the program is a result as well."""
    from newscrawler.extract import extract

    if page.error is not None:
        return PageResult(id=page.id, url=page.url, reason=page.error.reason, detail=page.error.detail)
    try:
        article = extract(page.html, page.url, content_type=page.content_type, fetched_at=page.fetched_at, **options)
    except PageError as error:
        return PageResult(id=page.id, url=page.url, reason=error.reason, detail=error.detail)
    except Exception as error:  # noqa: BLE001  one page's fault must not end the others
        return PageResult(id=page.id, url=page.url, reason=PageReason.FAULT, detail=f"{type(error).__name__}: {error}"[:300])
    return PageResult(id=page.id, url=page.url, article=article)


def read_chunk(pages: list[InputPage], options: dict[str, Any]) -> list[PageResult]:
    """Return the results of a few pages."""
    return [read_page(page, options) for page in pages]


def _check(options: dict[str, Any]) -> None:
    """Refuse wrong options before a process is started.

    Raises:
        ConfigError: an option has a value that does not exist.
    """
    from newscrawler.extract import extract

    try:
        extract("<p></p>", **options)
    except PageError:
        pass


def _page(page: InputPage | str | bytes, number: int) -> InputPage:
    if isinstance(page, InputPage):
        return page
    html = page.encode("utf-8", "surrogatepass") if isinstance(page, str) else page
    kind = "text/html; charset=utf-8" if isinstance(page, str) else None
    return InputPage(id=str(number), html=html, content_type=kind)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunks(pages: Iterator[InputPage]) -> Iterator[list[InputPage]]:
    while chunk := list(islice(pages, _CHUNK)):
        yield chunk


def _by_processes(pages: Iterator[InputPage], workers: int, options: dict[str, Any]) -> Iterator[PageResult]:
    """Keep a few chunks under way for each process, and yield results in order."""
    chunks = _chunks(pages)
    under_way: deque[tuple[list[InputPage], Future[list[PageResult]]]] = deque()
    pool = _pool(workers)
    try:
        while True:
            for chunk in islice(chunks, _CHUNKS_UNDER_WAY * workers - len(under_way)):
                under_way.append((chunk, pool.submit(read_chunk, chunk, options)))
            if not under_way:
                return
            chunk, future = under_way.popleft()
            try:
                results = future.result()
            except BrokenProcessPool:
                pool.shutdown(wait=False, cancel_futures=True)
                results = list(_one_by_one(chunk, options))
                pool = _pool(workers)
                under_way = deque((later, pool.submit(read_chunk, later, options)) for later, _ in under_way)
            yield from results
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _one_by_one(chunk: list[InputPage], options: dict[str, Any]) -> Iterator[PageResult]:
    """Read the pages of a chunk each by a process of its own, to find the one that kills it."""
    for page in chunk:
        with _pool(1) as pool:
            try:
                yield pool.submit(read_page, page, options).result()
            except BrokenProcessPool:
                yield PageResult(id=page.id, url=page.url, reason=PageReason.FAULT, detail="the process that read it died")


def _pool(workers: int) -> ProcessPoolExecutor:
    # forked from a process without threads, with the extractor imported once
    context = get_context("forkserver")
    context.set_forkserver_preload(["newscrawler.extract"])
    return ProcessPoolExecutor(workers, mp_context=context)
