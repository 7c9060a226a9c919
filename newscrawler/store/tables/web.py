"""What the web application keeps: accounts, sessions, tokens, the audit log, verdicts of reviewers, saved searches."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, LargeBinary, String, Text, UniqueConstraint

from newscrawler.store.tables.base import RowId, UtcDateTime, define_table

ACCOUNT = define_table(
    "account",
    Column("id", Integer, primary_key=True, comment="Number of the account."),
    Column("name", String(100), unique=True, nullable=False, comment="Name of the person."),
    Column("password", String(200), nullable=False, comment="Password as Argon2 writes it: algorithm, parameters, salt and hash."),
    Column("role", String(10), nullable=False, comment="reader, reviewer or operator."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time of creation, in UTC."),
    Column("closed_at", UtcDateTime, comment="Time of closing, in UTC; NULL: the account is open."),
    comment="People who may log in to the web application.",
)


SESSION = define_table(
    "session",
    Column("digest", LargeBinary(32), primary_key=True, comment="SHA-256 of the token, which only the browser knows."),
    Column("account_id", ForeignKey("account.id"), index=True, nullable=False, comment="Account."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time of the login, in UTC."),
    Column("seen_at", UtcDateTime, nullable=False, comment="Time of the latest request, in UTC."),
    Column("expires_at", UtcDateTime, nullable=False, comment="Time at which it expires, in UTC."),
    comment="Browsers that are logged in.",
)


TOKEN = define_table(
    "token",
    Column("id", Integer, primary_key=True, comment="Number of the token."),
    Column("digest", LargeBinary(32), unique=True, nullable=False, comment="SHA-256 of the token, which is shown once."),
    Column("account_id", ForeignKey("account.id"), index=True, nullable=False, comment="Account."),
    Column("name", String(100), nullable=False, comment="What it is for."),
    Column("scope", String(10), nullable=False, comment="read or write."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time of creation, in UTC."),
    Column("expires_at", UtcDateTime, nullable=False, comment="Time at which it expires, in UTC."),
    Column("used_at", UtcDateTime, comment="Time of the latest use, in UTC."),
    Column("revoked_at", UtcDateTime, comment="Time at which it was revoked, in UTC."),
    comment="Programs that may use the API.",
)


AUDIT = define_table(
    "audit",
    Column("id", RowId, primary_key=True, comment="Number of the entry."),
    Column("at", UtcDateTime, index=True, nullable=False, comment="Time of the change, in UTC."),
    Column("who", String(100), nullable=False, comment="Name of the account."),
    Column("action", String(40), nullable=False, comment="What was done, such as login or review."),
    Column("subject", String(300), nullable=False, comment="What was changed: the name of a portal, the number of an article."),
    Column("detail", Text, nullable=False, comment="What else is to be known of it."),
    comment="Changes that people made in the web application.",
)


VERDICT = define_table(
    "verdict",
    Column("id", RowId, primary_key=True, comment="Number of the verdict."),
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), nullable=False, comment="Article."),
    Column("reviewer", String(100), nullable=False, comment="Name of the reviewer."),
    Column("page_id", ForeignKey("page.id"), nullable=False, comment="Kept page that the reviewer saw."),
    Column("faults", JSON, nullable=False, comment="Faults, as a JSON list of words; empty: the article is right."),
    Column("gold", JSON(none_as_null=True), comment="Corrected record, as in `review`; NULL: not corrected."),
    Column("note", Text, nullable=False, comment="Remark of the reviewer."),
    Column("reviewed_at", UtcDateTime, nullable=False, comment="Time of the verdict, in UTC."),
    UniqueConstraint("article_id", "reviewer"),
    Index("ix_verdict_reviewer", "reviewer", "reviewed_at"),
    comment="What each reviewer says of an article; `review` contains what counts.",
)


SAVED_SEARCH = define_table(
    "saved_search",
    Column("id", Integer, primary_key=True, comment="Number of the search."),
    Column("owner", String(100), nullable=False, comment="Name of the account; `local` where there are no accounts."),
    Column("name", String(100), nullable=False, comment="Name that the owner gave it."),
    Column("query", Text, nullable=False, comment="Query and filters, as in the URL of the page."),
    Column("saved_at", UtcDateTime, nullable=False, comment="Time of saving, in UTC."),
    UniqueConstraint("owner", "name"),
    comment="Searches that people of the web application keep.",
)
