"""Templates that were learned of portals, and the checks of whether the layout still fits them."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Integer, String, Table, Text, UniqueConstraint

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime, one_of
from newscrawler.store.vocabularies import TemplateOrigin, TemplateState

TEMPLATE = Table(
    "template",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the row."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("version", Integer, nullable=False, comment="Version of the portal's template, from 1."),
    Column("document", Text, nullable=False, comment="The template file, JSON."),
    Column("origin", String(16), nullable=False, comment="Where it came from."),
    Column(
        "state", String(16), nullable=False, comment="Whether it is in use; one that was withdrawn is not used again by itself."
    ),
    Column("note", Text, default="", nullable=False, comment="Why it is in this state, in a sentence."),
    Column("figures", JSON, default=dict, nullable=False, comment="Figures measured before it was adopted or refused."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time at which it was added, in UTC."),
    UniqueConstraint("portal_id", "version"),
    one_of("origin", TemplateOrigin),
    one_of("state", TemplateState),
    comment="Versions of the template of each portal; a version is never changed.",
)


DRIFT_CHECK = Table(
    "drift_check",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the check."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("round", Integer, nullable=False, comment="Round of the portal."),
    Column("template_version", Integer, comment="Version of the template in use; NULL: none."),
    Column("figures", JSON, default=dict, nullable=False, comment="Figures of how the pages of the round were read."),
    Column("violations", JSON, default=list, nullable=False, comment="Limits that were exceeded, a sentence each; empty: none."),
    Column("action", Text, default="", nullable=False, comment="What was done about it, in a sentence."),
    Column("checked_at", UtcDateTime, nullable=False, comment="Time of the check, in UTC."),
    UniqueConstraint("portal_id", "round"),
    comment="Checks, round by round, of whether the layout of a portal has changed (layout drift).",
)
