"""How many crawls the memory holds, by what earlier crawls took."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from newscrawler.service.free_memory import CRAWL_MIB, count_crawls_that_fit, measure_crawl_mib
from newscrawler.store import open_store
from newscrawler.store.vocabularies import FINISHED

NOW = datetime(2026, 11, 20, 22, tzinfo=UTC)


def test_the_memory_of_the_machine_and_of_the_control_group_bound_the_crawls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = SimpleNamespace(available=8 * 2**30)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    group = tmp_path / "sys/fs/cgroup/a.slice"
    group.mkdir(parents=True)
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("0::/a.slice\n")
    (group / "memory.max").write_text("max\n")
    (group / "memory.current").write_text(f"{3 * 2**30}\n")
    (group / "memory.stat").write_text(f"inactive_file {2 * 2**30}\n")

    assert count_crawls_that_fit([], 128, root=tmp_path) == 6144 // 128
    assert count_crawls_that_fit([], 64, root=tmp_path) == 6144 // 64
    (group / "memory.max").write_text(f"{2 * 2**30}\n")
    assert count_crawls_that_fit([], 128, root=tmp_path) == 768 // 128
    assert count_crawls_that_fit([100] * 10, 128, root=tmp_path) == 1518 // 128
    assert count_crawls_that_fit([], 4096, root=tmp_path) == 1
    assert count_crawls_that_fit([], 128, root=tmp_path / "elsewhere") == 6144 // 128


def test_a_crawl_takes_what_the_latest_crawls_took(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}") as store:
        assert measure_crawl_mib(store) == CRAWL_MIB
        for memory_mib in (90, None, 300, 110):
            run, _ = store.runs.begin("p", now=NOW, version="1")
            store.runs.end(run.id, now=NOW, because=FINISHED, counts={})
            if memory_mib is not None:
                store.runs.note_cost(run.id, cpu_seconds=1.0, memory_mib=memory_mib)

        assert measure_crawl_mib(store) == 110
