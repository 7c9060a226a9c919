"""Verdicts on articles: the words for faults, asked for on the terminal or read from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.store.articles import Review

#: The values of `newscrawler.store.articles.reviews.Fault`; a test checks that they agree.
FAULTS = {
    "title-wrong": "the title is another",
    "lead-missing": "the page has a lead, the article has none",
    "lead-wrong": "the lead is something else",
    "part-missing": "a part of the text is missing",
    "foreign-text": "advertisements, captions, links or other texts are in it",
    "date-wrong": "the time of publication is another, or missing",
    "authors-wrong": "the authors are others, or missing",
    "no-article": "the page holds no article at all",
    "other": "something else; say it with --note",
}
#: Keys that an expectation may have.
_GOLD = frozenset({"title", "lead", "body", "paragraphs", "date", "authors", "section", "with", "without", "article"})


def format_verdict(review: Review) -> str:
    """Return the words for the faults, or "right"."""
    return ", ".join(review.faults) or "right"


def describe_review(review: Review) -> dict[str, Any]:
    """Return a review as JSON values."""
    return {
        "id": review.article_id, "portal": review.portal, "url": review.url, "section": review.section, "right": review.right,
        "faults": list(review.faults), "note": review.note, "gold": None if review.gold is None else dict(review.gold),
        "reviewed_at": review.reviewed_at.isoformat(),
    }  # fmt: skip


def ask_verdict() -> list[str] | None:
    """Ask for a verdict and return it, or None to quit."""
    click.echo("\nr right, s skip, q quit; or what is wrong, parted by commas:")
    for number, (word, meaning) in enumerate(FAULTS.items(), 1):
        click.echo(f"  {number} {word:<14} {meaning}")
    while True:
        answer = click.prompt("verdict", default="", show_default=False).strip().lower()
        if answer in {"q", "quit"}:
            return None
        if answer in {"r", "right"}:
            return []
        if answer in {"s", "skip"}:
            return ["skip"]
        words = [_find_word(part.strip()) for part in answer.split(",") if part.strip()]
        if words and all(words):
            return [word for word in words if word]
        click.echo("r, s, q, or numbers or words of the list")


def _find_word(word: str) -> str | None:
    if word.isdecimal():
        return list(FAULTS)[int(word) - 1] if 1 <= int(word) <= len(FAULTS) else None
    return word if word in FAULTS else None


def read_correction(path: Path) -> dict[str, Any]:
    """Read a person's correction from a file."""
    from newscrawler.corpus.reviews import read_gold

    try:
        gold = json.loads(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not JSON: {error}") from error
    if not isinstance(gold, dict):
        raise ConfigError(f"{path} holds no JSON object; `newscrawler review show ID --json` writes one to start from")
    if unknown := sorted(gold.keys() - _GOLD):
        raise ConfigError(f"{path} has {unknown[0]!r}, which is not known; known are: {', '.join(sorted(_GOLD))}")
    if isinstance(read := read_gold(gold), str):
        raise ConfigError(f"{path}: {read}")
    return gold
