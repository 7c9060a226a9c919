"""Hosts, their robots.txt, and the log of what was asked of them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, LargeBinary, SmallInteger, String, Table

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime

#: The one gate of a host, or of an address that hosts resolve to; shared by all portals, processes and machines.
HOST = Table(
    "host",
    METADATA,
    #: A host name in small letters without port, or an IP address; an address is one row, whether named or resolved to.
    Column("name", String(255), primary_key=True),
    #: No request before that: the delay behind the one before.
    Column("next_free_at", UtcDateTime),
    #: A request is under way, by whom (machine, process, number), and until when it is believed to be.
    Column("held_by", String(300)),
    Column("held_until", UtcDateTime),
    #: Somebody else waits for the gate while it is held.
    Column("wanted", Boolean, default=False, nullable=False),
    #: When the latest request was answered, or given up.
    Column("answered_at", UtcDateTime),
    #: How long the host takes to answer, the latest answers counting most; None: not known.
    Column("response_seconds", Float),
    #: The delay is multiplied by this: 1 as a rule, more where the host answers slowly or with errors.
    Column("slowdown", Float, default=1.0, nullable=False),
    #: Failures in a row.
    Column("troubles", Integer, default=0, nullable=False),
    #: Nothing is asked of the host before that, and why not.
    Column("paused_until", UtcDateTime),
    Column("paused_because", String(200)),
    #: The pause is the last one: after it came trouble again and again.
    Column("left_alone", Boolean, default=False, nullable=False),
)


#: What an origin said of robots the last time, and when it is asked again.
ROBOTS = Table(
    "robots",
    METADATA,
    #: scheme://host, with the port where it is not the scheme's own.
    Column("origin", String(300), primary_key=True),
    #: Host name alone, as in `host`.
    Column("host", String(255), index=True, nullable=False),
    #: rules: `body` holds them; allow: there are none; forbid: it does not tell.
    Column("verdict", String(10), nullable=False),
    #: The last answer's; None: no answer.
    Column("status", SmallInteger),
    #: Why it does not tell, or why the answer holds no rules.
    Column("because", String(300)),
    #: At most 500 KiB, as they came.
    Column("body", LargeBinary),
    Column("asked_at", UtcDateTime, nullable=False),
    #: Asked again from then on.
    Column("expires_at", UtcDateTime, nullable=False),
    #: Failures in a row; the pause grows with them.
    Column("troubles", Integer, default=0, nullable=False),
    #: Crawl-delay or Request-rate for us, as it stands there; None: none.
    Column("asks_seconds", Float),
)


#: One request that was sent; old ones are deleted.
FETCH = Table(
    "fetch_log",
    METADATA,
    Column("id", RowId, primary_key=True),
    #: When it was sent.
    Column("at", UtcDateTime, nullable=False),
    Column("host", String(255), nullable=False),
    #: Whom it was sent to; None where no connection came about.
    Column("address", String(45)),
    #: The portal's name; None: a single page (`newscrawler extract URL`).
    Column("portal", String(200)),
    Column("run_id", Integer),
    #: page, robots, tdm (tdmrep.json) or part (a further page of an article).
    Column("kind", String(10), nullable=False),
    #: None: no answer; `reason` says why.
    Column("status", SmallInteger),
    #: A word of PageReason where the request failed.
    Column("reason", String(60)),
    #: Of the body, as it came over the line.
    Column("bytes", BigInteger, nullable=False),
    #: From sending to the end of the answer.
    Column("milliseconds", Integer, nullable=False),
    #: The delay that was in force between the request before and this one.
    Column("gap_seconds", Float, nullable=False),
    Index("ix_fetch_log_host", "host", "at"),
    Index("ix_fetch_log_portal", "portal", "at"),
    Index("ix_fetch_log_at", "at"),
)
