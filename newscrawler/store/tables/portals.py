"""Portals, and the crawls of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from sqlalchemy import JSON, BigInteger, ForeignKey, Integer, String, Table
from sqlalchemy.orm import Mapped, mapped_column

from newscrawler.store.tables.base import Base, UtcDateTime


class PortalRow(Base):
    """A portal that was crawled at least once."""

    __tablename__ = "portal"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    #: Counts the nights: a run that follows a finished one begins a new round, one that follows a broken one goes on.
    round: Mapped[int] = mapped_column(Integer, default=0)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: What crawls found out of it as a whole: how it writes dates, what it answers where there is no page.
    learned: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class RunRow(Base):
    """One crawl of one portal by one process."""

    __tablename__ = "run"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"), index=True)
    round: Mapped[int] = mapped_column(Integer)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    heartbeat_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_because: Mapped[str | None] = mapped_column(String(200))
    host: Mapped[str] = mapped_column(String(255))
    #: Boot and namespace of process numbers: where `pid` means something.
    machine: Mapped[str | None] = mapped_column(String(400))
    pid: Mapped[int] = mapped_column(Integer)
    #: In ticks since the machine started: a number that was given anew is another process.
    process_began: Mapped[int | None] = mapped_column(BigInteger)
    version: Mapped[str] = mapped_column(String(40))
    counts: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


PORTAL = cast("Table", PortalRow.__table__)
RUN = cast("Table", RunRow.__table__)
