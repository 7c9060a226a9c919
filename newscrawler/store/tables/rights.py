"""What publishers reserved: for single pages, and for whole origins in tdmrep.json."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, SmallInteger, String, Table, Text

from newscrawler.article import Reserved
from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime, one_of

RESERVATION = Table(
    "reservation",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the reservation."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("url_id", ForeignKey("frontier.id"), nullable=False, comment="URL in the frontier that the reservation is about."),
    Column("kind", String(20), nullable=False, comment="What is reserved."),
    Column("statement", String(200), nullable=False, comment="The words of the publisher."),
    Column("place", String(40), nullable=False, comment="Where it was declared, such as X-Robots-Tag or meta robots."),
    Column("is_granted", Boolean, nullable=False, comment="True: the opposite was declared, text mining is allowed for this page."),
    Column("policy", Text, comment="URL of the conditions."),
    Column("effective_at", UtcDateTime, comment="Time from which unavailable_after holds, in UTC."),
    Column("first_seen_at", UtcDateTime, nullable=False, comment="Visit at which it was seen first, in UTC."),
    Column("last_seen_at", UtcDateTime, nullable=False, comment="Latest visit at which it was seen, in UTC."),
    Column("ended_at", UtcDateTime, comment="First visit at which it was no longer declared, in UTC; NULL: it still holds."),
    Index("ix_reservation_url", "url_id"),
    Index("ix_reservation_portal", "portal_id", "kind"),
    one_of("kind", Reserved),
    comment="Rights that publishers reserve for single pages; rows stay when a reservation ends or an article is purged.",
)


TDM_POLICY = Table(
    "tdm_policy",
    METADATA,
    Column("origin", String(300), primary_key=True, comment="scheme://host, with the port where it is not the default."),
    Column("rules", JSON, nullable=False, comment="Rules: [[location, reserved, policy], ...]."),
    Column("http_status", SmallInteger, comment="HTTP status of the latest response; NULL if there was none."),
    Column("reason", String(300), comment="Why there are no rules, or only those of an earlier response."),
    Column("fetched_at", UtcDateTime, nullable=False, comment="Time of the latest request for it, in UTC."),
    Column("unchanged_since", UtcDateTime, nullable=False, comment="Time at which these rules were seen first, in UTC."),
    Column("expires_at", UtcDateTime, nullable=False, comment="Time from which it is requested again, in UTC."),
    comment="tdmrep.json (TDM Reservation Protocol) of each origin, as it was last received.",
)
