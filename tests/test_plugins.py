"""Plugins of other packages: the example of the documentation, installed as pip leaves it, and one that is broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from portal_server import PortalServer
from town import routes

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "docs" / "examples" / "plugin"
PAGE = "<html><body><h1>Ferry</h1>" + "".join(f"<p>Paragraph {n} of the page.</p>" for n in range(9)) + "</body></html>"


@pytest.fixture(scope="module", name="site")
def site_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as pip leaves it: the module, and the metadata with the entry points of its pyproject.toml."""
    site = tmp_path_factory.mktemp("site")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    points: dict[str, dict[str, str]] = project["entry-points"]
    points["newscrawler.exporters"]["broken"] = "no_such_module:WRITER"
    metadata = site / "newscrawler_example_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", "utf-8")
    lines = [line for group, names in points.items() for line in (f"[{group}]", *(f"{name} = {names[name]}" for name in names))]
    (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    (site / "newscrawler_example.py").write_text((EXAMPLE / "newscrawler_example.py").read_text("utf-8"), "utf-8")
    return site


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(site), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments], cwd=site, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip


def test_plugins_are_listed_and_a_broken_one_says_why(site: Path) -> None:
    done = run(site, "-m", "newscrawler", "plugins")

    rows = {line.split("\t")[1]: line.split("\t") for line in done.stdout.splitlines()[1:]}
    assert {name: (row[0], row[2]) for name, row in rows.items()} == {
        "first_three": ("methods", "newscrawler-example-plugin 1.0"),
        "titles": ("exporters", "newscrawler-example-plugin 1.0"),
        "broken": ("exporters", "newscrawler-example-plugin 1.0"),
        "log_file": ("notifiers", "newscrawler-example-plugin 1.0"),
        "spaces": ("tokenizers", "newscrawler-example-plugin 1.0"),
        "topics": ("recognisers", "newscrawler-example-plugin 1.0"),
    }
    assert [name for name, row in rows.items() if row[4] != "works"] == ["broken"]
    assert rows["broken"][4] == "ModuleNotFoundError: No module named 'no_such_module'"


USED = """
import io, json, sys
from pathlib import Path
from newscrawler import Article, Paragraph, extract
from newscrawler.config import load_configuration
from newscrawler.corpus.formats import FORMATS, Options
from newscrawler.service import Notification
from newscrawler.service import create_notifiers
from newscrawler.store.articles.records import StoredArticle
from newscrawler.corpus import find_annotator, find_recogniser

Path("newscrawler.toml").write_text('[crawler]\\ncontact = "a@b.example"\\n[alerts]\\nplugins = ["log_file"]\\n')
settings = load_configuration(Path("newscrawler.toml")).alerts
(notifier,) = create_notifiers(settings)
notifier.deliver(Notification(subject="Gone", text="", data={}))
article = Article(title="Ferry", paragraphs=(Paragraph(text="It sails."),), method="default", confidence=1)
stream = io.BytesIO()
FORMATS["titles"].write([StoredArticle(id=1, article=article)], stream, Options())
print(json.dumps({
    "method": [each.text for each in extract(sys.argv[1], method="first_three").paragraphs],
    "exporter": stream.getvalue().decode(),
    "notifier": Path("alerts.log").read_text(),
    "tokenizer": [len(sentence) for sentence in find_annotator("spaces:")("Co-op's 3.5 kg")],
    "recogniser": [each.name for each in find_recogniser("topics:weather,ferry")(article)],
}))
"""


def test_every_kind_of_plugin_is_used(site: Path) -> None:
    done = run(site, "-c", USED, PAGE)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "method": [f"Paragraph {n} of the page." for n in range(3)],
        "exporter": "None\tFerry\n",
        "notifier": "Gone\n",
        "tokenizer": [3],
        "recogniser": ["ferry"],
    }


FAILING = """
from newscrawler.discovery import Source

class Failing(Source):
    def read(self, answer):
        if answer.kind == "section":
            raise KeyError("no such list")
        return ()
"""


def test_a_source_that_fails_costs_a_crawl_only_the_pages_at_which_it_does(tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(FAILING, "utf-8")
    metadata = tmp_path / "failing-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: failing\nVersion: 1.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text("[newscrawler.sources]\nfailing = failing:Failing\n", "utf-8")
    with PortalServer(routes(3)) as server:
        portal = f'[[portal]]\nname = "p"\nstart_urls = ["{server.url}"]\ndelay = 0\n'
        (tmp_path / "newscrawler.toml").write_text(f'[crawler]\ncontact = "a@b.example"\n{portal}', "utf-8")
        done = run(tmp_path, "-m", "newscrawler", "crawl", "p", "--json")

    (found,) = map(json.loads, done.stdout.splitlines())
    assert found["ended_because"] == "finished", done.stderr
    assert found["new_articles"] == 1
    assert found["refused"]["fault while reading the page"] >= 1
    assert "KeyError: 'no such list'" in done.stderr
