"""Crawls with Scrapy. The package exports its components, which any Scrapy project can use, and each loads at its first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
