"""Read many pages with several processes. If a process dies, only the page that killed it is lost."""

from __future__ import annotations

import gc
import os
import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children, current_process, get_context
from multiprocessing.process import BaseProcess
from typing import Any

from newscrawler.article import Article
from newscrawler.errors import ConfigError, PageError, PageReason, install_command
from newscrawler.extraction.batch.sources import InputPage
from newscrawler.page import Page, read_content

#: Exit code of a process that began to run the caller's script, and what to tell the caller.
_NO_GUARD = 64
_GUARD_IS_MISSING = (
    'extract_many starts processes that import your script: put the code that calls it below `if __name__ == "__main__":`, or '
    "pass workers=1."
)
#: Chunks in progress per process.
_CHUNKS_PER_PROCESS = 3


def extract_many(
    pages: Iterable[InputPage | Page], *, workers: int | None = None, scheduler: str | None = None, **options: Any
) -> Iterator[PageResult]:
    """Yield the result of each page, in the order of the pages, with bounded memory.

    Args:
        pages: input pages, or arguments of `newscrawler.extract`, numbered from 1.
        workers: number of processes; None: one per core that this process may use; 1: no further process.
        scheduler: address of the scheduler of a Dask cluster, whose workers read the pages instead of local processes.
        options: as `newscrawler.extract` takes them.

    Raises:
        ConfigError: an option has an invalid value, or a page is not an address, a path or a tuple.
        SystemExit: the script that calls it has no `if __name__ == "__main__":`, which further processes need.
    """
    if getattr(current_process(), "_inheriting", False):  # multiprocessing's own mark: this process imports the caller's script
        os._exit(_NO_GUARD)
    _check(options)
    count = workers or _count_cores()
    numbered = (_make_page(page, number) for number, page in enumerate(pages, 1))
    if scheduler is not None:
        return read_on_cluster(numbered, scheduler, options)
    if count == 1:
        return (result for page in numbered for result in read_chunk([page], options))
    return _read_by_processes(numbered, count, options)


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


def _make_page(page: InputPage | Page, number: int) -> InputPage:
    if isinstance(page, InputPage):
        return page
    content = read_content(page)
    if isinstance(content.html, bytes):
        return InputPage(id=str(number), html=content.html, url=content.url, content_type=content.content_type)
    html = content.html.encode("utf-8", "surrogatepass")
    return InputPage(id=str(number), html=html, url=content.url, content_type="text/html; charset=utf-8")


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _read_by_processes(pages: Iterator[InputPage], workers: int, options: dict[str, Any]) -> Iterator[PageResult]:
    """Keep a few chunks in progress per process, and yield results in order."""
    chunks = split_chunks(pages, CHUNK)
    under_way: deque[tuple[list[InputPage], Future[list[PageResult]]]] = deque()
    pool = _start_pool(workers)
    started: list[BaseProcess] = []
    try:
        while True:
            for chunk in islice(chunks, _CHUNKS_PER_PROCESS * workers - len(under_way)):
                under_way.append((chunk, pool.submit(read_chunk, chunk, options)))
            if not under_way:
                return
            started = started or [*active_children()]
            chunk, future = under_way.popleft()
            try:
                results = future.result()
            except BrokenProcessPool:
                if any(process.exitcode == _NO_GUARD for process in started):
                    raise SystemExit(_GUARD_IS_MISSING) from None
                pool.shutdown(wait=False, cancel_futures=True)
                results = list(_read_one_by_one(chunk, options))
                pool = _start_pool(workers)
                under_way = deque((later, pool.submit(read_chunk, later, options)) for later, _ in under_way)
            yield from results
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _read_one_by_one(chunk: list[InputPage], options: dict[str, Any]) -> Iterator[PageResult]:
    """Read each page of a chunk in a separate process, to find the one that kills it."""
    for page in chunk:
        with _start_pool(1) as pool:
            try:
                yield pool.submit(read_page, page, options).result()
            except BrokenProcessPool:
                yield PageResult(id=page.id, url=page.url, reason=PageReason.FAULT, detail="the process that read it died")


