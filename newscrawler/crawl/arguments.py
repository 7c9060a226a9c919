"""What `scrapy crawl portal -a …` names: the configuration that holds here, and one portal of it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from newscrawler.config import Configuration, Portal, require_contact
from newscrawler.errors import ConfigError


def configuration_here() -> Configuration:
    """Read newscrawler.toml, or what NEWSCRAWLER_CONFIG names; NEWSCRAWLER_DATABASE stands in place of its database.

    Raises:
        ConfigError: it is wrong.
    """
    from newscrawler.config.load import load_configuration

    named = os.environ.get("NEWSCRAWLER_CONFIG")
    configuration = load_configuration(Path(named) if named else None)
    database = os.environ.get("NEWSCRAWLER_DATABASE")
    return replace(configuration, database_url=database) if database else configuration


def chosen_portal(configuration: Configuration, *, portal: str | None, url: str | None) -> Portal:
    """Return the portal of this name, or the one that a URL stands for.

    Raises:
        ConfigError: there is none, or its operator could not reach us.
    """
    from newscrawler.config.build import portal_from_url

    if (portal is None) == (url is None):
        raise ConfigError("give the spider one portal: -a portal=NAME, as newscrawler.toml names it, or -a url=URL")
    if url is not None:
        chosen = portal_from_url(url, **configuration.defaults)
    else:
        named = {each.name: each for each in configuration.portals}
        if portal not in named:
            raise ConfigError(f"there is no portal {portal}; there are: {', '.join(named) or 'none'}")
        chosen = named[portal]
    require_contact(configuration, [chosen])
    return chosen
