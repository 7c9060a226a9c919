"""What portals change and delete after we have read it is found, kept, and shown word by word."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from crawling import a_day_passes, command, summary
from portal_server import Answer, PortalServer, address, listing, story

from newscrawler.cli.main import main


@dataclass
class Nights:
    """A portal before and after it changed articles, and what the second night brought."""

    folder: Path
    server: PortalServer
    first: dict[str, Any] = field(default_factory=dict)
    second: dict[str, Any] = field(default_factory=dict)

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, [*arguments, "--database", f"sqlite:///{self.folder / 'newscrawler.sqlite'}"])

    def crawl(self) -> dict[str, Any]:
        done = subprocess.run(
            command("crawl", self.server.url, "--delay", "0", "--json"), cwd=self.folder, capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip
        return summary(done)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    """Two nights: one article is corrected, one deleted."""
    with PortalServer() as server:
        made = Nights(tmp_path_factory.mktemp("corrections"), server)
        server.routes |= {address(number): story(number) for number in range(3)}
        server.routes["/"] = listing(*map(address, range(3)))
        made.first = made.crawl()
        a_day_passes(made.folder)
        server.routes[address(0)] = story(0).replace("ještě letos", "až napřesrok")
        server.routes[address(1)] = Answer("gone", 410)
        made.second = made.crawl()
        yield made


def record(nights: Nights, number: int) -> dict[str, Any]:
    lines = [json.loads(line) for line in nights.run("export", "--revisions").stdout.splitlines()]
    (found,) = [line for line in lines if line["url"].endswith(address(number))]
    return dict(found)


def test_a_correction_is_counted_and_kept_word_by_word(nights: Nights) -> None:
    corrected = record(nights, 0)
    (revision,) = corrected["revisions"]

    assert (nights.second["corrected"], corrected["corrections"]) == (1, 1)
    assert corrected["corrected_at"] == corrected["fetched_at"] == revision["changed_at"]
    assert "ještě letos" in revision["body"]
    assert ["removed", "ještě letos,"] in revision["changes"][0]
    assert ["added", "až napřesrok,"] in revision["changes"][0]
    shown = nights.run("revisions", str(corrected["id"])).stdout
    assert "the portal changed it" in shown
    assert "[-ještě letos,-] {+až napřesrok,+}" in shown


def test_a_deletion_is_a_fact_with_its_time_and_status(nights: Nights) -> None:
    gone = record(nights, 1)

    assert gone["http_status"] == 410
    assert gone["gone_at"] > gone["fetched_at"]
    assert "(HTTP 410)" in nights.run("show", str(gone["id"])).stdout
    assert "\tgone " in nights.run("articles").stdout
    assert nights.run("export", "--format", "csv").stdout.count(",410") == 1


def test_what_stays_as_it_was_has_neither(nights: Nights) -> None:
    same = record(nights, 2)

    assert (same["corrections"], same["corrected_at"], same["gone_at"], same["http_status"]) == (0, None, None, 200)
    assert same["revisions"] == []
    assert nights.run("export", "--revisions", "--format", "csv").exit_code == 2
