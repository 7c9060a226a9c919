"""Patterns that users write, searched for in addresses with a deadline: a nested repetition can take hours otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field

import regex

from newscrawler.limits import PATTERN_CHARACTERS, PATTERN_SECONDS

#: Addresses as sites have them, with every letter, and each ending so that a pattern has to try all ways of dividing it.
_SIGNS = "AbcdefghijklmnopqrstuvwxyZaBCDEFGHIJKLMNOPQRSTUVWXYz-_.0123456789"
_TRIALS = tuple(
    f"https://www.example.com/{_SIGNS}/{path}!"
    for path in ("2026/11/27/" + "harbour-ferry-returns-" * 4, "a" * 60, "1234567890" * 5, "?" + "page=2&id=314159&" * 5, "a/" * 40)
)


@dataclass(slots=True)
class UserPattern:
    """A regular expression in the syntax of the library `regex`. After one search beyond the deadline it finds nothing."""

    pattern: str
    #: Where a search for it took too long; "": nowhere.
    gave_up_at: str = field(default="", init=False, compare=False)
    _compiled: regex.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compile it.

        Raises:
            ValueError: it is too long, does not compile, or takes too long on addresses; the message follows "… is …".
        """
        if len(self.pattern) > PATTERN_CHARACTERS:
            raise ValueError(f", which has {len(self.pattern):,} characters; {PATTERN_CHARACTERS:,} are allowed")
        try:
            self._compiled = regex.compile(self.pattern)
        except regex.error as error:
            raise ValueError(f", which does not compile ({error})") from error
        except RecursionError as error:
            raise ValueError(", which has too many brackets within each other") from error
        for address in _TRIALS:
            self.search(address)
        if self.gave_up_at:
            raise ValueError(
                f", which takes over {PATTERN_SECONDS * 1000:.0f} ms on an address such as {self.gave_up_at}; repetitions within a "
                "repetition, as in (a+)+, are the usual cause"
            )

    def __hash__(self) -> int:
        """Return the hash of the text."""
        return hash(self.pattern)

    def search(self, address: str) -> bool:
        """Return whether it is found in an address; False from the first search on that took too long."""
        try:
            return not self.gave_up_at and self._compiled.search(address, timeout=PATTERN_SECONDS) is not None
        except TimeoutError:
            self.gave_up_at = address
            return False
