"""Lists of URLs, and the keywords under which articles of collections are filed. Pure."""

from __future__ import annotations

from newscrawler.crawl.collections.filing import FiledKeyword, keywords_of
from newscrawler.crawl.collections.url_list import UrlList, read_urls

__all__ = ["FiledKeyword", "UrlList", "keywords_of", "read_urls"]
