"""Add-ons of Scrapy and arguments of the spider: what newscrawler.toml says, and the components for a project of one's own."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from scrapy.settings import BaseSettings

from newscrawler.config import Configuration, Portal, require_contact
from newscrawler.crawl import settings as components
from newscrawler.crawl.settings import OWN_SETTINGS, configuration_settings
from newscrawler.errors import ConfigError
from newscrawler.store.state_folder import hosts_database


class ConfigurationAddon:
    """Says who we are, which hosts are on the denylist, and where slots of hosts are kept."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Set what the configuration says.

        Raises:
            ConfigError: it is wrong.
        """
        configuration = configuration_here()
        for name, value in configuration_settings(configuration).items():
            settings.set(name, value, priority="project")
        named = [url for portal in configuration.portals for url in (*portal.start_urls, *portal.hosts)]
        settings.set("PRIVATE_HOSTS", named, priority="project")
        settings.set("HOSTS_DATABASE", hosts_database(configuration.database_url), priority="project")


class ComponentsAddon:
    """Puts all components into a project of one's own: `ADDONS = {"newscrawler.crawl.addon.ComponentsAddon": 0}`."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Name the components; what the project sets by itself stays."""
        for name in OWN_SETTINGS:
            if settings.getpriority(name) is None:
                settings.set(name, getattr(components, name), priority="addon")
        for name in ("SCHEDULER", "ROBOTSTXT_PARSER", "DOWNLOAD_HANDLERS", "TELNETCONSOLE_ENABLED", "REMOTE_CONTROL_ENABLED"):
            settings.set(name, getattr(components, name), priority="addon")
        settings.set("ROBOTSTXT_OBEY", False, priority="addon")  # Scrapy's middleware, which allows all where nobody answers
        settings["DOWNLOADER_MIDDLEWARES"]["scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware"] = None
        for setting in ("DOWNLOADER_MIDDLEWARES", "ITEM_PIPELINES"):
            for name, order in getattr(components, setting).items():
                if name.startswith("newscrawler."):
                    settings[setting][name] = order


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
        raise ConfigError("Give the spider one portal: -a portal=NAME, with a name from newscrawler.toml, or -a url=URL.")
    if url is not None:
        chosen = portal_from_url(url, **configuration.defaults)
    else:
        named = {each.name: each for each in configuration.portals}
        if portal not in named:
            raise ConfigError(f"There is no portal {portal}. Portals in newscrawler.toml: {', '.join(named) or 'none'}.")
        chosen = named[portal]
    require_contact(configuration, [chosen])
    return chosen
