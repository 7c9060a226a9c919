"""A crawl is ended by its own memory."""

from __future__ import annotations

import subprocess
import sys

_CHILD = "from newscrawler.crawl.components.memory import MemoryUsage; print(MemoryUsage.get_virtual_size(None))"
_PARENT = f"import subprocess, sys; x = b'x' * 600_000_000; subprocess.run([sys.executable, '-c', {_CHILD!r}], check=True)"


def test_the_memory_of_the_process_that_starts_a_crawl_does_not_count() -> None:
    said = subprocess.run([sys.executable, "-c", _PARENT], capture_output=True, text=True, check=True).stdout

    assert 20_000_000 < int(said) < 400_000_000
