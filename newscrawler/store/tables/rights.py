"""What publishers reserved, for single pages and for whole origins, and what they asked to be removed."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Index, Integer, LargeBinary, SmallInteger, String, Table, Text

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime

#: One thing that was said of one page; it stays when it is no longer said, and when the article is purged.
RESERVATION = Table(
    "reservation",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", Integer, nullable=False),
    #: Of the frontier.
    Column("url_id", RowId, nullable=False),
    #: A word of `newscrawler.article.Reserved`.
    Column("word", String(20), nullable=False),
    Column("said", String(200), nullable=False),
    Column("place", String(40), nullable=False),
    #: The opposite was said: text mining is not reserved for this page, though it may be for its origin.
    Column("granted", Boolean, nullable=False),
    Column("policy", Text),
    #: What else is known of it: why it counts though it cannot be read, the conditions of its policy.
    Column("note", String(200)),
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


#: A licence, a policy, or another file that an origin declares, as it was the last time.
RIGHTS_FILE = Table(
    "rights_file",
    METADATA,
    Column("url", String(500), primary_key=True),
    #: For whose pages it was asked for.
    Column("origin", String(300), index=True, nullable=False),
    #: rsl, odrl, ai.txt or trust.txt.
    Column("kind", String(20), nullable=False),
    #: The last answer's; None: no answer.
    Column("status", SmallInteger),
    #: Why there is no body, or that of an earlier answer.
    Column("because", String(300)),
    Column("body", LargeBinary),
    Column("asked_at", UtcDateTime, nullable=False),
    #: Asked again from then on.
    Column("expires_at", UtcDateTime, nullable=False),
)


#: One thing that an origin said about its pages, and when; it stays when it is no longer said.
ORIGIN_STATEMENT = Table(
    "origin_statement",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("origin", String(300), nullable=False),
    #: tdmrep.json, robots.txt Content-Signal, RSL licence, ...
    Column("place", String(40), nullable=False),
    Column("said", Text, nullable=False),
    Column("first_said_at", UtcDateTime, nullable=False),
    Column("last_said_at", UtcDateTime, nullable=False),
    #: When it was no longer said; None: it still is.
    Column("ended_at", UtcDateTime),
    Index("ix_origin_statement_origin", "origin", "ended_at"),
)


#: What the operator of a portal asked to be removed; its pages are not fetched or stored again.
REMOVAL = Table(
    "removal",
    METADATA,
    Column("id", RowId, primary_key=True),
    #: An address, in which `*` stands for anything.
    Column("pattern", String(500), unique=True, nullable=False),
    Column("because", Text, nullable=False),
    Column("asked_at", UtcDateTime, nullable=False),
    #: Articles that were removed.
    Column("articles", Integer, nullable=False),
)
