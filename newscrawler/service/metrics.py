"""Metrics for Prometheus, by HTTP and as a file for node_exporter, and a health check.

The service's thread publishes a snapshot, which the server's threads read.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app, write_to_textfile
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import ThreadingWSGIServer
from prometheus_client.registry import Collector

from newscrawler import __version__
from newscrawler.errors import ConfigError
from newscrawler.service.digest import PortalState
from newscrawler.service.health import AlertKind

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication

logger = logging.getLogger(__name__)

#: A service that has not checked its children for this long is unhealthy.
STUCK_AFTER = timedelta(seconds=120)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The state at the last check."""

    at: datetime
    started_at: datetime
    #: The problem of the service itself; empty: none.
    problem: str = ""
    #: Memory in MiB of the portals being crawled.
    crawls: Mapping[str, int] = field(default_factory=dict)
    portals: tuple[PortalState, ...] = ()
    next_at: Mapping[str, datetime] = field(default_factory=dict)


class SnapshotCollector(Collector):
    """The snapshot as metrics."""

    def __init__(self) -> None:
        self.snapshot: Snapshot | None = None

    def collect(self) -> Iterable[Metric]:
        """Yield all metrics."""
        snapshot = self.snapshot
        if snapshot is None:
            return
        yield _make_gauge("info", "The version.", [({"version": __version__}, 1)])
        yield _make_gauge("start_time_seconds", "When the service began.", [({}, snapshot.started_at.timestamp())])
        yield _make_gauge("last_look_time_seconds", "When the service looked after everything.", [({}, snapshot.at.timestamp())])
        yield _make_gauge("problem", "1: something is wrong with the service itself.", [({}, int(bool(snapshot.problem)))])
        names = [portal.name for portal in snapshot.portals]
        yield _make_gauge(
            "crawling", "1: the portal is being crawled.", [({"portal": name}, int(name in snapshot.crawls)) for name in names]
        )
        memory = [({"portal": name}, number * 2**20) for name, number in snapshot.crawls.items()]
        yield _make_gauge("crawl_memory_bytes", "What a crawl takes.", memory)
        nexts = [({"portal": name}, moment.timestamp()) for name, moment in snapshot.next_at.items()]
        yield _make_gauge("next_crawl_time_seconds", "When the portal is crawled next.", nexts)
        yield from _collect_nights(snapshot.portals)
        yield _make_gauge("portal_problem", "1: the portal has this problem.", list(_collect_problems(snapshot.portals)))


def _collect_nights(portals: Iterable[PortalState]) -> Iterable[Metric]:
    lasts = [(portal.name, portal.assessments[-1]) for portal in portals if portal.assessments]
    figures: tuple[tuple[str, str, Callable[[Any], float | None]], ...] = (
        ("articles", "New articles of the last night.", lambda crawl: crawl.figures.articles),
        ("articles_usual", "New articles that a night usually brings.", lambda crawl: crawl.expected.articles),
        ("articles_undated", "New articles of the last night without a date.", lambda crawl: crawl.figures.undated),
        ("pages", "Pages of the last night.", lambda crawl: crawl.figures.pages),
        ("requests", "Requests of the last night.", lambda crawl: crawl.figures.requests),
        ("requests_failed", "URLs that could not be fetched in the last night.", lambda crawl: crawl.figures.failed),
        ("completeness_ratio", "Estimated share of the articles that was found.", lambda crawl: crawl.figures.completeness),
        ("duration_seconds", "Time that the last night's crawl took.", lambda crawl: crawl.figures.seconds),
        ("end_time_seconds", "When the last night's crawl ended.", _get_end),
    )
    for name, help_text, value in figures:
        samples = [({"portal": portal}, float(number)) for portal, crawl in lasts if (number := value(crawl)) is not None]
        yield _make_gauge(f"night_{name}", help_text, samples)


def _get_end(crawl: Any) -> float | None:
    ended: datetime | None = crawl.figures.ended_at
    return ended.timestamp() if ended else None


def _collect_problems(portals: Iterable[PortalState]) -> Iterable[tuple[dict[str, str], float]]:
    for portal in portals:
        lasting = {alert.problem for alert in portal.alerts}
        for problem in AlertKind:
            yield {"portal": portal.name, "problem": str(problem)}, int(str(problem) in lasting)


def _make_gauge(name: str, help_text: str, samples: Iterable[tuple[dict[str, str], float]]) -> GaugeMetricFamily:
    known = list(samples)
    family = GaugeMetricFamily(f"newscrawler_{name}", help_text, labels=list(known[0][0]) if known else [])
    for labels, value in known:
        family.add_metric(list(labels.values()), value)
    return family


class Metrics:
    """Serves the latest snapshot as metrics."""

    def __init__(self) -> None:
        self._figures = SnapshotCollector()
        self.registry = CollectorRegistry()
        self.registry.register(self._figures)
        self._answer_metrics: WSGIApplication = make_wsgi_app(self.registry)
        self._server: WSGIServer | None = None
        self._listen: tuple[str, int] | None = None
        self._textfile: Path | None = None

    def take(self, snapshot: Snapshot) -> None:
        """Publish this snapshot, and write the file if one is configured."""
        self._figures.snapshot = snapshot
        if self._textfile is not None:
            try:
                write_to_textfile(str(self._textfile), self.registry)
            except OSError as error:
                logger.warning("%s cannot be written: %s", self._textfile, error.strerror)

    def configure(self, listen: tuple[str, int] | None, textfile: Path | None) -> None:
        """Set the address to serve and the file to write.

        Raises:
            ConfigError: the port is taken, or the address is not of this machine.
        """
        self._textfile = textfile
        if self._server is not None and self._listen == listen:
            return
        self.close()
        if listen is None:
            return
        try:
            self._server = make_server(*listen, self._answer, ThreadingWSGIServer, _Handler)
        except OSError as error:
            cause = error.strerror or error
            raise ConfigError(f"service.listen: {listen[0]}:{listen[1]} cannot be used: {cause}") from error
        self._listen = listen
        threading.Thread(target=self._server.serve_forever, daemon=True, name="metrics").start()

    @property
    def port(self) -> int | None:
        """Return the port in use."""
        return self._server.server_port if self._server else None

    def close(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _answer(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer /metrics and /health."""
        if environ["PATH_INFO"] == "/metrics":
            return self._answer_metrics(environ, start_response)
        status, kind, body = 404, "text/plain; charset=utf-8", b"there are /metrics and /health\n"
        if environ["PATH_INFO"] == "/health":
            status, record = self.check_health(datetime.now(UTC))
            kind, body = "application/json", json.dumps(record).encode() + b"\n"
        start_response(f"{status} {HTTPStatus(status).phrase}", [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]

    def check_health(self, now: datetime) -> tuple[int, dict[str, Any]]:
        """Return HTTP status and a record: 200 while the service is healthy, otherwise 503."""
        snapshot = self._figures.snapshot
        if snapshot is None:
            return 503, {"status": "starting"}
        stuck = now - snapshot.at > STUCK_AFTER
        record = {
            "status": "stuck" if stuck else "problem" if snapshot.problem else "ok",
            "version": __version__,
            "started_at": snapshot.started_at.isoformat(),
            "last_look_at": snapshot.at.isoformat(),
            "problem": snapshot.problem,
            "crawling": sorted(snapshot.crawls),
            "portals": {portal.name: portal.state(now) for portal in snapshot.portals},
        }
        return (503 if stuck else 200), record


class _Handler(WSGIRequestHandler):
    timeout = 10

    def log_message(self, *_: object) -> None:
        """Do not log requests."""
