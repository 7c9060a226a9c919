"""`newscrawler db shell`: SQL typed by people, with and without the database's own program."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from crawling import command

from newscrawler.store import open_store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        store.service.watch(["zprávy"], now=datetime.now(UTC))
    return tmp_path


def shell(folder: Path, statements: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({"PATH": path} if path is not None else {})
    return subprocess.run(
        command("db", "shell"), cwd=folder, input=statements, env=environment, capture_output=True, text=True, check=False
    )


def test_without_the_program_a_reader_answers_and_changes_nothing(folder: Path) -> None:
    done = shell(
        folder, "SELECT name\nFROM portal;\nDELETE FROM portal;\nSELECT count(*) AS left_over FROM portal;\n", path="/nowhere"
    )

    assert done.returncode == 0, done.stderr
    assert "sqlite3 is not installed" in done.stderr
    assert "zprávy" in done.stdout
    assert "read-only" in done.stderr
    assert done.stdout.splitlines()[-1].strip() == "1"


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="sqlite3 is not installed")
def test_with_the_program_the_database_is_opened_for_reading(folder: Path) -> None:
    done = shell(folder, "SELECT name FROM portal;\nDELETE FROM portal;\nSELECT count(*) FROM portal;\n")

    assert done.stdout.split() == ["zprávy", "1"]
    assert "readonly" in done.stderr


def test_writing_without_the_program_is_refused(folder: Path) -> None:
    environment = os.environ | {"PATH": "/nowhere"}
    done = subprocess.run(
        command("db", "shell", "--write"), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "needs the program sqlite3" in done.stderr
