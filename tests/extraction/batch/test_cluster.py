"""Pages read on a Dask cluster of two workers, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed")

PROGRAM = """
import json, os, signal, sys
from distributed import LocalCluster
from newscrawler import extract_many

def page(number):
    text = "came back on Monday after two months in dock, and hundreds of people waited for it at the pier in the old town."
    title = f"<html><body><h1>Ferry number {number} returns to the harbour</h1>"
    return title + f"<p>Ferry {number} {text}</p>" * 3

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", memory_limit=0) as cluster:
        results, killed = [], None
        for result in extract_many((page(number) for number in range(200)), scheduler=cluster.scheduler_address):
            results.append((result.id, result.article.title if result.article else str(result.reason)))
            if len(results) == 40:
                killed = list(cluster.workers.values())[0].pid
                os.kill(killed, signal.SIGKILL)
        print(json.dumps(results))
"""


def test_every_page_is_read_once_though_a_worker_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, "utf-8")

    done = subprocess.run(
        [sys.executable, str(program)], cwd=tmp_path, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[str(number + 1), f"Ferry number {number} returns to the harbour"] for number in range(200)]
