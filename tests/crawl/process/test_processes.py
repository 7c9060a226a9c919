"""Several processes on one database, and one that may not take all memory."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from crawling import command
from portal_server import PortalServer
from town import Town, routes, start


def test_processes_on_one_database_share_its_portals(tmp_path: Path, postgresql_database: str) -> None:
    with Town(tmp_path) as town:
        for number in range(6):
            server = town.add(f"p{number}", routes(4))
            server.pause_seconds = 0.15
        text = f'[crawler]\ncontact = "me@corpus.example"\n{"".join(town.tables)}'
        (tmp_path / "newscrawler.toml").write_text(text, "utf-8")

        started = [start(tmp_path, "--database", postgresql_database, "--at-once", "2") for _ in range(3)]
        told = [process.communicate(timeout=200) for process in started]

    results = [[json.loads(line) for line in out.splitlines()] for out, _ in told]
    crawled = [[line["portal"] for line in lines if not line["ended_because"].startswith("busy")] for lines in results]
    assert all(process.returncode == 0 for process in started), told
    assert all(crawled)
    assert sorted({name for names in crawled for name in names}) == [f"p{number}" for number in range(6)]
    assert sum(line["new_articles"] for lines in results for line in lines) == 24


def test_a_crawl_that_takes_more_memory_than_it_may_ends_and_says_so(server: PortalServer, tmp_path: Path) -> None:
    (tmp_path / "newscrawler.toml").write_text("[service]\nmax_memory = 128\n", "utf-8")
    page = "<p>" + "<b>x</b>" * 500_000
    server.routes |= routes(3) | {"/sport/": page} | {f"/s{number}/": page for number in range(40)}
    server.routes["/"] = "<a href=/sport/>s</a>" + "".join(f"<a href=/s{number}/>s{number}</a>" for number in range(40))
    server.pause_seconds = 0.5

    asked = command("crawl", server.url, "--delay", "0", "--json")
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["ended_because"].startswith("memory: ")
    assert "Traceback" not in done.stderr
