"""Maintenance of the database: copies, backups, checks, pruning."""

from newscrawler.store.maintenance.backup import back_up
from newscrawler.store.maintenance.check import check
from newscrawler.store.maintenance.copying import copy_database
from newscrawler.store.maintenance.prune import PruneLimits, prune
from newscrawler.store.maintenance.shell import answer, find_program, program_name
from newscrawler.store.maintenance.vacuum import measure_sizes, vacuum

__all__ = [
    "PruneLimits",
    "answer",
    "back_up",
    "check",
    "copy_database",
    "find_program",
    "measure_sizes",
    "program_name",
    "prune",
    "vacuum",
]
