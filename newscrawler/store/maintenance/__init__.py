"""Maintenance of the database: copies, backups, checks, pruning."""

from newscrawler.store.maintenance.backup import back_up
from newscrawler.store.maintenance.check import check
from newscrawler.store.maintenance.copying import copy_database
from newscrawler.store.maintenance.prune import Retention, prune
from newscrawler.store.maintenance.shell import answer, find_program, program_name
from newscrawler.store.maintenance.vacuum import sizes_of, vacuum

__all__ = [
    "Retention",
    "answer",
    "back_up",
    "check",
    "copy_database",
    "find_program",
    "program_name",
    "prune",
    "sizes_of",
    "vacuum",
]
