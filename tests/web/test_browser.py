"""The web application in a real browser: Debian's Chromium, where it is installed."""

from __future__ import annotations

import socket
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kept_pages import Archive
from portal_server import address, story
from web_site import CONFIGURATION, HASH, PASSWORD

from newscrawler.config import load_configuration
from newscrawler.corpus import read_recipe
from newscrawler.store import Store, open_store
from newscrawler.store.service import LogLine
from newscrawler.store.vocabularies import FINISHED, LogLevel
from newscrawler.store.web import Role
from newscrawler.web import WebServer

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
playwright = pytest.importorskip("playwright.sync_api")
PATHS = (
    "/", "/portals", "/portals/one", "/portals/one/keys", "/portals/one/field", "/portals/one/remove", "/add-portal", "/articles",
    "/articles?q=most", "/articles?q=nowhere", "/articles/2", "/articles/2?view=plain", "/articles/2/revisions/1", "/crawls",
    "/crawls?portal=one&day=2026-01-01", "/runs/1", "/runs/1/asked", "/explore/trends?q=most&cite=yes",
    "/explore/concordance?q=most", "/explore/frequencies", "/explore/coverage", "/explore/keywords",
    "/releases", "/review", "/review/2?portal=one", "/review/2/correct", "/alerts", "/service", "/settings", "/settings/alerts",
    "/settings/exports", "/jobs", "/audit", "/account", "/styleguide",
)  # fmt: skip


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """Six articles with their pages, and an account."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "newscrawler.toml").write_text(CONFIGURATION)
    made = Archive(folder, portal="one")
    made.night([(f"https://one.example{address(number)}", story(number)) for number in range(1, 7)])
    with made.open() as store:
        store.accounts.add("anna", password=HASH, role=Role.OPERATOR, now=store.runs.latest()[0].started_at)
    return made


@pytest.fixture(scope="module")
def site(archive: Archive) -> Iterator[str]:
    """The address of the application."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    server = WebServer(load_configuration(archive.folder / "newscrawler.toml"), "127.0.0.1", port)
    with server.running():
        yield server.url.rstrip("/")


@pytest.fixture(scope="module")
def store(archive: Archive) -> Iterator[Store]:
    with open_store(archive.database_url) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[playwright.Browser]:
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def page(browser: playwright.Browser, site: str) -> playwright.Page:
    """A page of somebody who has logged in; what the console says fails the test that asks."""
    opened = browser.new_page(viewport={"width": 1280, "height": 800})
    opened.goto(f"{site}/review")
    opened.fill("input[name=name]", "anna")
    opened.fill("input[name=password]", PASSWORD)
    opened.click("text=Log in >> nth=-1")
    assert opened.url == f"{site}/review"
    return opened


def test_articles_are_judged_by_keys_alone(page: playwright.Page, site: str, store: Store) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{site}/review/start?portal=one&order=random&count=6&seed=1")

    def press(key: str, expected: str) -> None:
        page.keyboard.press(key)
        playwright.expect(page.locator("#saved")).to_have_text(expected)

    judged = []
    for number in range(4):
        judged.append(page.url)
        if number == 1:
            press("4", "Saved: part-missing")
            press("6", "Saved: part-missing, date-wrong")
            press("4", "Saved: date-wrong")
            press("n", "Not judged yet")
            continue
        page.keyboard.press("r")
        page.wait_for_url(lambda url, before=judged[-1]: url != before)
    page.keyboard.press("u")  # nothing is judged here: back to the article before
    page.wait_for_url(lambda url: url == judged[-1])
    press("u", "Not judged")

    faults = {review.url: review.faults for review in store.reviews.of("one")}
    assert sorted(faults.values()) == [(), (), ("date-wrong",)]
    assert said == []


def test_no_page_has_faults_of_accessibility_in_light_and_dark(page: playwright.Page, site: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    only = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
    found = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for path in PATHS:
            page.goto(f"{site}{path}")
            result = axe.run(page, options=only).response
            assert len(result["passes"]) > 5
            found |= {f"{scheme} {path} {fault['id']}": fault["nodes"][0]["html"] for fault in result["violations"]}

    assert found == {}


@pytest.mark.parametrize("width", [360, 1440])
def test_pages_fit_the_screen_and_the_console_stays_empty(page: playwright.Page, site: str, width: int) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.set_viewport_size({"width": width, "height": 800})
    for path in PATHS:
        page.goto(f"{site}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate("document.documentElement.scrollHeight") <= (6_000 if width < 400 else 3_000), path
    assert said == []


def test_a_crawl_is_seen_as_it_goes_on(page: playwright.Page, site: str, store: Store) -> None:
    now = datetime.now(UTC)
    run, _ = store.runs.begin("two", now=now, version="test")
    page.goto(f"{site}/runs/{run.id}")
    playwright.expect(page.locator("#state")).to_contain_text("Running")

    line = LogLine(at=now, level=LogLevel.WARNING, message="<b>the feed</b> is gone")
    store.run_log.add(run.id, [line], now=now)
    store.runs.end(run.id, now=now, because=FINISHED, counts={"pages": 1234, "failed": {"HTTP 500": 3}})

    playwright.expect(page.locator("#state")).to_contain_text("Complete: ", timeout=20_000)
    assert page.locator("#log li > span").all_inner_texts() == ["warning", "<b>the feed</b> is gone"]
    assert page.locator("#errors a").get_attribute("href") == "?reason=HTTP+500#urls"
    assert "1,234" in page.inner_text("#figures")


def test_a_chart_is_read_by_keys_and_saved_with_its_source(page: playwright.Page, site: str, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{site}/explore/counts?by=day")
    page.locator(".plotted canvas").wait_for()

    page.locator(".plotted").press("ArrowRight")
    playwright.expect(page.locator(".tooltip .title")).to_have_text(page.locator("tbody th").first.inner_text())
    with page.expect_download() as svg:
        page.click("text=Chart as SVG")
    with page.expect_download() as png:
        page.click("text=Chart as PNG")

    said = Path(svg.value.path()).read_text("utf-8")
    assert "Selection: all articles." in said
    assert "Source: newscrawler" in said
    assert read_recipe(Path(png.value.path())).parameters == read_recipe(Path(svg.value.path())).parameters
    content, place = Path(png.value.path()).read_bytes(), 8
    while place < len(content):  # as PNG has it: size, type and content, checksum
        size = int.from_bytes(content[place : place + 4])
        assert zlib.crc32(content[place + 4 : place + 8 + size]) == int.from_bytes(content[place + 8 + size : place + 12 + size])
        place += 12 + size


def test_a_kept_page_runs_nothing(page: playwright.Page, site: str) -> None:
    page.goto(f"{site}/articles/2/page")

    assert page.evaluate("window.origin") == "null"


def test_a_click_on_a_block_of_the_frame_leads_to_its_selectors(page: playwright.Page, site: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{site}/portals/one/field")

    page.frame_locator("iframe").locator("h1 a.pick").click()
    page.wait_for_url(lambda url: "block=" in url)

    assert page.locator("code", has_text="article h1").count() or page.locator("code", has_text="h1").count()
    assert page.locator("q").inner_text().startswith("Most číslo")
