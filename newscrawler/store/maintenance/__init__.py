"""Maintenance of the database: copies, backups, checks, pruning."""

from newscrawler.store.maintenance.check import check
from newscrawler.store.maintenance.copying import back_up, copy_database
from newscrawler.store.maintenance.prune import PruneLimits, prune, vacuum
from newscrawler.store.maintenance.shell import answer, find_program, program_name

__all__ = [
    "PruneLimits",
    "answer",
    "back_up",
    "check",
    "copy_database",
    "find_program",
    "program_name",
    "prune",
    "vacuum",
]
