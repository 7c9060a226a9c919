"""Numbers with their nouns in messages."""

from __future__ import annotations


def counted(number: float, noun: str) -> str:
    """Return a number with its noun in the singular or plural, for nouns whose plural ends in s."""
    shown = number if isinstance(number, int) else f"{number:g}"
    return f"{shown} {noun}" if number == 1 else f"{shown} {noun}s"
