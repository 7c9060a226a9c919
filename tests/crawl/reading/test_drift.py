"""Four nights of the demo portal, whose layout is another from the third on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import warm_command
from crawling import Crawl, articles, command, summary

from newscrawler.corpus import Replayer
from newscrawler.demo import DemoPortal, check, serve
from newscrawler.extraction import ExtractionOptions
from newscrawler.extraction.templates import PortalTemplate
from newscrawler.store import open_store

NIGHTS = [("classic", 48), ("classic", 42), ("modern", 36), ("modern", 30)]
TEXT = {"titles", "texts that begin with the lead", "paragraphs", "texts with nothing foreign", "dates of publication", "authors"}


def faults(record: Mapping[str, Any], portal: DemoPortal) -> int:
    """What is wrong with one article, against what the portal published."""
    return sum(finding.of - finding.right for finding in check([record], portal).findings if finding.name in TEXT)


def run(folder: Path, *arguments: str) -> str:
    return warm_command.run(command(*arguments), cwd=folder, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.timeout(600)
def test_a_new_layout_is_told_and_learned_in_the_first_night_and_used_in_the_second(crawl: Crawl, tmp_path: Path) -> None:
    anchor = datetime.now(UTC).replace(microsecond=0)
    nights = []
    with serve(DemoPortal(anchor=anchor, held_back=48)) as running:
        for layout, held_back in NIGHTS:
            running.show(DemoPortal(anchor=anchor, layout=layout, held_back=held_back, base_url=running.base_url))
            nights.append(summary(crawl(running.base_url, "--time-zone", "Europe/Prague")))
        portal = running.portal

    assert [night["new_articles"] for night in nights] == [24, 6, 6, 6]
    looks = [night["drift"] for night in nights]
    assert [look["template"] for look in looks] == [None, 1, 1, 2]
    assert [bool(look["broken"]) for look in looks] == [False, False, True, False]
    assert any("have changed" in note for note in nights[2]["notes"])
    assert looks[2]["figures"]["explained"]["mean"] == 0
    assert looks[3]["figures"]["explained"]["mean"] > 0.5
    found = articles(tmp_path)
    assert len(found) == 42

    name = nights[0]["portal"]
    with open_store(f"sqlite:///{tmp_path}/newscrawler.sqlite") as store:
        alone = Replayer.of(
            store, tmp_path / "newscrawler-data" / "pages", ExtractionOptions(portal=name, time_zone="Europe/Prague")
        )
        for version, some in ((1, found[24:36]), (2, found[36:])):
            stored = store.templates.get(name, version)
            assert stored is not None
            learned = replace(alone, reading=replace(alone.reading, template=PortalTemplate.from_json(stored.document)))
            for item in some:
                with_it, without = learned.article(item), alone.article(item)
                assert faults(with_it.as_dict(), portal) <= faults(without.as_dict(), portal), item.article.url

    run(tmp_path, "template", "rollback", name)
    states = {
        line["version"]: line["state"] for line in map(json.loads, run(tmp_path, "template", "list", name, "--json").splitlines())
    }
    assert states == {1: "in use", 2: "withdrawn"}
