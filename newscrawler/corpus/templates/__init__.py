"""Layout drift: detect that the pages of a portal have changed, learn a new template, and adopt it if it is better.

`figures` computes statistics of the pages of a crawl run, `limits` derives their usual range from earlier runs, `sampling` selects
pages to learn from and pages to hold out, `comparison` compares two templates on the held-out pages, and `repair` does all of it
at the end of a run.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
