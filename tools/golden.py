"""Hash what the program returns, and compare it with what it returned before: python tools/golden.py write|compare [--only PART …].

A change that is not meant to alter results runs `write` before and `compare` after it. The parts:

  help       `--help` of all commands
  openapi    the OpenAPI document of the web application
  demo       the export of `newscrawler demo`
  sites      records of the crawls of WordPress, Hexo and Pelican of ../shared/sites
  pages      records of 2,000 pages of ../shared/bench/data
  templates  records of pages of the same data, read with a template that other pages of their host taught

Hashes are kept in FILE (tools/golden.json), what was hashed in --keep FOLDER, so that two such folders can be compared by `diff
-r`. Times of the run and the dates of fetching are left out. Exit code: 0 if all is equal, 1 if something differs.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

Hashes = dict[str, list[str]]

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SHARED", ROOT.parent / "shared"))
COMMAND = [sys.executable, "-m", "newscrawler"]
PAGES = 2000
#: Hosts with as many pages teach a template; it reads all of them.
LEAST_PAGES, MOST_PAGES, MOST_HOSTS = 6, 12, 60
SITES = ("pelican", "hexo-next", "wp-plain")
#: Fields that depend on the run, not on the page; a section can come from a list that was or was not read before.
VOLATILE = {"fetched_at", "id", "section", "section_source"}
#: Fields of the demo's records that are hashed: pages come in another order each time, so other ones are read with the learned
#: template, and their dates count from the day of the run.
DEMO_FIELDS = ("title", "lead", "authors", "section", "keywords", "language")
#: Without templates, as which page comes first differs from run to run.
PORTAL = '[[portal]]\nname = "site"\nstart_urls = ["{url}"]\ndelay = 0\nlearn = false\n'


def hash_text(text: str) -> str:
    """Return the first ten hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def hash_line(line: str) -> str:
    """Return the hash of a line of text, or of a crawled record without its volatile fields."""
    record = json.loads(line) if line.startswith("{") else None
    if record is None or "fetched_at" not in record:
        return hash_text(line)
    stable = {name: value for name, value in record.items() if name not in (VOLATILE if record["fetched_at"] else {"fetched_at"})}
    return hash_text(json.dumps(stable, sort_keys=True, ensure_ascii=False))


def run(*arguments: str, folder: Path | None = None, source: Path | None = None) -> str:
    """Run a command of the program and return its standard output.

    Raises:
        SystemExit: the command failed.
    """
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1"}
    with Path(source or os.devnull).open("rb") as stream:
        done = subprocess.run([*COMMAND, *arguments], cwd=folder, stdin=stream, capture_output=True, env=environment, check=False)
    if done.returncode:
        sys.exit(f"newscrawler {' '.join(arguments)} ended with {done.returncode}: {done.stderr.decode()[-800:]}")
    return done.stdout.decode("utf-8", "surrogatepass")


