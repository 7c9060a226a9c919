"""Releases: snapshots of a corpus that can be cited, checked, compared and made again."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
