"""Read many pages on a Dask cluster, with the same results in the same order even if workers die."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

from newscrawler.errors import ConfigError, PageReason, install_command
from newscrawler.extraction.batch.chunks import CHUNK, PageResult, chunks_of, read_packed
from newscrawler.extraction.batch.sources import InputPage

#: Chunks in progress per thread of the cluster; new workers are noticed when chunks end.
_CHUNKS_UNDER_WAY = 4
_CONNECT_SECONDS = 30


def read_on_cluster(pages: Iterator[InputPage], scheduler: str, options: dict[str, Any]) -> Iterator[PageResult]:
    """Yield the result of each page, in the order of the pages.

    If a worker dies, the scheduler runs its chunks again on others. A chunk that has killed several workers is read page by page,
    and a page that kills workers again is given up.

    Args:
        pages: the pages.
        scheduler: address of the scheduler, such as tcp://127.0.0.1:8786; its workers need newscrawler as well.
        options: as `newscrawler.extraction.pipeline` takes them.

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
    chunks = map(_packed, chunks_of(pages, CHUNK))
    under_way: deque[tuple[bytes, Any]] = deque()
    with client:
        while True:
            wanted = _CHUNKS_UNDER_WAY * max(1, sum(client.nthreads().values()))
            for chunk in islice(chunks, max(0, wanted - len(under_way))):
                under_way.append((chunk, client.submit(read_packed, chunk, options, pure=False)))
            if not under_way:
                return
            chunk, future = under_way.popleft()
            try:
                results = _unpacked(future.result())
            except KilledWorker:
                results = [_alone(client, page, options, KilledWorker) for page in _unpacked(chunk)]
            yield from results


def _alone(client: Any, page: InputPage, options: dict[str, Any], killed: type[Exception]) -> PageResult:
    """Return the result of a page that is sent alone."""
    try:
        (result,) = _unpacked(client.submit(read_packed, _packed([page]), options, pure=False).result())
    except killed:
        return PageResult(id=page.id, url=page.url, reason=PageReason.FAULT, detail="the processes that read it died")
    found: PageResult = result
    return found


def _packed(records: list[InputPage]) -> bytes:
    return pickle.dumps(records, pickle.HIGHEST_PROTOCOL)


def _unpacked(records: bytes) -> list[Any]:
    found: list[Any] = pickle.loads(records)  # noqa: S301  we wrote the pages, our workers the results
    return found
