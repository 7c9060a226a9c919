"""Records of the service and its workers, and of the web application: accounts, sessions, tokens, audit log, saved searches."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
)

from newscrawler.store.tables.base import RowId, UtcDateTime, define_partial_index, define_table, one_of
from newscrawler.store.vocabularies import JobState

SERVICE = define_table(
    "service",
    Column("id", Integer, primary_key=True, comment="1."),
    Column("host", String(255), nullable=False, comment="Name of the machine."),
    Column("machine", String(400), nullable=False, comment="Boot and process namespace in which `pid` is valid."),
    Column("pid", Integer, nullable=False, comment="Number of the process."),
    Column("process_started", BigInteger, comment="Start of the process, in clock ticks since the machine started."),
    Column("started_at", UtcDateTime, nullable=False, comment="Start of the service, in UTC."),
    Column("heartbeat_at", UtcDateTime, nullable=False, comment="Latest sign of life, in UTC."),
    Column("ended_at", UtcDateTime, comment="End, in UTC; NULL while it runs."),
    Column("problem", Text, nullable=False, comment="Its problem, such as a refused configuration; empty: nothing."),
    comment="Process of `newscrawler run`; at most one row.",
)


JOB = define_table(
    "job",
    Column("id", RowId, primary_key=True, comment="Number of the job."),
    Column("kind", String(10), nullable=False, comment="What is to be done, such as crawl, export or release."),
    Column("target", String(200), nullable=False, comment="Name of a portal, an export or a release; a format; a tool."),
    Column("label", String(40), comment="Of a crawl: its scheduled time, or `job` and its number; of a digest: its day."),
    Column("state", String(10), index=True, nullable=False, comment="State of the job."),
    Column("asked_by", String(100), nullable=False, comment="Name of the account; empty: the schedule."),
    Column("planned_at", UtcDateTime, nullable=False, comment="Scheduled time, or time of the request, in UTC."),
    Column("due_at", UtcDateTime, comment="It is not tried again before, in UTC."),
    Column("attempts", SmallInteger, nullable=False, comment="Attempts so far."),
    Column("began_at", UtcDateTime, comment="Start of the latest attempt, in UTC."),
    Column("ended_at", UtcDateTime, comment="End, in UTC; NULL while it waits or is under way."),
    Column("message", String(300), nullable=False, comment="The result, or why the latest attempt ended, in a sentence."),
    Column(
        "parameters",
        JSON(none_as_null=True),
        comment="Details of the request besides kind and target, such as selection and format.",
    ),
    Column("progress", Integer, comment="Articles that are done; NULL: none are counted."),
    Column("total", Integer, comment="Articles that are to be done; NULL if unknown."),
    Column("path", Text, comment="File or folder that the job wrote; NULL: none."),
    Column("last_article_id", RowId, comment="Of an export: newest article at that time; the next one begins after it."),
    UniqueConstraint("kind", "target", "label"),
    Index("ix_job_planned", "kind", "target", "planned_at"),
    define_partial_index("ix_job_asked", "id", where="asked_by <> ''"),  # jobs that a person requested
    one_of("state", JobState),
    comment="What the service has to do: scheduled crawls and exports, and requests of people.",
)


ALERT = define_table(
    "alert",
    Column("id", RowId, primary_key=True, comment="Number of the alert."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("kind", String(40), nullable=False, comment="Kind of problem."),
    Column("message", Text, nullable=False, comment="The problem in a sentence."),
    Column("started_at", UtcDateTime, nullable=False, comment="Time at which it was found, in UTC."),
    Column("ended_at", UtcDateTime, comment="Time at which it was over, in UTC; NULL while it lasts."),
    Column("start_sent", JSON, nullable=False, comment="Channels that were notified of the start."),
    Column("end_sent", JSON, nullable=False, comment="Channels that were notified of the end."),
    Column("acknowledged_at", UtcDateTime, comment="Time at which somebody acknowledged it, in UTC."),
    Column("acknowledged_by", String(100), comment="Name of the account that acknowledged it."),
    Index("ix_alert_portal", "portal_id", "ended_at"),
    comment="Problems of portals from start to end, and who was notified.",
)


WORKER = define_table(
    "worker",
    Column("id", BigInteger, primary_key=True, autoincrement=False, comment="Number in `procrastinate_workers`."),
    Column("name", String(255), nullable=False, comment="Name that the operator gave it; a restarted worker may have the same."),
    Column("host", String(255), nullable=False, comment="Name of the machine."),
    Column("machine", String(400), nullable=False, comment="Boot and process namespace in which `pid` is valid."),
    Column("pid", Integer, nullable=False, comment="Number of the process."),
    Column("process_started", BigInteger, comment="Start of the process, in clock ticks since the machine started."),
    Column("version", String(40), nullable=False, comment="Version of newscrawler."),
    Column("places", SmallInteger, nullable=False, comment="Crawls for which it has memory, those under way included."),
    Column("started_at", UtcDateTime, nullable=False, comment="Start, in UTC."),
    comment="Processes of `newscrawler worker`; their signs of life are in `procrastinate_workers`.",
)


SCHEMA_WRITERS = define_table(
    "schema_writers",
    Column("id", Integer, primary_key=True, comment="1."),
    Column("oldest", String(32), nullable=False, comment="Oldest schema whose programs may go on to write this one, as a number."),
    comment="Which earlier programs may use the database while they are replaced; one row.",
)


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
