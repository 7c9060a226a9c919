"""Configuration: newscrawler.toml → frozen, checked records.

`load` and `edit` are imported by name where they are needed: pydantic and tomlkit load only then.
"""

from __future__ import annotations

__all__ = ["ATTRIBUTES", "CONFIGURATION_FILE", "Configuration", "Portal", "is_loopback", "require_contact", "user_agent"]

from newscrawler.config.contact import is_loopback, require_contact, user_agent
from newscrawler.config.portal import ATTRIBUTES, CONFIGURATION_FILE, Configuration, Portal