def _start_pool(workers: int) -> ProcessPoolExecutor:
    # forked from a process without threads, with the extractor imported once
    context = get_context("forkserver")
    context.set_forkserver_preload(["newscrawler.extraction.pipeline"])
    return ProcessPoolExecutor(workers, mp_context=context)


#: Number of pages in a chunk.
CHUNK = 16
#: Thresholds of the cyclic garbage collection: 400 pages leave some 3,000 objects in cycles; Python searches many times per page.
_THRESHOLDS = 100_000, 10, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """The result of one page."""

    #: The id of the page.
    id: str
    url: str | None = None
    #: None if the page has no article, or could not be read.
    article: Article | None = None
    #: None if there is an article.
    reason: PageReason | None = None
    detail: str = ""


def read_page(page: InputPage, options: dict[str, Any]) -> PageResult:
    """Return the result of one page; an internal error is a result too."""
    from newscrawler.extraction.api import extract

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
    """Return the results of a chunk of pages."""
    with collect_rarely():
        return [read_page(page, options) for page in pages]


def read_packed(pages: bytes, options: dict[str, Any]) -> bytes:
    """Return the results of a chunk, both pickled, so that whatever passes them on only copies bytes."""
    return pickle.dumps(read_chunk(pickle.loads(pages), options), pickle.HIGHEST_PROTOCOL)  # noqa: S301  the client wrote it


@contextmanager
def collect_rarely() -> Iterator[None]:
    """Search for garbage in cycles seldom, and not among what exists already.

    In a fork, objects that the parent froze stay frozen: the collector would copy all of its memory.
    """
    before, is_frozen = gc.get_threshold(), gc.get_freeze_count() > 0
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not is_frozen:
            gc.unfreeze()


def split_chunks(pages: Iterator[InputPage], size: int) -> Iterator[list[InputPage]]:
    """Yield the pages in lists of a size, the last one shorter."""
    while chunk := list(islice(pages, size)):
        yield chunk


#: Chunks in progress per thread of the cluster; new workers are noticed when chunks end.
_CHUNKS_PER_THREAD = 4
_CONNECT_SECONDS = 30


def read_on_cluster(pages: Iterator[InputPage], scheduler: str, options: dict[str, Any]) -> Iterator[PageResult]:
    """Yield the result of each page, in the order of the pages.

    If a worker dies, the scheduler runs its chunks again on others. A chunk that has killed several workers is read page by page,
    and a page that kills workers again is given up.

    Args:
        pages: the pages.
        scheduler: address of the scheduler, such as tcp://127.0.0.1:8786; its workers need newscrawler as well.
        options: as `newscrawler.extract` takes them.

    Raises:
        ConfigError: Dask is not installed, or the scheduler does not answer.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ConfigError(f"A cluster needs Dask: {install_command('cluster')}") from error
    try:
        client: Any = Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ConfigError(f"The scheduler {scheduler} cannot be reached: {error}") from error
    chunks = map(_pack, split_chunks(pages, CHUNK))
    under_way: deque[tuple[bytes, Any]] = deque()
    with client:
        while True:
            wanted = _CHUNKS_PER_THREAD * max(1, sum(client.nthreads().values()))
            for chunk in islice(chunks, max(0, wanted - len(under_way))):
                under_way.append((chunk, client.submit(read_packed, chunk, options, pure=False)))
            if not under_way:
                return
            chunk, future = under_way.popleft()
            try:
                results = _unpack(future.result())
            except KilledWorker:
                results = [_read_single(client, page, options, KilledWorker) for page in _unpack(chunk)]
            yield from results


def _read_single(client: Any, page: InputPage, options: dict[str, Any], killed: type[Exception]) -> PageResult:
    """Return the result of a page that is sent alone."""
    try:
        (result,) = _unpack(client.submit(read_packed, _pack([page]), options, pure=False).result())
    except killed:
        return PageResult(id=page.id, url=page.url, reason=PageReason.FAULT, detail="the processes that read it died")
    found: PageResult = result
    return found


def _pack(records: list[InputPage]) -> bytes:
    return pickle.dumps(records, pickle.HIGHEST_PROTOCOL)


def _unpack(records: bytes) -> list[Any]:
    found: list[Any] = pickle.loads(records)  # noqa: S301  we wrote the pages, our workers the results
    return found
