"""What publishers reserved: for single pages, and for whole origins in tdmrep.json."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Index, Integer, SmallInteger, String, Table, Text

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime

#: One thing that was said of one page; it stays when it is no longer said, and when the article is purged.
RESERVATION = Table(
    "reservation",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", Integer, nullable=False),
    #: Of the frontier.
    Column("url_id", RowId, nullable=False),
    #: noindex, nofollow, noarchive, unavailable_after, tdm.
    Column("word", String(20), nullable=False),
    Column("said", String(200), nullable=False),
    Column("place", String(40), nullable=False),
    #: The opposite was said: text mining is not reserved for this page, though it may be for its origin.
    Column("granted", Boolean, nullable=False),
    Column("policy", Text),
    #: When unavailable_after begins to hold.
    Column("from_at", UtcDateTime),
    Column("first_said_at", UtcDateTime, nullable=False),
    Column("last_said_at", UtcDateTime, nullable=False),
    #: The first visit on which it was no longer said; None: it still is.
    Column("ended_at", UtcDateTime),
    Index("ix_reservation_url", "url_id"),
    Index("ix_reservation_portal", "portal_id", "word"),
)


#: What an origin's tdmrep.json said the last time, and when it is asked for again.
TDM_FILE = Table(
    "tdm_file",
    METADATA,
    #: scheme://host, with the port where it is not the scheme's own.
    Column("origin", String(300), primary_key=True),
    #: [[location, reserved, policy], ...]
    Column("rules", JSON, nullable=False),
    #: The last answer's; None: no answer.
    Column("status", SmallInteger),
    #: Why there are no rules, or those of an earlier answer.
    Column("because", String(300)),
    Column("asked_at", UtcDateTime, nullable=False),
    #: When these rules were first seen.
    Column("said_since", UtcDateTime, nullable=False),
    #: Asked again from then on.
    Column("expires_at", UtcDateTime, nullable=False),
)
