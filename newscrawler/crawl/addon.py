"""Add-ons of Scrapy: one takes newscrawler.toml into the settings, one puts the components into a project of one's own."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from newscrawler.crawl import settings as components
from newscrawler.crawl.arguments import configuration_here
from newscrawler.crawl.settings import OWN_SETTINGS, configuration_settings
from newscrawler.store.state_folder import hosts_database


class ConfigurationAddon:
    """Says who we are, which hosts are left alone, and where slots of hosts are kept."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Set what the configuration says.

        Raises:
            ConfigError: it is wrong.
        """
        configuration = configuration_here()
        for name, value in configuration_settings(configuration).items():
            settings.set(name, value, priority="project")
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
