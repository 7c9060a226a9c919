"""The only package that knows WARC: raw responses kept as they came, by portal and day, and read again.

A file belongs to one portal, one day and one process, so that processes never write into each other's; which record of which
file contains a page is in the database. Records are ISO 28500 (WARC/1.1), each its own gzip member, so that one is read without
its file (in an object store, each has its own object); what HTTP compressed is kept uncompressed, its header renamed to
X-Crawler-Content-Encoding, as Common Crawl does.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
