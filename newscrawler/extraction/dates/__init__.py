"""When an article was published: dates of all kinds, grouped by day, and a model that ranks the days."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
