"""Many portals in one crawl, each a host of its own on an address of loopback, so that none is of matter to the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import warm_command
from crawling import command
from portal_server import Asked, PortalServer, Route, address, listing, story

from newscrawler.store import open_store

#: Put before the crawl's own code: a name server of our own.
NAME_SERVER = """
import socket, sys
answers = {answers!r}
asked = dict.fromkeys(answers, 0)
def look_up(host, *rest, **more):
    if host not in answers:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    address = answers[host][min(asked[host], len(answers[host]) - 1)]
    asked[host] += 1
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0))]
socket.getaddrinfo = look_up
import newscrawler.crawl.components.resolver as resolver
resolver.CACHED_SECONDS = 0.0
sys.argv = ["newscrawler", *{arguments!r}]
from newscrawler.cli import main
main()
"""


def routes(count: int = 3, prefix: str = "") -> dict[str, Route]:
    """A front page, a section, articles; all below `prefix`."""
    paths = [f"{prefix}{address(number)}" for number in range(1, count + 1)]
    return {
        f"{prefix}/": listing(f"{prefix}/sport/", *paths[:1]),
        f"{prefix}/sport/": listing(*paths, title="Sport"),
        **{path: story(number) for number, path in enumerate(paths, start=1)},
    }


def smallest_gap(*logs: list[Asked]) -> float:
    moments = sorted(item.at for log in logs for item in log)
    return min(later - earlier for earlier, later in pairwise(moments))


@dataclass
class Town:
    """Servers, the configuration of a portal at each, and what a crawl of them all brought."""

    folder: Path
    servers: dict[str, PortalServer] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    crawler: str = ""
    names: dict[str, list[str]] = field(default_factory=dict)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    errors: str = ""
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(
        self, name: str, made: dict[str, Route] | None = None, *, start: str = "{url}", keys: str = "delay = 0"
    ) -> PortalServer:
        """Put up a server and configure a portal there; `start` may name another address than the server's own."""
        host = f"127.0.1.{len(self.servers) + 1}"
        server = self.servers[name] = self._stack.enter_context(PortalServer(made if made is not None else routes(), host=host))
        url = start.format(url=server.url, host=host, port=server.server_port)
        self.tables.append(f'[[portal]]\nname = "{name}"\nstart_urls = ["{url}"]\n{keys.replace("{url}", server.url)}\n')
        return server

    def crawl(self, *options: str, seconds: int = 200) -> Self:
        """Crawl them all in one process; what fails is tried again soon."""
        contact = 'contact = "me@corpus.example"'
        text = f"[crawler]\n{contact}\n{self.crawler}\n{''.join(self.tables)}"
        (self.folder / "newscrawler.toml").write_text(text, "utf-8")
        arguments = ["crawl", "--json", "--at-once", "99", *options]
        code = NAME_SERVER.format(answers=self.names, arguments=arguments)
        done = warm_command.run(
            [sys.executable, "-c", code],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            env=os.environ | {warm_command.FIRST_PAUSE: "0.2"},
        )
        self.results = {line["portal"]: line for line in map(json.loads, done.stdout.splitlines())}
        self.errors = done.stderr
        assert set(self.results) >= set(self.servers), done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return self

    def asked(self, name: str) -> list[str]:
        """The paths that a server was asked for, in order; what sites tell of themselves beside robots.txt left out."""
        aside = {"/sitemap.xml", "/sitemap_index.xml", "/feed/", "/rss.xml", "/.well-known/tdmrep.json"}
        return [item.path for item in self.servers[name].asked if item.path not in aside]

    def outcomes(self, name: str) -> dict[str, tuple[str, str]]:
        """State and reason of each URL of a portal, by its path."""
        from sqlalchemy import create_engine, text

        engine = create_engine(f"sqlite:///{self.folder / 'newscrawler.sqlite'}")
        query = text(
            "SELECT url, state, CASE WHEN detail IS NULL THEN reason ELSE reason || ': ' || detail END AS reason "
            "FROM frontier JOIN portal ON portal.id = portal_id WHERE name = :name"
        )
        with engine.connect() as connection:
            rows = connection.execute(query, {"name": name}).all()
        engine.dispose()
        return {urlsplit(url).path: (state, reason or "") for url, state, reason in rows}

    def change(self, do: Callable[[Any], object]) -> None:
        """Do something with the tables of hosts."""
        with open_store(f"sqlite:///{self.folder / 'newscrawler.sqlite'}") as store:
            do(store.hosts)


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return warm_command.CommandProcess(
        command("crawl", *arguments, "--json"), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
