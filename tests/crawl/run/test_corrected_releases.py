"""A release can be made again after its portal has corrected articles and published others."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import warm_command
from crawling import a_day_passes, command, summary
from portal_server import Answer, PortalServer, address, listing, story

COUNT, CORRECTED, NEW = 6, 3, 7


def execute(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return warm_command.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def crawl(folder: Path, server: PortalServer) -> dict[str, Any]:
    return summary(execute(folder, "crawl", server.url, "--delay", "0", "--json"))


def publish(server: PortalServer, numbers: list[int], corrected: tuple[int, ...] = ()) -> None:
    """Serve articles; the sitemap names the corrected ones as changed just now."""
    server.routes |= {address(number): story(number) for number in numbers}
    server.routes |= {address(number): story(number).replace("ještě letos", "až napřesrok") for number in corrected}
    server.routes["/"] = listing(*map(address, numbers))
    moments = {number: datetime.now(UTC) - timedelta(hours=1 if number in corrected else 90) for number in numbers}
    places = {f"{server.url.rstrip('/')}{address(number)}": at.isoformat() for number, at in moments.items()}
    urls = "".join(f"<url><loc>{place}</loc><lastmod>{at}</lastmod></url>" for place, at in places.items())
    sitemap = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"
    server.routes["/sitemap.xml"] = Answer(sitemap, kind="application/xml")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_release_is_made_again_byte_for_byte_after_a_correction_and_not_after_a_deletion(tmp_path: Path) -> None:
    numbers = list(range(COUNT))
    with PortalServer() as server:
        publish(server, numbers)
        first = crawl(tmp_path, server)
        a_day_passes(tmp_path)  # before the release: it puts back the times of its articles, too
        made = execute(tmp_path, "release", "create", "r1", "--creator", "Eva Malá", "--format", "jsonl", "--format", "tei")

        publish(server, [*numbers, NEW], corrected=(CORRECTED,))
        second = crawl(tmp_path, server)
        again = execute(tmp_path, "release", "again", "r1", "--output", "r1-again")
        now = execute(tmp_path, "release", "create", "r2", "--creator", "Eva Malá")
        difference = execute(tmp_path, "release", "diff", "r1", "r2")

        publish(server, [number for number in [*numbers, NEW] if number != CORRECTED])
        server.routes[address(CORRECTED)] = Answer("gone", 410)
        third = crawl(tmp_path, server)
        deleted = execute(tmp_path, "release", "again", "r1", "--output", "r1-deleted")
        page = f"{server.url.rstrip('/')}{address(CORRECTED)}"

    assert (first["new_articles"], made.returncode) == (COUNT, 0), made.stderr
    assert (second["corrected"], second["new_articles"]) == (1, 1)
    assert (again.returncode, again.stdout) == (0, "r1-again is r1, byte for byte.\n"), again.stderr
    assert contents(tmp_path / "r1-again") == contents(tmp_path / "r1")
    assert "napřesrok" not in (tmp_path / "r1-again/data/articles.jsonl").read_text("utf-8")
    assert now.returncode == 0, now.stderr
    assert "až napřesrok" in (tmp_path / "r2/data/articles.jsonl").read_text("utf-8")
    assert sorted(line.split("\t")[0] for line in difference.stdout.splitlines()) == ["added", "changed"]
    assert f"changed\t{page}" in difference.stdout

    assert third["new_articles"] == 0
    assert (deleted.returncode, f"\t{page}\n" in deleted.stdout) == (1, True), deleted.stdout + deleted.stderr
    (tombstone,) = [json.loads(line) for line in (tmp_path / "r1-deleted/tombstones.jsonl").read_text("utf-8").splitlines()]
    assert tombstone["url"] == page
