"""How a portal writes 3/4/2024, learned from those of its dates that can be read in one order only (24/4/2024, 4/24/2024)."""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.dates.candidate import Dates

#: So many pages must have orders, nine of ten of them the same.
FEWEST_PAGES = 3
_SHARE = 0.9
#: Counts are halved here, so that a portal that changes its form is followed.
_MOST_PAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOrders:
    """The pages of a portal that tell in which order day and month stand."""

    dmy: int = 0
    mdy: int = 0

    @property
    def order(self) -> str | None:
        """What holds for the portal: "dmy" or "mdy"; None: not known yet, or it writes both."""
        most = max(self.dmy, self.mdy)
        if most < FEWEST_PAGES or most < _SHARE * (self.dmy + self.mdy):
            return None
        return "dmy" if self.dmy > self.mdy else "mdy"

    def after(self, dates: Dates) -> DayOrders:
        """Count one more page; one that shows both orders, or none, tells nothing."""
        orders = {c.day_order for c in dates.candidates if c.day_order}
        if len(orders) != 1:
            return self
        dmy, mdy = self.dmy + ("dmy" in orders), self.mdy + ("mdy" in orders)
        return DayOrders(dmy=dmy // 2, mdy=mdy // 2) if dmy + mdy > _MOST_PAGES else DayOrders(dmy=dmy, mdy=mdy)
