"""Scrapy's settings with their reasons; `make_portal_settings` adds those of a portal, with headers whose secrets are in files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.request import getproxies

from scrapy.settings import Settings

from newscrawler import __version__
from newscrawler.config import DEFAULT_DELAY_SECONDS, DEFAULT_PURPOSE, Configuration, Portal, format_user_agent
from newscrawler.errors import ConfigError

#: Prefix of a header's value that names the file with the value.
FILE = "file:"


def read_headers(headers: Iterable[tuple[str, str]], folder: Path) -> dict[str, str]:
    """Return the headers with the values from their files.

    Args:
        headers: (name, value) of the configuration.
        folder: of relative paths.

    Raises:
        ConfigError: a file cannot be read, or has more than one line.
    """
    return {name: _read(f"the value of the header {name}", value, folder) for name, value in headers}


def _read(subject: str, value: str, folder: Path) -> str:
    """Return a value, or the only line of the file that it names."""
    if not value.startswith(FILE):
        return value
    path = folder / value.removeprefix(FILE)
    try:
        lines = path.read_text("utf-8").strip().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{subject} cannot be read from {path}: {error}") from error
    if len(lines) != 1:
        raise ConfigError(f"{path} holds {len(lines)} lines; write {subject} on one line")
    return lines[0].strip()


def _check_certificates(path: Path | None) -> str | None:
    """Return the path of a file with certificates.

    Raises:
        ConfigError: it cannot be read, or has none.
    """
    try:
        if path is not None and b"-----BEGIN CERTIFICATE-----" not in path.read_bytes():
            raise ConfigError(f"{path} contains no certificate; it must contain certificates in PEM (BEGIN CERTIFICATE)")
    except OSError as error:
        raise ConfigError(f"the certificates of the portal cannot be read from {path}: {error}") from error
    return str(path) if path is not None else None


BOT_NAME = "newscrawler"
SPIDER_MODULES = ["newscrawler.crawl.components.spider"]
USER_AGENT = f"newscrawler/{__version__}"

# Ports that a service must not open.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# One request at a time for a host; the delay between two of them is kept by the host's slot, for all crawls together.
CONCURRENT_REQUESTS_PER_DOMAIN = 1
CONCURRENT_REQUESTS = 8
DOWNLOAD_DELAY = 0.0
DOWNLOAD_DELAY_JITTER = 0.0
DOWNLOAD_HANDLERS = {
    "http": "newscrawler.crawl.GuardedHandler", "https": "newscrawler.crawl.GuardedHandler", "data": None, "file": None,
    "ftp": None, "s3": None,
}  # fmt: skip

#: Settings that Scrapy does not have.
OWN_SETTINGS = (
    "CONTACT", "IDENTITY_FOLDER", "IDENTITY_URL", "HOSTS_DATABASE", "HOST_DELAY", "HOST_DELAYS", "HOST_DENYLIST", "HOST_WINDOW",
    "HOST_TIME_ZONE", "PRIVATE_HOSTS", "PRIVATE_NETWORKS", "PROXY", "RIGHTS_DISREGARD", "RIGHTS_LEGAL_BASIS", "RIGHTS_PURPOSE",
    "TRUSTED_CERTIFICATES",
)  # fmt: skip

# Limits of a page; a portal may set others.
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 5 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True

# Nothing of the user is sent: no cookies, no referrers.
COOKIES_ENABLED = False
REFERER_ENABLED = False

# The frontier decides about redirects, retries and the scope: each is an outcome of a URL and is kept.
REDIRECT_ENABLED = False
METAREFRESH_ENABLED = False
RETRY_ENABLED = False
HTTPERROR_ALLOW_ALL = True
DEPTH_LIMIT = 0
# Scrapy's own middleware allows everything if robots.txt is unreachable; ours replaces it.
ROBOTSTXT_OBEY = True
ROBOTSTXT_PARSER = "newscrawler.crawl.RobotsParser"

# Our components and the defaults of their settings; see docs/components.md.
ADDONS = {"newscrawler.crawl.ConfigurationAddon": 0}
CONTACT = None
IDENTITY_URL = None
IDENTITY_FOLDER = None
HOSTS_DATABASE = None
HOST_DELAY = DEFAULT_DELAY_SECONDS
HOST_DELAYS: dict[str, float] = {}
HOST_DENYLIST: list[str] = []
HOST_WINDOW = None
HOST_TIME_ZONE = "UTC"
PRIVATE_HOSTS: list[str] = []
PRIVATE_NETWORKS: list[str] = []
PROXY = None
TRUSTED_CERTIFICATES = None
RIGHTS_DISREGARD: list[str] = []
RIGHTS_PURPOSE = list(DEFAULT_PURPOSE)
RIGHTS_LEGAL_BASIS = None
TWISTED_DNS_RESOLVER = "newscrawler.crawl.CheckingResolver"
# Of Scrapy's own components only those that are named below: each that is named, even as None, is a module more to load.
DOWNLOADER_MIDDLEWARES_BASE: dict[str, int] = {}
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
EXTENSIONS_BASE: dict[str, int] = {}
DOWNLOADER_MIDDLEWARES = {
    "newscrawler.crawl.RobotsMiddleware": 100,
    "newscrawler.crawl.RightsMiddleware": 110,
    "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
    "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
    "newscrawler.crawl.StrictCompressionMiddleware": 590,  # Scrapy's own, but for bodies that break off
    "newscrawler.crawl.HostSlotMiddleware": 950,
    # next to the downloader: behind the waiting, as signatures are short-lived
    "newscrawler.crawl.SigningMiddleware": 960,
}
#: For portals with cookies, and for those behind a proxy.
_COOKIES = {"scrapy.downloadermiddlewares.cookies.CookiesMiddleware": 700}
_PROXY = {"newscrawler.crawl.ProxyMiddleware": 750}
EXTENSIONS = {"newscrawler.crawl.components.memory.MemoryUsage": 0}
MEMUSAGE_CHECK_INTERVAL_SECONDS = 5.0
CONCURRENT_ITEMS = 1  # a response gives one item; Scrapy makes as many tasks a response as this says
WARN_ON_GENERATOR_RETURN_VALUE = False  # it reads the spider's source for every page
DOWNLOADER_STATS = False  # the run's own figures are kept with it
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"  # the frontier's unique key does it

SCHEDULER = "newscrawler.crawl.SqlScheduler"
ITEM_PIPELINES = {
    "newscrawler.crawl.BlockDetectionPipeline": 100,
    "newscrawler.crawl.MetadataPipeline": 200,
    "newscrawler.crawl.DateExtractionPipeline": 300,
    "newscrawler.crawl.FallbackPipeline": 400,
    "newscrawler.crawl.SqlStoragePipeline": 500,
}
LOG_LEVEL = "INFO"
LOG_VERSIONS: list[str] = []  # eleven lines before each crawl; `scrapy version -v` prints them


def project_settings() -> Settings:
    """Return the settings of this module, for crawls that Scrapy's own commands do not start."""
    settings = Settings()
    settings.setmodule("newscrawler.crawl.components.settings", priority="project")
    settings.set("LOG_ENABLED", False, priority="project")  # the command line sets up logging
    settings.set("ADDONS", {}, priority="project")  # the configuration is known
    return settings


