"""Extract kept pages again with the current extractor and template, and compare with what is stored before anything is written."""

from __future__ import annotations

from newscrawler.corpus.reextraction.change import Change, Totals, compare
from newscrawler.corpus.reextraction.replayer import Replayer

__all__ = ["Change", "Replayer", "Totals", "compare"]
