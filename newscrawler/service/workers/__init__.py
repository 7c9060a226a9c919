"""Many machines on one PostgreSQL: an elected planner that dispatches crawls, and workers that carry them out.

`planner` is the service's supervisor with a launcher that dispatches instead of forking; `worker` takes jobs as long as it has
memory; `daemon` is the loop of `newscrawler worker`, in which a process does both. Leases and the queue are in `store.dispatch`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
