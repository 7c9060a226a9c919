"""Real publishing systems (../shared/sites), crawled by the command and held against what their editors published.

Pelican alone in the usual run, which a first set-up of all would double; `NEWSCRAWLER_SITES=all`, or some names, takes the others.
Skipped where the systems are absent or cannot be built (WordPress needs root and Debian's packages, Hexo npm).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import command

SITES = Path(__file__).resolve().parents[2] / "shared" / "sites"
#: Not in the user's home: the database server of WordPress runs as another user.
STATE = Path(tempfile.gettempdir()) / "newscrawler-sites"
PORTS = {"hexo-next": 18702, "nikola": 18711, "pelican": 18721, "wp-plain": 18731, "wp-dated": 18732}

_NAMES = os.environ.get("NEWSCRAWLER_SITES", "pelican")
WANTED = list(PORTS) if _NAMES == "all" else _NAMES.split(",")

pytestmark = [
    pytest.mark.sites,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not (SITES / "up").exists(), reason="../shared/sites is not here"),
]


@pytest.fixture(params=WANTED)
def site(request: pytest.FixtureRequest) -> Iterator[str]:
    name = request.param
    environment = os.environ | {"SITES_STATE": str(STATE), "SITES_GOLD": str(STATE / "gold")}
    STATE.mkdir(exist_ok=True)
    lock = STATE / f"{'wordpress' if name.startswith('wp') else 'static'}.lock"
    with lock.open("w") as handle:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)  # one set-up at a time: they share packages and a database server
        up = subprocess.run(
            [SITES / "up", name, str(PORTS[name])], env=environment, capture_output=True, text=True, timeout=600, check=False
        )
    if up.returncode != 0:
        pytest.skip(f"{name} cannot be built here: {(up.stderr or up.stdout).strip()[-300:]}")
    yield name
    if not name.startswith("wp"):
        subprocess.run([SITES / "down", name], env=environment, check=False, capture_output=True)


def test_a_site_comes_home_whole_and_the_second_night_costs_little(site: str, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{PORTS[site]}/"

    first = subprocess.run(
        command("crawl", url, "--delay", "0", "--json"), cwd=tmp_path, capture_output=True, text=True, timeout=400, check=True
    )
    export = ["export", "--format", "jsonl", "--output", "articles.jsonl"]
    subprocess.run(command(*export), cwd=tmp_path, check=True, timeout=60)
    score = subprocess.run(
        [sys.executable, SITES / "score.py", tmp_path / "articles.jsonl", STATE / "gold" / f"{site}.jsonl", "--json"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    second = subprocess.run(
        command("crawl", url, "--delay", "0", "--json"), cwd=tmp_path, capture_output=True, text=True, timeout=400, check=True
    )

    figures = json.loads(score.stdout)
    night, next_night = json.loads(first.stdout), json.loads(second.stdout)
    assert figures["recall"] >= 0.995
    assert figures["precision"] >= 0.99
    assert figures["twice"] == figures["hidden"] == 0
    assert figures["paragraphs"] >= 0.995
    assert figures["polluted"] <= 0.01
    assert figures["title"] >= 0.99
    assert figures["date"] >= 0.99
    assert figures["author"] >= 0.97
    assert figures["perfect"] >= 0.98
    assert night["pages"] / figures["exported"] <= 1.6
    assert next_night["new_articles"] == 0
    assert next_night["pages"] <= 0.05 * night["pages"]
