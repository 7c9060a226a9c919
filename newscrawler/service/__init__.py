"""The service: when each portal is crawled, how its crawls went, and who is notified.

Pure: `planner` (when), `figures` and `health` (assess a crawl), `digest` (the daily report).
With side effects: `supervisor` and its parts (`jobs`, `scheduled_crawls`, `fork_server`, `children`, `notifications`, `metrics`),
and `daemon` around it; `workers` spread it over machines.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
