"""Scrapy add-ons: settings from newscrawler.toml, and all components for any Scrapy project; arguments of the spider."""

from __future__ import annotations

import os
from pathlib import Path

from scrapy.settings import BaseSettings

from newscrawler.config import Configuration, Portal, build_portal, load_configuration, require_contact
from newscrawler.crawl.components import settings as components
from newscrawler.crawl.components.settings import OWN_SETTINGS, make_configuration_settings
from newscrawler.errors import ConfigError
from newscrawler.store import hosts_database


class ConfigurationAddon:
    """Set contact, denylist, private hosts and the database of host slots from newscrawler.toml."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Set these from the configuration.

        Raises:
            ConfigError: it is wrong.
        """
        configuration = read_configuration()
        for name, value in make_configuration_settings(configuration).items():
            settings.set(name, value, priority="project")
        named = [url for portal in configuration.portals for url in (*portal.start_urls, *portal.hosts)]
        settings.set("PRIVATE_HOSTS", named, priority="project")
        settings.set("HOSTS_DATABASE", hosts_database(configuration.database_url), priority="project")


class ComponentsAddon:
    """Add all components to any Scrapy project: `ADDONS = {"newscrawler.crawl.ComponentsAddon": 0}`."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Name the components; settings of the project take precedence."""
        for name in OWN_SETTINGS:
            if settings.getpriority(name) is None:
                settings.set(name, getattr(components, name), priority="addon")
        for name in ("SCHEDULER", "ROBOTSTXT_PARSER", "DOWNLOAD_HANDLERS", "TELNETCONSOLE_ENABLED", "REMOTE_CONTROL_ENABLED"):
            settings.set(name, getattr(components, name), priority="addon")
        settings.set("ROBOTSTXT_OBEY", False, priority="addon")  # allows all if robots.txt is unreachable
        settings["DOWNLOADER_MIDDLEWARES"]["scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware"] = None
        for setting in ("DOWNLOADER_MIDDLEWARES", "ITEM_PIPELINES"):
            for name, order in getattr(components, setting).items():
                if name.startswith("newscrawler."):
                    settings[setting][name] = order


def read_configuration() -> Configuration:
    """Read newscrawler.toml, or the file of NEWSCRAWLER_CONFIG; NEWSCRAWLER_DATABASE overrides its database.

    Raises:
        ConfigError: it is wrong.
    """
    named = os.environ.get("NEWSCRAWLER_CONFIG")
    configuration = load_configuration(Path(named) if named else None)
    database = os.environ.get("NEWSCRAWLER_DATABASE")
    return configuration.model_copy(update={"database_url": database}) if database else configuration


def choose_portal(configuration: Configuration, *, portal: str | None, url: str | None) -> Portal:
    """Return the portal of this name, or a portal made from a URL.

    Raises:
        ConfigError: there is none, or no contact is set.
    """
    if (portal is None) == (url is None):
        raise ConfigError("Give the spider one portal: -a portal=NAME, with a name from newscrawler.toml, or -a url=URL.")
    if url is not None:
        chosen = build_portal(url, **configuration.defaults)
    else:
        named = {each.name: each for each in configuration.portals}
        if portal not in named:
            raise ConfigError(f"There is no portal {portal}. Portals in newscrawler.toml: {', '.join(named) or 'none'}.")
        chosen = named[portal]
    require_contact(configuration, [chosen])
    return chosen
