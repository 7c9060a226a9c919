"""Read many pages with several processes. If a process dies, only the page that killed it is lost."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from newscrawler.errors import PageError, PageReason
from newscrawler.extraction.batch.chunks import CHUNK, PageResult, chunks_of, read_chunk, read_page
from newscrawler.extraction.batch.cluster import read_on_cluster
from newscrawler.extraction.batch.sources import InputPage

if TYPE_CHECKING:
    from newscrawler.page import Page

#: Chunks in progress per process.
_CHUNKS_UNDER_WAY = 3


def extract_many(
    pages: Iterable[InputPage | Page], *, workers: int | None = None, scheduler: str | None = None, **options: Any
) -> Iterator[PageResult]:
    """Yield the result of each page, in the order of the pages, with bounded memory.

    Args:
        pages: input pages, or arguments of `newscrawler.extraction.pipeline`, numbered from 1.
        workers: number of processes; None: one per core that this process may use; 1: no further process.
        scheduler: address of the scheduler of a Dask cluster, whose workers read the pages instead of local processes.
        options: as `newscrawler.extraction.pipeline` takes them: method, template, language, time_zone, required, links, images,
        tables,
            comments.

    Raises:
        ConfigError: an option has an invalid value, or a page is not an address, a path or a tuple.
    """
    _check(options)
    count = workers or _cores()
    numbered = (_page(page, number) for number, page in enumerate(pages, 1))
    if scheduler is not None:
        return read_on_cluster(numbered, scheduler, options)
    if count == 1:
        return (result for page in numbered for result in read_chunk([page], options))
    return _by_processes(numbered, count, options)


def _check(options: dict[str, Any]) -> None:
    """Refuse invalid options before a process is started.

    Raises:
        ConfigError: an option has an invalid value.
    """
    from newscrawler.extraction.api import extract

    try:
        extract("<p></p>", **options)
    except PageError:
        pass


def _page(page: InputPage | Page, number: int) -> InputPage:
    from newscrawler.page import content_of

    if isinstance(page, InputPage):
        return page
    content = content_of(page)
    if isinstance(content.html, bytes):
        return InputPage(id=str(number), html=content.html, url=content.url, content_type=content.content_type)
    html = content.html.encode("utf-8", "surrogatepass")
    return InputPage(id=str(number), html=html, url=content.url, content_type="text/html; charset=utf-8")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _by_processes(pages: Iterator[InputPage], workers: int, options: dict[str, Any]) -> Iterator[PageResult]:
    """Keep a few chunks in progress per process, and yield results in order."""
    chunks = chunks_of(pages, CHUNK)
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
    """Read each page of a chunk in a separate process, to find the one that kills it."""
    for page in chunk:
        with _pool(1) as pool:
            try:
                yield pool.submit(read_page, page, options).result()
            except BrokenProcessPool:
                yield PageResult(id=page.id, url=page.url, reason=PageReason.FAULT, detail="the process that read it died")


def _pool(workers: int) -> ProcessPoolExecutor:
    # forked from a process without threads, with the extractor imported once
    context = get_context("forkserver")
    context.set_forkserver_preload(["newscrawler.extraction.pipeline"])
    return ProcessPoolExecutor(workers, mp_context=context)
