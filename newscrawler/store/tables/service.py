"""What the nightly service remembers: turns, alerts, digests, exports, and which process it is."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from sqlalchemy import JSON, BigInteger, Index, Integer, SmallInteger, String, Table, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from newscrawler.store.tables.base import Base, RowId, UtcDateTime


class ServiceRow(Base):
    """The one process that sees to everything; there is one row at most."""

    __tablename__ = "service"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    host: Mapped[str] = mapped_column(String(255))
    machine: Mapped[str] = mapped_column(String(400))
    pid: Mapped[int] = mapped_column(Integer)
    process_began: Mapped[int | None] = mapped_column(BigInteger)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    beat_at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: None while it runs.
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: What is wrong with it, such as a configuration that was refused; empty: nothing.
    trouble: Mapped[str] = mapped_column(Text)


class WatchRow(Base):
    """A portal that the service sees to; its missed turns count from here."""

    __tablename__ = "watch"

    portal: Mapped[str] = mapped_column(String(200), primary_key=True)
    since: Mapped[datetime] = mapped_column(UtcDateTime)


class TurnRow(Base):
    """One time at which a portal was to be crawled, and what became of it."""

    __tablename__ = "turn"
    __table_args__ = (UniqueConstraint("portal", "label"), Index("ix_turn_planned", "portal", "planned_at"))

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal: Mapped[str] = mapped_column(String(200))
    label: Mapped[str] = mapped_column(String(40))
    planned_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[str] = mapped_column(String(12))
    attempts: Mapped[int] = mapped_column(SmallInteger)
    began_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    because: Mapped[str] = mapped_column(String(300))


class AlertRow(Base):
    """A trouble from its beginning to its end, and who was told of either."""

    __tablename__ = "alert"
    __table_args__ = (Index("ix_alert_portal", "portal", "over_at"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal: Mapped[str] = mapped_column(String(200))
    trouble: Mapped[str] = mapped_column(String(40))
    sentence: Mapped[str] = mapped_column(Text)
    began_at: Mapped[datetime] = mapped_column(UtcDateTime)
    over_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: Names of the ways by which its beginning and its end were told.
    told: Mapped[list[str]] = mapped_column(JSON)
    told_over: Mapped[list[str]] = mapped_column(JSON)


class DigestRow(Base):
    """A day's digest, and by which ways it was sent."""

    __tablename__ = "digest"

    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)
    told: Mapped[list[str]] = mapped_column(JSON)


class ExportRow(Base):
    """A file that an export of the configuration has written."""

    __tablename__ = "export"
    __table_args__ = (Index("ix_export_name", "name", "id"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    path: Mapped[str] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(UtcDateTime)
    articles: Mapped[int] = mapped_column(Integer)
    #: The newest article that was there; the next export of what is new begins behind it.
    last_article_id: Mapped[int] = mapped_column(RowId)


SERVICE = cast("Table", ServiceRow.__table__)
WATCH = cast("Table", WatchRow.__table__)
TURN = cast("Table", TurnRow.__table__)
ALERT = cast("Table", AlertRow.__table__)
DIGEST = cast("Table", DigestRow.__table__)
EXPORT = cast("Table", ExportRow.__table__)
