"""Maintenance of the database: copies, backups, checks, pruning."""

from newscrawler.store.care.backup import Backup, back_up
from newscrawler.store.care.check import Finding, check
from newscrawler.store.care.copying import TableCopied, copy_database
from newscrawler.store.care.prune import Pruned, Retention, prune
from newscrawler.store.care.shell import Answer, Program, answer, find_program, program_name
from newscrawler.store.care.vacuum import Vacuumed, vacuum

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
