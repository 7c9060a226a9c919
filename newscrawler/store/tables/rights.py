"""What publishers reserved: for single pages, and for whole origins in tdmrep.json."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from sqlalchemy import JSON, Boolean, Index, Integer, SmallInteger, String, Table, Text
from sqlalchemy.orm import Mapped, mapped_column

from newscrawler.store.tables.base import Base, RowId, UtcDateTime


class ReservationRow(Base):
    """One thing that was said of one page; it stays when it is no longer said, and when the article is purged."""

    __tablename__ = "reservation"
    __table_args__ = (Index("ix_reservation_url", "url_id"), Index("ix_reservation_portal", "portal_id", "word"))

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(Integer)
    #: Of the frontier.
    url_id: Mapped[int] = mapped_column(RowId)
    #: noindex, nofollow, noarchive, unavailable_after, tdm.
    word: Mapped[str] = mapped_column(String(20))
    said: Mapped[str] = mapped_column(String(200))
    place: Mapped[str] = mapped_column(String(40))
    #: The opposite was said: text mining is not reserved for this page, though it may be for its origin.
    granted: Mapped[bool] = mapped_column(Boolean)
    policy: Mapped[str | None] = mapped_column(Text)
    #: When unavailable_after begins to hold.
    from_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    first_said_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_said_at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: The first visit on which it was no longer said; None: it still is.
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class TdmFileRow(Base):
    """What an origin's tdmrep.json said the last time, and when it is asked for again."""

    __tablename__ = "tdm_file"

    #: scheme://host, with the port where it is not the scheme's own.
    origin: Mapped[str] = mapped_column(String(300), primary_key=True)
    #: [[location, reserved, policy], ...]
    rules: Mapped[list[list[Any]]] = mapped_column(JSON)
    #: The last answer's; None: no answer.
    status: Mapped[int | None] = mapped_column(SmallInteger)
    #: Why there are no rules, or those of an earlier answer.
    because: Mapped[str | None] = mapped_column(String(300))
    asked_at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: When these rules were first seen.
    said_since: Mapped[datetime] = mapped_column(UtcDateTime)
    #: Asked again from then on.
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)


RESERVATION = cast("Table", ReservationRow.__table__)
TDM_FILE = cast("Table", TdmFileRow.__table__)
