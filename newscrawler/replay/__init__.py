"""Today's extractor and wrapper over the kept pages: what would change, told before anything is written."""

from __future__ import annotations

from newscrawler.replay.change import Change, Totals, compare
from newscrawler.replay.replayer import Replayer

__all__ = ["Change", "Replayer", "Totals", "compare"]
