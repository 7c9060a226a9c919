"""Politeness without Scrapy and SQL: delays, back-off, windows, robots.txt and permitted addresses."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
