"""Maintenance of the database: copies, backups, checks, pruning."""

from newscrawler.store.maintenance.check import check
from newscrawler.store.maintenance.copying import back_up, copy_database
from newscrawler.store.maintenance.prune import PruneLimits, prune, vacuum

__all__ = ["PruneLimits", "back_up", "check", "copy_database", "prune", "vacuum"]
