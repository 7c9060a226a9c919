"""Builds pages with Chromium in a process without a network; the caller answers the requests of a page."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