class Golden:
    """The parts of the golden run; each returns named lists of hashes."""

    def __init__(self, keep: Path) -> None:
        self._keep = keep
        self._work = Path(tempfile.mkdtemp(prefix="newscrawler-golden-"))

    def hash_lines(self, name: str, lines: list[str]) -> list[str]:
        """Keep lines of JSON or text, and return their hashes."""
        path = self._keep / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8", "surrogatepass")
        return [hash_line(line) for line in lines]

    def pages(self) -> Hashes:
        """Return the hashes of records, by data set."""
        found: Hashes = {}
        for name, pages in choose_pages(PAGES).items():
            source = self._work / f"{name}.jsonl"
            source.write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
            found[name] = self.hash_lines(f"pages/{name}", run("extract", "--jsonl", source=source).splitlines())
        return found

    def templates(self) -> Hashes:
        """Return the hashes of records that a template had a part in, by host."""
        found: Hashes = {}
        for host, pages in choose_hosts():
            learned, source, template = (self._work / f"{host}{end}" for end in (".learned", ".pages", ".json"))
            learned.write_text("".join(json.dumps(page) + "\n" for page in pages[::2]), "utf-8")
            source.write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
            try:
                run("template", "learn", "--pages", str(learned), "--output", str(template))
            except SystemExit as refused:
                found[host] = self.hash_lines(f"templates/{host}", [str(refused).partition(": ")[2].strip()])
                continue
            records = run("extract", "--jsonl", "--template", str(template), source=source).splitlines()
            found[host] = self.hash_lines(f"templates/{host}", records)
        return found

    def demo(self) -> Hashes:
        """Return the hash of each article of the demo's export."""
        run("demo", folder=self._work)
        records = (self._work / "demo-out" / "articles.json").read_text("utf-8")
        lines = [json.dumps({name: record[name] for name in DEMO_FIELDS}, ensure_ascii=False) for record in json.loads(records)]
        return {"articles": self.hash_lines("demo", sorted(lines))}

    def sites(self) -> Hashes:
        """Return the hashes of the articles of each crawled site, by address."""
        state = Path(os.environ.get("SITES_STATE", Path(tempfile.gettempdir()) / "newscrawler-golden-sites"))
        state.mkdir(exist_ok=True)
        environment = os.environ | {"SITES_STATE": str(state), "SITES_GOLD": str(state / "gold"), "SITES_ANCHOR": "2026-11-20"}
        found: Hashes = {}
        for site in SITES:
            up = subprocess.run([SHARED / "sites" / "up", site], env=environment, capture_output=True, text=True, check=True)
            folder = self._work / site
            folder.mkdir()
            (folder / "newscrawler.toml").write_text(PORTAL.format(url=up.stdout.split()[-1]))
            run("crawl", "site", folder=folder)
            lines = run("export", "--format", "jsonl", folder=folder).splitlines()
            lines.sort(key=lambda line: str(json.loads(line)["url"]))
            found[site] = self.hash_lines(f"sites/{site}", lines)
            subprocess.run([SHARED / "sites" / "down", site], env=environment, check=False, capture_output=True)
        return found

    def help(self) -> Hashes:
        """Return the hash of the help of each command."""
        from newscrawler.cli import main

        return {name: self.hash_lines(f"help/{name.replace(' ', '-')}", [text]) for name, text in helps(main, "newscrawler", None)}

    def openapi(self) -> Hashes:
        """Return the hash of each operation of the OpenAPI document."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = subprocess.Popen(
            [*COMMAND, "web", "--address", f"127.0.0.1:{port}", "--database", "golden.sqlite"],
            cwd=self._work, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            document = fetch_json(f"http://127.0.0.1:{port}/api/v1/openapi.json")
        finally:
            server.terminate()
            server.wait()
        lines = [json.dumps({"path": path, **described}, sort_keys=True) for path, described in sorted(document["paths"].items())]
        return {"paths": self.hash_lines("openapi", lines)}


def fetch_json(url: str) -> Any:
    """Return the JSON at a loopback address whose server is starting.

    Raises:
        SystemExit: no answer within half a minute.
    """
    for _ in range(150):
        with suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)
        time.sleep(0.2)
    sys.exit(f"{url} does not answer")


def helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    """Yield each command with its help."""
    with click.Context(command, info_name=name.rpartition(" ")[2], parent=parent, terminal_width=100) as context:
        yield name, command.get_help(context)
        if isinstance(command, click.Group):
            for child in command.list_commands(context):
                found = command.get_command(context, child)
                if found is not None:
                    yield from helps(found, f"{name} {child}", context)


def data_sets() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each data set with its pages, each with id, url and html."""
    for path in sorted((SHARED / "bench" / "data").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            pages = [json.loads(line) for line in lines]
        yield path.name.partition(".")[0], [{name: page[name] for name in ("id", "url", "html")} for page in pages]


def choose_pages(count: int) -> dict[str, list[dict[str, Any]]]:
    """Return so many pages, spread evenly over all data sets."""
    sets = dict(data_sets())
    step = sum(map(len, sets.values())) / count
    chosen: dict[str, list[dict[str, Any]]] = {}
    position = 0.0
    for name, pages in sets.items():
        chosen[name] = []
        while position < len(pages):
            chosen[name].append(pages[int(position)])
            position += step
        position -= len(pages)
    return chosen


def choose_hosts() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield hosts of which there are several pages."""
    hosts: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for _, pages in data_sets():
        for page in pages:
            host = urlsplit(page["url"] or "").hostname
            if host and "archive.org" not in host:
                hosts[host].append(page)
    several = sorted(host for host, pages in hosts.items() if len(pages) >= LEAST_PAGES)
    for host in several[:: max(1, len(several) // MOST_HOSTS)]:
        yield host, hosts[host][:MOST_PAGES]


#: In this order: a crawl is ended for its memory if the process that starts it holds all data sets.
PARTS: dict[str, Callable[[Golden], Hashes]] = {
    "help": Golden.help, "openapi": Golden.openapi, "demo": Golden.demo, "sites": Golden.sites, "pages": Golden.pages,
    "templates": Golden.templates,
}  # fmt: skip


def differences(before: Hashes, now: Hashes) -> Iterator[str]:
    """Yield a line for each list of hashes that differs."""
    for name in sorted(before.keys() | now.keys()):
        old, new = before.get(name), now.get(name)
        if old is None or new is None:
            yield f"{name}: {'new' if old is None else 'gone'}"
        elif old != new:
            places = [number for number, pair in enumerate(zip(old, new, strict=False), 1) if pair[0] != pair[1]]
            counts = f", {len(old)} before, {len(new)} now" if len(old) != len(new) else ""
            yield f"{name}: {len(places)} of {len(old)} differ{counts}: lines {', '.join(map(str, places[:12]))}"


def main() -> None:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["write", "compare"])
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS), metavar="PART")
    parser.add_argument("--file", type=Path, default=Path(__file__).with_suffix(".json"))
    parser.add_argument("--keep", type=Path, default=None, metavar="FOLDER", help="By default a temporary folder, which is named.")
    options = parser.parse_args()
    keep = options.keep or Path(tempfile.mkdtemp(prefix="newscrawler-golden-kept-"))
    golden = Golden(keep)
    known: dict[str, Hashes] = json.loads(options.file.read_text()) if options.file.exists() else {}
    failed = False
    for part in (name for name in PARTS if name in options.only):
        started = time.monotonic()
        found = PARTS[part](golden)
        total = sum(map(len, found.values()))
        if options.action == "write":
            known[part] = found
            options.file.write_text(json.dumps(known, indent=0, sort_keys=True).replace(',\n"', ',"') + "\n")
            print(f"{part}: {total} hashes written in {time.monotonic() - started:.0f} s", flush=True)
            continue
        lines = list(differences(known.get(part, {}), found))
        failed |= bool(lines)
        print(f"{part}: {'equal' if not lines else 'different'}, {total} hashes, {time.monotonic() - started:.0f} s", flush=True)
        print("".join(f"  {line}\n" for line in lines), end="", flush=True)
    print(f"what was hashed: {keep}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
