"""Scrapy's settings, each with what it is for; `scrapy_settings` adds what a portal asks for."""

from __future__ import annotations

from scrapy.settings import Settings
from scrapy.settings.default_settings import DOWNLOADER_MIDDLEWARES_BASE, EXTENSIONS_BASE, SPIDER_MIDDLEWARES_BASE

from newscrawler import __version__
from newscrawler.config.portal import Portal

BOT_NAME = "newscrawler"
SPIDER_MODULES = ["newscrawler.crawl.spider"]
USER_AGENT = f"newscrawler/{__version__}"

# Doors that a service must not leave open.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# One request at a time for a host; the delay between two of them is kept by the host's gate, for all crawls together.
CONCURRENT_REQUESTS_PER_DOMAIN = 1
CONCURRENT_REQUESTS = 8
DOWNLOAD_DELAY = 0.0
DOWNLOAD_DELAY_JITTER = 0.0
DOWNLOAD_HANDLERS = {
    "http": "newscrawler.crawl.download.PoliteHandler",
    "https": "newscrawler.crawl.download.PoliteHandler",
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
}

# Of the largest and slowest page; a portal may say otherwise.
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 5 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True

# Nothing of the user's goes out: no cookies, no proxy or credentials from the environment, no referrers.
COOKIES_ENABLED = False
HTTPPROXY_ENABLED = False
REFERER_ENABLED = False

# The frontier decides about redirects, retries and the scope: each is an outcome of a URL and is kept.
REDIRECT_ENABLED = False
METAREFRESH_ENABLED = False
RETRY_ENABLED = False
HTTPERROR_ALLOW_ALL = True
DEPTH_LIMIT = 0
ROBOTSTXT_OBEY = False  # our own middleware does it by RFC 9309
DOWNLOADER_MIDDLEWARES = {
    "newscrawler.crawl.robots.RobotsMiddleware": 100,
    "newscrawler.crawl.reservations.TdmMiddleware": 110,
    # Of Scrapy's own only these: each of the others is a module more to load, and most are a call more for every page.
    **dict.fromkeys(DOWNLOADER_MIDDLEWARES_BASE),
    "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
    "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
    "newscrawler.crawl.unpacking.WholeBodies": 590,  # Scrapy's own, but for bodies that break off
}
SPIDER_MIDDLEWARES = dict.fromkeys(SPIDER_MIDDLEWARES_BASE)
EXTENSIONS = {**dict.fromkeys(EXTENSIONS_BASE), "scrapy.extensions.memusage.MemoryUsage": 0}
MEMUSAGE_CHECK_INTERVAL_SECONDS = 5.0
CONCURRENT_ITEMS = 1  # a response gives one item; Scrapy makes as many tasks a response as this says
WARN_ON_GENERATOR_RETURN_VALUE = False  # reads the spider's source anew for every page
DOWNLOADER_STATS = False  # the run's own figures are kept with it
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"  # the frontier's unique key does it

# The recipe: what becomes of a page, in this order.
ITEM_PIPELINES = {
    "newscrawler.crawl.pipelines.BlockDetection": 100,
    "newscrawler.crawl.pipelines.PartsJoining": 150,
    "newscrawler.crawl.pipelines.MetadataReading": 200,  # tells the language, in which dates are read
    "newscrawler.crawl.pipelines.DateReading": 300,
    "newscrawler.crawl.pipelines.Validation": 400,
    "newscrawler.crawl.pipelines.Reserving": 420,
    "newscrawler.crawl.pipelines.Storage": 500,
}
LOG_ENABLED = False  # the command line sets up logging


def scrapy_settings(portal: Portal, user_agent: str) -> Settings:
    """Make the settings for crawling one portal."""
    settings = Settings()
    settings.setmodule("newscrawler.crawl.settings", priority="project")
    settings.set("USER_AGENT", user_agent, priority="cmdline")
    settings.set("DOWNLOAD_TIMEOUT", portal.timeout_seconds, priority="cmdline")
    settings.set("DOWNLOAD_MAXSIZE", int(portal.page_megabytes * 1024 * 1024), priority="cmdline")
    headers = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.1"}
    if portal.language:
        headers["Accept-Language"] = f"{portal.language},*;q=0.5"
    settings.set("DEFAULT_REQUEST_HEADERS", headers, priority="cmdline")
    return settings
