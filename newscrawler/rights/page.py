"""How the pages of one portal are read for reservations, and which of them count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from newscrawler.article import Reservation
from newscrawler.rights.decide import Decision, decide
from newscrawler.rights.directives import EVERYBODY, from_header, from_meta
from newscrawler.rights.tdm import TdmRules, tdm_choice

#: The header fields that are read, in small letters.
FIELDS = ("x-robots-tag", "tdm-reservation", "tdm-policy")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRights:
    """The settings of one portal."""

    #: Our product token.
    token: str
    #: Words of DISREGARDABLE.
    disregard: frozenset[str] = frozenset()
    #: What dates without an offset count in.
    zone: tzinfo = UTC

    def said(
        self, url: str, *, rules: TdmRules, headers: Mapping[str, Sequence[str]], meta: Mapping[str, Sequence[str]]
    ) -> tuple[Reservation, ...]:
        """Everything that is reserved for a page.

        Args:
            url: of the page.
            rules: of its origin's tdmrep.json.
            headers: FIELDS of the response, by small letters, one string a field.
            meta: contents of the page's meta elements, by small letters; empty for what is no page of HTML.
        """
        found = list(from_header(headers.get("x-robots-tag", ()), self.token, zone=self.zone))
        for name in (*EVERYBODY, self.token.lower()):
            found += from_meta(name, meta.get(name, ()), self.token, zone=self.zone)
        choice = tdm_choice(url, rules, headers, meta)
        return (*found, choice) if choice is not None else tuple(found)

    def decide(self, reservations: Sequence[Reservation], now: datetime) -> Decision:
        """What follows from that."""
        return decide(reservations, self.disregard, now)
