"""Reviews: articles that people judge, the gold that follows from their verdicts, and the results."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
