"""Extract kept pages again with the current extractor and wrapper, and compare with what is stored before anything is written."""

from __future__ import annotations

from newscrawler.replay.change import Change, Totals, compare
from newscrawler.replay.replayer import Replayer

__all__ = ["Change", "Replayer", "Totals", "compare"]
