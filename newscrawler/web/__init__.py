"""The web application over store/ and service/: view, search, check and control the crawls."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
