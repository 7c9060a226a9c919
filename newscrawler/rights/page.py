"""How the pages of one portal are read for reservations, and which of them count."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from newscrawler.article import Reservation, Reserved
from newscrawler.rights.decide import Decision, decide, explain
from newscrawler.rights.directives import EVERYBODY, from_header, from_meta
from newscrawler.rights.origin import OriginStatements
from newscrawler.rights.purposes import Intent
from newscrawler.rights.rsl import MEDIA_TYPE, RslDocument
from newscrawler.rights.tdm import tdm_choice
from newscrawler.rights.usage import from_usage_headers

#: The header fields that are read, in small letters.
FIELDS = ("x-robots-tag", "tdm-reservation", "tdm-policy", "content-usage", "content-signal")
#: What the bytes of each page that declares a licence contain.
LICENSE_MARK = MEDIA_TYPE.encode()
_LINK_ELEMENT = re.compile(rb"<link\s[^>]{0,600}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([a-zA-Z]+)\s*=\s*(?:"([^"]{0,400})"|'([^']{0,400})'|([^\s"'>]{1,400}))""")
_LINK_FIELD = re.compile(r"<([^>]{1,400})>\s*((?:;[^,;\"]*(?:\"[^\"]*\")?)*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRights:
    """The settings of one portal."""

    #: Our product token.
    token: str
    #: Words of DISREGARDABLE.
    disregard: frozenset[str] = frozenset()
    #: What dates without an offset count in.
    zone: tzinfo = UTC
    #: What the corpus is for.
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
        """Everything that is reserved for a page.

        Args:
            url: of the page.
            origin: what its origin says.
            headers: FIELDS of the response, by small letters, one string a field.
            meta: contents of the page's meta elements, by small letters; empty for what is not a page of HTML.
            licenses: that the page itself declares.
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
        """What follows from that."""
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
