"""The names that may be the value of a field, each with its features, and a comparison of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import combining, normalize

from newscrawler.extraction.body.site_names import letters_of


@dataclass(slots=True)
class NameCandidate:
    """A name, however often it was found."""

    key: str
    name: str
    #: Values of features; 0 if missing.
    values: dict[str, float] = field(default_factory=dict)


class NameCandidates(dict[str, NameCandidate]):
    """The candidates of a page by their letters, in the order in which they were found."""

    def get_or_add(self, name: str) -> NameCandidate:
        """Return the candidate with the letters of a name; a new one where there is none."""
        key = fold_letters(name)
        return self[key] if key in self else self.setdefault(key, NameCandidate(key, name))


def fold_letters(text: str) -> str:
    """Return letters and digits, folded and without accents, as addresses write them."""
    key = letters_of(text)
    return key if key.isascii() else "".join(sign for sign in normalize("NFD", key) if not combining(sign))


def compare_candidates(rows: Mapping[str, dict[str, float]], evidence: Sequence[str], compared: Sequence[str]) -> None:
    """Add to the features of each candidate its comparison with the others.

    Args:
        rows: the features by candidate.
        evidence: names of those that speak for a candidate.
        compared: names of those of which it counts how many others have them.
    """
    for values in rows.values():
        values["evidence"] = float(sum(values[name] > 0 for name in evidence))
    most = max((values["evidence"] for values in rows.values()), default=0.0)
    totals = {name: sum(values[name] > 0 for values in rows.values()) for name in compared}
    for key, values in rows.items():
        values["candidates"] = float(len(rows))
        values["less evidence"] = most - values["evidence"]
        values["part of other"] = float(any(key in other and key != other for other in rows))
        values["holds other"] = float(any(other in key and key != other for other in rows))
        values.update((f"others {name}", float(total - (values[name] > 0))) for name, total in totals.items())


#: The features that `compare_candidates` adds, besides those of others.
COMPARED = ("evidence", "candidates", "less evidence", "part of other", "holds other")
