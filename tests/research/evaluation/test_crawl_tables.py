"""Tables 4.3 and 4.4 of 002: what crawls cost, measured by crawling, and the figures as the document works them out."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import warm_command
from click.testing import CliRunner
from portal_server import PortalServer, listing
from rich.cells import cell_len

from newscrawler.cli.main import main
from newscrawler.cli.screen import split_blocks
from newscrawler.research.evaluation.crawl_tables import (
    CrawlMark,
    MeasuredCrawl,
    crawl_table,
    crawls_table,
    memory_table,
    stages_figure,
)

#: Table 4.3 of the document: pages and seconds for 100, 200 and 300 articles and for all, and the number of all articles.
NOVINKY = (
    ((299, 105.30), (560, 211.61), (801, 309.14), (1195, 480.00), 425),
    ((298, 109.56), (560, 205.21), (801, 310.58), (1191, 479.20), 423),
    ((299, 107.69), (560, 207.19), (801, 322.50), (1191, 461.68), 423),
    ((298, 110.08), (560, 216.31), (802, 327.73), (1191, 459.65), 423),
    ((298, 107.36), (560, 203.78), (802, 306.21), (1193, 469.85), 424),
)


def crawl(*measured: tuple[int, float], articles: int, detection: float = 0.0, extraction: float = 0.0) -> MeasuredCrawl:
    *marks, whole = measured
    return MeasuredCrawl(
        marks={
            100 * number: CrawlMark(articles=100 * number, pages=pages, seconds=s) for number, (pages, s) in enumerate(marks, 1)
        },
        whole=CrawlMark(articles=articles, pages=whole[0], seconds=whole[1]), detection_seconds=detection,
        extraction_seconds=extraction,
    )  # fmt: skip


def test_the_figures_of_the_document_come_out_of_its_measurements() -> None:
    """All but one: the deviation of the pages of the whole portal is 0.84 in print, and 1.44 by its own five measurements."""
    table = crawl_table("novinky.cz", [crawl(*rows, articles=articles) for *rows, articles in NOVINKY])

    rows = {(number, str(row[0])): list(row[1:]) for number, row in enumerate(table.rows)}
    assert rows[0, "1."] == [299, "105.30", 560, "211.61", 801, "309.14", 1195, 425, "480.00"]
    assert rows[5, "mean"] == ["298.40", "108.00", "560.00", "208.82", "801.40", "315.23", "1192.20", "423.60", "470.08"]
    assert rows[6, "deviation"] == ["0.48", "1.46", "0.00", "4.11", "0.48", "7.91", "1.44", "0.72", "7.62"]
    assert rows[7, "seconds an article"][1::2] == ["1.08", "1.04", "1.05", ""]
    assert rows[7, "seconds an article"][-1] == "1.11"
    assert [rows[8, "  deviation"][column] for column in (1, 3, 5, 8)] == ["0.01", "0.02", "0.03", "0.02"]
    assert [rows[9, "pages an article"][column] for column in (1, 3, 5, 8)] == ["2.98", "2.80", "2.67", "2.81"]


def test_a_portal_with_fewer_articles_has_dashes_and_one_without_any_no_rate() -> None:
    table = crawl_table("small", [crawl((60, 6.0), articles=50)])
    empty = crawls_table({"empty": [crawl((1, 0.1), articles=0)]})

    assert table.rows[0][:3] == ["1.", "–", "–"]
    assert table.rows[0][-3:] == [60, 50, "6.00"]
    assert empty.rows == [("empty", 1, "–", "–", "–", "–")]


def test_the_stages_add_up_to_the_whole_crawl() -> None:
    figure = stages_figure("small", [crawl((60, 10.0), articles=50, detection=2.5, extraction=0.5)])

    assert [row[:2] for row in figure.rows] == [
        ("1. crawling", "7.00"), ("   and detection", "9.50"), ("   and extraction", "10.00"),
    ]  # fmt: skip


def test_the_tables_fit_eighty_columns_and_lose_no_figure() -> None:
    crawls = [crawl(*rows, articles=articles, detection=9.5) for *rows, articles in NOVINKY]
    name = "https://www.a-portal-with-a-very-long-name.example/"

    for table in (crawl_table(name, crawls), stages_figure(name, crawls), crawls_table({name: crawls})):
        rows = [list(map(str, row)) for row in table.rows]
        printed = list(split_blocks(rows, table.heading, 80))
        lines = [line for block in printed for line in block]

        assert max(map(cell_len, lines)) <= 80
        words = Counter(word for line in lines for word in line.split())
        assert all(word in words for row in [table.heading, *rows] for cell in row[1:] for word in cell.split())


def test_memory_is_given_by_portal_with_the_figures_of_the_document() -> None:
    crawls = [replace(crawl((9, 1.0), articles=number), memory_mib=number) for number in (100, 140)]

    assert memory_table({"a": crawls}).rows[0] == ("a", 2, "140", "120", "120")


def test_the_bundled_portal_is_crawled_and_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawler.cli.measured_crawls.subprocess", warm_command)
    before = set(Path.cwd().iterdir())

    found = CliRunner().invoke(main, ["evaluate", "demo:modern:2", "--table", "002.4.3", "--repeats", "1", "--json"])

    assert found.exit_code == 0, found.output
    crawls, stages = map(json.loads, found.stdout.splitlines())
    first, mean = crawls["rows"][:2]
    assert [first["all: articles"], mean["all: articles"]] == [144, "144.00"]
    assert 0 < float(first["100: seconds"]) < float(first["all: seconds"])
    assert 100 <= first["100: pages"] < first["all: pages"]
    assert [float(row["seconds"]) for row in stages["rows"][:3]] == sorted(float(row["seconds"]) for row in stages["rows"][:3])
    assert set(Path.cwd().iterdir()) == before


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("portal:none", "there is no portal none"),
        ("nothing.jsonl", "nothing.jsonl is not a portal to crawl. Use demo, portal:NAME or a URL."),
        ("https://news.example/", "The crawl of https://news.example/ cannot be measured: "),
    ],
)
def test_what_cannot_be_crawled_is_named(tmp_path: Path, source: str, said: str) -> None:
    command = [sys.executable, "-m", "newscrawler", "evaluate", source, "--table", "002.4.4", "--repeats", "1"]

    done = warm_command.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_portal_that_shows_no_article_is_no_row_of_dashes(tmp_path: Path) -> None:
    with PortalServer() as server:
        server.routes = {"/": listing()}
        portal = f'[[portal]]\nname = "empty"\nstart_urls = ["{server.url}"]\nnetworks = ["127.0.0.0/8"]\ndelay = 0\n'
        (tmp_path / "newscrawler.toml").write_text(portal, "utf-8")
        command = [sys.executable, "-m", "newscrawler", "evaluate", "portal:empty", "--table", "002.4.3"]

        done = warm_command.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

        assert (done.returncode, done.stdout) == (2, "")
        assert "it found no article. `newscrawler crawl empty` shows what it met" in done.stderr
        assert server.times("/") == 1
