"""Maintenance of the database: copies, backups, checks, pruning."""

from newscrawler.store.maintenance.backup import Backup, back_up
from newscrawler.store.maintenance.check import Finding, check
from newscrawler.store.maintenance.copying import TableCopied, copy_database
from newscrawler.store.maintenance.prune import Pruned, Retention, prune
from newscrawler.store.maintenance.shell import Answer, Program, answer, find_program, program_name
from newscrawler.store.maintenance.vacuum import Vacuumed, vacuum

__all__ = [
    "Answer",
    "Backup",
    "Finding",
    "Program",
    "Pruned",
    "Retention",
    "TableCopied",
    "Vacuumed",
    "answer",
    "back_up",
    "check",
    "copy_database",
    "find_program",
    "program_name",
    "prune",
    "vacuum",
]
