"""Configuration: newscrawler.toml as frozen, validated models.

Exports load on first use: few commands need pydantic and tomlkit.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
