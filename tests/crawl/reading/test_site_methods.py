"""A portal that is crawled with a published method: the first crawl learns its template, later ones read with it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import warm_command
from crawling import articles, command
from portal_pages import page, paragraphs_of
from portal_server import PortalServer, listing


def path_of(number: int) -> str:
    return f"/2026/02/{number:02}/report-{number}.html"


def run(folder: Path, *arguments: str) -> str:
    done = warm_command.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_portal_is_learned_and_read_by_trinity_from_crawl_to_crawl(tmp_path: Path) -> None:
    with PortalServer() as server:
        (tmp_path / "newscrawler.toml").write_text(
            f'[[portal]]\nname = "valley"\nstart_urls = ["{server.url}"]\ndelay = 0\nmethod = "trinity[strict=no]"\n', "utf-8"
        )
        server.routes = {path_of(number): page(number) for number in range(1, 13)}
        server.routes["/"] = listing(*map(path_of, range(1, 11)))
        first = run(tmp_path, "crawl", "valley", "--json")
        server.routes["/"] = listing(*map(path_of, range(1, 13)))
        second = run(tmp_path, "crawl", "valley", "--json")

    found = {stored.article.url.rpartition("-")[2]: stored.article for stored in articles(tmp_path)}
    assert len(found) == 12
    assert any("trinity[strict=no] learned from 2 of 10 kept articles" in note for note in json.loads(first)["notes"])
    assert not any("learned from" in note for note in json.loads(second)["notes"])
    for number in (11, 12):  # came after the template
        article = found[f"{number}.html"]
        assert article.method == "trinity"
        assert all(paragraph in article.body for paragraph in paragraphs_of(number))
    exported = tmp_path / "valley.json"
    run(tmp_path, "template", "export", "valley", "--output", str(exported))
    re.compile(run(tmp_path, "template", "groups", str(exported), "--expression").rstrip("\n"))
