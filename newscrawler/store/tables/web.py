"""What the web application keeps: accounts, sessions, tokens, who changed what, jobs for the service, verdicts of reviewers."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text, UniqueConstraint

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime

#: A person who may log in.
ACCOUNT = Table(
    "account",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), unique=True, nullable=False),
    #: As Argon2 writes it: algorithm, parameters, salt and hash.
    Column("password", String(200), nullable=False),
    #: reader, reviewer, operator.
    Column("role", String(10), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    #: None: the account is open.
    Column("closed_at", UtcDateTime),
)


#: A browser that is logged in. The token itself is known to the browser only.
SESSION = Table(
    "session",
    METADATA,
    #: SHA-256 of the token.
    Column("digest", LargeBinary(32), primary_key=True),
    Column("account_id", ForeignKey("account.id"), index=True, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("seen_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
)


#: A program that may use the API. The token itself is shown once.
TOKEN = Table(
    "token",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("digest", LargeBinary(32), unique=True, nullable=False),
    Column("account_id", ForeignKey("account.id"), index=True, nullable=False),
    Column("name", String(100), nullable=False),
    #: read, write.
    Column("scope", String(10), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("used_at", UtcDateTime),
    Column("revoked_at", UtcDateTime),
)


#: One change that somebody made.
AUDIT = Table(
    "audit",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("at", UtcDateTime, index=True, nullable=False),
    Column("who", String(100), nullable=False),
    #: login, portal changed, review, ...
    Column("action", String(40), nullable=False),
    #: What was changed: the name of a portal, the number of an article.
    Column("subject", String(300), nullable=False),
    Column("detail", Text, nullable=False),
)


#: Something that a person asks the service to do.
JOB = Table(
    "job",
    METADATA,
    Column("id", RowId, primary_key=True),
    #: crawl, stop, export.
    Column("kind", String(10), nullable=False),
    #: The name of a portal or an export.
    Column("target", String(200), nullable=False),
    #: waiting, running, done, failed.
    Column("state", String(10), index=True, nullable=False),
    Column("asked_by", String(100), nullable=False),
    Column("asked_at", UtcDateTime, nullable=False),
    Column("began_at", UtcDateTime),
    Column("ended_at", UtcDateTime),
    #: What came of it, a sentence.
    Column("message", String(300), nullable=False),
)


#: What one reviewer says of one article; `review` holds what counts.
VERDICT = Table(
    "verdict",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("article_id", ForeignKey("article.id"), nullable=False),
    Column("reviewer", String(100), nullable=False),
    Column("page_id", ForeignKey("page.id"), nullable=False),
    #: Words of `Fault`; empty: the article is right.
    Column("faults", JSON, nullable=False),
    #: As in `review`.
    Column("gold", JSON(none_as_null=True)),
    Column("note", Text, nullable=False),
    Column("reviewed_at", UtcDateTime, nullable=False),
    UniqueConstraint("article_id", "reviewer"),
    Index("ix_verdict_reviewer", "reviewer", "reviewed_at"),
)
