from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import warm_command
from click.testing import CliRunner, Result
from portal_server import Answer, PortalServer, Route, Write, head

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


def redirect(target: str, status: int = 302) -> Answer:
    return Answer("", status, {"Location": target})


def drip(write: Write) -> None:
    """A page without end in small pieces."""
    write(head(Connection="close"))
    for _ in range(100):
        write(b"<p>")
        time.sleep(0.05)


class Routes(dict[str, Route]):
    """A portal of four articles, with some faults under addresses of their own; all other addresses have the same page."""

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Answer any address."""
        name, _, rest = path.strip("/").partition("/")
        if name == "status":
            return Answer("<p>no</p>", int(rest))
        if name.startswith("loop"):
            return redirect(f"{path}x")
        return super().get(path) or super().get(f"/{name}", "<title>Other</title><p>Other</p>")


@pytest.fixture
def site() -> Iterator[PortalServer]:
    packed = {"Content-Encoding": "gzip"}
    latin = story(1).replace("utf-8", "iso-8859-2").encode("iso-8859-2")
    routes: dict[str, Route] = {
        "/robots.txt": Answer("User-agent: *\nDisallow: /private/\n", kind="text/plain"),
        "/": FRONT,
        "/latin": Answer(latin, kind="text/html; charset=iso-8859-2"),
        "/gzip": Answer(gzip.compress(story(2).encode()), headers=packed),
        "/bomb": Answer(gzip.compress(b" " * 2_000_000), headers=packed),
        "/picture": Answer(b"\x89PNG", kind="image/png"),
        "/moved": redirect("/2026/02/03/zprava-3.html", 301),
        "/away": redirect("https://example.org/"),
        "/inward": redirect("http://169.254.169.254/latest/meta-data/"),
        "/to-private": redirect("/private/a"),
        "/drip": Answer(raw=drip),
        "/broken": Answer(raw=lambda write: write(head(Content_Length=100_000) + b"<p>")),
    }
    routes |= {f"/2026/02/0{number}/zprava-{number}.html": story(number) for number in range(1, 5)}
    with PortalServer(Routes(routes)) as server:
        yield server


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
