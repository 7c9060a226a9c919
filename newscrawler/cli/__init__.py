"""The command line: thin; each command parses, calls and prints."""

from __future__ import annotations

__all__ = ["main"]

try:
    from newscrawler.cli.main import main
except KeyboardInterrupt:  # the command was interrupted before it began
    raise SystemExit(130) from None
