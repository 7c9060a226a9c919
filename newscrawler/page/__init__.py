"""Bytes → text → Document, parsed once; its views are shared by all methods. Names are loaded on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
