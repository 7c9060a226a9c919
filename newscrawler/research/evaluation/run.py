"""Measurement of candidates on pages, in several processes, with a cache.

A page method gets one page after the other. A site method is cross-validated within each portal: its pages, in the order of their
time, are divided into five folds (or as many as there are pages), and each fold is read with a template learned from a share of the
others, taken evenly over time. Portals with too few pages are not measured.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from typing import Any

from newscrawler.corpus.templates import spread_evenly
from newscrawler.page import Document
from newscrawler.research.evaluation.answer import MethodAnswer, answer, timed
from newscrawler.research.evaluation.cache import Cache, source_hash, version_of
from newscrawler.research.evaluation.candidates import MethodCandidate
from newscrawler.research.evaluation.data import TestPage
from newscrawler.research.evaluation.judgement import AnswerVerdict
from newscrawler.research.evaluation.scores import PageScore, score

_FOLDS = 5
#: Share of the other pages to learn from (Trinity's authors took 20 %), its minimum and maximum.
_SHARE, _MIN_LEARNED, _MAX_LEARNED = 0.2, 4, 12
#: A template learned from a single page does not describe its portal.
_MIN_OTHERS = 2
#: Memory is measured on every eighth page.
_MEMORY_EVERY = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """The answer of a candidate to a page, and its score."""

    #: Index of the page.
    page: int
    candidate: MethodCandidate
    answer: MethodAnswer
    score: PageScore
    #: Whether it comes from the cache.
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationTask:
    """The unit of work of a process: all page methods on a page, or one site method on a portal."""

    pages: tuple[tuple[int, TestPage], ...]
    candidates: tuple[MethodCandidate, ...]


@dataclass(slots=True, kw_only=True)
class Evaluation:
    """The results of all candidates on all pages."""

    pages: Sequence[TestPage]
    candidates: Sequence[MethodCandidate]
    results: list[PageResult] = field(default_factory=list)


def evaluate(
    pages: Sequence[TestPage],
    compared: Sequence[MethodCandidate],
    cache: Cache,
    *,
    processes: int | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Evaluation:
    """Measure every candidate on every page; `processes`: None: one per core; `on_progress` gets the finished and all."""
    tasks = list(tasks_of(pages, compared))
    total = sum(len(task.pages) * len(task.candidates) for task in tasks)
    evaluation = Evaluation(pages=pages, candidates=compared)
    on_progress(0, total)
    done = 0
    count = processes or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else processes or os.cpu_count() or 1
    for task, results in _run(tasks, cache, min(count, max(1, len(tasks)))):
        evaluation.results += results
        done += len(task.pages) * len(task.candidates)
        on_progress(done, total)
    order = {candidate: number for number, candidate in enumerate(compared)}
    evaluation.results.sort(key=lambda result: (order[result.candidate], result.page))
    return evaluation


def tasks_of(pages: Sequence[TestPage], compared: Sequence[MethodCandidate]) -> Iterator[EvaluationTask]:
    """Divide the work into tasks; site methods, which take longest, come first."""
    portals: dict[tuple[str, str], list[tuple[int, TestPage]]] = {}
    for number, page in enumerate(pages):
        portals.setdefault((page.dataset, page.portal), []).append((number, page))
    for candidate in compared:
        if candidate.learns:
            for found in portals.values():
                least = max(candidate.make().least_pages, _MIN_OTHERS)
                if len(found) > least:
                    yield EvaluationTask(pages=tuple(found), candidates=(candidate,))
    of_pages = tuple(candidate for candidate in compared if not candidate.learns)
    if of_pages:
        for number, page in enumerate(pages):
            yield EvaluationTask(pages=((number, page),), candidates=of_pages)


def _run(tasks: Sequence[EvaluationTask], cache: Cache, processes: int) -> Iterator[tuple[EvaluationTask, list[PageResult]]]:
    if processes == 1:
        yield from ((task, run_task(task, cache)) for task in tasks)
        return
    lost: list[EvaluationTask] = []
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_ignore_interrupts) as pool:
        try:
            for future, task in _submitted(pool, tasks, cache, processes * 4):
                try:
                    yield task, future.result()
                except BrokenProcessPool:
                    lost.append(task)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    # one of the lost tasks killed its process; the others only ran in the same pool
    for task in lost:
        yield task, _run_alone(task, cache)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in worker processes; the main process stops the evaluation."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _submitted(
    pool: ProcessPoolExecutor, tasks: Iterable[EvaluationTask], cache: Cache, window: int
) -> Iterator[tuple[Future[list[PageResult]], EvaluationTask]]:
    """Submit a few tasks at a time, so that not all pages are copied at once."""
    waiting = iter(tasks)
    running: dict[Future[list[PageResult]], EvaluationTask] = {}
    while True:
        for task in islice(waiting, window - len(running)):
            try:
                running[pool.submit(run_task, task, cache)] = task
            except BrokenProcessPool as error:
                broken: Future[list[PageResult]] = Future()
                broken.set_exception(error)
                running[broken] = task
        if not running:
            return
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future, running.pop(future)


def _run_alone(task: EvaluationTask, cache: Cache) -> list[PageResult]:
    """Run a task in a separate process; if the process dies, run its candidates one by one."""
    try:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_ignore_interrupts) as pool:
            return pool.submit(run_task, task, cache).result()
    except BrokenProcessPool:
        if len(task.candidates) > 1:
            parts = (EvaluationTask(pages=task.pages, candidates=(candidate,)) for candidate in task.candidates)
            return [result for part in parts for result in _run_alone(part, cache)]
        died = MethodAnswer(fault="the process died")
        return [
            PageResult(page=number, candidate=task.candidates[0], answer=died, score=score(page.gold, died))
            for number, page in task.pages
        ]


def run_task(task: EvaluationTask, cache: Cache) -> list[PageResult]:
    """Run one task, with results from the cache where there are any."""
    if task.candidates[0].learns:
        return _run_on_portal(task, cache)
    ((number, page),) = task.pages
    known = _CachedResults(cache, page)
    results: list[PageResult] = []
    for candidate in task.candidates:
        measure = partial(answer, page, candidate.make(), with_memory=number % _MEMORY_EVERY == 0)
        results.append(known.result(number, candidate, measure))
    known.keep()
    return results


def _run_on_portal(task: EvaluationTask, cache: Cache) -> list[PageResult]:
    (candidate,) = task.candidates
    pages = sorted(task.pages, key=lambda pair: (pair[1].when.isoformat() if pair[1].when else "", pair[0]))
    results: list[PageResult] = []
    for others, read in folds(pages):
        template = _Template(candidate, [page for _, page in others], len(read))
        for number, page in read:
            known = _CachedResults(cache, page)
            measure = partial(template.read, page, with_memory=number % _MEMORY_EVERY == 0)
            results.append(known.result(number, candidate, measure, template.source))
            known.keep()
    return results


class _Template:
    """A template of some pages; it is learned when the first page is read."""

    def __init__(self, candidate: MethodCandidate, others: Sequence[TestPage], readers: int) -> None:
        self._candidate, self._others, self._readers = candidate, others, readers
        #: Hash of the pages to learn from.
        self.source = sha256("\0".join(page.hash for page in others).encode()).hexdigest()[:16]
        self._learned: tuple[Any, float, str | None] | None = None

    def read(self, page: TestPage, *, with_memory: bool) -> MethodAnswer:
        """Read a page with the template."""
        if self._learned is None:
            documents = [Document.parse(other.html, other.given_url) for other in self._others]
            template, seconds, fault = timed(lambda: self._candidate.make().learn(documents))
            self._learned = template, seconds / self._readers, fault
        template, share, fault = self._learned
        if fault is not None:
            return MethodAnswer(fault=f"learning: {fault}", learning_seconds=share)
        return answer(page, template, with_memory=with_memory, learning_seconds=share)


def folds(pages: Sequence[tuple[int, TestPage]]) -> Iterator[tuple[list[tuple[int, TestPage]], list[tuple[int, TestPage]]]]:
    """Yield pairs of training pages and test pages; each page is a test page once, and never in its own training pages."""
    count = min(_FOLDS, len(pages))
    for number in range(count):
        others = [page for place, page in enumerate(pages) if place % count != number]
        share = min(_SHARE, _MAX_LEARNED / len(others))
        yield spread_evenly(others, share=share, least=_MIN_LEARNED), list(pages[number::count])


class _CachedResults:
    """The cached results of a page, and the new ones to add."""

    def __init__(self, cache: Cache, page: TestPage) -> None:
        self._cache, self._page = cache, page
        self._entries = cache.read(page.hash)
        self._fresh: dict[str, Any] = {}
        rule = f"{source_hash('newscrawler.research.evaluation.scores')}\0{page.gold!r}"
        #: Hash of the gold and of the source of the scoring.
        self._scoring = sha256(rule.encode("utf-8", "replace")).hexdigest()[:24]

    def result(self, number: int, candidate: MethodCandidate, measure: Callable[[], MethodAnswer], learned: str = "") -> PageResult:
        """Return the result from the cache, or measure it."""
        key = self._key(candidate, learned)
        found, made = self._read(key)
        cached = found is not None
        found = found or measure()
        if made is None:
            made = score(self._page.gold, found)
            self._fresh[key] = {"answer": asdict(found), "scoring": self._scoring, "score": asdict(made)}
        return PageResult(page=number, candidate=candidate, answer=found, score=made, cached=cached)

    def keep(self) -> None:
        """Write the new results."""
        self._cache.add(self._page.hash, self._fresh)

    def _key(self, candidate: MethodCandidate, learned: str) -> str:
        parts = [version_of(candidate), learned]
        if self._page.gold.asks_for_metadata:
            parts += [
                source_hash(module)
                for module in ("newscrawler.extraction.metadata.record", "newscrawler.extraction.dates.decision")
            ]
        return f"{candidate.name} {sha256(chr(0).join(parts).encode()).hexdigest()[:24]}"

    def _read(self, key: str) -> tuple[MethodAnswer | None, PageScore | None]:
        entry: Any = self._entries.get(key)
        try:
            found, made = dict(entry["answer"]), dict(entry["score"])
            found["authors"] = None if found["authors"] is None else tuple(found["authors"])
            made["verdict"] = AnswerVerdict(made["verdict"]) if made["verdict"] else None
            return MethodAnswer(**found), PageScore(**made) if entry["scoring"] == self._scoring else None
        except (TypeError, KeyError, ValueError):
            return None, None
