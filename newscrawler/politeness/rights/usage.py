"""Content-Usage (IETF AIPREF) and Content-Signal (Cloudflare): preferences about uses, in header fields and robots.txt.

In both drafts the most restrictive of several preferences applies. The drafts treat an unreadable value as unknown and leave the
consequence open; here it counts as a reservation, with a note. Content-Usage is a Dictionary of Structured Fields (RFC 9651,
section 3.2), parsed strictly and in bounded time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from newscrawler.article import Reservation, Reserved
from newscrawler.politeness.rights.path_patterns import matches, measure_specificity

#: Longer fields are not read.
LONGEST_FIELD = 4_000
LONGEST_SAID = 200
#: draft-ietf-aipref-vocab-08, section 6.1; older revisions had other labels for the same.
_CATEGORIES = {
    "train-ai": Reserved.AI_TRAIN, "train-genai": Reserved.AI_TRAIN, "ai-use": Reserved.AI_INPUT, "search": Reserved.SEARCH,
    "all": Reserved.TEXT_ANALYSIS, "tdm": Reserved.TEXT_ANALYSIS,
}  # fmt: skip
_SIGNALS = {"search": Reserved.SEARCH, "ai-input": Reserved.AI_INPUT, "ai-train": Reserved.AI_TRAIN}
#: Words for how much of a text may be kept and shown (Content Signals, July 2026).
_USE = {"immediate": Reserved.ANY_USE, "reference": Reserved.REPRODUCTION, "full": None}
_UNREADABLE = "it cannot be read, so it counts as a reservation"


def parse_dictionary(text: str) -> dict[str, str | None] | None:
    """Return the members of a dictionary: a Token as its text, any other value as None; the last of equal keys counts.

    Returns:
        None: it is not a dictionary (RFC 9651, section 4.2.2: then the whole field is ignored).
    """
    if len(text) > LONGEST_FIELD:
        return None
    import http_sf  # few pages have such a field

    try:
        members: Any = http_sf.parse(text.encode("ascii"), tltype="dictionary")
    except (http_sf.StructuredFieldError, UnicodeEncodeError):
        return None
    return {name: str(value) if isinstance(value, http_sf.Token) else None for name, (value, _) in members.items()}


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


def match_usage(url_path: str, rules: Sequence[UsageRule]) -> tuple[Reservation, ...]:
    """Return the statements of robots.txt on uses of a page: per kind of line the longest pattern, equal ones together."""
    found: dict[Reservation, None] = {}
    for name in ("Content-Usage", "Content-Signal"):
        fitting = [rule for rule in rules if rule.name == name and (rule.path is None or matches(rule.path, url_path))]
        longest = max((measure_specificity(rule.path or "") for rule in fitting), default=0)
        for rule in fitting:
            if measure_specificity(rule.path or "") == longest:
                found.update(dict.fromkeys(read_usage(name, [rule.value], f"robots.txt {name}")))
    return tuple(found)


def read_usage_headers(headers: Mapping[str, Sequence[str]]) -> tuple[Reservation, ...]:
    """Read the header fields of a response, which apply to its content."""
    found: list[Reservation] = []
    for name in ("Content-Usage", "Content-Signal"):
        if values := headers.get(name.lower()):
            found += read_usage(name, values, f"{name} header")
    return tuple(found)


def read_usage(name: str, values: Sequence[str], place: str) -> Iterator[Reservation]:
    """Read the values of one field, whose lines count as one (RFC 9110, section 5.3)."""
    text = ", ".join(value for value in values if value.strip())
    yield from _read_content_usage(text, place) if name == "Content-Usage" else _read_content_signals(text, place)


def _read_content_usage(text: str, place: str) -> Iterator[Reservation]:
    members = parse_dictionary(text)
    if members is None:  # the drafts: all preferences are unknown
        for word in (Reserved.AI_TRAIN, Reserved.AI_INPUT, Reserved.SEARCH):
            yield _make_usage_reservation(word, text, place, _UNREADABLE)
        return
    for label, value in members.items():
        if label in _CATEGORIES and value != "y":
            said = f"{label}={value}" if value else text
            yield _make_usage_reservation(_CATEGORIES[label], said, place, None if value == "n" else _UNREADABLE)


def _read_content_signals(text: str, place: str) -> Iterator[Reservation]:
    for piece in text.replace(";", ",").split(","):
        key, equals, value = (part.strip().lower() for part in piece.partition("="))
        said = f"{key}={value}" if equals else key
        if key == "use" and value not in _USE:
            yield _make_usage_reservation(Reserved.REPRODUCTION, said, place, _UNREADABLE)
        elif key == "use" and (word := _USE[value]) is not None:
            yield _make_usage_reservation(word, said, place, None)
        elif key in _SIGNALS and value != "yes":
            yield _make_usage_reservation(_SIGNALS[key], said, place, None if value == "no" else _UNREADABLE)


def _make_usage_reservation(word: Reserved, said: str, place: str, note: str | None) -> Reservation:
    return Reservation(word=word, said=said[:LONGEST_SAID], place=place, note=note)
