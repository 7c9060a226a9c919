"""Suggestions for mistyped words."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

#: Words that other programs use for our commands.
_SYNONYMS = {
    "add": "portal add",
    "compare": "evaluate",
    "config": "portal show",
    "corpus": "release",
    "daemon": "run",
    "download": "crawl",
    "dump": "export",
    "fetch": "crawl",
    "find": "search",
    "grep": "search",
    "history": "runs list",
    "kwic": "concordance",
    "list": "articles",
    "ls": "articles",
    "migrate": "db upgrade",
    "ngrams": "frequencies",
    "portals": "portal list",
    "query": "search",
    "robots": "rights",
    "schedule": "run",
    "scrape": "crawl",
    "serve": "web",
    "server": "web",
    "service": "run",
    "spider": "crawl",
    "start": "run",
    "wrapper": "template",
    "update": "crawl",
    "upgrade": "db upgrade",
    "version": "--version",
}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word with the most similar spelling, or None."""
    by_folded = {name.lower(): name for name in known}
    found = get_close_matches(word.lower(), by_folded, n=1)
    return by_folded[found[0]] if found else None


def nearest_command(word: str, known: Iterable[str], *, outermost: bool) -> str | None:
    """Return the command that a word may mean: a synonym of the outermost group, else the nearest spelling."""
    synonym = _SYNONYMS.get(word.lower()) if outermost else None
    return synonym or nearest(word, known)
