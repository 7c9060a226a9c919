"""Robots meta elements and X-Robots-Tag, by the grammar that search engines document; there is no standard.

Rules for all robots and rules for us are combined: what either reserves is reserved. The name of a robot in X-Robots-Tag applies
up to the next name in the same field. Rules for other robots are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime

from newscrawler.article import Reservation, Reserved

#: Names that mean every robot.
EVERYBODY = frozenset({"robots", "*"})
#: Longer text is not a directive.
LONGEST_VALUE = 2_000
LONGEST_SAID = 200
_WORDS = {
    "noindex": (Reserved.NOINDEX,),
    "nofollow": (Reserved.NOFOLLOW,),
    "none": (Reserved.NOINDEX, Reserved.NOFOLLOW),
    "noarchive": (Reserved.NOARCHIVE,),
    "nocache": (Reserved.NOARCHIVE,),
    "noai": (Reserved.AI_TRAIN, Reserved.AI_INPUT),
    "noimageai": (Reserved.AI_IMAGES,),
}
#: Directives with a value after a colon, so that the name before it is not a robot's.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_NAMED = re.compile(r"\s*([A-Za-z*][\w.*/-]*)\s*:\s*")
_OTHERS = frozenset({
    "all", "index", "follow", "archive", "nosnippet", "noodp", "noydir", "notranslate", "noimageindex", "indexifembedded",
    "snippet",
})  # fmt: skip
_SPACE = re.compile(r"\s+")


def from_header(values: Sequence[str], token: str, *, zone: tzinfo = UTC) -> tuple[Reservation, ...]:
    """Read the X-Robots-Tag fields of a response.

    Args:
        values: one string per field, in order.
        token: our product token.
        zone: time zone of dates without an offset.
    """
    found = (item for value in values for item in _read(value, "X-Robots-Tag", token, zone))
    return tuple(dict.fromkeys(found))


def from_meta(name: str, values: Sequence[str], token: str, *, zone: tzinfo = UTC) -> tuple[Reservation, ...]:
    """Read the contents of the meta elements of one name; those for other robots are ignored."""
    if name.strip().lower() not in EVERYBODY | {token.lower()}:
        return ()
    found = (item for value in values for item in _read(value, f"meta {name.strip().lower()}", token, zone))
    return tuple(dict.fromkeys(found))


def _read(value: str, place: str, token: str, zone: tzinfo) -> Iterator[Reservation]:
    ours = True
    for robot, directive in _directives(value[:LONGEST_VALUE]):
        if robot is not None:
            ours = robot.partition("/")[0].lower() in EVERYBODY | {token.lower()}
        if not ours:
            continue
        word, _, argument = directive.partition(":")
        if word.strip().lower() == "unavailable_after":
            moment = _moment(argument.strip(), zone)
            yield _reservation(Reserved.UNAVAILABLE_AFTER, directive, place, moment)
            continue
        for piece in directive.replace(";", " ").split():  # some write blanks for commas
            for reserved in _WORDS.get(piece.lower(), ()):
                yield _reservation(reserved, piece, place, None)


def _directives(value: str) -> Iterator[tuple[str | None, str]]:
    """Yield (robot named here, directive). A comma in the date of unavailable_after does not separate directives."""
    robot: str | None = None
    dated: str | None = None
    for segment in value.split(","):
        name = _NAMED.match(segment)
        if dated is not None:
            if name is None and not _is_word(segment):
                dated += f",{segment}"
                continue
            yield robot, dated
            robot, dated = None, None
        directive = segment
        if name is not None and name[1].lower() not in _VALUED:
            robot, directive = name[1], segment[name.end() :]
        if directive.strip().lower().startswith("unavailable_after"):
            dated = directive
            continue
        yield robot, directive
        robot = None
    if dated is not None:
        yield robot, dated


def _is_word(segment: str) -> bool:
    return segment.strip().lower() in _WORDS.keys() | _OTHERS


def _reservation(word: Reserved, said: str, place: str, moment: datetime | None) -> Reservation:
    return Reservation(word=word, said=_SPACE.sub(" ", said).strip()[:LONGEST_SAID], place=place, from_at=moment)


def _moment(text: str, zone: tzinfo) -> datetime | None:
    """Return a date in the format of RFC 822, RFC 850 or ISO 8601, or None if it cannot be read."""
    text = text.strip("\"' ")
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
            return moment.astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None
