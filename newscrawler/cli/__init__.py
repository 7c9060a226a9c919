"""The command line: thin; each command parses, calls and prints."""

from __future__ import annotations

__all__ = ["main"]

from newscrawler.cli.main import main
