"""Kept pages, what was learned of portals, the figures of their nights, and people's judgement of articles."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, Integer, LargeBinary, String, Table, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from newscrawler.store.tables.base import Base, RowId, UtcDateTime


class WarcRow(Base):
    """A file of pages."""

    __tablename__ = "warc"
    __table_args__ = (UniqueConstraint("portal_id", "path"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"))
    #: Within the folder of pages.
    path: Mapped[str] = mapped_column(String(300))
    #: When its first page was fetched.
    began_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PageRow(Base):
    """A page as it was fetched at one time, and where it is kept."""

    __tablename__ = "page"
    __table_args__ = (
        Index("ix_page_url", "portal_id", "url_hash"),
        Index("ix_page_round", "portal_id", "round"),
        Index("ix_page_article", "article_id"),
        Index("ix_page_warc", "warc_id"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"))
    warc_id: Mapped[int] = mapped_column(ForeignKey("warc.id"))
    round: Mapped[int] = mapped_column(Integer)
    url: Mapped[str] = mapped_column(Text)
    #: BLAKE2b, 16 bytes, of the URL.
    url_hash: Mapped[bytes] = mapped_column(LargeBinary(16))
    fetched_at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: The record within the file, in bytes.
    offset: Mapped[int] = mapped_column(BigInteger)
    length: Mapped[int] = mapped_column(Integer)
    #: Of the content, in bytes, and its digest as the record has it.
    size: Mapped[int] = mapped_column(Integer)
    digest: Mapped[str] = mapped_column(String(60))
    #: What it was taken for: article, listing, nothing; part: a further page of an article.
    outcome: Mapped[str | None] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(String(300))
    #: The article that it shows, where it shows one.
    article_id: Mapped[int | None] = mapped_column(RowId)
    #: How it was read, for the figures of the night: see `newscrawler.store.nights`.
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class WrapperRow(Base):
    """A version of what was learned of a portal; never changed, and kept when the next one comes."""

    __tablename__ = "wrapper"
    __table_args__ = (UniqueConstraint("portal_id", "version"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"))
    #: 1, 2, 3, ... of the portal.
    version: Mapped[int] = mapped_column(Integer)
    #: The template file.
    document: Mapped[str] = mapped_column(Text)
    #: learned, imported.
    origin: Mapped[str] = mapped_column(String(16))
    #: in use, replaced, refused, withdrawn (by hand, never to be used again by itself).
    state: Mapped[str] = mapped_column(String(16))
    #: Why it is in this state, in a sentence.
    note: Mapped[str] = mapped_column(Text, default="")
    #: What it was measured on before it was adopted or refused.
    figures: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class NightRow(Base):
    """The watched figures of a portal in one round, and whether they broke their limits."""

    __tablename__ = "night"
    __table_args__ = (UniqueConstraint("portal_id", "round"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"))
    round: Mapped[int] = mapped_column(Integer)
    #: The version of the wrapper that was used; None: none.
    wrapper: Mapped[int | None] = mapped_column(Integer)
    figures: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    #: What broke its limit, a sentence each; empty: nothing.
    broken: Mapped[list[str]] = mapped_column(JSON, default=list)
    #: What was done about it, a sentence.
    done: Mapped[str] = mapped_column(Text, default="")
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class ReviewRow(Base):
    """What a person found of an article."""

    __tablename__ = "review"
    __table_args__ = (UniqueConstraint("article_id"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"))
    article_id: Mapped[int] = mapped_column(ForeignKey("article.id"))
    #: The page that the person saw, which is kept as long as the review.
    page_id: Mapped[int] = mapped_column(ForeignKey("page.id"))
    #: Words of a fixed vocabulary; empty: the article is right.
    faults: Mapped[list[str]] = mapped_column(JSON, default=list)
    #: What is expected of the page, as `newscrawler evaluate` takes it; None: faulty and not corrected.
    gold: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    note: Mapped[str] = mapped_column(Text, default="")
    reviewed_at: Mapped[datetime] = mapped_column(UtcDateTime)


WARC = cast("Table", WarcRow.__table__)
PAGE = cast("Table", PageRow.__table__)
WRAPPER = cast("Table", WrapperRow.__table__)
NIGHT = cast("Table", NightRow.__table__)
REVIEW = cast("Table", ReviewRow.__table__)
