"""The gaps that were really kept between requests to a host, by the log of requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGaps:
    """From one request to the next, in seconds."""

    requests: int
    #: When the first of them was sent; None: there was none.
    since: datetime | None
    #: None: there were not two.
    smallest_seconds: float | None = None
    median_seconds: float | None = None


def kept_gaps(sent_at: Sequence[datetime]) -> KeptGaps:
    """Measure the gaps between requests to one host, whoever sent them."""
    moments = sorted(sent_at)
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    return KeptGaps(
        requests=len(moments),
        since=moments[0] if moments else None,
        smallest_seconds=min(gaps, default=None),
        median_seconds=median(gaps) if gaps else None,
    )
