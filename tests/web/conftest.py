"""The fixture of all tests of the web application."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from web_site import CONFIGURATION, Site

from newscrawler.store import open_store


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    (tmp_path / "newscrawler.toml").write_text(CONFIGURATION)
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store, ExitStack() as clients:
        yield Site(folder=tmp_path, store=store, clients=clients)
