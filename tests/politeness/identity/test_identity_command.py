"""From `identity init` over a crawl that signs to `identity check`, on a real server."""

from __future__ import annotations

import contextlib
import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from crawling import command
from portal_server import Answer, PortalServer, address, listing, story

from newscrawler.cli import main
from newscrawler.errors import ConfigError
from newscrawler.politeness.identity import MEDIA_TYPE, WELL_KNOWN, load_keys

FOLDER = Path("newscrawler-data") / "identity"


def newscrawler(folder: Path, *arguments: str) -> Result:
    with contextlib.chdir(folder):
        return CliRunner().invoke(main, list(arguments))


def test_a_key_is_made_published_used_and_checked(tmp_path: Path) -> None:
    with PortalServer() as server:
        base = server.url.rstrip("/")
        file = tmp_path / "newscrawler.toml"
        file.write_text('[crawler]\ncontact = "me@example.org"\n', "utf-8")

        made = newscrawler(tmp_path, "identity", "init", "--url", base)

        assert made.exit_code == 0, made.stderr
        (key_file,) = (tmp_path / FOLDER).glob("*.private.jwk")
        assert key_file.stat().st_mode & 0o777 == 0o600
        publish = tmp_path / FOLDER / "publish"
        directory, page = (publish / name for name in (WELL_KNOWN[1:], "bot.html"))
        assert "me@example.org" in page.read_text("utf-8")
        assert json.loads(key_file.read_text("utf-8"))["d"] not in directory.read_text("utf-8")

        file.write_text(f'[crawler]\ncontact = "me@example.org"\nidentity = "{base}"\n', "utf-8")
        lines = newscrawler(tmp_path, "identity", "headers").stdout.splitlines()
        fields = dict(line.split(": ", 1) for line in lines)
        assert fields.pop("Content-Type") == MEDIA_TYPE
        server.heads = []
        server.routes = {
            "/": listing(address(1)),
            address(1): story(1),
            "/bot.html": page.read_text("utf-8"),
            WELL_KNOWN: Answer(directory.read_text("utf-8"), kind=MEDIA_TYPE, headers=fields),
        }
        crawled = subprocess.run(
            command("crawl", server.url, "--delay", "0", "--json"),
            cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

        assert json.loads(crawled.stdout)["new_articles"] == 1, crawled.stderr
        assert all("Signature-Agent: sig1=" in head and "Signature-Input: sig1=" in head for head in server.heads)
        assert all(f"(+me@example.org; +{base}/bot.html)" in asked.agent for asked in server.asked)
        checked = newscrawler(tmp_path, "identity", "check")
        assert (checked.exit_code, checked.stdout) == (1, f"{base}{WELL_KNOWN} is not https; nobody may take keys from there\n")

        for key in (tmp_path / FOLDER).glob("*.private.jwk"):
            key.unlink()
        refused = newscrawler(tmp_path, "crawl", server.url, "--delay", "0")
        assert refused.exit_code == 2
        assert "Run `newscrawler identity init` to create one" in refused.stderr


@pytest.mark.parametrize("text", ["", "{}", '{"d": 5, "x": "", "nbf": 0, "exp": 1}', '{"d": "AAAA", "x": "", "nbf": 0, "exp": 1}'])
def test_a_key_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.private.jwk"
    path.touch(mode=0o600)
    path.write_text(text, "utf-8")

    with pytest.raises(ConfigError, match="not a private key of ours"):
        load_keys(tmp_path)


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "open.private.jwk"
    path.write_text("{}", "utf-8")
    path.chmod(0o644)

    with pytest.raises(ConfigError, match="chmod 600"):
        load_keys(tmp_path)
