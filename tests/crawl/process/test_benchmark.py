"""Short versions of what tools/benchmark_crawl.py measures at length: kills, the frontier's memory and latency, flat memory."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import warm_command
from portal_server import address, listing, story

TOOL = Path(__file__).parents[3] / "tools" / "benchmark_crawl.py"
COUNT = 12


def measured(*arguments: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, str(TOOL), *arguments], capture_output=True, text=True, timeout=240, check=False)
    assert done.stdout, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_kills_at_random_moments_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "site"
    (root / "zpravy").mkdir(parents=True)
    (root / "index.html").write_text(listing(*(address(number) for number in range(COUNT))), "utf-8")
    for number in range(COUNT):
        (root / address(number)[1:]).write_text(story(number), "utf-8")
    gold = tmp_path / "gold.jsonl"
    gold.write_text("\n".join(json.dumps({"url": f"http://127.0.0.1:8000{address(number)}"}) for number in range(COUNT)), "utf-8")

    monkeypatch.syspath_prepend(str(TOOL.parent))
    tool = import_module("benchmark_crawl")
    monkeypatch.setattr(
        "crawl_benchmark.killing.subprocess", SimpleNamespace(Popen=warm_command.CommandProcess, DEVNULL=subprocess.DEVNULL)
    )
    arguments = ["kill", "--root", str(root), "--gold", str(gold), "--kills", "2", "--most-requests", "10"]
    monkeypatch.setattr(sys, "argv", [str(TOOL), *arguments])
    assert tool.main() == 0
    result = json.loads(capsys.readouterr().out)

    assert result["holds"], result
    assert (result["kills"], result["articles"], result["missing"], result["doubled"]) == (2, COUNT, 0, 0)


def test_the_frontier_is_read_in_bounded_batches() -> None:
    result = measured("frontier", "--urls", "10000", "--claims", "80")

    assert result["holds"], result
    assert result["mb_at_the_end"] <= 1.1 * result["mb_after_filling"]
