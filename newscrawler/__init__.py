"""A polite, focused news crawler: portals in, clean articles in an SQL database out, night after night.

Exported names are loaded on first use: a command that only reads the database needs no extractor.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
