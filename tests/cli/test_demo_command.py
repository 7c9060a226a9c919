from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Shell = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.timeout(280)
def test_the_demo_finds_what_its_portal_published(shell: Shell, folder: Path) -> None:
    demo = shell("demo", "--delay", "0", seconds=240)

    assert demo.returncode == 0, demo.stdout[-4000:] + demo.stderr
    assert demo.stderr == ""
    assert "Everything the portal published was found as published." in demo.stdout
    records = json.loads((folder / "demo-out" / "articles.json").read_text("utf-8"))
    with (folder / "demo-out" / "articles.csv").open(encoding="utf-8-sig", newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(records) >= 60
    assert [row["title"] for row in rows] == [record["title"] for record in records]
    assert (folder / "demo-out" / "newscrawler.sqlite").exists()


def test_a_folder_that_cannot_be_made_is_told(run: Callable[..., Result], folder: Path) -> None:
    (folder / "demo-out").write_text("a file")

    result = run("demo")

    assert result.exit_code == 2
    assert "demo-out cannot be used for the results" in result.stderr
