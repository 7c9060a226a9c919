"""The past of a portal: the days of its addresses, the lists that name them by date, and copies of web archives."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
