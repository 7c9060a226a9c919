"""`make quality` fails where a figure is worse than its floor or cannot be had."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools.quality import ROOT, hold, raised


def test_a_missing_bench_fails_and_says_where_it_is_expected(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, ROOT / "tools/quality.py", "--bench", tmp_path], capture_output=True, text=True, check=False, timeout=120
    )

    assert answer.returncode == 1
    assert f"{tmp_path}/bench.py is missing" in answer.stdout
    assert "make quality SHARED=FOLDER" in answer.stdout
    assert "articles found" in answer.stdout  # our own pages are measured all the same


def test_a_figure_below_its_floor_or_above_its_ceiling_or_missing_fails(capsys) -> None:
    floors = {"aeb, f1": 0.97, "wcxb, refused": 0.02}

    assert hold({"aeb, f1": 0.98, "wcxb, refused": 0.01}, floors)
    assert not hold({"aeb, f1": 0.96, "wcxb, refused": 0.01}, floors)
    assert not hold({"aeb, f1": 0.98, "wcxb, refused": 0.03}, floors)
    assert not hold({"aeb, f1": 0.98}, floors)
    assert not hold({"aeb, f1": 0.98, "wcxb, refused": 0.01, "l3s, f1": 0.9}, floors)
    assert capsys.readouterr().out.count("WORSE") == 2


def test_floors_never_become_easier() -> None:
    assert raised("aeb, f1", 0.98, 0.95) == 0.977
    assert raised("aeb, f1", 0.93, 0.95) == 0.95
    assert raised("wcxb, refused", 0.01, 0.02) == 0.013
    assert raised("wcxb, refused", 0.05, 0.02) == 0.02
    assert raised("peak memory, MB", 90.0, 110.0) == 110.0
