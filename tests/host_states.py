"""Puts a host into a state, as if answers had told it."""

from __future__ import annotations

from collections.abc import Sequence

from newscrawler.store.hosts import FetchRecord, HostRecord, Hosts

_HOLDER = "of no process"


def put_host(hosts: Hosts, host: HostRecord, log: Sequence[FetchRecord] = ()) -> None:
    """Keep the state of a host, and what was asked of it."""
    hosts.take([host.name], _HOLDER, gap_seconds=0.0, hold_seconds=1.0)
    hosts.leave([host.name], _HOLDER, host, gap_seconds=0.0, log=log)
