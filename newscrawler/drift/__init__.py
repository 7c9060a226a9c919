"""What a portal's nights show, and what follows: notice that its pages have changed, learn them anew, adopt what is better.

`figures` adds up how the pages of a night were read, `limits` derives from the nights before what is still usual, `choose` picks
pages to learn from and pages to hold out, `compare` measures two wrappers on what was held out, and `repair` does all of it at the
end of a night.
"""

from __future__ import annotations

from newscrawler.drift.figures import Figure, figures_of, noted
from newscrawler.drift.limits import broken
from newscrawler.drift.repair import NightReport, end_of_night, learn_by_hand

__all__ = ["Figure", "NightReport", "broken", "end_of_night", "figures_of", "learn_by_hand", "noted"]
