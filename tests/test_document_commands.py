"""`make documents`: every command of the pages about the source documents and the card runs, one after another in one folder."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest
import warm_command
from portal_pages import headline, page, paragraphs_of
from portal_server import Answer, PortalServer, listing

ROOT = Path(__file__).resolve().parents[1]
#: Pages: those of the portal, those in `pages.jsonl`, and those in `urls.txt`.
CRAWLED, GIVEN, COLLECTED = range(1, 10), range(11, 17), range(22, 26)
PERSONS = "Ada Valley\tPerson\nValley Press\tOrganization\n"


def list_commands(name: str) -> list[list[str]]:
    """The commands of each row of a page, in the last column but one, or the last."""
    rows = [line.strip("| \n").split(" | ") for line in (ROOT / "docs" / name).read_text("utf-8").splitlines() if line[:2] == "| "]
    cells = [row[-1] if name == "card.md" else row[2] for row in rows if not row[0].startswith(("---", "Section", "The card"))]
    return [
        [text for text in re.findall(r"`([^`]+)`", cell) if re.match(r"[a-z]+ ?", text) and " = " not in text] for cell in cells
    ]


def list_documents() -> dict[str, list[str]]:
    """The commands by document, each once, in their order."""
    text = (ROOT / "docs" / "documents.md").read_text("utf-8")
    counts = [section.count("\n| ") - 2 for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]]
    rows, found = list_commands("documents.md"), {}
    for title, count in zip(re.findall(r"^## (\d+)", text, re.MULTILINE), counts, strict=True):
        found[title], rows = [each for row in rows[:count] for each in row], rows[count:]
    assert rows == []
    return {name: list(dict.fromkeys(some)) for name, some in {**found, "card": sum(list_commands("card.md"), [])}.items()}  # noqa: RUF017


def test_every_row_names_a_command_and_files_that_exist() -> None:
    assert all(list_commands("documents.md") + list_commands("card.md"))
    rows = [line.split(" | ") for line in (ROOT / "docs" / "card.md").read_text("utf-8").splitlines() if line[:2] == "| "]
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row[2])]
    assert [name for name in named if not (ROOT / "newscrawler" / name).exists()] == []


def path_of(number: int) -> str:
    return f"/2026/02/{number:02}/report-{number}.html"


def make_folder(folder: Path, server: PortalServer) -> None:
    """The files that the commands name, and the portal that they crawl."""
    server.routes = {path_of(number): page(number) for number in (*CRAWLED, *COLLECTED)}
    server.routes |= {"/": listing("/news/", *map(path_of, CRAWLED)), "/news/": listing(*map(path_of, CRAWLED))}
    urls = [f"{server.url[:-1]}{path_of(number)}" for number in CRAWLED]
    results = json.dumps({"query": "council", "results": [{"url": url, "title": "Report"} for url in urls]})
    server.routes["/search?q=council&format=json&pageno=1"] = Answer(results, kind="application/json")
    server.routes["/search?q=council&format=json&pageno=2"] = Answer('{"results": []}', kind="application/json")
    files = {
        "scrapy.cfg": (ROOT / "scrapy.cfg").read_text("utf-8"),
        "newscrawler.toml": '[crawler.defaults]\nnetworks = ["127.0.0.0/8"]\ndelay = 0.05\n'
        f'[[portal]]\nname = "example"\nstart_urls = ["{server.url}"]\ndelay = 0\n'
        f'[[search_service]]\nname = "own"\nurl = "{server.url}search"\n',
        "page.html": page(21),
        "pages.jsonl": "".join(
            json.dumps({
                "id": str(number), "url": f"https://valley.example{path_of(number)}", "html": page(number),
                "gold": {
                    "title": headline(number), "body": "\n".join(paragraphs_of(number)),
                    "date": f"2026-02-{number % 27 + 1:02}", "day": f"{number % 27 + 1} February",
                },
            }) + "\n" for number in GIVEN
        ),
        "links.jsonl": "".join(
            json.dumps({"page_url": server.url, "href": href}) + "\n" for href in (*urls, "/news/", "/?id=7", "https://a.example/")
        ),
        "samples.jsonl": json.dumps({"url": None, "html": page(11), "gold": {"title": headline(11)}}) + "\n",
        "known.tsv": PERSONS,
        "urls.txt": "\n".join(f"{server.url[:-1]}{path_of(number)}" for number in COLLECTED),
        **{f"saved/{number}.html": page(number) for number in GIVEN},
    }  # fmt: skip
    (folder / "saved").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")


def run(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a shell does, with `<` and `>`."""
    words, streams = shlex.split(line), {}
    while len(words) > 2 and words[-2] in {"<", ">"}:
        streams[words[-2]] = folder / words[-1]
        words = words[:-2]
    module = words.pop(0) if words[0] == "scrapy" else "newscrawler"
    source = streams["<"].read_text("utf-8") if "<" in streams else "1\n" * 9 if words[0] == "review" else ""
    words += ["--processes", "1", "--no-cache"] if words[0] == "evaluate" else []
    done = warm_command.run(
        [sys.executable, "-m", module, *words], cwd=folder, capture_output=True, text=True, input=source, timeout=120,
    )  # fmt: skip
    if ">" in streams:
        streams[">"].write_text(done.stdout, "utf-8")
    return done


@pytest.mark.parametrize("document", list_documents())
def test_every_command_of_a_document_runs(document: str, tmp_path: Path) -> None:
    has_browser = which("chromium") is not None and find_spec("playwright") is not None
    lines = [line for line in list_documents()[document] if has_browser or "chromium" not in line]

    failed = {}
    with PortalServer() as server:
        make_folder(tmp_path, server)
        for line in ["crawl example", *lines]:
            done = run(tmp_path, line)
            if done.returncode or not (done.stdout or done.stderr or ">" in line):
                failed[line] = f"exit code {done.returncode}: {done.stdout[-300:]}{done.stderr[-1500:]}"

    assert failed == {}, "\n".join(f"{line}\n    {said}" for line, said in failed.items())
