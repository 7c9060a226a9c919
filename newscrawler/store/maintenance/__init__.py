"""Maintenance of the database: copies, backups, checks, pruning."""

from newscrawler.store.maintenance.copying import back_up, copy_database
from newscrawler.store.maintenance.upkeep import PruneLimits, check, prune, vacuum

__all__ = ["PruneLimits", "back_up", "check", "copy_database", "prune", "vacuum"]
