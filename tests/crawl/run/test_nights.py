"""Three nights of the demo portal: all of it, nothing, ten new articles."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from crawling import Crawl, articles, summary

from newscrawler.demo import DemoPortal, serve


@pytest.mark.parametrize("layout", ["classic", "modern"])
def test_ten_new_articles_are_found_with_few_requests(crawl: Crawl, tmp_path: Path, layout: Literal["classic", "modern"]) -> None:
    with serve(DemoPortal(layout=layout, held_back=10)) as running:
        first = summary(crawl(running.base_url, "--time-zone", "Europe/Prague"))
        after_first = len(running.log)
        second = summary(crawl(running.base_url, "--time-zone", "Europe/Prague"))
        after_second = len(running.log)
        running.show(DemoPortal(layout=layout))
        third = summary(crawl(running.base_url, "--time-zone", "Europe/Prague"))
        requests = len(running.log) - after_second

    assert [first["new_articles"], second["new_articles"], third["new_articles"]] == [62, 0, 10]
    assert after_second - after_first <= 30
    assert second["pages"] <= 0.05 * first["pages"]
    assert requests <= 60
    assert first["pages"] <= 2.2 * first["new_articles"]
    assert len(articles(tmp_path)) == 72
    assert third["coverage"]["found"] == 10
