"""Scrapy add-ons: settings from newscrawler.toml, and all components for any Scrapy project; arguments and `-s` of the spider."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings, default_settings

from newscrawler.config import Configuration, Portal, build_portal, change_portal, load_configuration, require_contact
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


def choose_portal(configuration: Configuration, *, portal: str | None, url: str | None, keys: Mapping[str, Any]) -> Portal:
    """Return the portal of this name, or a portal made from a URL, with these values of its keys.

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
    return change_portal(chosen, **keys)


def _read_limit(value: Any) -> int | None:
    return int(value) or None


def _read_list(value: Any) -> list[str]:
    return value.split(",") if isinstance(value, str) else list(value)


#: Settings that are keys of a portal, and how their values are read; zero means no limit.
_KEYS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "DOWNLOAD_DELAY": ("delay", float), "HOST_DELAY": ("delay", float), "DOWNLOAD_TIMEOUT": ("timeout", float),
    "DOWNLOAD_MAXSIZE": ("page_megabytes", lambda value: float(value) / 2**20 or None), "DEPTH_LIMIT": ("max_depth", _read_limit),
    "CLOSESPIDER_PAGECOUNT": ("max_pages", _read_limit), "CLOSESPIDER_ITEMCOUNT": ("max_articles", _read_limit),
    "CLOSESPIDER_TIMEOUT": ("max_minutes", lambda value: float(value) / 60 or None),
    "HOST_WINDOW": ("window", str), "HOST_TIME_ZONE": ("time_zone", str), "PROXY": ("proxy", str),
    "ARTICLE_METHOD": ("method", str), "ARTICLE_LANGUAGE": ("language", str), "ARTICLE_REQUIRED": ("required", _read_list),
    "ARTICLE_IGNORE_AUTHORS": ("ignore_authors", _read_list),
}  # fmt: skip
#: Further settings of Scrapy that apply to portals.
_APPLICABLE = re.compile(
    r"LOG_|STATS_|MEMUSAGE_|ASYNCIO_|TWISTED_REACTOR|FORCE_CRAWLER_PROCESS|REACTOR_THREADPOOL_MAXSIZE|CONCURRENT_(?:REQUESTS|ITEMS)$|"
    r"DOWNLOAD_WARNSIZE|DEFAULT_REQUEST_HEADERS|DEFAULT_DROPITEM_LOG_LEVEL|EXTENSIONS$|SPIDER_MIDDLEWARES$|CONTACT|EDITOR|COMMANDS_MODULE"
)
_COMPONENTS, _FOREIGN = ("DOWNLOADER_MIDDLEWARES", "ITEM_PIPELINES"), object()
#: Why others do not, with the alternative.
_REFUSED = {
    r"ROBOTSTXT_|RIGHTS_": "robots.txt and reservations of the publisher always apply (`disregard` of the portal names exceptions)",
    r"USER_AGENT": "requests carry the name of the program and the contact: -s CONTACT=you@your.domain",
    r"FEED": "articles (-o, -O) are stored in the database, and `newscrawler export --output FILE` writes them",
    r"AUTOTHROTTLE|RANDOMIZE|DOWNLOAD_DELAY_|DOWNLOAD_SLOTS|CONCURRENT_": "a host gets one request every DOWNLOAD_DELAY seconds",
    r"JOBDIR|SCHEDULER|DUPEFILTER|DEPTH_": "the queue is in the database, by the priorities of the portal",
    r"RETRY|REDIRECT|METAREFRESH|HTTPERROR": "the crawl keeps redirects and failures as outcomes of URLs, and decides on retries",
    r"CLOSESPIDER_": "limits are -s CLOSESPIDER_PAGECOUNT, CLOSESPIDER_ITEMCOUNT and CLOSESPIDER_TIMEOUT",
    r"COOKIES|HTTPCACHE|HTTPAUTH|HTTPPROXY": "the keys `cookies`, `keep_pages`, `headers` and `proxy` of the portal are for that",
    r"DOWNLOAD_VERIFY|DOWNLOADER_CLIENT|TRUSTED|DOWNLOAD_TLS": "they are verified; `certificates` of the portal adds some",
    r"TELNET|REMOTE_CONTROL": "a crawl opens no port",
    r".*_DATABASE": "`database` of newscrawler.toml, or NEWSCRAWLER_DATABASE, names the database",
    r"": "the crawl of a portal does not use it",
}


def is_given(settings: BaseSettings, name: str) -> bool:
    """Return whether a setting is one of the command line."""
    return settings.getpriority(name) == SETTINGS_PRIORITIES["cmdline"]


def _is_same(value: Any, ours: Any) -> bool:
    return str(value) == str(ours) or (isinstance(ours, bool) and str(value).lower() in {str(ours).lower(), str(int(ours))})


def read_command_line(settings: BaseSettings) -> dict[str, Any]:
    """Return the keys of the portal that `-s` sets, and add the components that it names to ours; settings of others stay.

    Raises:
        ConfigError: a setting is not possible in the crawl of a portal, or has a wrong value.
    """
    keys: dict[str, Any] = {}
    for name in [name for name in settings if is_given(settings, name)]:
        value, ours = settings.get(name), getattr(components, name, getattr(default_settings, name, _FOREIGN))
        if name in _KEYS:
            key, read = _KEYS[name]
            try:
                keys[key] = read(value)
            except ValueError as error:
                raise ConfigError(f"-s {name}={value} is not a number.") from error
        elif isinstance(ours, dict) and name in _COMPONENTS:
            given = settings.getdict(name)
            if (missing := next((each for each, order in given.items() if order is None and each in ours), None)) is not None:
                raise ConfigError(f"-s {name}: {missing} cannot be switched off in the crawl of a portal.")
            settings.set(name, {**ours, **given}, priority="cmdline")
        elif not (_APPLICABLE.match(name) or _is_same(value, ours) or (ours is _FOREIGN and not name.endswith("_DATABASE"))):
            why = next(text for pattern, text in _REFUSED.items() if re.match(pattern, name))
            raise ConfigError(f"-s {name}={value} is not possible in the crawl of a portal: {why}.")
    return keys
