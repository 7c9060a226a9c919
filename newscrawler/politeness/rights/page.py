"""Reservations of a portal's pages: robots meta elements, X-Robots-Tag, TDM fields, preferences and licences.

Robots directives follow the grammar that search engines document; there is no standard. Directives for all robots and for us are
combined. The name of a robot in X-Robots-Tag applies up to the next name in the same field; directives for others are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime

from newscrawler.article import Reservation, Reserved
from newscrawler.politeness.rights.decisions import Intent, RightsDecision, decide_rights
from newscrawler.politeness.rights.origin import OriginPolicies
from newscrawler.politeness.rights.rsl import MEDIA_TYPE, RslDocument
from newscrawler.politeness.rights.tdm import choose_tdm_reservation
from newscrawler.politeness.rights.usage import read_usage_headers

#: Names that mean every robot.
EVERYBODY = frozenset({"robots", "*"})
#: Longer text is not a directive.
LONGEST_VALUE = 2_000
LONGEST_SAID = 200
_DIRECTIVES = {
    "noindex": (Reserved.NOINDEX,), "nofollow": (Reserved.NOFOLLOW,), "none": (Reserved.NOINDEX, Reserved.NOFOLLOW),
    "noarchive": (Reserved.NOARCHIVE,), "nocache": (Reserved.NOARCHIVE,), "noai": (Reserved.AI_TRAIN, Reserved.AI_INPUT),
    "noimageai": (Reserved.AI_IMAGES,),
}  # fmt: skip
#: Directives with a value after a colon, so that the name before it is not a robot's.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_NAMED = re.compile(r"\s*([A-Za-z*][\w.*/-]*)\s*:\s*")
_OTHERS = frozenset({
    "all", "index", "follow", "archive", "nosnippet", "noodp", "noydir", "notranslate", "noimageindex", "indexifembedded",
    "snippet",
})  # fmt: skip
_SPACE = re.compile(r"\s+")
#: The header fields that are read, in lower case.
FIELDS = ("x-robots-tag", "tdm-reservation", "tdm-policy", "content-usage", "content-signal")
#: Bytes that occur in every page that declares a licence.
LICENSE_MARK = MEDIA_TYPE.encode()
_LINK_ELEMENT = re.compile(rb"<link\s[^>]{0,600}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([a-zA-Z]+)\s*=\s*(?:"([^"]{0,400})"|'([^']{0,400})'|([^\s"'>]{1,400}))""")
_LINK_FIELD = re.compile(r"<([^>]{1,400})>\s*((?:;[^,;\"]*(?:\"[^\"]*\")?)*)")


def read_robots_header(values: Sequence[str], token: str, *, zone: tzinfo = UTC) -> tuple[Reservation, ...]:
    """Read the X-Robots-Tag fields of a response; `zone`: of dates without an offset."""
    found = (item for value in values for item in _read_directives(value, "X-Robots-Tag", token, zone))
    return tuple(dict.fromkeys(found))


def read_robots_meta(name: str, values: Sequence[str], token: str, *, zone: tzinfo = UTC) -> tuple[Reservation, ...]:
    """Read the contents of the meta elements of one name; those for other robots are ignored."""
    if name.strip().lower() not in EVERYBODY | {token.lower()}:
        return ()
    found = (item for value in values for item in _read_directives(value, f"meta {name.strip().lower()}", token, zone))
    return tuple(dict.fromkeys(found))


def _read_directives(value: str, place: str, token: str, zone: tzinfo) -> Iterator[Reservation]:
    ours = True
    for robot, directive in _split_directives(value[:LONGEST_VALUE]):
        if robot is not None:
            ours = robot.partition("/")[0].lower() in EVERYBODY | {token.lower()}
        if not ours:
            continue
        word, _, argument = directive.partition(":")
        if word.strip().lower() == "unavailable_after":
            moment = _parse_date(argument.strip(), zone)
            yield _make_robots_reservation(Reserved.UNAVAILABLE_AFTER, directive, place, moment)
            continue
        for piece in directive.replace(";", " ").split():  # some write blanks for commas
            for reserved in _DIRECTIVES.get(piece.lower(), ()):
                yield _make_robots_reservation(reserved, piece, place, None)


def _split_directives(value: str) -> Iterator[tuple[str | None, str]]:
    """Yield (robot named here, directive). A comma in the date of unavailable_after does not separate directives."""
    robot: str | None = None
    dated: str | None = None
    for segment in value.split(","):
        name = _NAMED.match(segment)
        if dated is not None:
            if name is None and segment.strip().lower() not in _DIRECTIVES.keys() | _OTHERS:
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


def _make_robots_reservation(word: Reserved, said: str, place: str, moment: datetime | None) -> Reservation:
    return Reservation(word=word, said=_SPACE.sub(" ", said).strip()[:LONGEST_SAID], place=place, from_at=moment)


def _parse_date(text: str, zone: tzinfo) -> datetime | None:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRights:
    """The settings of one portal."""

    #: Our product token.
    token: str
    #: Words of DISREGARDABLE to ignore.
    disregard: frozenset[str] = frozenset()
    #: Time zone of dates without an offset.
    zone: tzinfo = UTC
    #: The purposes of the corpus.
    intent: Intent = field(default_factory=Intent)

    def list_reservations(
        self,
        url: str,
        *,
        origin: OriginPolicies,
        headers: Mapping[str, Sequence[str]],
        meta: Mapping[str, Sequence[str]],
        licenses: Sequence[RslDocument] = (),
    ) -> tuple[Reservation, ...]:
        """Return all reservations for a page.

        Args:
            url: of the page.
            origin: the statements of its origin.
            headers: FIELDS of the response by lower-case name, one string per field.
            meta: contents of the page's meta elements by lower-case name; empty if it is not HTML.
            licenses: declared by the page itself.
        """
        research = self.intent.legal_basis is not None
        found = list(read_robots_header(headers.get("x-robots-tag", ()), self.token, zone=self.zone))
        for name in (*EVERYBODY, self.token.lower()):
            found += read_robots_meta(name, meta.get(name, ()), self.token, zone=self.zone)
        choice = choose_tdm_reservation(url, origin.tdm, headers, meta)
        found += [origin.apply_policy(choice, research=research)] if choice is not None else []
        found += [item for item in origin.list_reservations(url, research=research) if item.word is not Reserved.TDM]
        found += read_usage_headers(headers)
        for document in licenses:
            found += document.list_reservations(url)
        return tuple(dict.fromkeys(found))

    def decide(self, reservations: Sequence[Reservation], now: datetime) -> RightsDecision:
        """Return the decision that follows from reservations."""
        return decide_rights(reservations, self.disregard, now, self.intent)


def find_license_in_header(fields: Sequence[str]) -> str | None:
    """Return the address of the licence that Link fields name (RSL 1.0, section 4.5)."""
    for value in fields:
        for address, parameters in _LINK_FIELD.findall(value[:4_000]):
            declared = parameters.replace(" ", "").replace('"', "").lower()
            if "rel=license" in declared and f"type={MEDIA_TYPE}" in declared:
                return str(address).strip()
    return None


def find_license_in_page(body: bytes) -> str | None:
    """Return the address of the licence that a link element names (RSL 1.0, section 4.6)."""
    if LICENSE_MARK not in body:
        return None
    for element in _LINK_ELEMENT.findall(body):
        found = {name.lower(): (b"".join(values)).decode("utf-8", "replace") for name, *values in _ATTRIBUTE.findall(element)}
        if "license" in found.get(b"rel", "").lower().split() and found.get(b"type", "").strip().lower() == MEDIA_TYPE:
            return found.get(b"href")
    return None
