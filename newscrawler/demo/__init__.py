"""The bundled news portal that the demo crawls, its gold, and the check of a crawl against it.

Nothing here is imported by the crawler itself. Everything is generated in memory from the texts in texts/, with the
standard library alone.
"""

from newscrawler.demo.check import Report, check
from newscrawler.demo.gold import PublishedArticle
from newscrawler.demo.portal import TIME_ZONE, Portal
from newscrawler.demo.server import Access, RunningPortal, serve

__all__ = ["TIME_ZONE", "Access", "Portal", "PublishedArticle", "Report", "RunningPortal", "check", "serve"]
