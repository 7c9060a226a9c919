"""`newscrawler plan` against crawls: what it expects of a night, and what that night takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from portal_server import PortalServer, address, listing, story

from newscrawler.store import open_store

DELAY, NIGHT = 0.6, 16


@pytest.fixture
def portal() -> Iterator[PortalServer]:
    with PortalServer() as server:
        server.routes |= {address(number): story(number) for number in range(3 * NIGHT)}
        yield server


def publish(portal: PortalServer, articles: range) -> None:
    """Let the front page show these."""
    portal.routes["/"] = listing(*(address(number) for number in articles))


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "newscrawler", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def crawl(folder: Path) -> dict[str, float]:
    """Crawl; return what it took: new articles, time, and processor time of the command's processes as the system counts it."""
    before = os.times()
    run(folder, "crawl")
    after = os.times()
    with open_store(f"sqlite:///{folder}/newscrawler.sqlite") as store:
        night = store.runs.latest("p", limit=1)[0]
    assert night.ended_at is not None
    return {
        "articles": night.counts["new_articles"],
        "crawl_cpu_seconds": after.children_user + after.children_system - before.children_user - before.children_system,
        "seconds": (night.ended_at - night.started_at).total_seconds(),
    }


@pytest.mark.timeout(400)
def test_the_plan_of_a_night_is_what_nights_take(portal: PortalServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "newscrawler.toml").write_text(
        f'[[portal]]\nname = "p"\nstart_urls = ["{portal.url}"]\ndelay = {DELAY}\nkeep_pages = false\nlearn = false\n'
    )
    publish(portal, range(NIGHT))
    crawl(tmp_path)  # the first night of a portal is unlike those that follow
    publish(portal, range(NIGHT, 2 * NIGHT))
    before = crawl(tmp_path)
    plan: dict[str, Any] = json.loads(run(tmp_path, "plan", "--json"))
    publish(portal, range(2 * NIGHT, 3 * NIGHT))
    after = crawl(tmp_path)

    expected = {"articles": plan["articles"], "crawl_cpu_seconds": plan["crawl_cpu_seconds"], "seconds": plan["needed"]["length"]}
    with capsys.disabled():
        sys.stdout.write(
            "\n" + "".join(f"  {name}: {expected[name]:.2f}, {before[name]:.2f}, {after[name]:.2f}\n" for name in after)
        )
    assert before["articles"] == after["articles"] == NIGHT
    for name, figure in expected.items():
        least, most = sorted((before[name], after[name]))  # two nights differ as well: a busy machine makes each page dearer
        assert figure == pytest.approx(min(max(figure, least), most), rel=0.2), name


def test_without_crawls_the_plan_says_that_its_costs_are_the_documented_ones(tmp_path: Path) -> None:
    (tmp_path / "newscrawler.toml").write_text('[[portal]]\nname = "p"\nstart_urls = ["http://127.0.0.1:9/"]\n')

    found = run(tmp_path, "plan", "--portals", "10000", "--cores", "4", "--memory", "8192")

    assert "portals\t10,000\n" in found
    assert "documented costs" in found
