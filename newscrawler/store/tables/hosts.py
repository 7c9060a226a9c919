"""Hosts, their robots.txt, and the log of what was asked of them."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from sqlalchemy import BigInteger, Boolean, Float, Index, Integer, LargeBinary, SmallInteger, String, Table
from sqlalchemy.orm import Mapped, mapped_column

from newscrawler.store.tables.base import Base, RowId, UtcDateTime


class HostRow(Base):
    """The one gate of a host, or of an address that hosts resolve to; shared by all portals, processes and machines."""

    __tablename__ = "host"

    #: A host name in small letters without port, or an IP address; an address is one row, whether named or resolved to.
    name: Mapped[str] = mapped_column(String(255), primary_key=True)
    #: No request before that: the delay behind the one before.
    next_free_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: A request is under way, by whom (machine, process, number), and until when it is believed to be.
    held_by: Mapped[str | None] = mapped_column(String(300))
    held_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: Somebody else waits for the gate while it is held.
    wanted: Mapped[bool] = mapped_column(Boolean, default=False)
    #: When the latest request was answered, or given up.
    answered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: How long the host takes to answer, the latest answers counting most; None: not known.
    response_seconds: Mapped[float | None] = mapped_column(Float)
    #: The delay is multiplied by this: 1 as a rule, more where the host answers slowly or with errors.
    slowdown: Mapped[float] = mapped_column(Float, default=1.0)
    #: Failures in a row.
    troubles: Mapped[int] = mapped_column(Integer, default=0)
    #: Nothing is asked of the host before that, and why not.
    paused_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    paused_because: Mapped[str | None] = mapped_column(String(200))
    #: The pause is the last one: after it came trouble again and again.
    left_alone: Mapped[bool] = mapped_column(Boolean, default=False)


class RobotsRow(Base):
    """What an origin said of robots the last time, and when it is asked again."""

    __tablename__ = "robots"

    #: scheme://host, with the port where it is not the scheme's own.
    origin: Mapped[str] = mapped_column(String(300), primary_key=True)
    #: Host name alone, as in `host`.
    host: Mapped[str] = mapped_column(String(255), index=True)
    #: rules: `body` holds them; allow: there are none; forbid: it does not tell.
    verdict: Mapped[str] = mapped_column(String(10))
    #: The last answer's; None: no answer.
    status: Mapped[int | None] = mapped_column(SmallInteger)
    #: Why it does not tell, or why the answer holds no rules.
    because: Mapped[str | None] = mapped_column(String(300))
    #: At most 500 KiB, as they came.
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    asked_at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: Asked again from then on.
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: Failures in a row; the pause grows with them.
    troubles: Mapped[int] = mapped_column(Integer, default=0)
    #: Crawl-delay or Request-rate for us, as it stands there; None: none.
    asks_seconds: Mapped[float | None] = mapped_column(Float)


class FetchRow(Base):
    """One request that was sent; old ones are deleted."""

    __tablename__ = "fetch_log"
    __table_args__ = (
        Index("ix_fetch_log_host", "host", "at"),
        Index("ix_fetch_log_portal", "portal", "at"),
        Index("ix_fetch_log_at", "at"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    #: When it was sent.
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    host: Mapped[str] = mapped_column(String(255))
    #: Whom it was sent to; None where no connection came about.
    address: Mapped[str | None] = mapped_column(String(45))
    #: The portal's name; None: a single page (`newscrawler extract URL`).
    portal: Mapped[str | None] = mapped_column(String(200))
    run_id: Mapped[int | None] = mapped_column(Integer)
    #: page, robots, tdm (tdmrep.json) or part (a further page of an article).
    kind: Mapped[str] = mapped_column(String(10))
    #: None: no answer; `reason` says why.
    status: Mapped[int | None] = mapped_column(SmallInteger)
    #: A word of PageReason where the request failed.
    reason: Mapped[str | None] = mapped_column(String(60))
    #: Of the body, as it came over the line.
    bytes: Mapped[int] = mapped_column(BigInteger)
    #: From sending to the end of the answer.
    milliseconds: Mapped[int] = mapped_column(Integer)
    #: The delay that was in force between the request before and this one.
    gap_seconds: Mapped[float] = mapped_column(Float)


HOST = cast("Table", HostRow.__table__)
ROBOTS = cast("Table", RobotsRow.__table__)
FETCH = cast("Table", FetchRow.__table__)
