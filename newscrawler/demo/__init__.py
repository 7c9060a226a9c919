"""The bundled news portal that the demo crawls, its gold, and the check of a crawl against it.

The crawler itself does not import this package. All pages are generated in memory: texts/ in layouts/.
"""

from newscrawler.demo.check import DemoReport, check
from newscrawler.demo.gold import PublishedArticle
from newscrawler.demo.portal import TIME_ZONE, DemoPortal
from newscrawler.demo.server import AccessEntry, RunningPortal, serve

__all__ = ["TIME_ZONE", "AccessEntry", "DemoPortal", "DemoReport", "PublishedArticle", "RunningPortal", "check", "serve"]
