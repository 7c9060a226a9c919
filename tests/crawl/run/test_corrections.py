"""What portals change and delete after we have read it is found, kept, and shown word by word."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import warm_command
from click.testing import CliRunner, Result
from crawling import a_day_passes, command, summary
from portal_server import Answer, PortalServer, address, listing, story

from newscrawler.cli.main import main

COUNT = 24
CORRECTED, DELETED = (3, 9, 12, 17), 5


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
        done = warm_command.run(
            command("crawl", self.server.url, "--delay", "0", "--json"), cwd=self.folder, capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip
        return summary(done)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    """Two nights: some articles are corrected, and the sitemap says so; one is deleted, and the sitemap names it no more."""
    with PortalServer() as server:
        made = Nights(tmp_path_factory.mktemp("corrections"), server)
        server.routes |= {address(number): story(number) for number in range(COUNT)}
        server.routes["/"] = listing(*map(address, range(COUNT)))
        server.routes["/sitemap.xml"] = sitemap(server.url, range(COUNT))
        made.first = made.crawl()
        a_day_passes(made.folder)
        for number in CORRECTED:
            server.routes[address(number)] = story(number).replace("ještě letos", "až napřesrok")
        server.routes[address(DELETED)] = Answer("gone", 410)
        server.routes["/"] = listing(*(address(number) for number in range(COUNT) if number != DELETED))
        server.routes["/sitemap.xml"] = sitemap(server.url, [number for number in range(COUNT) if number != DELETED])
        made.second = made.crawl()
        yield made


def sitemap(base: str, numbers: Iterable[int]) -> Answer:
    """A sitemap that names when each article was changed last: those that are corrected in an hour, the others long ago."""
    moments = {number: datetime.now(UTC) - timedelta(hours=1 if number in CORRECTED else 90) for number in numbers}
    places = {f"{base.rstrip('/')}{address(number)}": at.isoformat() for number, at in moments.items()}
    urls = "".join(f"<url><loc>{place}</loc><lastmod>{at}</lastmod></url>" for place, at in places.items())
    return Answer(f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>", kind="application/xml")


def test_what_a_sitemap_says_was_changed_or_names_no_more_is_fetched_the_same_night(nights: Nights) -> None:
    """The others have their share of the budget, three tenths of a request an article."""
    assert nights.second["corrected"] == len(CORRECTED)
    assert record(nights, DELETED)["http_status"] == 410
    lists = 4
    assert nights.second["requests"] <= lists + len(CORRECTED) + 1 + 0.3 * COUNT


def record(nights: Nights, number: int) -> dict[str, Any]:
    lines = [json.loads(line) for line in nights.run("export", "--revisions").stdout.splitlines()]
    (found,) = [line for line in lines if line["url"].endswith(address(number))]
    return dict(found)


def test_a_correction_is_counted_and_kept_word_by_word(nights: Nights) -> None:
    corrected = record(nights, CORRECTED[0])
    (revision,) = corrected["revisions"]

    assert corrected["corrections"] == 1
    assert corrected["corrected_at"] == corrected["fetched_at"] == revision["changed_at"]
    assert "ještě letos" in revision["body"]
    assert ["removed", "ještě letos,"] in revision["changes"][0]
    assert ["added", "až napřesrok,"] in revision["changes"][0]
    shown = nights.run("revisions", str(corrected["id"])).stdout
    assert "  corrected\n" in shown
    assert "[-ještě letos,-] {+až napřesrok,+}" in shown


def test_a_deletion_is_a_fact_with_its_time_and_status(nights: Nights) -> None:
    gone = record(nights, DELETED)

    assert gone["http_status"] == 410
    assert gone["gone_at"] > gone["fetched_at"]
    assert "(HTTP 410)" in nights.run("show", str(gone["id"])).stdout
    assert "\tgone " in nights.run("articles").stdout
    assert nights.run("export", "--format", "csv").stdout.count(",410") == 1


def test_what_stays_as_it_was_has_neither(nights: Nights) -> None:
    same = record(nights, 20)

    assert (same["corrections"], same["corrected_at"], same["gone_at"], same["http_status"]) == (0, None, None, 200)
    assert same["revisions"] == []
    assert nights.run("export", "--revisions", "--format", "csv").exit_code == 2
