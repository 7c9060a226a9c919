from __future__ import annotations

import csv
import json
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import which

import pytest
import yaml
from click.testing import Result
from lxml import etree

from newscrawler.cli.group import find_program
from newscrawler.corpus import read_recipe
from newscrawler.corpus.releases import verify

DOCS = Path(__file__).parents[2] / "docs"
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


def commands(page: str) -> list[list[str]]:
    """Return the commands of a page of docs: lines that begin with newscrawler."""
    text = (DOCS / page).read_text("utf-8")
    return [shlex.split(line)[1:] for line in text.splitlines() if line.startswith("newscrawler ") and not line.endswith("&")]


@pytest.mark.timeout(280)
def test_the_demo_finds_what_its_portal_published_and_the_tutorial_goes_on_from_there(
    shell: Shell, run: Callable[..., Result], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = shell("demo", "--delay", "0", seconds=240)

    assert demo.returncode == 0, demo.stdout[-4000:] + demo.stderr
    assert demo.stderr == ""
    assert "Everything the portal published was found as published." in demo.stdout
    records = json.loads((folder / "demo-out" / "articles.json").read_text("utf-8"))
    with (folder / "demo-out" / "articles.csv").open(encoding="utf-8-sig", newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(records) >= 60
    assert [row["title"] for row in rows] == [record["title"] for record in records]
    assert "A release of the 16 Czech articles" in demo.stdout
    assert re.search(r"The search for starostk\* OR ministr\* finds [1-9]\d* articles, first:\n\n  \S.*\n.*\[", demo.stdout)
    assert verify(folder / "demo-out" / "release").is_whole

    (web, articles, concordance, *own) = re.findall(r"^  newscrawler (.+)$", demo.stdout, re.MULTILINE)
    assert (web, own) == ("web --config demo-out/newscrawler.toml", ["web", "portal add --help"])
    for command in (articles, concordance):
        assert run(*shlex.split(command)).output.count("\n") > 1, command
    (folder / "newscrawler.toml").write_bytes((folder / "demo-out" / "newscrawler.toml").read_bytes())
    monkeypatch.setenv("NEWSCRAWLER_DATABASE", "demo-out/newscrawler.sqlite")
    assert re.findall(r"newscrawler (\w+) .*# ", run().output) == ["articles", "web", "export"]

    monkeypatch.setenv("NEWSCRAWLER_DATABASE", "demo-out/newscrawler.sqlite")
    (first, *others) = commands("corpus.md")
    assert first == ["demo"]
    printed = {}
    for command in others:
        result = run(*command)
        assert result.exit_code == 0, (command, result.stderr)
        printed[command[0]] = result.output
        assert result.output, command
    assert len(list((folder / "texts").iterdir())) == len(records)
    assert printed["collocates"].count("\n") > 1
    assert (folder / "rebuilt.jsonl").read_bytes().count(b"\n") == 16
    _check_results(folder)
    _fetch_feeds(folder)

    (home,) = re.findall(r"```console\n(.*?)```", (DOCS / "index.md").read_text("utf-8"), re.DOTALL)
    first, *lines = [line.split() for line in home.splitlines()]
    found = run(*lines[1][2:])
    assert first[1:3] == ["newscrawler", "demo"]
    assert lines[0] in [line.split() for line in demo.stdout.splitlines()]
    assert [line[1:] for line in lines[2:4]] == [line.split()[3:] for line in found.stdout.splitlines()[1:]]
    assert lines[4] == found.stderr.split()


def _check_results(folder: Path) -> None:
    """The figure has its recipe, the release what the Hugging Face Hub reads, and the vertical corpus its registry."""
    assert read_recipe(folder / "trend.svg").articles.count == 16
    head = yaml.safe_load((folder / "demo-cs-1" / "README.md").read_text("utf-8").split("---\n")[1])
    (data,) = head["configs"]
    assert list((folder / "demo-cs-1").glob(data["data_files"]))
    assert (folder / "articles.vert").read_text("utf-8").count("<doc ") == 16
    assert "articles.vert" in (folder / "articles.vert.registry").read_text("utf-8")


def _fetch_feeds(folder: Path) -> None:
    """Run the commands of the page that need a server, as a shell does."""
    (script,) = re.findall(r"```sh\n(newscrawler web --address .*?)```", (DOCS / "corpus.md").read_text("utf-8"), re.DOTALL)
    if which("bash") is None or which("curl") is None:
        pytest.skip("bash or curl is not installed")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    ours = script.replace("8765", str(port)).replace("newscrawler web", f"{sys.executable} -m newscrawler web")
    done = subprocess.run(["bash", "-m", "-e", "-c", ours], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert etree.parse(folder / "sklad.atom").getroot().tag == "{http://www.w3.org/2005/Atom}feed"
    assert json.loads((folder / "sklad.json").read_bytes())["items"]


def test_a_folder_that_cannot_be_made_is_told(run: Callable[..., Result], folder: Path) -> None:
    (folder / "demo-out").write_text("a file")

    result = run("demo")

    assert result.exit_code == 2
    assert "demo-out cannot be used for the results" in result.stderr


def test_the_next_commands_are_named_as_the_shell_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [".venv/bin/newscrawler", "demo"])
    monkeypatch.setattr("shutil.which", lambda _name: None)
    assert find_program() == ".venv/bin/newscrawler"
    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/newscrawler")
    assert find_program() == "newscrawler"
