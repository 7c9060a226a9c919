"""Corpora that were released."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Integer, String, Table, Text

from newscrawler.store.tables.base import METADATA, UtcDateTime

#: One release, with everything that is needed to make it again.
RELEASE = Table(
    "release",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), unique=True, nullable=False),
    #: The moment for which its articles and rights were looked at.
    Column("created_at", UtcDateTime, nullable=False),
    #: What was asked for.
    Column("recipe", JSON, nullable=False),
    #: Of newscrawler.
    Column("version", String(40), nullable=False),
    Column("articles", Integer, nullable=False),
    #: Of manifest.json, which holds the digests of all other files.
    Column("manifest_sha256", String(64), nullable=False),
    #: Where it was written.
    Column("path", Text, nullable=False),
)
