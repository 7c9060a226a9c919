"""`newscrawler mcp`, asked by the client of the protocol's SDK over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from kept_pages import Archive
from portal_server import address, story
from web_site import Site

from newscrawler.article import Reservation, Reserved
from newscrawler.cli import main

mcp = pytest.importorskip("mcp")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def corpus(site: Site) -> Site:
    """Portal "one" with a licence and five articles, one of them reserved from AI models; "two" with one article and none."""
    for portal, numbers in (("one", range(1, 6)), ("two", (6,))):
        Archive(site.folder, portal=portal).night([(f"https://{portal}.example{address(n)}", story(n)) for n in numbers])
    said = Reservation(word=Reserved.AI_TRAIN, said="train-ai=n", place="robots.txt Content-Usage")
    reserved = f"https://one.example{address(2)}"
    site.store.rights.restate("https://one.example", lambda url: (said,) if url == reserved else (), [], now=site.now)
    path = site.folder / "newscrawler.toml"
    path.write_text(path.read_text().replace('name = "one"\n', 'name = "one"\nlicence = "CC BY 4.0"\n'))
    return site


def ask(site: Site, *calls: tuple[str, dict[str, Any]]) -> Sequence[Any]:
    """Call tools, as a client does that starts the command."""
    from mcp.client.stdio import StdioServerParameters, stdio_client

    started = StdioServerParameters(
        command=sys.executable, args=["-m", "newscrawler", "mcp", "--purpose", "a test"], cwd=site.folder,
        env={"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )  # fmt: skip

    async def call() -> list[Any]:
        async with mcp.Client(stdio_client(started)) as client:
            assert all(tool.annotations.read_only_hint for tool in (await client.list_tools()).tools)
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(call())


def test_an_assistant_gets_texts_where_they_are_allowed_and_links_everywhere(corpus: Site) -> None:
    every = {"query": "most", "limit": 100}

    shows = [("get_article", {"number": number}) for number in (1, 2, 6)]
    answers = ask(
        corpus, ("describe_corpus", {}), ("count_articles", {"query": "most"}), ("search", every), ("concordance", every), *shows
    )

    described, counts, found, lines, first, reserved, unlicensed = [answer.structured_content for answer in answers]
    numbers = [(each["portal"], each["articles"], each["with_text"]) for each in described["portals"]]
    assert numbers == [("one", 5, 4), ("two", 1, 0)]
    assert counts == {"articles": 6, "with_text": 4}
    assert {each["id"] for each in found["articles"] if each["text"]} == {1, 3, 4, 5}
    assert all(each["url"].startswith("https://") for each in found["articles"])
    assert {each["article_id"] for each in lines["lines"]} == {1, 3, 4, 5}
    assert lines["left_out"] == 2
    assert first["text"][0].startswith("1-0. Rada města")
    assert [(each["text"], each["url"]) for each in (reserved, unlicensed)] == [
        (None, f"https://one.example{address(2)}"), (None, f"https://two.example{address(6)}"),
    ]  # fmt: skip
    assert "ai-train reserved ('train-ai=n', robots.txt Content-Usage)" in reserved["rights"][0]
    assert not {"lead", "body", "description", "paragraphs"} & set(reserved)


def test_lists_continue_at_the_cursor_and_calls_are_in_the_audit_log(corpus: Site) -> None:
    start = {"query": "most", "limit": 4}

    whole, part, rest, wrong, day = ask(
        corpus, ("search", {"query": "most"}), ("search", start), ("search", start | {"cursor": 4}), ("search", {"query": "(most"}),
        ("count_articles", {"filters": {"since": "1.2.2026"}}),
    )  # fmt: skip

    pages = [each.structured_content for each in (part, rest)]
    assert [each["id"] for page in pages for each in page["articles"]] == [e["id"] for e in whole.structured_content["articles"]]
    assert [page["next"] for page in pages] == [4, None]
    assert "a parenthesis is not closed" in wrong.content[0].text
    assert "YYYY-MM-DD" in day.content[0].text
    entries = corpus.store.audit.entries()
    assert {(each.action, each.detail) for each in entries} == {("search", "a test"), ("count_articles", "a test")}
    assert entries[-1].who.startswith("mcp")
    assert entries[-1].subject == '{"query": "most"}'


def test_a_missing_sdk_is_named(site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(site.folder)
    monkeypatch.delattr("newscrawler.web.make_assistant_server", raising=False)  # which earlier tests have loaded
    monkeypatch.setitem(sys.modules, "newscrawler.web.assistants", None)

    with pytest.raises(SystemExit):
        main(["mcp"])

    assert "polite-newscrawler[assistants]" in capsys.readouterr().err
