"""Host slots, files of origins, and the log of requests."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Text,
)

from newscrawler.store.tables.base import RowId, UtcDateTime, define_partial_index, define_table, one_of, tune_vacuum
from newscrawler.store.vocabularies import FetchKind, OriginFileKind

HOST = define_table(
    "host",
    Column("name", String(255), primary_key=True, comment="Host name in lower case without port, or IP address."),
    Column("next_request_at", UtcDateTime, comment="Earliest time of the next request, in UTC."),
    Column("lease_holder", String(300), comment="Process that has the slot: machine, process, number."),
    Column("lease_expires_at", UtcDateTime, comment="Time at which the lease expires, in UTC."),
    Column("has_waiter", Boolean, default=False, nullable=False, comment="True: another process waits for the slot."),
    Column("last_response_at", UtcDateTime, comment="Time of the latest response, or of giving up on it, in UTC."),
    Column("response_seconds", Float, comment="Moving average of response times; NULL if unknown."),
    Column(
        "delay_factor",
        Float,
        default=1.0,
        nullable=False,
        comment="Factor on the delay: more than 1 where the host is slow or fails.",
    ),
    Column("failures", Integer, default=0, nullable=False, comment="Failed requests in a row."),
    Column("paused_until", UtcDateTime, comment="No request is sent before this time, in UTC."),
    Column("pause_reason", Text, comment="Why the host is paused."),
    Column(
        "is_suspended",
        Boolean,
        default=False,
        nullable=False,
        comment="True: the host failed after several pauses and is given up.",
    ),
    comment="Slots of hosts and IP addresses, shared by all portals and processes: one request at a time, with a delay.",
    **tune_vacuum(fill=70),
)


ORIGIN_FILE = define_table(
    "origin_file",
    Column("url", String(500), primary_key=True, comment="URL of the file."),
    Column("origin", String(300), index=True, nullable=False, comment="Origin for whose pages it was requested: scheme://host."),
    Column("kind", String(20), nullable=False, comment="Kind of the file."),
    Column("http_status", SmallInteger, comment="HTTP status of the latest response; NULL if there was none."),
    Column("reason", String(300), comment="Why there is no body, or that of an earlier response."),
    Column("body", LargeBinary, comment="The file as it was received; NULL where there is none, or none that counts."),
    Column("fetched_at", UtcDateTime, nullable=False, comment="Time of the latest request for it, in UTC."),
    Column("expires_at", UtcDateTime, nullable=False, comment="Time from which it is requested again, in UTC."),
    Column("unchanged_since", UtcDateTime, nullable=False, comment="Time at which this body was seen first, in UTC."),
    Column("failures", Integer, nullable=False, comment="Failed requests in a row; robots.txt then forbids all."),
    one_of("kind", OriginFileKind),
    comment="robots.txt, tdmrep.json, licences (RSL), policies (ODRL) and other files of origins, as they were last received.",
)


FETCH = define_table(
    "request",
    Column("id", RowId, primary_key=True, comment="Number of the request."),
    Column("sent_at", UtcDateTime, nullable=False, comment="Time of sending, in UTC."),
    Column("host", String(255), nullable=False, comment="Host name."),
    Column("address", String(45), comment="IP address; NULL if no connection was made."),
    Column("portal_id", ForeignKey("portal.id"), comment="Portal; NULL for a single page (`newscrawler extract URL`)."),
    Column("run_id", ForeignKey("run.id", ondelete="SET NULL"), comment="Run that sent it."),
    Column(
        "kind",
        String(10),
        nullable=False,
        comment=(
            "Kind of the request: page, robots, tdm (tdmrep.json), part (of an article), licence, alternate (another form of an "
            "article that its page names) or rendering (what a page asks for in a browser)."
        ),
    ),
    Column("http_status", SmallInteger, comment="HTTP status; NULL if there was no response."),
    Column("reason", ForeignKey("reason.word"), comment="Why the request failed."),
    Column("bytes", BigInteger, nullable=False, comment="Bytes of the body as transferred."),
    Column("duration_ms", Integer, nullable=False, comment="Milliseconds from sending to the end of the response."),
    Column("delay_seconds", Float, nullable=False, comment="Delay in force between the request before and this one."),
    Column(
        "url",
        Text,
        comment="Address, where a page caused the request: part, alternate or rendering; those of pages are in `frontier`.",
    ),
    Column("page_url", Text, comment="Address of the page that caused the request."),
    Index("ix_request_host", "host", "sent_at"),
    Index("ix_request_portal", "portal_id", "sent_at"),
    Index("ix_request_sent", "sent_at"),
    define_partial_index("ix_request_run", "run_id", where="run_id IS NOT NULL"),
    one_of("kind", FetchKind),
    comment="Log of requests, kept for 30 days.",
)
