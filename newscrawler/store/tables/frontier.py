"""Portals, crawl runs, URLs, reasons, what publishers reserve or want removed; slots and files of hosts, the log of requests."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
)

from newscrawler.article import Reserved
from newscrawler.store.tables.base import RowId, UtcDateTime, define_partial_index, define_table, one_of, tune_vacuum
from newscrawler.store.vocabularies import EndReason, FetchKind, FrontierKind, LogLevel, OriginFileKind, UrlOutcome, UrlState

PORTAL = define_table(
    "portal",
    Column("id", Integer, primary_key=True, comment="Number of the portal."),
    Column("name", String(200), unique=True, nullable=False, comment="Name of the portal in newscrawler.toml."),
    Column(
        "round",
        Integer,
        default=0,
        nullable=False,
        comment="Number of the current round: the runs from one that starts afresh to one that leaves nothing to fetch.",
    ),
    Column("created_at", UtcDateTime, nullable=False, comment="Time at which the portal was first crawled or scheduled, in UTC."),
    Column("scheduled_since", UtcDateTime, comment="Time from which missed crawls count, in UTC; NULL: it is not scheduled."),
    Column(
        "learned",
        JSON(none_as_null=True),
        comment="Facts that crawls have learned of the whole portal, such as its way to write dates.",
    ),
    comment="Portals that were crawled or scheduled.",
)


RUN = define_table(
    "run",
    Column("id", Integer, primary_key=True, comment="Number of the run; a later run has a larger one (fencing token)."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal that was crawled."),
    Column("round", Integer, nullable=False, comment="Round of the portal; a resumed run has the round of the run before."),
    Column("started_at", UtcDateTime, nullable=False, comment="Start, in UTC."),
    Column("heartbeat_at", UtcDateTime, nullable=False, comment="Latest sign of life, in UTC."),
    Column("ended_at", UtcDateTime, comment="End, in UTC; NULL while the run is under way."),
    Column("end_reason", String(20), comment="Why the run ended; NULL while it is under way."),
    Column("end_detail", Text, comment="Subject of the reason, such as a host or an error."),
    Column("host", String(255), nullable=False, comment="Name of the machine."),
    Column("machine", String(400), comment="Boot and process namespace in which `pid` is valid."),
    Column("pid", Integer, nullable=False, comment="Number of the process."),
    Column("process_started", BigInteger, comment="Start of the process, in clock ticks since the machine started."),
    Column("version", String(40), nullable=False, comment="Version of newscrawler."),
    Column("counts", JSON, default=dict, nullable=False, comment="Figures of the run as a JSON object; v_run shows the main ones."),
    Index("ix_run_portal", "portal_id", "id"),
    Index("ix_run_open", "ended_at"),
    one_of("end_reason", EndReason),
    comment="Crawl runs: one row for each crawl of one portal by one process.",
    **tune_vacuum(fill=80),
)


RUN_LOG = define_table(
    "run_log",
    Column("id", RowId, primary_key=True, comment="Number of the line."),
    Column("run_id", ForeignKey("run.id", ondelete="CASCADE"), nullable=False, comment="Run."),
    Column("logged_at", UtcDateTime, nullable=False, comment="Time of the line, in UTC."),
    Column("level", String(10), nullable=False, comment="How serious it is."),
    Column("message", Text, nullable=False, comment="The line."),
    Index("ix_run_log_run", "run_id", "id"),
    Index("ix_run_log_logged", "logged_at"),
    one_of("level", LogLevel),
    comment="Lines that runs wrote to their log, 2,000 a run at most; rows older than 90 days are deleted.",
)


REASON = define_table(
    "reason",
    Column("word", String(60), primary_key=True, comment="The reason as commands show it."),
    comment="Vocabulary of reasons why a URL gave no article or a request failed.",
)


FRONTIER = define_table(
    "frontier",
    Column("id", RowId, primary_key=True, comment="Number of the URL."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal to which the URL belongs."),
    Column("url", Text, nullable=False, comment="Canonical form of the URL."),
    Column("url_hash", LargeBinary(16), nullable=False, comment="BLAKE2b hash, 16 bytes, of `url`."),
    Column("kind", String(16), nullable=False, comment="Expected kind of the URL, before it is fetched."),
    Column("kind_reason", String(40), comment="Why it is expected to be that."),
    Column("priority", SmallInteger, nullable=False, comment="Order of fetching; smaller is earlier."),
    Column("depth", Integer, nullable=False, comment="Links from a start URL."),
    Column("redirects", SmallInteger, default=0, nullable=False, comment="Redirects in a row that led to the URL."),
    Column("state", String(10), nullable=False, comment="State in the queue."),
    Column("outcome", String(16), comment="Result of the latest fetch."),
    Column("http_status", SmallInteger, comment="HTTP status of the latest fetch; NULL if there was no response."),
    Column("reason", ForeignKey("reason.word"), comment="Why the URL gave no article, or is not fetched."),
    Column("detail", String(300), comment="Subject of the reason."),
    Column("attempts", SmallInteger, default=0, nullable=False, comment="Failed attempts in a row, within one run."),
    Column("new_articles", Integer, default=0, nullable=False, comment="New URLs of articles that the latest visit to it found."),
    Column("empty_visits", SmallInteger, default=0, nullable=False, comment="Latest visits in a row that brought no new article."),
    Column("found_on_id", ForeignKey("frontier.id"), comment="Sitemap, or else feed, or else page on which it was found first."),
    Column(
        "sources",
        SmallInteger,
        default=0,
        nullable=False,
        comment="Bits: 1 found in links, 2 in feeds, 4 in sitemaps; of a backfill also 8 in archive pages, 16 in lists of an API, "
        "32 in a web archive.",
    ),
    Column("hints", JSON(none_as_null=True), comment="Dates and sections seen next to links to the URL: [[source, text], ...]."),
    Column("day", Date, comment="Day of publication by lists, by the URL, or by its neighbours; only of a backfill."),
    Column("day_percent", SmallInteger, comment="Probability of `day`, in percent; 100: by the article itself."),
    Column("found_at", UtcDateTime, nullable=False, comment="Time at which the URL was found first, in UTC."),
    Column("fetched_at", UtcDateTime, comment="Time of the latest fetch, in UTC."),
    Column("retry_at", UtcDateTime, comment="Earliest time of the next attempt, in UTC; NULL: at once, or never."),
    Column("revisit_at", UtcDateTime, comment="Time from which a listing is due again, in UTC; NULL: at once."),
    Column("visits", JSON(none_as_null=True), comment="Latest visits to a listing: [[time, new articles], ...]."),
    Column("round", Integer, default=0, nullable=False, comment="Round of the portal in which the URL was last processed."),
    Column(
        "seen_round",
        Integer,
        default=0,
        server_default="0",
        nullable=False,
        comment="Latest round in which a page, feed or sitemap led to the URL.",
    ),
    Column("run_id", ForeignKey("run.id", ondelete="SET NULL"), comment="Run that has the lease of the URL."),
    Column("etag", String(300), comment="ETag of the latest response; empty: it stays when the page changes."),
    Column("last_modified", String(60), comment="Last-Modified of the latest response."),
    Column("article_id", ForeignKey("article.id", ondelete="SET NULL"), comment="Article that the URL shows."),
    UniqueConstraint("portal_id", "url_hash"),
    Index("ix_frontier_next", "portal_id", "state", "priority", "id"),
    define_partial_index("ix_frontier_lease", "run_id", "state", where="run_id IS NOT NULL"),
    define_partial_index("ix_frontier_article", "article_id", where="article_id IS NOT NULL"),
    define_partial_index("ix_frontier_retry", "portal_id", "retry_at", where="retry_at IS NOT NULL"),
    one_of("kind", FrontierKind),
    one_of("state", UrlState),
    one_of("outcome", UrlOutcome),
    CheckConstraint("sources BETWEEN 0 AND 63", name="sources"),
    comment="Every URL of each portal with its state: the queue and its history.",
    **tune_vacuum(fill=90),
)


URL_PATTERN = define_table(
    "url_pattern",
    Column("id", RowId, primary_key=True, comment="Number of the pattern."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("pattern", String(500), nullable=False, comment="Pattern, such as /{section}/{slug}-{id}."),
    Column("articles", Integer, nullable=False, comment="Fetched URLs that were articles."),
    Column("listings", Integer, nullable=False, comment="Fetched URLs that were listings."),
    Column("others", Integer, nullable=False, comment="Fetched URLs that were neither."),
    Column("new_articles", Integer, nullable=False, comment="New URLs of articles that listings of this pattern led to."),
    Column(
        "unproductive",
        Integer,
        nullable=False,
        comment="Fetched URLs in a row, up to the latest, that were neither article nor listing.",
    ),
    Column(
        "skipped",
        Integer,
        nullable=False,
        comment="URLs since the latest fetched one that were not fetched, as they promise nothing.",
    ),
    UniqueConstraint("portal_id", "pattern"),
    comment="Patterns of URLs of each portal, and what fetching showed of them.",
)


RESERVATION = define_table(
    "reservation",
    Column("id", RowId, primary_key=True, comment="Number of the reservation."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("url_id", ForeignKey("frontier.id"), nullable=False, comment="URL in the frontier that the reservation is about."),
    Column("kind", String(20), nullable=False, comment="Reserved use."),
    Column("statement", String(200), nullable=False, comment="The words of the publisher."),
    Column("place", String(40), nullable=False, comment="Where it was declared, such as X-Robots-Tag or meta robots."),
    Column("is_granted", Boolean, nullable=False, comment="True: the opposite was declared, text mining is allowed for this page."),
    Column("policy", Text, comment="URL of the conditions."),
    Column("effective_at", UtcDateTime, comment="Time from which unavailable_after applies, in UTC."),
    Column("first_seen_at", UtcDateTime, nullable=False, comment="Visit at which it was seen first, in UTC."),
    Column("last_seen_at", UtcDateTime, nullable=False, comment="Latest visit at which it was seen, in UTC."),
    Column("ended_at", UtcDateTime, comment="First visit at which it was no longer declared, in UTC; NULL: it is in force."),
    Column("note", String(200), comment="Why it counts though it cannot be read, or the conditions of its policy."),
    Index("ix_reservation_url", "url_id"),
    Index("ix_reservation_portal", "portal_id", "kind"),
    define_partial_index("ix_reservation_kind", "kind", "url_id", where="ended_at IS NULL"),
    one_of("kind", Reserved),
    comment="Rights that publishers reserve for single pages; rows stay when a reservation ends or an article is purged.",
)


ORIGIN_STATEMENT = define_table(
    "origin_statement",
    Column("id", RowId, primary_key=True, comment="Number of the statement."),
    Column("origin", String(300), nullable=False, comment="scheme://host, with the port where it is not the default."),
    Column("place", String(40), nullable=False, comment="Where it was declared, such as robots.txt Content-Signal."),
    Column("statement", Text, nullable=False, comment="The words of the publisher."),
    Column("first_seen_at", UtcDateTime, nullable=False, comment="Time at which it was seen first, in UTC."),
    Column("last_seen_at", UtcDateTime, nullable=False, comment="Latest time at which it was seen, in UTC."),
    Column("ended_at", UtcDateTime, comment="Time at which it was no longer declared, in UTC; NULL: it is in force."),
    Index("ix_origin_statement_origin", "origin", "ended_at"),
    comment="Declarations of origins for all their pages, with their times; rows stay when a declaration ends.",
)


REMOVAL = define_table(
    "removal",
    Column("id", RowId, primary_key=True, comment="Number of the request."),
    Column("pattern", String(500), unique=True, nullable=False, comment="URL, in which * means anything."),
    Column("reason", Text, nullable=False, comment="Who requested it, when and why."),
    Column("requested_at", UtcDateTime, nullable=False, comment="Time at which it was entered, in UTC."),
    Column("articles", Integer, nullable=False, comment="Number of articles that were removed."),
    comment="Requests for removal by operators of portals; their pages are not fetched or stored again.",
)


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
