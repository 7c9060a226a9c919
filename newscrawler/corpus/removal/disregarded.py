"""Reservations that do not count for a portal, by its settings."""

from __future__ import annotations

from newscrawler.config import Configuration


def disregarded(configuration: Configuration, portal: str) -> frozenset[str]:
    """Return the reservations that do not count for a portal, by [crawler.defaults] if it is no longer configured."""
    for known in configuration.portals:
        if known.name == portal:
            return known.disregard
    return frozenset(configuration.defaults.get("disregard", ()))
