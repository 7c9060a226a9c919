"""Identity of the crawler: keys, signatures of requests (RFC 9421, Web Bot Auth), and their publication for verification."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
