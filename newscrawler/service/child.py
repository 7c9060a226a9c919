"""A child process of the service: one crawl, one export, or one job.

It is forked by `fork_server`, or a new interpreter that reads its task from standard input. On Linux it ends with the service
(PR_SET_PDEATHSIG), so that a killed service leaves no lease for its successor to wait for; a crawl can be killed without loss.
"""

from __future__ import annotations

import ctypes
import logging
import os
import resource
import signal
import sys
from pathlib import Path

from newscrawler.config.load import parse_configuration
from newscrawler.config.portal import Configuration
from newscrawler.errors import ConfigError, NewscrawlerError
from newscrawler.service.children import Task

_PR_SET_PDEATHSIG = 1
#: Hard limit of memory as a multiple of the soft one, for a child that grows faster than the service measures.
_WALL = 2
INTERRUPTED, FAULT = 130, 70
logger = logging.getLogger(__name__)


def main() -> int:
    """Carry out the task on standard input; return the exit code."""
    return carry_out(Task.from_json(sys.stdin.buffer.readline()))


def carry_out(task: Task) -> int:
    """Carry out a task in this process; return the exit code."""
    if not _die_with(task.parent):
        return INTERRUPTED
    wall = task.max_memory * 2**20 * _WALL
    resource.setrlimit(resource.RLIMIT_DATA, (wall, wall))

    from newscrawler.service.logs import write_logs

    context = write_logs(task.log)
    context[{"crawl": "portal"}.get(task.kind, task.kind)] = task.name
    try:
        configuration = parse_configuration(task.text, Path(task.path))
        if task.kind == "crawl":
            return crawl(task, configuration, context)
        return job(task, configuration) if task.kind == "job" else export(task, configuration)
    except NewscrawlerError as error:
        logger.error(str(error))  # noqa: TRY400  our errors are sentences
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:
        logger.exception("fault")
        return FAULT


def _die_with(parent: int) -> bool:
    """Make the system kill this process when its parent ends; False: the parent has already ended."""
    try:
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except (OSError, AttributeError):  # not Linux
        return True
    return os.getppid() == parent


def crawl(task: Task, configuration: Configuration, context: dict[str, object]) -> int:
    """Crawl one portal.

    Raises:
        ConfigError: the configuration does not have it.
    """
    from dataclasses import replace

    from newscrawler.crawl import crawl_portals
    from newscrawler.service.crawl_log import LogReport

    portals = [portal for portal in configuration.crawled if portal.name == task.name]
    if not portals:  # the planner has a newer configuration than this worker, or an older one
        raise ConfigError(f"the configuration of this machine has no portal {task.name}; give all workers the same one")
    settings = replace(configuration, database_url=task.database_url)
    summaries = crawl_portals(settings, portals, report=LogReport(context))
    if any(summary.is_interrupted for summary in summaries):
        return INTERRUPTED
    return 1 if any(summary.needs_attention for summary in summaries) else 0


def export(task: Task, configuration: Configuration) -> int:
    """Write one export."""
    from newscrawler.service.exports import write_export
    from newscrawler.store import open_store

    (wanted,) = [each for each in configuration.exports if each.name == task.name]
    with open_store(task.database_url, create=False) as store:
        written = write_export(store, wanted, configuration)
    logger.info("export written", extra={"facts": {"path": written.path, "articles": written.articles}})
    return 0


def job(task: Task, configuration: Configuration) -> int:
    """Carry out one job; no incomplete file is left when the service ends."""
    from newscrawler.service.tasks import carry_out_job
    from newscrawler.store import open_store

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(INTERRUPTED))
    with open_store(task.database_url, create=False) as store:
        carry_out_job(store, int(task.name), configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
