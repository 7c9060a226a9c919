"""Work with texts after the crawl: search results, statistics, exports, removal, re-extraction. Names load on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
