"""The documentation as a site builds without a warning (of links, anchors, commands set as prose) and fits a phone."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(
    find_spec("material") is None or find_spec("mkdocstrings") is None, reason="the group docs is not installed"
)
_WIDE = """() => [document.documentElement, ...document.querySelectorAll("table, .md-typeset__scrollwrap")]
  .filter(each => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth + 1).length"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_change_log_and_run_book_are_part_of_the_site_and_of_its_search(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text("utf-8")

    assert all(f'"location":"{page}/"' in index for page in ("changelog", "run-book", "containers", "install", "api"))
    assert "newscrawler 0." in (site / "index.html").read_text("utf-8")


@pytest.mark.timeout(600)
@pytest.mark.skipif(which("chromium") is None or find_spec("playwright") is None, reason="there is no Chromium here")
def test_no_page_and_no_table_is_wider_than_a_phone_and_home_fits_a_screen(site: Path) -> None:
    from playwright.sync_api import sync_playwright

    pages = sorted(site.rglob("index.html"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        phone = browser.new_page(viewport={"width": 375, "height": 800})
        wide = []
        for page in pages:
            phone.goto(page.as_uri(), wait_until="domcontentloaded", timeout=120_000)
            wide += [str(page.relative_to(site))] if phone.evaluate(_WIDE) else []
        screen = browser.new_page(viewport={"width": 1440, "height": 900})
        screen.goto((site / "index.html").as_uri())
        height = screen.evaluate("document.documentElement.scrollHeight")
        browser.close()

    assert wide == []
    assert height <= 900
