from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import warm_command
from click.testing import CliRunner, Result

from newscrawler.cli import main

SENTENCES = "Vláda schválila rozpočet na příští rok. Ministr řekl, že je s výsledkem spokojen a že čeká souhlas poslanců. "


def story(number: int) -> str:
    """An article page of the small portal."""
    headline = f"Žluťoučký kůň číslo {number} úpěl ďábelské ódy"
    paragraphs = "".join(f"<p>Odstavec {index} zprávy {number}. {SENTENCES * 2}</p>" for index in range(5))
    return (
        f'<!doctype html><html lang="cs"><head><meta charset="utf-8"><title>{headline} | Portál</title>'
        f'<meta property="article:published_time" content="2026-02-0{number}T10:00:00+01:00"></head>'
        f"<body><h1>{headline}</h1><article>{paragraphs}</article></body></html>"
    )


FRONT = '<html lang="cs"><title>Portál</title><body><h1>Zprávy</h1><ul>' + "".join(
    f'<li><a href="/2026/02/0{n}/zprava-{n}.html">Žluťoučký kůň číslo {n} úpěl ďábelské ódy</a></li>' for n in range(1, 5)
)


class Site(ThreadingHTTPServer):
    """A portal of four articles on a free port, with some faults under addresses of their own."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server_port}/"
        self.robots: tuple[int, str] = (200, "User-agent: *\nDisallow: /private/\n")
        self.asked: list[tuple[str, str]] = []


class Answers(BaseHTTPRequestHandler):
    server: Site

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["User-Agent"]))
        name = self.path.strip("/").partition("/")[0]
        if self.path == "/robots.txt":
            self.say(self.server.robots[1].encode(), status=self.server.robots[0], kind="text/plain")
        elif self.path == "/":
            self.say(FRONT.encode())
        elif name == "2026":
            self.say(story(int(self.path.removesuffix(".html")[-1])).encode())
        elif name == "status":
            self.say(b"<p>no</p>", status=int(self.path.rpartition("/")[2]))
        elif name == "latin":
            self.say(story(1).replace("utf-8", "iso-8859-2").encode("iso-8859-2"), kind="text/html; charset=iso-8859-2")
        elif name == "gzip":
            self.say(gzip.compress(story(2).encode()), headers={"Content-Encoding": "gzip"})
        elif name == "bomb":
            self.say(gzip.compress(b" " * 2_000_000), headers={"Content-Encoding": "gzip"})
        elif name == "picture":
            self.say(b"\x89PNG", kind="image/png")
        elif name.startswith("loop"):
            self.say(b"", status=302, headers={"Location": self.path + "x"})
        elif name == "moved":
            self.say(b"", status=301, headers={"Location": "/2026/02/03/zprava-3.html"})
        elif name == "away":
            self.say(b"", status=302, headers={"Location": "https://example.org/"})
        elif name == "inward":
            self.say(b"", status=302, headers={"Location": "http://169.254.169.254/latest/meta-data/"})
        elif name == "to-private":
            self.say(b"", status=302, headers={"Location": "/private/a"})
        elif name == "drip":
            self.drip()
        elif name == "broken":
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b"<p>")
        else:
            self.say(b"<title>Other</title><p>Other</p>")

    def drip(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(100):
                self.wfile.write(b"<p>")
                time.sleep(0.05)
        except OSError:
            pass

    def say(self, body: bytes, *, status: int = 200, kind: str = "text/html; charset=utf-8", headers: Any = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")  # Twisted keeps the connection of an HTTP/1.0 answer else, and may find it closed
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(name="story")
def story_fixture() -> Callable[[int], str]:
    """The pages of the small portal's articles."""
    return story


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and no setting from outside."""
    monkeypatch.chdir(tmp_path)
    for name in ("NEWSCRAWLER_CONFIG", "NEWSCRAWLER_DATABASE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NEWSCRAWLER_TRACEBACK", "1")  # a fault of ours is to be seen, not to be a sentence
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Callable[..., Result]:
    """Run a command in this process, in the empty folder."""

    def invoke(*arguments: object, stdin: bytes | str | None = None) -> Result:
        result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        return result

    return invoke


@pytest.fixture
def shell(folder: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a command in a process of its own, in the empty folder."""

    def execute(*arguments: object, stdin: str | None = None, seconds: float = 60) -> subprocess.CompletedProcess[str]:
        return warm_command.run(
            [sys.executable, "-m", "newscrawler", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=seconds,
            check=False,
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        )

    return execute
