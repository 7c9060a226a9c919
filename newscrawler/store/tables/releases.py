"""Corpora that were released."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Integer, String, Table, Text

from newscrawler.store.tables.base import METADATA, UtcDateTime

RELEASE = Table(
    "release",
    METADATA,
    Column("id", Integer, primary_key=True, comment="Number of the release."),
    Column("name", String(100), unique=True, nullable=False, comment="Name of the release, unique."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time, in UTC, for which articles and rights were selected."),
    Column("recipe", JSON, nullable=False, comment="Selection, formats and options, from which the release can be made again."),
    Column("version", String(40), nullable=False, comment="Version of newscrawler."),
    Column("articles", Integer, nullable=False, comment="Number of articles in the release."),
    Column(
        "manifest_sha256",
        String(64),
        nullable=False,
        comment="SHA-256 of manifest.json, which holds the SHA-256 of every other file.",
    ),
    Column("path", Text, nullable=False, comment="Folder to which the release was written."),
    comment="Releases: corpora that were written to be cited.",
)
