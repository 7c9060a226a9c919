"""Chunks of pages and their results: the work of a process of a pool and of a worker of a cluster."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from newscrawler.article import Article
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction.batch.sources import InputPage

#: Number of pages in a chunk.
CHUNK = 16
#: Thresholds of the cyclic garbage collection. A page leaves few cycles; Python's default searches for them many times per page.
_THRESHOLDS = 20_000, 20, 20


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
    with _rare_collections():
        return [read_page(page, options) for page in pages]


def read_packed(pages: bytes, options: dict[str, Any]) -> bytes:
    """Return the results of a chunk, both pickled, so that whatever passes them on only copies bytes."""
    return pickle.dumps(read_chunk(pickle.loads(pages), options), pickle.HIGHEST_PROTOCOL)  # noqa: S301  the client wrote it


@contextmanager
def _rare_collections() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def chunks_of(pages: Iterator[InputPage], size: int) -> Iterator[list[InputPage]]:
    """Yield the pages in lists of a size, the last one shorter."""
    while chunk := list(islice(pages, size)):
        yield chunk
