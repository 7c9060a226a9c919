"""What does not count for a portal of what its publisher reserves, by its settings."""

from __future__ import annotations

from newscrawler.config import Configuration


def disregarded(configuration: Configuration, portal: str) -> frozenset[str]:
    """What does not count for a portal; for one that is not configured any more, as [crawler.defaults] says."""
    for known in configuration.portals:
        if known.name == portal:
            return known.disregard
    return frozenset(configuration.defaults.get("disregard", ()))
