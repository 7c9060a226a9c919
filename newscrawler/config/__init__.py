"""Configuration: newscrawler.toml as frozen, validated records.

`load` and `edit` are not exported here, so that pydantic and tomlkit load only when they are needed.
"""

from __future__ import annotations

__all__ = [
    "ATTRIBUTES",
    "CONFIGURATION_FILE",
    "Collection",
    "Configuration",
    "Portal",
    "SearchService",
    "is_loopback",
    "require_contact",
    "user_agent",
]

from newscrawler.config.contact import is_loopback, require_contact, user_agent
from newscrawler.config.portal import ATTRIBUTES, CONFIGURATION_FILE, Collection, Configuration, Portal, SearchService
