"""The web application over store/ and service/: view, search, check and control the crawls."""

from newscrawler.web.application import create_app
from newscrawler.web.requests.context import WebContext
from newscrawler.web.requests.passwords import hash_password
from newscrawler.web.server import WebServer, WebSettings

__all__ = ["WebContext", "WebServer", "WebSettings", "create_app", "hash_password"]
