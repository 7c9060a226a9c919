#!/usr/bin/env python3
"""Let a cluster crawl while everything fails, and count what must not happen.

Prints JSON, and ends with 1 where it did.

    tools/cluster_chaos.py                            both trials; ten minutes at most
    tools/cluster_chaos.py simulated --portals 1000 --hours 168 --most-minutes 600
    tools/cluster_chaos.py machines --minutes 3       as root: it makes network namespaces

`simulated`: real are PostgreSQL (killed with SIGKILL and started again), and all that newscrawler does on it: planner and
election, queue, leases and sweep, runs, frontier, host slots, articles. Simulated are the clock of everything, PostgreSQL's
too, which leaps over time in which nothing is to be done; the portals, whose logs are what is judged; the network between
workers and database; processes. Portals are open in windows of ten hours in all time zones. Faults come one after another,
in shuffled rounds so that each kind comes up: a worker is killed, stopped (up to an hour), cut off, has a clock that is
minutes off, or a full disk; the database is killed for 30 s, or its disk is full. Its time is limited by processor time, so
a busy machine does not make it smaller.

`machines`: nothing is simulated but the portals, which are small. Each worker is a process of `newscrawler worker` in
network, mount, process and host name namespaces of its own; when it is killed, all its crawls are. Workers are killed,
stopped, cut off from the database or from everything, and have a full disk; the database is killed.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.chaos_trial.database import postgresql  # noqa: E402
from tools.chaos_trial.judgement import holds, judge  # noqa: E402
from tools.chaos_trial.machines import MachineSize, machines_trial  # noqa: E402
from tools.chaos_trial.portals import Size  # noqa: E402
from tools.chaos_trial.simulation import Simulation  # noqa: E402


def chaos(size: Size, server: Any) -> dict[str, Any]:
    """Run one simulated trial and return its report."""
    simulation = Simulation(size, server)
    began = time.monotonic()
    whole = simulation.run()
    simulation.close()
    report = judge(simulation) | {
        "whole": whole,
        "seed": size.seed,
        "real_seconds": round(time.monotonic() - began),
        "cpu_seconds": round(simulation.cpu_seconds()),
    }
    return report | {"holds": holds(report)}


def main() -> int:
    """Run the trials that the options say."""
    options = _options()
    logging.disable(logging.CRITICAL)
    reports: dict[str, Any] = {}
    for name in ("simulated", "machines") if options.trial == "both" else (options.trial,):
        with postgresql() as server:
            if name == "simulated":
                sizes = {field: getattr(options, field) for field in Size.__dataclass_fields__}
                reports[name] = chaos(Size(**sizes), server)
            else:
                reports[name] = machines_trial(MachineSize(minutes=options.minutes, seed=options.seed), server)
    print(json.dumps(reports, indent=2))
    return 0 if all(report["holds"] for report in reports.values()) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trial", nargs="?", choices=("both", "simulated", "machines"), default="both")
    for name in Size.__dataclass_fields__:
        default = getattr(Size(), name)
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    parser.add_argument("--minutes", type=float, default=MachineSize().minutes, help="of the trial with machines")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
