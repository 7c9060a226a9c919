"""The page of a crawl: its log, its errors by kind, and what it asked of the portal, from a real crawl."""

from __future__ import annotations

import json
import logging

import warm_command
from crawling import command
from portal_server import PortalServer, Route, address, listing, story
from web_site import Site

from newscrawler.crawl.run.run_statistics import MOST_LINES, RunLogHandler
from newscrawler.store.vocabularies import FINISHED


def crawl(site: Site) -> None:
    """Crawl a portal with three articles and a link to a page that is missing."""
    routes: dict[str, Route] = {"/": listing(*(address(number) for number in range(1, 5)))}
    routes |= {address(number): story(number) for number in range(1, 4)}
    file = site.folder / "newscrawler.toml"
    with PortalServer(routes) as server:
        file.write_text(file.read_text().replace("http://127.0.0.1:1/", f"{server.url}/").replace('"one"\n', '"one"\ndelay = 0\n'))
        done = warm_command.run(command("crawl", "one"), cwd=site.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_crawl_shows_its_errors_its_urls_and_what_it_asked(site: Site) -> None:
    crawl(site)
    client = site.client()
    (run,) = site.store.runs.latest("one")

    portal = client.get("/portals/one")
    page = client.get(f"/runs/{run.id}").text
    missing = client.get(f"/runs/{run.id}?reason=HTTP+404").text
    asked = client.get(f"/runs/{run.id}/asked")
    text = client.get(f"/runs/{run.id}/asked.txt").text
    record = json.loads(client.get(f"/runs/{run.id}/asked.json").text)

    assert portal.status_code == 200
    assert site.store.patterns.of("one")[0]["pattern"] in portal.text
    assert "HTTP 404" in page
    assert page.count('">article ') == 3
    assert address(4) in missing
    assert address(1) not in missing
    assert client.get("/portals/one/asked").headers["location"] == f"/runs/{run.id}/asked"
    assert f"Requests to {run.portal}" in asked.text
    assert text.startswith(f"What we asked of one, {run.started_at:%Y-%m-%d %H:%M}")
    (host,) = record["hosts"]
    assert (host["host"], sum(host["kinds"].values())) == ("127.0.0.1", host["requests"])
    assert host["answers"]["404"] >= 1
    assert client.get("/runs/99/asked").status_code == 404


def test_what_is_logged_while_a_crawl_goes_on_stands_on_its_page(site: Site) -> None:
    run, _ = site.store.runs.begin("one", now=site.now, version="test")
    logger = logging.getLogger("newscrawler.crawl")
    ours, other = RunLogHandler("one"), RunLogHandler("two")
    try:
        logger.warning("%s: the feed of <b>news</b> is gone", "one")
        logger.warning("%s: not of this run", "two")
        logger.error("the disk is full")
        logging.getLogger("elsewhere").info("nothing of ours")
        lines = ours.take()
        for number in range(MOST_LINES + 5):
            logger.warning("one more %d", number)
        rest = ours.take()
    finally:
        ours.close()
        other.close()
    site.store.run_log.add(run.id, lines, now=site.now)
    client = site.client()
    site.store.runs.end(run.id, now=site.now, because=FINISHED, counts={"failed": {"HTTP 500": 3}, "pages": 2})

    page = client.get(f"/runs/{run.id}").text
    said = json.loads(client.get(f"/runs/{run.id}/events?after=1").text.removeprefix("data: "))

    assert [line.message for line in lines] == ["one: the feed of <b>news</b> is gone", "the disk is full"]
    assert len(rest) == MOST_LINES - len(lines) + 1
    assert "further lines are not kept" in rest[-1].message
    assert "one: the feed of &lt;b&gt;news&lt;/b&gt; is gone" in page
    assert [line["message"] for line in said["lines"]] == ["the disk is full"]
    assert said["errors"] == [["could not be fetched", "HTTP 500", 3]]
