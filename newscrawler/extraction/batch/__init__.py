"""Extract many pages with several processes: from files, folders, WARC files and lists of addresses, one result per page."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
