"""Read the reservations of a portal's pages, and decide which of them count."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from newscrawler.article import Reservation, Reserved
from newscrawler.politeness.rights.decide import Decision, decide, explain
from newscrawler.politeness.rights.directives import EVERYBODY, from_header, from_meta
from newscrawler.politeness.rights.origin import OriginStatements
from newscrawler.politeness.rights.purposes import Intent
from newscrawler.politeness.rights.rsl import MEDIA_TYPE, RslDocument
from newscrawler.politeness.rights.tdm import tdm_choice
from newscrawler.politeness.rights.usage import from_usage_headers

#: The header fields that are read, in lower case.
FIELDS = ("x-robots-tag", "tdm-reservation", "tdm-policy", "content-usage", "content-signal")
#: Bytes that occur in every page that declares a licence.
LICENSE_MARK = MEDIA_TYPE.encode()
_LINK_ELEMENT = re.compile(rb"<link\s[^>]{0,600}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([a-zA-Z]+)\s*=\s*(?:"([^"]{0,400})"|'([^']{0,400})'|([^\s"'>]{1,400}))""")
_LINK_FIELD = re.compile(r"<([^>]{1,400})>\s*((?:;[^,;\"]*(?:\"[^\"]*\")?)*)")


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

    def said(
        self,
        url: str,
        *,
        origin: OriginStatements,
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
        found = list(from_header(headers.get("x-robots-tag", ()), self.token, zone=self.zone))
        for name in (*EVERYBODY, self.token.lower()):
            found += from_meta(name, meta.get(name, ()), self.token, zone=self.zone)
        choice = tdm_choice(url, origin.tdm, headers, meta)
        found += [origin.conditioned(choice, research=research)] if choice is not None else []
        found += [item for item in origin.reservations(url, research=research) if item.word is not Reserved.TDM]
        found += from_usage_headers(headers)
        for document in licenses:
            found += document.reservations(url)
        return tuple(dict.fromkeys(found))

    def decide(self, reservations: Sequence[Reservation], now: datetime) -> Decision:
        """Return the decision that follows from reservations."""
        return decide(reservations, self.disregard, now, self.intent)

    def explain(self, reservation: Reservation, now: datetime) -> str:
        """Return why, in one sentence."""
        return explain(reservation, self.disregard, now, self.intent)


def license_in_header(fields: Sequence[str]) -> str | None:
    """Return the address of the licence that Link fields name (RSL 1.0, section 4.5)."""
    for value in fields:
        for address, parameters in _LINK_FIELD.findall(value[:4_000]):
            declared = parameters.replace(" ", "").replace('"', "").lower()
            if "rel=license" in declared and f"type={MEDIA_TYPE}" in declared:
                return str(address).strip()
    return None


def license_in_page(body: bytes) -> str | None:
    """Return the address of the licence that a link element names (RSL 1.0, section 4.6)."""
    if LICENSE_MARK not in body:
        return None
    for element in _LINK_ELEMENT.findall(body):
        found = {name.lower(): (b"".join(values)).decode("utf-8", "replace") for name, *values in _ATTRIBUTE.findall(element)}
        if "license" in found.get(b"rel", "").lower().split() and found.get(b"type", "").strip().lower() == MEDIA_TYPE:
            return found.get(b"href")
    return None
