"""Content-Usage (IETF AIPREF) and Content-Signal (Cloudflare): preferences about uses, in header fields and robots.txt.

In both drafts the most restrictive of several statements applies. The drafts treat an unreadable value as unknown and leave the
consequence open; here it counts as a reservation, with a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from newscrawler.article import Reservation, Reserved
from newscrawler.politeness.rights.path_patterns import matches, specificity
from newscrawler.politeness.rights.structured_fields import parse_dictionary

LONGEST_SAID = 200
#: draft-ietf-aipref-vocab-08, section 6.1; older revisions had other labels for the same.
_CATEGORIES = {
    "train-ai": Reserved.AI_TRAIN,
    "train-genai": Reserved.AI_TRAIN,
    "ai-use": Reserved.AI_INPUT,
    "search": Reserved.SEARCH,
    "all": Reserved.TEXT_ANALYSIS,
    "tdm": Reserved.TEXT_ANALYSIS,
}
_SIGNALS = {"search": Reserved.SEARCH, "ai-input": Reserved.AI_INPUT, "ai-train": Reserved.AI_TRAIN}
#: Words for how much of a text may be kept and shown (Content Signals, July 2026).
_USE = {"immediate": Reserved.ANY_USE, "reference": Reserved.REPRODUCTION, "full": None}
_UNREADABLE = "it cannot be read, so it counts as a reservation"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRule:
    """A line of robots.txt."""

    #: Content-Usage or Content-Signal.
    name: str
    #: None for the whole origin.
    path: str | None
    value: str

    @classmethod
    def parse(cls, name: str, line: str) -> UsageRule:
        """Read the part after the colon: a path and white space may precede the value (attach-05, section 3.2)."""
        first, _, rest = line.partition(" ") if " " in line else line.partition("\t")
        return cls(name=name, path=first, value=rest.strip()) if first.startswith("/") else cls(name=name, path=None, value=line)


def usage_of(url_path: str, rules: Sequence[UsageRule]) -> tuple[Reservation, ...]:
    """Return the statements of robots.txt on uses of a page: per kind of line the longest pattern, equal ones together.

    Args:
        url_path: path and query of a page that may be fetched.
        rules: those of our group.
    """
    found: dict[Reservation, None] = {}
    for name in ("Content-Usage", "Content-Signal"):
        fitting = [rule for rule in rules if rule.name == name and (rule.path is None or matches(rule.path, url_path))]
        longest = max((specificity(rule.path or "") for rule in fitting), default=0)
        for rule in fitting:
            if specificity(rule.path or "") == longest:
                found.update(dict.fromkeys(read_usage(name, [rule.value], f"robots.txt {name}")))
    return tuple(found)


def from_usage_headers(headers: Mapping[str, Sequence[str]]) -> tuple[Reservation, ...]:
    """Read the header fields of a response, which apply to its content."""
    found: list[Reservation] = []
    for name in ("Content-Usage", "Content-Signal"):
        if values := headers.get(name.lower()):
            found += read_usage(name, values, f"{name} header")
    return tuple(found)


def read_usage(name: str, values: Sequence[str], place: str) -> Iterator[Reservation]:
    """Read the values of one field, whose lines count as one (RFC 9110, section 5.3)."""
    text = ", ".join(value for value in values if value.strip())
    yield from _usage(text, place) if name == "Content-Usage" else _signals(text, place)


def _usage(text: str, place: str) -> Iterator[Reservation]:
    members = parse_dictionary(text)
    if members is None:  # the drafts: all preferences are unknown
        for word in (Reserved.AI_TRAIN, Reserved.AI_INPUT, Reserved.SEARCH):
            yield _reservation(word, text, place, _UNREADABLE)
        return
    for label, value in members.items():
        if label in _CATEGORIES and value != "y":
            said = f"{label}={value}" if value else text
            yield _reservation(_CATEGORIES[label], said, place, None if value == "n" else _UNREADABLE)


def _signals(text: str, place: str) -> Iterator[Reservation]:
    for piece in text.replace(";", ",").split(","):
        key, equals, value = (part.strip().lower() for part in piece.partition("="))
        said = f"{key}={value}" if equals else key
        if key == "use" and value not in _USE:
            yield _reservation(Reserved.REPRODUCTION, said, place, _UNREADABLE)
        elif key == "use" and (word := _USE[value]) is not None:
            yield _reservation(word, said, place, None)
        elif key in _SIGNALS and value != "yes":
            yield _reservation(_SIGNALS[key], said, place, None if value == "no" else _UNREADABLE)


def _reservation(word: Reserved, said: str, place: str, note: str | None) -> Reservation:
    return Reservation(word=word, said=said[:LONGEST_SAID], place=place, note=note)
