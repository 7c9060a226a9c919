"""A portal that is crawled with a published method: the first crawl learns its template, and all articles are read with it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
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


@pytest.mark.parametrize("method", ["trinity[strict=no]", "modified_ttr_wrapper"])
def test_a_site_method_gives_one_corpus_from_crawl_to_crawl(tmp_path: Path, method: str) -> None:
    with PortalServer() as server:
        (tmp_path / "newscrawler.toml").write_text(
            f'[[portal]]\nname = "valley"\nstart_urls = ["{server.url}"]\ndelay = 0\nmethod = "{method}"\n', "utf-8"
        )
        server.routes = {path_of(number): page(number) for number in range(1, 13)}
        server.routes["/"] = listing(*map(path_of, range(1, 11)))
        first = run(tmp_path, "crawl", "valley", "--json")
        server.routes["/"] = listing(*map(path_of, range(1, 13)))
        second = run(tmp_path, "crawl", "valley", "--json")

    found = {stored.article.url.rpartition("-")[2]: stored.article for stored in articles(tmp_path)}
    assert len(found) == 12
    assert any(f"{method} learned from 2 of 10 kept articles" in note for note in json.loads(first)["notes"])
    assert any("10 articles read again; 10 were changed" in note for note in json.loads(first)["notes"])
    assert not any("learned from" in note or "read again" in note for note in json.loads(second)["notes"])
    assert {article.method for article in found.values()} == {method.partition("[")[0]}
    for number in range(1, 13):
        assert all(paragraph in found[f"{number}.html"].body for paragraph in paragraphs_of(number))
    assert "12 articles read again; 0 would change; 12 unchanged" in run(tmp_path, "reextract", "valley")
    assert "method 12); 0 unchanged" in run(tmp_path, "reextract", "valley", "--method", "default")
    assert "12 unchanged" in run(tmp_path, "reextract", "valley", "--method", "default", "--template", "1")
    exported = tmp_path / "valley.json"
    run(tmp_path, "template", "export", "valley", "--output", str(exported))
    if method.startswith("trinity"):
        re.compile(run(tmp_path, "template", "groups", str(exported), "--expression").rstrip("\n"))
