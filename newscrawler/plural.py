"""Numbers with their nouns in messages."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural, for nouns whose plural ends in s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
