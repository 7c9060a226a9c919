"""Publishers' reservations for single pages and whole origins, and their requests for removal."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Text

from newscrawler.article import Reserved
from newscrawler.store.tables.base import RowId, UtcDateTime, define_partial_index, define_table, one_of

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