def make_configuration_settings(configuration: Configuration) -> dict[str, Any]:
    """Return the settings of a configuration."""
    return {
        "USER_AGENT": format_user_agent(configuration.contact, configuration.identity),
        "CONTACT": configuration.contact,
        "HOST_DENYLIST": list(configuration.denylist),
        "IDENTITY_URL": configuration.identity,
        "IDENTITY_FOLDER": str(configuration.identity_folder),
        "RIGHTS_PURPOSE": list(configuration.purpose),
        "RIGHTS_LEGAL_BASIS": configuration.intent.legal_basis,
        "HOST_DELAY": float(configuration.defaults.get("delay", DEFAULT_DELAY_SECONDS)),
    }


def make_portal_settings(portal: Portal, configuration: Configuration) -> dict[str, Any]:
    """Return the settings of a portal."""
    headers = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.1"}
    if portal.language:
        headers["Accept-Language"] = f"{portal.language},*;q=0.5"
    folder = configuration.path.parent if configuration.path else Path()
    proxied = portal.proxy != "none" if portal.proxy is not None else not {"http", "https"}.isdisjoint(getproxies())
    return make_configuration_settings(configuration) | {
        "DOWNLOAD_TIMEOUT": portal.timeout_seconds,
        "DOWNLOAD_MAXSIZE": int(portal.page_megabytes * 1024 * 1024),
        "DEFAULT_REQUEST_HEADERS": headers | read_headers(portal.headers.items(), folder),
        "COOKIES_ENABLED": portal.keeps_cookies,
        "DOWNLOADER_MIDDLEWARES": DOWNLOADER_MIDDLEWARES | (_COOKIES if portal.keeps_cookies else {}) | (_PROXY if proxied else {}),
        "HOSTS_DATABASE": configuration.database_url,
        "HOST_DELAY": portal.delay_seconds,
        "HOST_WINDOW": str(portal.window) if portal.window is not None else None,
        "HOST_TIME_ZONE": portal.time_zone,
        "PRIVATE_HOSTS": [*portal.start_urls, *portal.feeds, *portal.sitemaps, *portal.hosts],
        "PROXY": _read("the address of the proxy", portal.proxy, folder) if portal.proxy is not None else None,
        "TRUSTED_CERTIFICATES": _check_certificates(portal.certificates),
        "PRIVATE_NETWORKS": list(portal.networks),
        "RIGHTS_DISREGARD": sorted(portal.disregard),
    }
